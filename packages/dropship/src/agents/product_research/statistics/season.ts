/**
 * The season of a niche from all its listings together, so that chance in one product matters little: an index per month with mean 1,
 * and its strength. Growth is removed first. Fewer than eleven months show no season.
 */

import { mean, variance } from 'simple-statistics'
import type { Day } from '../../../day.ts'
import { leastSquares } from '../../../forecast/least-squares.ts'

export interface Week {
  /** the first day of it */
  readonly from: Day
  readonly units: number
  /** mean of its days, in cents */
  readonly price: number
}

export interface Season {
  /** share of the variance of detrended weeks that the season explains, 0 to 1 */
  readonly strength: number
  /** how far the best month is above the yearly mean: 0.3 is 30 % */
  readonly amplitude: number
  /** twelve, January first, mean 1 */
  readonly months: readonly number[]
  /** 1 is January; months at least half way from the mean to the best one */
  readonly peaks: readonly number[]
  /** false: the history is too short, and all months are 1 */
  readonly known: boolean
}

const FEWEST_WEEKS = 48
const NO_SEASON: Season = { strength: 0, amplitude: 0, months: Array(12).fill(1), peaks: [], known: false }

/** Position of a day in the year, 0 to 1. */
const yearFraction = (day: Day): number => {
  const start = Date.UTC(Number(day.slice(0, 4)), 0, 1)
  return (Date.parse(`${day}T00:00:00Z`) - start) / 86_400_000 / 365.25
}

const waves = (at: number): number[] =>
  [1, 2].flatMap((times) => [Math.cos(2 * Math.PI * times * at), Math.sin(2 * Math.PI * times * at)])

/** The middle of a week is its fourth day. */
const midweekFraction = (week: Week): number => yearFraction(week.from) + 3 / 365.25

/** Every inner list holds the weeks of one listing, all over the same time. */
export function seasonOf(listings: readonly (readonly Week[])[]): Season {
  const weeks = listings[0]?.length ?? 0
  if (weeks < FEWEST_WEEKS) return NO_SEASON
  // A mean of logarithms: each listing counts the same, however much of it is sold.
  const logs = Array.from({ length: weeks }, (_, week) =>
    mean(listings.map((series) => logUnits(series[week]?.units ?? 0))),
  )
  const first = listings[0] ?? []
  const rows = first.map((week, index) => [1, index / weeks, ...waves(midweekFraction(week))])
  const { coefficients } = leastSquares(rows, logs)
  const growth = coefficients[1] ?? 0
  const factors = coefficients.slice(2)
  const wave = (at: number): number => waves(at).reduce((sum, value, i) => sum + value * (factors[i] ?? 0), 0)
  const raw = Array.from({ length: 12 }, (_, month) => Math.exp(wave((month + 0.5) / 12)))
  const level = mean(raw)
  const months = raw.map((index) => index / level)
  const detrended = logs.map((value, index) => value - (growth * index) / weeks)
  const left = detrended.map((value, index) => value - wave(midweekFraction(first[index] as Week)))
  const amplitude = Math.max(...months) - 1
  return {
    strength: Math.max(0, 1 - variance(left) / Math.max(variance(detrended), 1e-12)),
    amplitude,
    months,
    peaks: amplitude < 0.05 ? [] : months.flatMap((index, month) => (index - 1 >= amplitude / 2 ? [month + 1] : [])),
    known: true,
  }
}

/** The index of a day, interpolated between the middles of the months, so that no month ends with a jump. */
export function indexOn(season: Season, day: Day): number {
  const place = yearFraction(day) * 12 - 0.5
  const before = Math.floor(place)
  const of = (month: number): number => season.months[(month + 12) % 12] ?? 1
  return of(before) + (of(before + 1) - of(before)) * (place - before)
}

/** A week without sales counts as half a unit, so that its logarithm is finite. */
export const logUnits = (units: number): number => Math.log(Math.max(units, 0.5))
