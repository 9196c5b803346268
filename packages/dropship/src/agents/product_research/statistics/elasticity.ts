/**
 * Price elasticity of one seller. The history shows how sales react when the market price moves: log units on log price per week,
 * without growth and season. A single seller loses more, because buyers switch; the typical value for a seller is shifted by this
 * product's deviation from the typical market. The less the price moved, the less the history counts.
 */
import { leastSquares } from '../../../forecast/least-squares.ts'
import { logUnits, type Week } from './season.ts'

export interface Elasticity {
  /** of one seller: at -2, a price 1 % higher sells 2 % fewer */
  readonly value: number
  readonly error: number
  /** weight of this product's own history, 0 to 1 */
  readonly historyWeight: number
  /** of the whole market, from the history alone; undefined if the price did not move */
  readonly measured: { readonly value: number; readonly error: number } | undefined
}

/**
 * Of one seller: the mean of 1851 published elasticities of brands is -2.62, most of them between -1 and -4 (Bijmolt, van Heerde and
 * Pieters, Journal of Marketing Research 2005).
 */
export const TYPICAL_SELLER = { value: -2.62, error: 0.8 }
/** Of a whole market: a general price rise loses about as much in units as it gains. */
const TYPICAL_MARKET = { value: -1, error: 0.5 }

/** Elastic enough for a best price to exist, and bounded so that one noisy history does not dominate. */
const STEEPEST = -5
const FLATTEST = -1.2
const FEWEST_WEEKS = 12
const FEWEST_MOVE = 0.01

/** `indices` is the season of each week, 1 where none is known. */
export function elasticityOf(weeks: readonly Week[], indices: readonly number[]): Elasticity {
  const measured = measureFromHistory(weeks, indices)
  if (measured === undefined) return { ...TYPICAL_SELLER, historyWeight: 0, measured }
  const own = TYPICAL_MARKET.error ** 2 / (TYPICAL_MARKET.error ** 2 + measured.error ** 2)
  const value = TYPICAL_SELLER.value + own * (measured.value - TYPICAL_MARKET.value)
  return {
    value: Math.min(FLATTEST, Math.max(STEEPEST, value)),
    error: Math.hypot(TYPICAL_SELLER.error, Math.sqrt(own) * measured.error),
    historyWeight: own,
    measured,
  }
}

function measureFromHistory(weeks: readonly Week[], indices: readonly number[]): Elasticity['measured'] {
  const prices = weeks.map(({ price }) => Math.log(price))
  if (weeks.length < FEWEST_WEEKS || Math.max(...prices) - Math.min(...prices) < FEWEST_MOVE) return undefined
  const rows = prices.map((price, week) => [1, week / weeks.length, price - (prices[0] ?? 0)])
  const values = weeks.map(({ units }, week) => logUnits(units) - Math.log(indices[week] ?? 1))
  const { coefficients, errors } = leastSquares(rows, values)
  const [value = 0, error = 0] = [coefficients[2], errors[2]]
  return error > 0 ? { value, error } : undefined
}
