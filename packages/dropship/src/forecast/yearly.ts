/**
 * The profile of the year: waves of a year, half a year and so on, as factors, fitted to weekly totals together with a trend. One
 * year cannot separate season from chance, so each wave is shrunk as far as the noise of the weeks demands (Bayesian linear
 * regression with normal priors).
 */
import { dot, leastSquares } from './least-squares.ts'
import { meanOf, type Series } from './model.ts'

const YEAR = 365.25
const WEEK = 7
/** A year less two weeks: the missing weeks are then between known ones. */
const YEARLY_FROM = 351
const WAVES = 6
/** Prior standard deviations of the trend (log, per year) and of the first wave (log); the k-th wave has 1/k of its variance. */
const TREND_PRIOR = 0.4
const WAVE_PRIOR = 0.12
const SIZE = 2 + 2 * WAVES

const PRECISIONS = Array.from({ length: SIZE }, (_, k) => {
  if (k === 0) return 1e-6
  return k === 1 ? 1 / TREND_PRIOR ** 2 : Math.floor(k / 2) / WAVE_PRIOR ** 2
})

/** For each day of the series and after it: sales relative to a day of the same level without season. */
export function yearlyProfile(series: Series, horizon: number): Float64Array | undefined {
  const length = series.length
  if (length < YEARLY_FROM) return undefined
  const weeks = weeklyLogs(series)
  if (!weeks) return undefined
  const weights = regress(weeks)
  const season = Float64Array.from({ length: length + horizon }, (_, day) => dot(terms(day), weights))
  const average = meanOf(season, 0, length)
  return season.map((value) => Math.exp(value - average))
}

interface Week {
  readonly row: Float64Array
  readonly log: number
  /** variance of the logarithm that chance alone causes */
  readonly noise: number
}

/** Level and trend are not part of a profile: the models estimate them. */
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

/** Whole weeks, counted back from the end. Undefined if the weeks do not vary or hardly anything was sold. */
function weeklyLogs(series: Series): Week[] | undefined {
  const length = series.length
  let scatter = 0
  for (let i = WEEK; i < length; i++) {
    if ((series[i] as number) < 0) return undefined
    scatter += ((series[i] as number) - (series[i - WEEK] as number)) ** 2
  }
  const average = meanOf(series)
  // variance over mean: 1 for pure counts, about the mean basket for money
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
 * Demand that wanders from week to week looks like a wave. So each week is fitted relative to the week before, of which this share
 * is subtracted: what remains is what returns with the calendar. Residuals beyond chance count as noise in the next round.
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
  const rows = steps.map(({ row }) => row)
  const logs = steps.map(({ log }) => log)
  let unrest = 0
  for (let round = 1; ; round++) {
    const weights = steps.map(({ noise }) => 1 / (noise + unrest))
    const { coefficients } = leastSquares(rows, logs, { weights, precisions: PRECISIONS })
    if (round === ROUNDS) return coefficients
    unrest = meanOf(steps.map(({ row, log, noise }) => (log - dot(row, coefficients)) ** 2 - noise))
    if (!(unrest > 0)) unrest = 0
  }
}
