/**
 * forecast(): the next values of a daily series, with calibrated intervals. Every model is backtested from many points of the past;
 * the one with the smallest error at the requested horizon is used, or the mean of the best three. Reports when the history is not
 * enough. Pure and deterministic: the same series gives the same forecast.
 */
import type { Range } from '../figures.ts'
import { type Candidate, chooseModel } from './choose-model.ts'
import { closedDays, fillClosedDays } from './closed-days.ts'
import {
  type BacktestErrors,
  dailyErrorBand,
  dayBand,
  heldOutCoverage,
  spreadOf,
  stretchBand,
  stretchFactor,
  sumErrorBound,
} from './intervals.ts'
import { meanOf } from './model.ts'
import { yearlyProfile } from './yearly.ts'

export interface ForecastOptions {
  /** how many days ahead */
  readonly horizon: number
  readonly season?: number
  /** the share of values that intervals should contain */
  readonly level?: number
  /** the sum covers the days of the horizon from this one on, counted from 0 */
  readonly sumFrom?: number
  /** for every day, whether the shop was closed; by default, long runs of days without a sale count as closed */
  readonly closed?: readonly boolean[]
}

export interface BacktestRow {
  readonly model: string
  readonly title: string
  /** mean absolute error relative to "as a season ago"; below 1 is better */
  readonly mase: number
  /** the same for sums */
  readonly sums: number
  /** share of later values inside intervals made from earlier errors */
  readonly coverage: number
  readonly origins: number
}

export interface Forecast {
  /** false: the history is not enough; `why` is the reason and all figures are empty */
  readonly enough: boolean
  readonly why?: string
  /** days of history that this horizon needs */
  readonly needed: number
  readonly model: string
  readonly title: string
  readonly mean: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly sum: Range
  /** all models tested, the best first */
  readonly backtest: readonly BacktestRow[]
  readonly mase: number
  /** mean error of past sums as a share of sales; undefined if nothing was sold */
  readonly mape: number | undefined
  readonly coverage: number
  readonly level: number
  /** closed days in the history */
  readonly closed: number
  /** effect of the time of the year relative to the last weeks, as a factor; undefined if the history is shorter than a year */
  readonly yearly: number | undefined
}

/** Horizons of history that one horizon ahead needs: one to learn from, one to test on, one to spare. */
const HORIZONS = 3
const RECENT = 28
const WEEK = 7

export const neededDays = (horizon: number, season = WEEK): number => Math.max(2 * season + horizon, HORIZONS * horizon)

export function forecast(values: readonly number[], options: ForecastOptions): Forecast {
  const { horizon, season = WEEK, level = 0.8, sumFrom = 0 } = options
  const why = reasonNotEnough(values, horizon, season)
  if (why) return { ...NO_FORECAST, why, needed: neededDays(horizon, season), level }
  const length = values.length
  const series = Float64Array.from(values)
  const closed = options.closed ?? closedDays(series)
  const open = fillClosedDays(series, closed, season)
  const yearly = season === WEEK ? yearlyProfile(open, horizon) : undefined
  const factor = (day: number): number => yearly?.[day] ?? 1
  const least = values.some((value) => value < 0) ? Number.NEGATIVE_INFINITY : 0

  const asked = { horizon, sumFrom, season, closed, factor }
  const { chosen, candidates, origins, mean: flat } = chooseModel({ series, open }, asked)
  const errorsOf = ({ tried: { paths } }: Candidate): BacktestErrors => ({ origins, paths, series, sumFrom })
  const errors = errorsOf(chosen)
  /** The uncertainty of the yearly profile is not added: past errors contain it, and with it 80 % intervals contained 85 %. */
  const edge = (bound: number): number => Math.max(least, bound)
  const mean = Array.from(flat, (value, h) => value * factor(length + h))
  const stretch = stretchFactor(errors, level)
  const band = dayBand(flat, stretchBand(dailyErrorBand(errors, level), stretch), spreadOf(series))
  const sideOf = (side: readonly number[]): number[] => side.map((bound, h) => edge(bound * factor(length + h)))

  const expected = sumOf(mean, sumFrom)
  const plain = sumOf(flat, sumFrom)
  const window = horizon - sumFrom
  const reach = sumErrorBound(errors, level) * spreadOf(series)(plain / window) * Math.sqrt(window)
  const raised = plain === 0 ? 1 : expected / plain
  return {
    enough: true,
    needed: neededDays(horizon, season),
    model: chosen.tried.name,
    title: chosen.title,
    mean,
    low: sideOf(band.low),
    high: sideOf(band.high),
    sum: {
      low: edge(expected - reach * raised),
      expected,
      high: edge(expected + reach * raised),
    },
    backtest: candidates.map((candidate) => ({
      model: candidate.tried.name,
      title: candidate.title,
      mase: candidate.tried.mase,
      sums: candidate.tried.sums,
      coverage: heldOutCoverage(errorsOf(candidate), level),
      origins: origins.length,
    })),
    mase: chosen.tried.mase,
    mape: chosen.tried.mape,
    coverage: heldOutCoverage(errors, level, stretch),
    closed: closed.filter(Boolean).length,
    level,
    yearly: yearly && sumOf(mean, sumFrom) / (plain || 1) / meanOf(yearly, length - RECENT, length),
  }
}

const NO_FORECAST = {
  enough: false,
  model: 'none',
  title: 'none',
  mean: [],
  low: [],
  high: [],
  sum: { low: 0, expected: 0, high: 0 },
  backtest: [],
  mase: 0,
  mape: undefined,
  coverage: 0,
  closed: 0,
  yearly: undefined,
}

function reasonNotEnough(values: readonly number[], horizon: number, season: number): string | undefined {
  if (!Number.isInteger(horizon) || horizon < 1)
    return `the horizon must be a whole number of days of at least 1, not ${horizon}`
  const wrong = values.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) return `the value of day ${wrong + 1} is ${values[wrong]}, which is not a number`
  const needed = neededDays(horizon, season)
  if (values.length < 2 * season) return `${values.length} days are fewer than two seasons of ${season} days`
  if (values.length < needed)
    return `a forecast of ${horizon} days needs ${needed} days of history, and there are ${values.length}`
  if (values.every((value) => value === 0)) return 'nothing was sold on any of the days'
  return undefined
}

const sumOf = (values: ArrayLike<number>, from: number): number => {
  let sum = 0
  for (let i = from; i < values.length; i++) sum += values[i] as number
  return sum
}
