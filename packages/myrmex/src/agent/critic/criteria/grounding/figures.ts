/**
 * The figures of the facts, by dimension, and whether one of them grounds a figure of a text. Rounding is allowed to the
 * digits shown and by at most 2 %, money never; `about` allows 5 %, `over` and `under` a half. Besides the figures themselves
 * only what two prices differ by, as money or percent, counts as known.
 */
import { getOrMake } from '../../../../protocol/get-or-make.ts'
import { firstNotBelow } from '../../reading/first-not-below.ts'
import type { Quantity, Value } from './quantities.ts'
import type { Unit } from './units.ts'

const ROUNDED = 0.02
const ABOUT = 0.05
const FAR = 1.5
/** With more prices than this, differences would ground nearly anything. */
const MAX_PRICES = 20

type Range = readonly [least: number, most: number]

/** Figures as they are written, with any unit. The other keys are dimensions, with values on one scale; '' is without one. */
const AS_WRITTEN = 'as written'

export class Figures {
  readonly #byKey = new Map<string, number[]>()
  #sorted: ReadonlyMap<string, readonly number[]> | undefined

  add(value: number, unit: Unit | undefined): void {
    const size = Math.abs(value)
    getOrMake(this.#byKey, AS_WRITTEN, () => []).push(size)
    getOrMake(this.#byKey, unit?.dimension ?? '', () => []).push(size * (unit?.factor ?? 1))
  }

  has({ values, unit, bound }: Quantity): boolean {
    return values.some((value) => {
      if (unit === undefined) return this.#hasIn(AS_WRITTEN, rangeOf(value, 1, bound, false))
      const { dimension, factor } = unit
      const isMoney = dimension === 'money'
      const scaled = rangeOf(value, factor, bound, isMoney)
      return (
        this.#hasIn(dimension, scaled) ||
        this.#hasIn(`${dimension} between prices`, scaled) ||
        this.#hasIn('', rangeOf(value, 1, bound, isMoney)) ||
        (dimension === 'percent' && this.#hasIn('share', rangeOf(value, 1, bound, false)))
      )
    })
  }

  #hasIn(key: string, [least, most]: Range): boolean {
    this.#sorted ??= withDerived(this.#byKey)
    const list = this.#sorted.get(key) ?? []
    return (list[firstNotBelow(list, least, (figure) => figure)] ?? Number.POSITIVE_INFINITY) <= most
  }
}

/** All lists in order, and figures that follow from others. */
function withDerived(byKey: ReadonlyMap<string, readonly number[]>): Map<string, readonly number[]> {
  const all = new Map(byKey)
  // A rate of 0.2 is 20 %, even if its name does not say that it is a rate.
  const rates = [...(byKey.get('') ?? []), ...(byKey.get('percent') ?? [])].filter((value) => value <= 1)
  const shares = rates.map((rate) => rate * 100)
  all.set('share', shares)
  const prices = [...new Set(byKey.get('money'))]
  if (prices.length <= MAX_PRICES) {
    const pairs = prices.flatMap((high) => prices.filter((low) => low < high).map((low) => [low, high] as const))
    const differences = pairs.map(([low, high]) => high - low)
    const discounts = pairs.map(([low, high]) => ((high - low) / high) * 100)
    all.set('money between prices', differences)
    all.set('percent between prices', discounts)
  }
  return new Map([...all].map(([key, values]) => [key, values.toSorted((a, b) => a - b)]))
}

/** The range of facts that ground a figure. */
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
