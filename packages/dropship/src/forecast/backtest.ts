/**
 * Rolling-origin backtest: what each model would have forecast from many points of the past, compared with the sales that followed.
 * Parameters are fitted to the values before the first origin and refitted a few times, never to values after the origin they serve.
 */
import { openProbabilities } from './closed-days.ts'
import { type FittedModel, type Model, meanOf, type Series } from './model.ts'

export interface Backtest {
  readonly name: string
  /** for every origin, the forecast for the days after it */
  readonly paths: readonly Float64Array[]
  readonly mase: number
  /** mean error of the sums over the window, in the same unit times the square root of its length */
  readonly sums: number
  /** the same as a share of sales; undefined if nothing was sold */
  readonly mape: number | undefined
}

export interface BacktestPlan {
  readonly origins: readonly number[]
  readonly horizon: number
  /** the sum covers the days of the horizon from this one on */
  readonly sumFrom: number
  readonly season: number
  /** for every origin, the probability that each day after it is open */
  readonly open: readonly Float64Array[]
}

/** More origins add time and little knowledge: neighbouring ones see nearly the same values. */
const MAX_ORIGINS = 160
/** How often parameters are fitted in one backtest. */
const REFITS = 4

/** Origins from the first third of the series on, as many as there are up to a limit, the last one a horizon before the end. */
export function planBacktest(
  closed: readonly boolean[],
  horizon: number,
  sumFrom: number,
  season: number,
): BacktestPlan {
  const length = closed.length
  const first = Math.min(length - horizon, Math.max(2 * season + 1, Math.floor(length / 3)))
  const last = length - horizon
  const step = Math.max(1, Math.ceil((last - first + 1) / MAX_ORIGINS))
  const origins: number[] = []
  for (let origin = last; origin >= first; origin -= step) origins.unshift(origin)
  return { origins, horizon, sumFrom, season, open: openProbabilities(closed, origins, horizon) }
}

/** The mean error of "as a season ago" within the series: the unit of MASE (Hyndman and Koehler, 2006). */
export function maseScale(series: Series, season: number): number {
  let sum = 0
  for (let i = season; i < series.length; i++) sum += Math.abs((series[i] as number) - (series[i - season] as number))
  const scale = sum / (series.length - season)
  if (scale > 0) return scale
  // a season that repeats itself exactly: any error is a large one
  return 1e-6 * (meanOf(Array.from(series, Math.abs)) || 1)
}

/** Sales, and the sales as if every day had been open: models learn from the latter. */
export interface SalesSeries {
  readonly series: Float64Array
  readonly open: Float64Array
}

/** No forecast is below `least`. `last` is the latest fit, from which the next search can start. */
export function backtest(
  model: Model,
  sold: SalesSeries,
  to: BacktestPlan,
  least: number,
): { tried: Backtest; last: FittedModel | undefined } {
  const { origins, horizon, season } = to
  const paths: Float64Array[] = []
  const part = Math.ceil(origins.length / REFITS)
  let fitted: FittedModel | undefined
  for (let i = 0; i < origins.length; i += part) {
    fitted = model.fit(sold.open.subarray(0, origins[i] as number), season, fitted)
    for (const path of fitted.paths(sold.open, origins.slice(i, i + part), horizon)) {
      const chance = to.open[paths.length] as Float64Array
      paths.push(path.map((value, h) => Math.max(least, value) * (chance[h] as number)))
    }
  }
  return { tried: scoreBacktest(model.name, paths, sold.series, to), last: fitted }
}

export function scoreBacktest(
  name: string,
  paths: readonly Float64Array[],
  series: Float64Array,
  to: BacktestPlan,
): Backtest {
  const { origins, horizon, sumFrom, season } = to
  const scale = maseScale(series, season)
  let days = 0
  let sums = 0
  let came = 0
  origins.forEach((origin, i) => {
    const path = paths[i] as Float64Array
    let sum = 0
    for (let h = 0; h < horizon; h++) {
      const error = (series[origin + h] as number) - (path[h] as number)
      days += Math.abs(error)
      if (h < sumFrom) continue
      sum += error
      came += series[origin + h] as number
    }
    sums += Math.abs(sum)
  })
  const unit = scale * origins.length
  return {
    name,
    paths,
    mase: days / (unit * horizon),
    sums: sums / (unit * Math.sqrt(horizon - sumFrom)),
    mape: came > 0 ? sums / came : undefined,
  }
}

/** The mean of several forecasts, scored as a model of its own. */
export function combineBacktests(
  name: string,
  of: readonly Backtest[],
  series: Float64Array,
  to: BacktestPlan,
): Backtest {
  const paths = to.origins.map((_, i) => meanPath(of.map(({ paths }) => paths[i] as Float64Array)))
  return scoreBacktest(name, paths, series, to)
}

export const meanPath = (paths: readonly Float64Array[]): Float64Array =>
  (paths[0] as Float64Array).map((_, h) => {
    let sum = 0
    for (const path of paths) sum += path[h] as number
    return sum / paths.length
  })
