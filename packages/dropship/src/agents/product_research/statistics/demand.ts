/**
 * What the market will sell of a product in the next 90 days, from its weeks: the level of late, with the season taken out, carried
 * on by a trend that wears off and by the season to come. With how far that may be wrong.
 */
import { median } from 'simple-statistics'
import { addDays, type Day } from '../../../day.ts'
import { indexOn, logUnits, type Season, type Week } from './season.ts'
import { type Trend, trendOf } from './trend.ts'

export interface Demand {
  /** units a day, the market as a whole */
  readonly now: number
  /** mean of the next 90 days */
  readonly ahead: number
  /** standard deviation of the logarithm of `ahead` */
  readonly error: number
  /** of the log of deseasonalised weeks */
  readonly trend: Trend
  /** a year's growth at the pace of late, 0.2 for 20 % */
  readonly growth: number
  /** standard deviation of the log of weeks around trend and season */
  readonly volatility: number
  readonly weeks: number
}

const RECENT_WEEKS = 8
const AHEAD_DAYS = 90
/** Trends of the past mostly do not last: each further week keeps 95 % of the pace (damped trend, Gardner and McKenzie 1985). */
const DAMPING = 0.95

export function demandOf(weeks: readonly Week[], season: Season, today: Day): Demand | undefined {
  if (weeks.length < 2) return undefined
  const calm = weeks.map((week) => logUnits(week.units) - Math.log(indexOn(season, addDays(week.from, 3))))
  const trend = trendOf(calm)
  const rest = calm.map((value, week) => value - trend.slope * week)
  const volatility = spread(rest)
  const late = calm.slice(-RECENT_WEEKS)
  // The level at the end: the middle of the last weeks, brought forward by the trend from their middle.
  const level = median(late) + (trend.slope * (late.length - 1)) / 2
  const pace = dampedSlope(trend)
  const indices = Array.from({ length: AHEAD_DAYS }, (_, day) => indexOn(season, addDays(today, day)))
  const ahead = indices.map((index, day) => Math.exp(level + pace * dampedWeeks(day / 7)) * index)
  const slopeError = (trend.high - trend.low) / 2 / 1.2816
  return {
    now: (Math.exp(level) * indexOn(season, today)) / 7,
    ahead: ahead.reduce((sum, units) => sum + units, 0) / AHEAD_DAYS / 7,
    error: Math.hypot(volatility / Math.sqrt(late.length), slopeError * dampedWeeks(AHEAD_DAYS / 14)),
    trend,
    growth: Math.expm1(trend.slope * 52),
    volatility,
    weeks: weeks.length,
  }
}

/** A trend that may be chance is believed as far as it is likely not to be. */
const dampedSlope = ({ slope, p }: Trend): number => slope * (1 - p)

/** Weeks of full pace that so many weeks of a pace wearing off amount to. */
const dampedWeeks = (weeks: number): number => (DAMPING * (1 - DAMPING ** weeks)) / (1 - DAMPING)

/** Robust standard deviation. */
function spread(values: readonly number[]): number {
  const middle = median([...values])
  return median(values.map((value) => Math.abs(value - middle))) * 1.4826
}
