/**
 * The profile of the year: waves of a year, half a year and so on, as factors, fitted to the weeks' totals together with a
 * trend. One year tells little of what is season and what is chance, so every wave is drawn to nothing as far as the noise of
 * the weeks demands (Bayesian linear regression with normal priors).
 */
import { inverse } from './matrix.ts'
import { meanOf, type Series } from './model.ts'

export interface YearlyProfile {
  /** what a day of the series, or after it, sells beside a day of the same level without season */
  readonly factors: Float64Array
}

const YEAR = 365.25
const WEEK = 7
/** A year less a fortnight: what is missing then lies between known weeks. */
export const YEARLY_FROM = 351
const WAVES = 6
/** How large a trend (log, a year) and a wave (log) one expects before having seen anything. */
const TREND_PRIOR = 0.4
const WAVE_PRIOR = 0.12
const SIZE = 2 + 2 * WAVES

export function yearlyProfile(series: Series, horizon: number): YearlyProfile | undefined {
  const length = series.length
  if (length < YEARLY_FROM) return undefined
  const weeks = weeklyLogs(series)
  if (!weeks) return undefined
  const weights = regress(weeks)
  const waves = Array.from({ length: length + horizon }, (_, day) => terms(day))
  const season = Float64Array.from(waves, (row) => dot(row, weights))
  const average = meanOf(season, 0, length)
  return {
    factors: season.map((value) => Math.exp(value - average)),
  }
}

interface Week {
  readonly row: Float64Array
  readonly log: number
  /** variance of the logarithm that chance alone brings */
  readonly noise: number
}

/** Level and trend are left out of a profile: they are the models' business. */
function terms(day: number, trend = false): Float64Array {
  const row = new Float64Array(SIZE)
  row[0] = trend ? 1 : 0
  row[1] = trend ? day / YEAR : 0
  for (let wave = 1; wave <= WAVES; wave++) {
    const angle = (2 * Math.PI * wave * day) / YEAR
    row[2 * wave] = Math.sin(angle)
    row[2 * wave + 1] = Math.cos(angle)
  }
  return row
}

/** Whole weeks, counted back from the end. Undefined: no week scatters, or hardly anything was sold. */
function weeklyLogs(series: Series): Week[] | undefined {
  const length = series.length
  let scatter = 0
  for (let i = WEEK; i < length; i++) {
    if ((series[i] as number) < 0) return undefined
    scatter += ((series[i] as number) - (series[i - WEEK] as number)) ** 2
  }
  const average = meanOf(series)
  // variance over mean: 1 for pure counts, the mean basket or so for money
  const grain = scatter / (2 * (length - WEEK) * average)
  if (!(grain > 0)) return undefined
  const weeks: Week[] = []
  for (let end = length; end >= WEEK; end -= WEEK) {
    const total = meanOf(series, end - WEEK, end) * WEEK + grain / 2
    weeks.push({ row: terms(end - (WEEK + 1) / 2, true), log: Math.log(total), noise: grain / total })
  }
  return weeks
}

/**
 * Demand wanders from week to week, and a wanderer looks like a wave. So what is fitted is each week beside the week before it,
 * of which this share is taken off: then only what comes back with the calendar stands out. What a fit leaves over, beyond
 * chance, is the weeks' own unrest and counts as noise in the next.
 */
const WEEK_CARRYOVER = 0.8
const ROUNDS = 3

function regress(weeks: readonly Week[]): Float64Array {
  const steps = weeks.slice(0, -1).map(({ row, log, noise }, i) => {
    const before = weeks[i + 1] as Week
    return {
      row: row.map((value, k) => value - WEEK_CARRYOVER * (before.row[k] as number)),
      log: log - WEEK_CARRYOVER * before.log,
      noise: noise + WEEK_CARRYOVER ** 2 * before.noise,
    }
  })
  let unrest = 0
  for (let round = 1; ; round++) {
    const precision = Array.from({ length: SIZE }, (_, k) => {
      const row = new Float64Array(SIZE)
      row[k] = prior(k)
      return row
    })
    const right = new Float64Array(SIZE)
    for (const { row, log, noise } of steps) {
      const weight = 1 / (noise + unrest)
      for (let i = 0; i < SIZE; i++) {
        const scaled = weight * (row[i] as number)
        right[i] = (right[i] as number) + scaled * log
        const into = precision[i] as Float64Array
        for (let j = 0; j < SIZE; j++) into[j] = (into[j] as number) + scaled * (row[j] as number)
      }
    }
    const weights = times(inverse(precision), right)
    if (round === ROUNDS) return weights
    unrest = meanOf(steps.map(({ row, log, noise }) => (log - dot(row, weights)) ** 2 - noise))
    if (!(unrest > 0)) unrest = 0
  }
}

/** One over the variance expected beforehand. */
function prior(k: number): number {
  if (k === 0) return 1e-6
  if (k === 1) return 1 / TREND_PRIOR ** 2
  return Math.floor(k / 2) / WAVE_PRIOR ** 2
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

const times = (matrix: readonly Float64Array[], vector: Float64Array): Float64Array =>
  Float64Array.from(matrix, (row) => dot(row, vector))
