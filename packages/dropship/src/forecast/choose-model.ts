/** Backtests every model on a series and chooses the one with the smallest error, or the mean of the best three. */
import { type Backtest, backtest, combineBacktests, meanPath, planBacktest, type SalesSeries } from './backtest.ts'
import { openProbabilities } from './closed-days.ts'
import type { Model } from './model.ts'
import { SIMPLE_MODELS } from './models/simple-models.ts'
import { smoothingModel } from './models/smoothing-model.ts'

/** All models that compete, the simplest first: of two equally good models the simpler one is chosen. */
const MODELS: readonly Model[] = [
  ...SIMPLE_MODELS,
  smoothingModel('simple_smoothing', 'simple exponential smoothing', 'none', 'none'),
  smoothingModel('seasonal_additive', 'smoothing with an added season', 'none', 'additive'),
  smoothingModel('seasonal_multiplicative', 'smoothing with a multiplied season', 'none', 'multiplicative'),
  smoothingModel('holt', "Holt's linear trend", 'linear', 'none'),
  smoothingModel('holt_damped', "Holt's damped trend", 'damped', 'none'),
  smoothingModel('holt_winters_additive', 'Holt-Winters with an added season', 'linear', 'additive'),
  smoothingModel('holt_winters_additive_damped', 'damped Holt-Winters with an added season', 'damped', 'additive'),
  smoothingModel('holt_winters_multiplicative', 'Holt-Winters with a multiplied season', 'linear', 'multiplicative'),
  smoothingModel(
    'holt_winters_multiplicative_damped',
    'damped Holt-Winters with a multiplied season',
    'damped',
    'multiplicative',
  ),
]

export interface Candidate {
  readonly title: string
  readonly tried: Backtest
}

export interface Choice {
  readonly chosen: Candidate
  /** all models, the best first */
  readonly candidates: readonly Candidate[]
  readonly origins: readonly number[]
  /** the forecast */
  readonly mean: Float64Array
}

const BEST = 3

export interface ForecastRequest {
  readonly horizon: number
  readonly sumFrom: number
  readonly season: number
  readonly closed: readonly boolean[]
  /** the effect of the time of the year on a day, in the series and after it */
  readonly factor: (day: number) => number
}

export function chooseModel(sold: SalesSeries, { horizon, sumFrom, season, closed, factor }: ForecastRequest): Choice {
  const { series, open } = sold
  const length = series.length
  const steps = planBacktest(closed, horizon, sumFrom, season)
  const least = series.some((value) => value < 0) ? Number.NEGATIVE_INFINITY : 0
  const single = MODELS.filter((model) => suits(model, open.subarray(0, steps.origins[0]), season))
    .map((model) => ({ model, title: model.title, ...backtest(model, sold, steps, least) }))
    .sort(better)
  const best = single.slice(0, BEST)
  const mixed = {
    title: `the mean of ${best.map(({ title }) => title).join('; ')}`,
    tried: combineBacktests(
      'mean_of_best',
      best.map(({ tried }) => tried),
      series,
      steps,
    ),
  }
  const candidates = [mixed, ...single].sort(better)
  const chosen = candidates[0] as Candidate
  const used = chosen === mixed ? best : best.slice(0, 1)
  // The backtest runs on the sales as they were. The forecast runs on values without the time of the year; the caller puts it back.
  const levelled = open.map((value, day) => value / factor(day))
  const [chance] = openProbabilities(closed, [length], horizon) as [Float64Array]
  const paths = used.map(({ model, last }) => {
    const [path] = model.fit(levelled, season, last).paths(levelled, [length], horizon)
    return (path as Float64Array).map((value, h) => Math.max(least, value) * (chance[h] as number))
  })
  return { chosen, candidates, origins: steps.origins, mean: meanPath(paths) }
}

/** Days and sums count alike: a model that forecasts 0 for a slow product is right on most days and wrong about the month. */
const totalError = ({ tried: { mase, sums } }: Candidate): number => mase + sums
const better = (a: Candidate, b: Candidate): number => totalError(a) - totalError(b)

const suits = (model: Model, start: Float64Array, season: number): boolean =>
  start.length >= model.needs(season) && (model.suits?.(start, season) ?? true)
