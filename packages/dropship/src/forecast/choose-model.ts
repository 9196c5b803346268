/** Backtests every model on a series and chooses the one with the smallest error, or the mean of the best three. */
import { type Backtest, backtest, combineBacktests, meanPath, planBacktest, type SalesSeries } from './backtest.ts'
import { openProbabilities } from './closed-days.ts'
import type { Model } from './model.ts'
import { MODELS } from './models.ts'

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
