/** Applies a linear model: the probability of each class, and the features that support a class, as the customer wrote them. */

import { softmax } from '../../figures.ts'
import type { Features } from './features.ts'
import type { LinearModel } from './model-file.ts'

export interface Reason {
  /** as the customer wrote it, or the name of a cue */
  readonly words: string
  /** how far it moved the score of the class, relative to the mean of all classes */
  readonly weight: number
}

export interface Classification {
  readonly chances: Readonly<Record<string, number>>
  readonly reasonsFor: (label: string, most: number) => readonly Reason[]
}

export function classify(model: LinearModel, found: Features, vector: ReadonlyMap<string, number>): Classification {
  const { classes, bias, weights, temperature } = model
  const scores = [...bias]
  for (const [feature, value] of vector) {
    for (const [index, weight] of (weights[feature] ?? []).entries())
      scores[index] = (scores[index] ?? 0) + weight * value
  }
  const chances = softmax(scores, temperature)
  return {
    chances: Object.fromEntries(classes.map((label, index) => [label, chances[index] ?? 0])),
    reasonsFor: (label, most) => {
      const index = classes.indexOf(label)
      const byWords = new Map<string, number>()
      for (const [feature, value] of vector) {
        const words = found.get(feature) ?? feature
        byWords.set(words, (byWords.get(words) ?? 0) + advantage(weights[feature] ?? [], index) * value)
      }
      return [...byWords]
        .map(([words, weight]) => ({ words, weight }))
        .filter(({ weight }) => weight > 0)
        .sort((a, b) => b.weight - a.weight)
        .slice(0, most)
        .map(({ words, weight }) => ({ words, weight: Math.round(weight * 100) / 100 }))
    },
  }
}

const advantage = (weights: readonly number[], index: number): number =>
  (weights[index] ?? 0) - weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length)

/** The most likely class and its probability. */
export function likeliest<Label extends string>(
  chances: Readonly<Record<string, number>>,
): { label: Label; chance: number } {
  let best = { label: '' as Label, chance: -1 }
  for (const [label, chance] of Object.entries(chances))
    if (chance > best.chance) best = { label: label as Label, chance }
  return best
}
