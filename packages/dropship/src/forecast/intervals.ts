/**
 * Intervals by conformal prediction: as wide as the errors of the backtest say, days by the errors of days about as far ahead,
 * sums by the errors of sums. Errors are taken in units of the root of what was forecast, as counts scatter, so that a busy
 * month has wider intervals than a quiet one. (V. Vovk and others: Algorithmic learning in a random world, 2005.)
 */
import { meanOf } from './model.ts'
import { ascending, conformalQuantile } from './quantile.ts'

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

/** Days of the same week ahead are judged together. */
const DAYS_POOLED = 7
/** A forecast near nothing still scatters like this share of the mean. */
const LEAST_SHARE = 0.1

export type Spread = (forecast: number) => number

/** Series that go below zero are no counts: their errors are taken as they are. */
export function spreadOf(series: Float64Array): Spread {
  if (series.some((value) => value < 0)) return () => 1
  const least = meanOf(series) * LEAST_SHARE || 1
  return (forecast) => Math.sqrt(Math.max(least, forecast))
}

/** The lower and upper error of days, by how many weeks ahead they are, in the spread's units. */
export function dailyErrorBand({ origins, paths, series }: BacktestErrors, level: number): Band {
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
      for (let h = from; h < to; h++) {
        const said = (paths[i] as Float64Array)[h] as number
        errors[at++] = ((series[(origins[i] as number) + h] as number) - said) / spread(said)
      }
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
 * How far sums over the window may be off, in the spread's units. Windows that overlap tell the same tale, so the origins are
 * dealt into hands of windows that do not, each hand gives its quantile, and the mean of all hands is taken.
 */
export function sumErrorBound({ origins, paths, series, sumFrom }: BacktestErrors, level: number): number {
  const spread = spreadOf(series)
  const horizon = (paths[0] as Float64Array).length
  const window = horizon - sumFrom
  const errors = origins.map((origin, i) => {
    let came = 0
    let said = 0
    for (let h = sumFrom; h < horizon; h++) {
      came += series[origin + h] as number
      said += (paths[i] as Float64Array)[h] as number
    }
    // the spread of a sum: that of a day with the mean, times the root of how many
    return Math.abs(came - said) / (spread(said / window) * Math.sqrt(window))
  })
  const step = origins.length > 1 ? (origins[1] as number) - (origins[0] as number) : 1
  const hands = Math.min(origins.length, Math.ceil(window / step))
  let sum = 0
  for (let hand = 0; hand < hands; hand++) {
    const dealt = errors.filter((_, i) => i % hands === hand)
    sum += quantileOfFew(ascending(dealt), level)
  }
  return sum / hands
}

/** Four windows are the least that can tell of 80 %; with fewer the largest error is stretched as Student's t is. */
function quantileOfFew(sorted: Float64Array, level: number): number {
  const enough = Math.ceil(level / (1 - level))
  const stretch = Math.sqrt(Math.max(1, (enough + 1) / (sorted.length + 1)))
  return conformalQuantile(sorted, level) * stretch
}

/** Errors of some origins, in units of the reach that others give. */
function errorRatios(from: BacktestErrors, to: BacktestErrors, level: number): Float64Array {
  const { series, origins, paths } = to
  const spread = spreadOf(series)
  const reach = dailyErrorBand(from, level)
  const horizon = paths[0]?.length ?? 0
  const found = new Float64Array(origins.length * horizon)
  for (let i = 0; i < origins.length; i++)
    for (let h = 0; h < horizon; h++) {
      const said = (paths[i] as Float64Array)[h] as number
      const error = ((series[(origins[i] as number) + h] as number) - said) / spread(said)
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

/** Beyond this the past was so unlike itself that more width would only hide it. */
const MOST_STRETCH = 1.6

/**
 * By how much reaches made from one half of the past must be stretched to hold in the other. Errors come in spells, so a few
 * spells look narrower than what is to come; this is how much, as far as the past can tell.
 */
export function stretchFactor(errors: BacktestErrors, level: number): number {
  if (errors.origins.length < 2) return 1
  const [earlier, later] = halves(errors)
  const both = [...errorRatios(earlier, later, level), ...errorRatios(later, earlier, level)]
  return Math.min(MOST_STRETCH, Math.max(1 / MOST_STRETCH, conformalQuantile(ascending(both), level)))
}

/** How often intervals made from the earlier half of the origins, so stretched, held what came after the later half. */
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
