/** How fast something sells, how long the shelf lasts at that, and when to order more. Pure figures. */

/** Units a day over the days that were looked at; those without sales count. */
export interface Demand {
  readonly days: number
  readonly units: number
  readonly mean: number
  /** of a day's units; never less than that of a Poisson process, which few days cannot show */
  readonly deviation: number
}

export function demandOf(daily: readonly number[]): Demand {
  const days = daily.length
  const units = daily.reduce((sum, one) => sum + one, 0)
  const mean = days === 0 ? 0 : units / days
  const squares = daily.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const sample = days < 2 ? 0 : Math.sqrt(squares / (days - 1))
  return { days, units, mean, deviation: Math.max(sample, Math.sqrt(mean)) }
}

/** 95 of 100 lead times end before the shelf is empty: the normal quantile of 0.95. */
const SERVICE_Z = 1.645
/** Of an interval that holds the true rate 8 times of 10: the normal quantile of 0.9. */
const SURE_Z = 1.282

/** Demand over the lead time, and a stock for its bad luck: mean × lead + z × deviation × √lead. */
export const reorderPointOf = ({ mean, deviation }: Demand, leadDays: number): number =>
  Math.ceil(mean * leadDays + SERVICE_Z * deviation * Math.sqrt(leadDays))

export interface Cover {
  /** null: nothing sold, so nothing says */
  readonly days: number | null
  readonly low: number | null
  /** null: it may last for ever */
  readonly high: number | null
  readonly sure: 'well' | 'roughly' | 'hardly'
}

/** How long what is available lasts, with the interval that the error of the rate leaves. */
export function coverOf(available: number, demand: Demand): Cover {
  const { days, mean, deviation } = demand
  if (mean === 0 || days === 0) return { days: null, low: null, high: null, sure: 'hardly' }
  const left = Math.max(0, available)
  const error = (SURE_Z * deviation) / Math.sqrt(days)
  const slowest = mean - error
  return {
    days: tenths(left / mean),
    low: tenths(left / (mean + error)),
    high: slowest <= 0 ? null : tenths(left / slowest),
    sure: error / mean <= 0.25 ? 'well' : error / mean <= 0.6 ? 'roughly' : 'hardly',
  }
}

/** An order brings the shelf up for this many days beyond the lead time. */
export const ORDER_DAYS = 28

/** How many to order; 0 while what is there and coming lasts. */
export function orderQuantity(position: number, reorderPoint: number, { mean }: Demand): number {
  if (position > reorderPoint || mean === 0) return 0
  return Math.max(1, Math.ceil(reorderPoint + mean * ORDER_DAYS - position))
}

const tenths = (value: number): number => Math.round(value * 10) / 10
