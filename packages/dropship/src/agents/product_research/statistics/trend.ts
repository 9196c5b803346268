/**
 * A trend robust against odd weeks: the Theil-Sen slope with Sen's interval, and the Mann-Kendall test of whether there is a trend.
 * Weeks that resemble the week before carry less information; the test is widened for that (Yue and Wang 2004).
 */
import { errorFunction, median, probit } from 'simple-statistics'

export interface Trend {
  /** per step of the series */
  readonly slope: number
  /** 80 % interval of the slope */
  readonly low: number
  readonly high: number
  /** Kendall's tau, -1 to 1 */
  readonly tau: number
  /** two-sided: probability of such a slope if there is no trend */
  readonly p: number
}

const FLAT: Trend = { slope: 0, low: 0, high: 0, tau: 0, p: 1 }
const FEWEST = 4
const COVERAGE = 0.8

export function trendOf(values: readonly number[]): Trend {
  if (values.length < FEWEST) return FLAT
  const { slopes, rises } = pairwiseSlopes(values)
  const slope = median(slopes)
  const deviation = Math.sqrt(varianceOfRises(values) * autocorrelationFactor(values, slope))
  if (deviation === 0) return { ...FLAT, slope }
  const z = rises === 0 ? 0 : (rises - Math.sign(rises)) / deviation
  slopes.sort((a, b) => a - b)
  const half = probit((1 + COVERAGE) / 2) * deviation
  return {
    slope,
    low: at(slopes, (slopes.length - half) / 2 - 1),
    high: at(slopes, (slopes.length + half) / 2),
    tau: rises / slopes.length,
    p: 1 - errorFunction(Math.abs(z) / Math.SQRT2),
  }
}

/** The slopes between all pairs of points, and how many more of them rise than fall. */
function pairwiseSlopes(values: readonly number[]): { slopes: number[]; rises: number } {
  const slopes: number[] = []
  let rises = 0
  for (const [j, later] of values.entries()) {
    for (const [i, earlier] of values.slice(0, j).entries()) {
      slopes.push((later - earlier) / (j - i))
      rises += Math.sign(later - earlier)
    }
  }
  return { slopes, rises }
}

/** Variance of the Mann-Kendall statistic without a trend, reduced for equal values. */
function varianceOfRises(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const term = (n: number): number => n * (n - 1) * (2 * n + 5)
  const ties = [...counts.values()].reduce((sum, count) => sum + term(count), 0)
  return (term(values.length) - ties) / 18
}

/** The factor by which autocorrelation of the residuals increases the variance. At least 1. */
function autocorrelationFactor(values: readonly number[], slope: number): number {
  const rest = values.map((value, i) => value - slope * i)
  const middle = rest.reduce((sum, value) => sum + value, 0) / rest.length
  const total = rest.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  if (total < 1e-12) return 1
  const beside = rest.slice(1).reduce((sum, value, i) => sum + (value - middle) * ((rest[i] ?? middle) - middle), 0)
  const memory = Math.min(0.9, Math.max(0, beside / total))
  let sum = 0
  for (let lag = 1; lag < values.length; lag++) sum += (1 - lag / values.length) * memory ** lag
  return 1 + 2 * sum
}

const at = (sorted: readonly number[], index: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(index)))] ?? 0
