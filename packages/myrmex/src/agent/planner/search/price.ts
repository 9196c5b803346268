/**
 * The price of a plan. The major part counts, as one number, questions first, then state changes made only for an input,
 * then steps, then state changes in all. The minor part decides between plans that are alike in that: money, unreliability, time,
 * and last the names, so that no two sets of tools weigh the same. Adding prices adds every measure, and comparing them compares
 * the measures in that order.
 */
import type { ToolStatistics, ToolView } from '../../fleet/tool-view.ts'

export interface Price {
  readonly major: number
  readonly minor: bigint
}

/** Room for four thousand of each. */
const COUNT = 2 ** 12
const MONEY_BITS = 56n
const RISK_BITS = 40n
const TIME_BITS = 56n

const largest = (bits: bigint): number => 2 ** (Number(bits) - 14)
const whole = (value: number, bits: bigint): bigint => BigInt(Math.round(Math.min(Math.max(value, 0), largest(bits))))

export interface PriceFactors {
  /** only there for an input of another step */
  readonly forInput: boolean
  /** money a call costs, as far as it is known */
  readonly money: number
  readonly learned: ToolStatistics | undefined
}

/** `names` is the number of tools, `place` the index of this one in their order. */
export function priceOf(
  tool: ToolView,
  { forInput, money, learned }: PriceFactors,
  place: number,
  names: number,
): Price {
  const change = tool.destructive ? 1 : 0
  const risk = ((learned?.failures ?? 0) + 1) / ((learned?.calls ?? 0) + 2)
  let minor = whole(money * 1000, MONEY_BITS)
  minor = (minor << RISK_BITS) + whole(risk * 1_000_000, RISK_BITS)
  minor = (minor << TIME_BITS) + whole((learned?.mean_ms ?? 0) * 1000, TIME_BITS)
  minor = (minor << BigInt(names)) + (1n << BigInt(place))
  return { major: ((forInput ? change : 0) * COUNT + 1) * COUNT + change, minor }
}

/** A question weighs more than everything that tools can. Between questions that serve as well, their order decides. */
export const priceOfQuestion = (place: number): Price => ({ major: COUNT ** 3, minor: BigInt(place) })

export const isLess = (one: Price, other: Price): boolean =>
  one.major < other.major || (one.major === other.major && one.minor < other.minor)

export const comparePrices = (one: Price, other: Price): number =>
  isLess(one, other) ? -1 : isLess(other, one) ? 1 : 0

export const sumOf = (prices: Iterable<Price>): Price => {
  let major = 0
  let minor = 0n
  for (const price of prices) {
    major += price.major
    minor += price.minor
  }
  return { major, minor }
}
