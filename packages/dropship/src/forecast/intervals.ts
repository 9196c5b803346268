/**
 * Intervals by conformal prediction, from the errors of the backtest: days by the errors of days about as far ahead, sums by the
 * errors of sums. Errors are divided by the square root of the forecast, as counts scatter, so a busy month has wider intervals. (V. Vovk and others: Algorithmic learning in a random world, 2005.)
 */
import { meanOf } from './model.ts'

export interface BacktestErrors {
  readonly origins: readonly number[]
  readonly paths: readonly Float64Array[]
  readonly series: Float64Array
  readonly sumFrom: number
}

export interface Band {
  readonly low: number[]
  readonly high: number[]
}

/** Errors of days in the same week ahead are pooled. */
const DAYS_POOLED = 7
/** A forecast near 0 still scatters like this share of the mean. */
const MIN_SHARE = 0.1

export type Spread = (forecast: number) => number

/** Series with negative values are not counts: their errors are not scaled. */
export function spreadOf(series: Float64Array): Spread {
  if (series.some((value) => value < 0)) return () => 1
  const least = meanOf(series) * MIN_SHARE || 1
  return (forecast) => Math.sqrt(Math.max(least, forecast))
}

/** The forecast error of a day, in the spread's units. */
function errorAt({ origins, paths, series }: BacktestErrors, spread: Spread, i: number, h: number): number {
  const forecast = (paths[i] as Float64Array)[h] as number
  return ((series[(origins[i] as number) + h] as number) - forecast) / spread(forecast)
}

/** The lower and upper error of days, by how many weeks ahead they are, in the spread's units. */
export function dailyErrorBand(backtest: BacktestErrors, level: number): Band {
  const { origins, paths, series } = backtest
  const spread = spreadOf(series)
  const horizon = paths[0]?.length ?? 0
  const low: number[] = []
  const high: number[] = []
  const weeks = Math.max(1, Math.round(horizon / DAYS_POOLED))
  for (let week = 0; week < weeks; week++) {
    const from = week * DAYS_POOLED
    const to = week === weeks - 1 ? horizon : from + DAYS_POOLED
    const errors = new Float64Array(origins.length * (to - from))
    let at = 0
    for (let i = 0; i < origins.length; i++)
      for (let h = from; h < to; h++) errors[at++] = errorAt(backtest, spread, i, h)
    errors.sort()
    for (let h = from; h < to; h++) {
      low.push(Math.min(0, conformalQuantile(errors, (1 - level) / 2)))
      high.push(Math.max(0, conformalQuantile(errors, (1 + level) / 2)))
    }
  }
  return { low, high }
}

export function dayBand(mean: Float64Array, reach: Band, spread: Spread): Band {
  const edge = (side: readonly number[]) => Array.from(mean, (value, h) => value + (side[h] as number) * spread(value))
  return { low: edge(reach.low), high: edge(reach.high) }
}

/**
 * The error bound of sums over the window, in the spread's units. Overlapping windows repeat each other, so the origins are split
 * into groups whose windows do not overlap; the result is the mean of the groups' quantiles.
 */
export function sumErrorBound({ origins, paths, series, sumFrom }: BacktestErrors, level: number): number {
  const spread = spreadOf(series)
  const horizon = (paths[0] as Float64Array).length
  const window = horizon - sumFrom
  const errors = origins.map((origin, i) => {
    let actual = 0
    let forecast = 0
    for (let h = sumFrom; h < horizon; h++) {
      actual += series[origin + h] as number
      forecast += (paths[i] as Float64Array)[h] as number
    }
    // the spread of a sum: the spread of its mean day times the square root of the number of days
    return Math.abs(actual - forecast) / (spread(forecast / window) * Math.sqrt(window))
  })
  const step = origins.length > 1 ? (origins[1] as number) - (origins[0] as number) : 1
  const groups = Math.min(origins.length, Math.ceil(window / step))
  return meanOf(
    Array.from({ length: groups }, (_, group) =>
      quantileOfFew(ascending(errors.filter((_, i) => i % groups === group)), level),
    ),
  )
}

/** An 80 % quantile needs at least four windows; with fewer, the largest error is stretched as Student's t is. */
function quantileOfFew(sorted: Float64Array, level: number): number {
  const enough = Math.ceil(level / (1 - level))
  const stretch = Math.sqrt(Math.max(1, (enough + 1) / (sorted.length + 1)))
  return conformalQuantile(sorted, level) * stretch
}

/** Errors of the origins `to`, in units of the band that the origins `from` give. */
function errorRatios(from: BacktestErrors, to: BacktestErrors, level: number): Float64Array {
  const { series, origins, paths } = to
  const spread = spreadOf(series)
  const reach = dailyErrorBand(from, level)
  const horizon = paths[0]?.length ?? 0
  const found = new Float64Array(origins.length * horizon)
  for (let i = 0; i < origins.length; i++)
    for (let h = 0; h < horizon; h++) {
      const error = errorAt(to, spread, i, h)
      const edge = (error < 0 ? reach.low[h] : reach.high[h]) as number
      found[i * horizon + h] = error === 0 ? 0 : edge === 0 ? Number.POSITIVE_INFINITY : error / edge
    }
  return found
}

function halves({ origins, paths, series, sumFrom }: BacktestErrors): [BacktestErrors, BacktestErrors] {
  const half = Math.ceil(origins.length / 2)
  return [
    { origins: origins.slice(0, half), paths: paths.slice(0, half), series, sumFrom },
    { origins: origins.slice(half), paths: paths.slice(half), series, sumFrom },
  ]
}

/** If the halves of the past differ by more, wider intervals would only hide it. */
const MAX_STRETCH = 1.6

/**
 * The factor by which bands from one half of the past must be stretched to hold in the other half. Errors come in clusters, so
 * bands from a few clusters are too narrow for the future; this measures by how much.
 */
export function stretchFactor(errors: BacktestErrors, level: number): number {
  if (errors.origins.length < 2) return 1
  const [earlier, later] = halves(errors)
  const both = [...errorRatios(earlier, later, level), ...errorRatios(later, earlier, level)]
  return Math.min(MAX_STRETCH, Math.max(1 / MAX_STRETCH, conformalQuantile(ascending(both), level)))
}

/** The share of values after the later origins inside the stretched intervals made from the earlier ones. */
export function heldOutCoverage(errors: BacktestErrors, level: number, stretch = 1): number {
  if (errors.origins.length < 2) return level
  const [earlier, later] = halves(errors)
  const found = errorRatios(earlier, later, level)
  return found.filter((ratio) => ratio <= stretch).length / found.length
}

export const stretchBand = ({ low, high }: Band, by: number): Band => ({
  low: low.map((edge) => edge * by),
  high: high.map((edge) => edge * by),
})

/**
 * The value below which the next one stays with this probability: rank p (n + 1) among n, interpolated, and the outermost value
 * if the rank is beyond it.
 */
function conformalQuantile(sorted: ArrayLike<number>, p: number): number {
  const n = sorted.length
  const rank = p * (n + 1) - 1
  if (rank <= 0) return sorted[0] as number
  if (rank >= n - 1) return sorted[n - 1] as number
  const below = Math.floor(rank)
  const low = sorted[below] as number
  return low + (rank - below) * ((sorted[below + 1] as number) - low)
}

const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()
