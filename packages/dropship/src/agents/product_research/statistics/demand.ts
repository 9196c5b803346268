/**
 * Forecasts the market's sales of a product for the next 90 days from its weeks: the recent level without season, continued with a
 * damped trend and the coming season, with its standard error.
 */

import { median, medianAbsoluteDeviation } from 'simple-statistics'
import { addDays, type Day } from '../../../day.ts'
import { mean } from '../../../figures.ts'
import { indexOn, logUnits, type Season, type Week } from './season.ts'
import { type Trend, trendOf } from './trend.ts'

export interface Demand {
  /** units a day in the whole market */
  readonly now: number
  /** mean of the next 90 days */
  readonly ahead: number
  /** standard deviation of the logarithm of `ahead` */
  readonly error: number
  /** of the log of deseasonalised weeks */
  readonly trend: Trend
  /** yearly growth at the recent rate, 0.2 for 20 % */
  readonly growth: number
  /** standard deviation of the log of weeks around trend and season */
  readonly volatility: number
  readonly weeks: number
}

const RECENT_WEEKS = 8
const AHEAD_DAYS = 90
/** Trends rarely last: each further week keeps 95 % of the slope (damped trend, Gardner and McKenzie 1985). */
const DAMPING = 0.95

export function demandOf(weeks: readonly Week[], season: Season, today: Day): Demand | undefined {
  if (weeks.length < 2) return undefined
  const calm = weeks.map((week) => logUnits(week.units) - Math.log(indexOn(season, addDays(week.from, 3))))
  const trend = trendOf(calm)
  const rest = calm.map((value, week) => value - trend.slope * week)
  const volatility = spread(rest)
  const late = calm.slice(-RECENT_WEEKS)
  // The level at the end: the median of the last weeks, moved from their middle to the end by the trend.
  const level = median(late) + (trend.slope * (late.length - 1)) / 2
  const pace = dampedSlope(trend)
  const indices = Array.from({ length: AHEAD_DAYS }, (_, day) => indexOn(season, addDays(today, day)))
  const ahead = indices.map((index, day) => Math.exp(level + pace * dampedWeeks(day / 7)) * index)
  const slopeError = (trend.high - trend.low) / 2 / 1.2816
  return {
    now: (Math.exp(level) * indexOn(season, today)) / 7,
    ahead: mean(ahead) / 7,
    error: Math.hypot(volatility / Math.sqrt(late.length), slopeError * dampedWeeks(AHEAD_DAYS / 14)),
    trend,
    growth: Math.expm1(trend.slope * 52),
    volatility,
    weeks: weeks.length,
  }
}

/** The slope times the probability that it is not chance. */
const dampedSlope = ({ slope, p }: Trend): number => slope * (1 - p)

/** The number of full-slope weeks that this many damped weeks amount to. */
const dampedWeeks = (weeks: number): number => (DAMPING * (1 - DAMPING ** weeks)) / (1 - DAMPING)

/** Robust standard deviation. */
const spread = (values: readonly number[]): number => medianAbsoluteDeviation([...values]) * 1.4826
