/** Arrays: whether one can meet rules about size, items, uniqueness and counts, and which one. */
import type { Atom, ItemRules } from '../formula/formula.ts'
import { type InternedSchema, type Literal, literal } from '../formula/interned-schema.ts'
import { buildArray } from './array-build.ts'
import type { Search } from './search.ts'
import {
  ANY_KEY,
  foundValue,
  insideStep,
  NO_VALUE,
  type SearchResult,
  type UnknownResult,
  unknownResult,
} from './search-result.ts'

export type CountRule = Atom & { is: 'count' }

export interface ArrayRules {
  readonly least: number
  most: number
  readonly unique: boolean
  readonly repeated: boolean
  readonly someItem: readonly { from: number; item: Literal }[]
  readonly counts: readonly CountRule[]
  /** from this index on, all items have the same rules */
  readonly tail: number
  readonly at: (index: number) => Literal[]
}

const MAX_PREFIX_LENGTH = 64

export function decideArray(atoms: readonly Atom[], finder: Search, probe: boolean): SearchResult {
  const lists = gathered(atoms)
  if (lists.unique && lists.repeated) return NO_VALUE
  if (lists.tail > MAX_PREFIX_LENGTH) return unknownResult('arrays with that many positions cannot be compared')
  const doubt = shortened(lists, finder)
  if (lists.least > lists.most) return NO_VALUE
  if (lists.someItem.some((rule) => possibleIndexes(lists, rule.from, [rule.item], finder).length === 0))
    return NO_VALUE
  if (lists.counts.some((count) => isImpossible(count, lists, finder)) || contradict(lists, finder)) return NO_VALUE
  if (lists.repeated && indexPairs(lists, finder).length === 0) return NO_VALUE
  if (probe) return unknownResult('')
  const built = buildArray(lists, finder)
  return built === undefined ? (doubt ?? unknownResult('no array was found that meets all rules')) : foundValue(built)
}

function gathered(atoms: readonly Atom[]): ArrayRules {
  const of = <K extends Atom['is']>(kind: K) => atoms.filter((one): one is Atom & { is: K } => one.is === kind)
  const groups: readonly ItemRules[] = of('items')
  const items = of('item')
  const counts = joined(of('count'))
  const never = counts.filter((count) => count.most === 0).map((count) => literal(count.node, false))
  const at = (index: number): Literal[] => [
    ...groups.flatMap(({ prefix, rest }) => {
      const node = index < prefix.length ? prefix[index] : rest
      return node === undefined ? [] : [literal(node)]
    }),
    ...items.filter((one) => one.index === index).map((one) => one.item),
    ...never,
  ]
  const unique = of('unique')
  return {
    least: Math.max(0, ...of('least').map(({ size }) => size), ...items.map(({ index }) => index + 1)),
    most: Math.min(Number.POSITIVE_INFINITY, ...of('most').map(({ size }) => size)),
    unique: unique.some(({ holds }) => holds),
    repeated: unique.some(({ holds }) => !holds),
    someItem: of('some item'),
    counts,
    tail: Math.max(0, ...groups.map(({ prefix }) => prefix.length), ...items.map(({ index }) => index + 1)),
    at,
  }
}

/** Merges the counts of the same schema. */
function joined(counts: readonly CountRule[]): CountRule[] {
  const kinds = new Map<InternedSchema, CountRule>()
  for (const count of counts) {
    const { least = 0, most = Number.POSITIVE_INFINITY } = kinds.get(count.node) ?? {}
    kinds.set(count.node, { ...count, least: Math.max(least, count.least), most: Math.min(most, count.most) })
  }
  return [...kinds.values()]
}

/** An index without possible value ends the array before it. Returns the first unknown result. */
function shortened(lists: ArrayRules, finder: Search): UnknownResult | undefined {
  let doubt: UnknownResult | undefined
  for (let index = 0; index <= lists.tail && index < lists.most; index++) {
    const answer = finder.find(lists.at(index))
    if (answer.kind === 'empty') lists.most = index
    else if (answer.kind === 'unknown' && index < Math.max(lists.least, 1))
      doubt ??= insideStep(index < lists.tail ? index : ANY_KEY, answer)
  }
  const different = lists.unique ? finder.allValues(lists.at(lists.tail)) : undefined
  if (different !== undefined) lists.most = Math.min(lists.most, lists.tail + different.length)
  return doubt
}

/** The indexes where an item can meet these literals, too. The tail stands for all indexes after it. */
export function possibleIndexes(lists: ArrayRules, from: number, more: readonly Literal[], finder: Search): number[] {
  const found: number[] = []
  for (let index = from; index <= Math.max(from, lists.tail) && index < lists.most; index++) {
    if (finder.find([...lists.at(index), ...more]).kind !== 'empty') found.push(index)
  }
  return found
}

function isImpossible(count: CountRule, lists: ArrayRules, finder: Search): boolean {
  const wanted = literal(count.node)
  if (count.least > 0) {
    const able = possibleIndexes(lists, 0, [wanted], finder)
    let room = able.includes(lists.tail) ? able.length - 1 + (lists.most - lists.tail) : able.length
    const different = lists.unique ? finder.allValues([wanted]) : undefined
    if (different !== undefined) room = Math.min(room, different.length)
    if (room < count.least) return true
  }
  if (count.most === Number.POSITIVE_INFINITY || lists.least <= count.most) return false
  const free = possibleIndexes(lists, 0, [literal(count.node, false)], finder)
  const forced =
    Math.min(lists.least, lists.tail) - free.filter((index) => index < Math.min(lists.least, lists.tail)).length
  const forcedTail = free.includes(lists.tail) ? 0 : Math.max(0, lists.least - lists.tail)
  return forced + forcedTail > count.most
}

/** At least n of one kind, at most fewer of another, and all of the one are of the other. */
function contradict(lists: ArrayRules, finder: Search): boolean {
  const areApart = (many: CountRule, few: CountRule): boolean =>
    possibleIndexes(lists, 0, [literal(many.node), literal(few.node, false)], finder).length > 0
  return lists.counts.some((many) => lists.counts.some((few) => many.least > few.most && !areApart(many, few)))
}

/** Pairs of indexes that can have the same value. */
export function indexPairs(lists: ArrayRules, finder: Search): [number, number][] {
  const found: [number, number][] = []
  const last = Math.min(lists.tail + 1, lists.most - 1)
  for (let second = 1; second <= last; second++) {
    for (let first = 0; first < second; first++) {
      if (finder.find([...lists.at(first), ...lists.at(second)]).kind !== 'empty') found.push([first, second])
    }
  }
  return found
}
