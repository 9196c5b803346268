/** Rate of sales, days of cover and reorder point of a product. Pure functions. */
import { rounded, sum } from '../../figures.ts'

/** Units a day, including days without sales. */
export interface Demand {
  readonly days: number
  readonly units: number
  readonly mean: number
  /** of the units of a day; at least that of a Poisson process, which a few days may hide */
  readonly deviation: number
}

export function demandOf(daily: readonly number[]): Demand {
  const days = daily.length
  const units = sum(daily)
  const mean = days === 0 ? 0 : units / days
  const squares = sum(daily, (one) => (one - mean) ** 2)
  const sample = days < 2 ? 0 : Math.sqrt(squares / (days - 1))
  return { days, units, mean, deviation: Math.max(sample, Math.sqrt(mean)) }
}

/** Normal quantile of 0.95: stock suffices in 95 of 100 lead times. */
const SERVICE_Z = 1.645
/** Normal quantile of 0.9, for an 80 % interval. */
const SURE_Z = 1.282

/** Demand over the lead time plus safety stock: mean × lead + z × deviation × √lead. */
export const reorderPointOf = ({ mean, deviation }: Demand, leadDays: number): number =>
  Math.ceil(mean * leadDays + SERVICE_Z * deviation * Math.sqrt(leadDays))

export interface Cover {
  /** null: nothing was sold */
  readonly days: number | null
  readonly low: number | null
  /** null: no upper bound */
  readonly high: number | null
  readonly sure: 'well' | 'roughly' | 'hardly'
}

/** How long the available stock lasts, with the interval from the error of the rate. */
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

/** An order covers this many days beyond the lead time. */
export const ORDER_DAYS = 28

/** Units to order; 0 while available and incoming stock is above the reorder point. */
export function orderQuantity(position: number, reorderPoint: number, { mean }: Demand): number {
  if (position > reorderPoint || mean === 0) return 0
  return Math.max(1, Math.ceil(reorderPoint + mean * ORDER_DAYS - position))
}

const tenths = (value: number): number => rounded(value, 1)
