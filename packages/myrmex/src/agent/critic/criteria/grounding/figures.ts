/**
 * The figures of the facts, by dimension, and whether one of them grounds a figure of a text. Rounding is allowed to the
 * digits shown and by at most 2 %, money never; `about` allows 5 %, `over` and `under` a half. Besides the figures themselves
 * only what two prices differ by, as money or percent, counts as known.
 */
import type { Quantity, Value } from './quantities.ts'
import type { Unit } from './units.ts'

const ROUNDED = 0.02
const ABOUT = 0.05
const FAR = 1.5
/** With more prices than this, differences would ground nearly anything. */
const MOST_PRICES = 20

export interface Figures {
  add(value: number, unit: Unit | undefined): void
  has(quantity: Quantity): boolean
}

type Range = readonly [least: number, most: number]

export function figures(): Figures {
  /** dimension, or '' for a figure without one; values on one scale */
  const scaled = new Map<string, Set<number>>()
  /** as they are written, with any unit */
  const written = new Set<number>()
  let sorted: { written: number[]; scaled: Map<string, number[]> } | undefined
  const within = (list: readonly number[] | undefined, [least, most]: Range): boolean => {
    const place = list === undefined ? 0 : firstNotBelow(list, least)
    return list !== undefined && place < list.length && (list[place] as number) <= most
  }
  return {
    add(value, unit) {
      const size = Math.abs(value)
      written.add(size)
      const dimension = unit?.dimension ?? ''
      const known = scaled.get(dimension) ?? new Set()
      scaled.set(dimension, known.add(size * (unit?.factor ?? 1)))
    },
    has({ values, unit, bound }) {
      sorted ??= sortedFrom(written, scaled)
      const { written: all, scaled: by } = sorted
      return values.some((value) => {
        if (unit === undefined) return within(all, rangeOf(value, 1, bound, false))
        const isMoney = unit.dimension === 'money'
        return (
          within(by.get(unit.dimension), rangeOf(value, unit.factor, bound, isMoney)) ||
          within(by.get(`${unit.dimension} between prices`), rangeOf(value, unit.factor, bound, isMoney)) ||
          within(by.get(''), rangeOf(value, 1, bound, isMoney)) ||
          (unit.dimension === 'percent' && within(by.get('share'), rangeOf(value, 1, bound, false)))
        )
      })
    },
  }
}

function sortedFrom(written: ReadonlySet<number>, scaled: ReadonlyMap<string, ReadonlySet<number>>) {
  const inOrder = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
  const by = new Map([...scaled].map(([dimension, values]) => [dimension, inOrder(values)]))
  // A rate of 0.2 is 20 %, whether its name says that it is a rate or not.
  const shares = [...(by.get('') ?? []), ...(by.get('percent') ?? [])].filter((value) => value <= 1)
  by.set('share', inOrder(shares.map((value) => value * 100)))
  const prices = by.get('money') ?? []
  if (prices.length <= MOST_PRICES) {
    const pairs = prices.flatMap((high) => prices.filter((low) => low < high).map((low) => [low, high] as const))
    by.set('money between prices', inOrder(pairs.map(([low, high]) => high - low)))
    by.set('percent between prices', inOrder(pairs.map(([low, high]) => ((high - low) / high) * 100)))
  }
  return { written: inOrder(written), scaled: by }
}

/** The facts that a figure may stand for. */
function rangeOf({ value, precision }: Value, factor: number, bound: Quantity['bound'], isMoney: boolean): Range {
  const at = value * factor
  const hair = Math.max(1e-9, Math.abs(at) * 1e-9)
  if (bound === 'over') return [at - hair, at * FAR + hair]
  if (bound === 'under') return [at / FAR - hair, at + hair]
  if (bound === 'about') return [at * (1 - ABOUT) - hair, at * (1 + ABOUT) + hair]
  if (isMoney) return [at - hair, at + hair]
  const slack = Math.min((precision * factor) / 2, at * ROUNDED)
  return [at - slack - hair, at + slack + hair]
}

/** The index of the first value of a sorted list that is not below `value`. */
export function firstNotBelow(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
