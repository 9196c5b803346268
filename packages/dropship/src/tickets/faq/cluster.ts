/**
 * Groups texts by the words they share. Each text joins the group with the nearest centre or starts a new one, and small groups join
 * their nearest. The order of the texts decides ties, so the same tickets give the same groups.
 */
import { extractFeatures, isCue } from '../model/features.ts'

type Vector = ReadonlyMap<string, number>

/** The similarity a text needs to join a group. Two messages on one topic have about this much. */
const ALIKE = 0.2
/** Smaller groups are too rare for a question of their own. */
const SMALLEST_SHARE = 0.05

interface Growing<T> {
  members: T[]
  sum: Map<string, number>
}

/** Single words, weighted by how few texts have them, scaled to length 1. */
function vectorsOf(texts: readonly string[]): Vector[] {
  const words = texts.map((text) =>
    [...extractFeatures(text).keys()].filter((feature) => !isCue(feature) && !feature.includes(' ')),
  )
  const seen = new Map<string, number>()
  for (const list of words) for (const word of list) seen.set(word, (seen.get(word) ?? 0) + 1)
  return words.map((list) => {
    const weighted = list.map((word) => [word, Math.log(1 + texts.length / (seen.get(word) ?? 1))] as const)
    const length = Math.hypot(...weighted.map(([, weight]) => weight)) || 1
    return new Map(weighted.map(([word, weight]) => [word, weight / length]))
  })
}

function likeness(vector: Vector, sum: Vector): number {
  let dot = 0
  for (const [word, weight] of vector) dot += weight * (sum.get(word) ?? 0)
  return dot / (Math.hypot(...sum.values()) || 1)
}

function nearest<T>(groups: readonly Growing<T>[], vector: Vector): { group: Growing<T> | undefined; alike: number } {
  let best: { group: Growing<T> | undefined; alike: number } = { group: undefined, alike: -1 }
  for (const group of groups) {
    const alike = likeness(vector, group.sum)
    if (alike > best.alike) best = { group, alike }
  }
  return best
}

function join<T>(group: Growing<T>, members: readonly T[], vector: Vector): void {
  group.members.push(...members)
  for (const [word, weight] of vector) group.sum.set(word, (group.sum.get(word) ?? 0) + weight)
}

export function clusterByText<T>(items: readonly T[], textOf: (item: T) => string): (readonly T[])[] {
  const vectors = vectorsOf(items.map(textOf))
  const groups: Growing<T>[] = []
  for (const [index, item] of items.entries()) {
    const vector = vectors[index] as Vector
    const { group, alike } = nearest(groups, vector)
    if (group !== undefined && alike >= ALIKE) join(group, [item], vector)
    else groups.push({ members: [item], sum: new Map(vector) })
  }
  const large = groups.filter(({ members }) => members.length >= Math.max(2, items.length * SMALLEST_SHARE))
  if (large.length === 0 && groups[0] !== undefined) large.push(groups[0])
  for (const small of groups)
    if (!large.includes(small)) join(nearest(large, small.sum).group as Growing<T>, small.members, small.sum)
  return large.map(({ members }) => members)
}
