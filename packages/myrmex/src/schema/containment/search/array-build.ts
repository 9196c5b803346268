/** Builds an array for rules without an obvious contradiction. It may still break one, so it is judged afterwards. */
import type { Json } from '../../../protocol/json.ts'
import { type Literal, literal } from '../formula/interned-schema.ts'
import { type ArrayRules, indexPairs, possibleIndexes } from './array.ts'
import type { Search } from './search.ts'

const MAX_LENGTH = 500

export function buildArray(lists: ArrayRules, finder: Search): Json[] | undefined {
  const extra = new Map<number, Literal[]>()
  const taken = (index: number): boolean => extra.has(index)
  const add = (index: number, wanted: Literal): void => {
    extra.set(index, [...(extra.get(index) ?? []), wanted])
  }
  for (const { from, item } of lists.someItem) {
    const index = free(lists, possibleIndexes(lists, from, [item], finder), taken)
    if (index !== undefined) add(index, item)
  }
  for (const count of lists.counts) {
    const wanted = literal(count.node)
    for (let made = 0; made < Math.min(count.least, MAX_LENGTH); made++) {
      const index = free(lists, possibleIndexes(lists, 0, [wanted], finder), taken)
      if (index !== undefined) add(index, wanted)
    }
  }
  const twins = lists.repeated ? indexPairs(lists, finder)[0] : undefined
  const length = Math.max(
    lists.least,
    ...[...extra.keys()].map((index) => index + 1),
    twins === undefined ? 0 : twins[1] + 1,
  )
  if (length > MAX_LENGTH) return undefined
  return filled(lists, length, { extra, twins }, finder)
}

/** An unused index. After the last known one there is always another. */
function free(lists: ArrayRules, able: readonly number[], taken: (index: number) => boolean): number | undefined {
  const place = able.find((index) => !taken(index))
  if (place !== undefined || !able.includes(lists.tail)) return place
  let index = lists.tail
  while (taken(index)) index++
  return index < lists.most ? index : undefined
}

interface Plan {
  readonly extra: ReadonlyMap<number, readonly Literal[]>
  readonly twins: readonly [number, number] | undefined
}

function filled(lists: ArrayRules, length: number, { extra, twins }: Plan, finder: Search): Json[] | undefined {
  const list: Json[] = []
  const spare = lists.counts.filter((count) => count.most < length).map((count) => literal(count.node, false))
  for (let index = 0; index < length; index++) {
    if (twins?.[1] === index) {
      list.push(list[twins[0]] as Json)
      continue
    }
    const goal = [...lists.at(index), ...(extra.get(index) ?? [])]
    if (twins?.[0] === index) goal.push(...lists.at(twins[1]))
    if (lists.unique && list.length > 0) goal.push(finder.noneOf(list))
    const item = found(spare, goal, finder)
    if (item === undefined) return undefined
    list.push(item)
  }
  return list
}

/** Avoids items of limited number if possible. */
function found(avoiding: readonly Literal[], goal: readonly Literal[], finder: Search): Json | undefined {
  const clear = avoiding.length === 0 ? undefined : sample([...goal, ...avoiding], finder)
  return clear === undefined ? sample(goal, finder) : clear
}

/** A value that meets the goal, or a guess. */
export function sample(goal: readonly Literal[], finder: Search): Json | undefined {
  const answer = finder.find(goal)
  return answer.kind === 'empty' ? undefined : answer.value
}
