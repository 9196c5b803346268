/**
 * Assesses a niche: concentration of sales, crowding relative to other niches, prices, growth, and from these a verdict to enter,
 * wait or avoid. Pure: figures in, figures and reasons out.
 */

import { quantile } from 'simple-statistics'
import { percent, sum } from '../../../figures.ts'
import { type Cents, toAmount } from '../../../money.ts'
import { CONCENTRATED } from '../statistics/competition.ts'
import type { Season } from '../statistics/season.ts'
import type { Trend } from '../statistics/trend.ts'

/** In the currency of the shop. */
export function priceBand(prices: readonly Cents[]) {
  const at = (part: number): number => toAmount(quantile([...prices], part))
  return { lowest: at(0), lower_quartile: at(0.25), median: at(0.5), upper_quartile: at(0.75), highest: at(1) }
}

export interface Crowding {
  readonly niche: string
  /** sum of the sellers of each listing */
  readonly sellers: number
  /** sold a day in the whole niche */
  readonly units: number
}

export interface Saturation {
  /** sellers per unit sold a day */
  readonly sellers_per_unit: number
  /** share of the other niches that are less crowded, 0 to 1 */
  readonly above: number
}

export function saturationOf(own: Crowding, all: readonly Crowding[]): Saturation {
  const density = ({ sellers, units }: Crowding): number => sellers / Math.max(units, 0.1)
  const others = all.filter(({ niche }) => niche !== own.niche)
  const less = others.filter((other) => density(other) < density(own)).length
  return { sellers_per_unit: density(own), above: others.length === 0 ? 0.5 : less / others.length }
}

export interface NicheFigures {
  readonly hhi: number
  readonly saturation: Saturation
  readonly trend: Trend
  /** per year, 0.2 for 20 % */
  readonly growth: number
  readonly season: Season
  /** mean index of the next 90 days */
  readonly ahead: number
  /** median share of the price left after all costs; undefined if no supplier has any of it */
  readonly margin: number | undefined
}

export type Verdict = 'enter' | 'wait' | 'avoid'

/** Points for and against weigh the same; some obstacles decide by themselves. */
export function judgeNiche(figures: NicheFigures): { verdict: Verdict; reasons: string[] } {
  const points = [
    concentrationPoint(figures),
    crowdingPoint(figures),
    growthPoint(figures),
    seasonPoint(figures),
    marginPoint(figures),
  ]
  const reasons = points.map(({ says }) => says)
  if (points.some(({ stops }) => stops)) return { verdict: 'avoid', reasons }
  const total = sum(points, ({ weighs }) => weighs)
  return { verdict: total >= 1 ? 'enter' : total >= -1 ? 'wait' : 'avoid', reasons }
}

interface VerdictPoint {
  readonly weighs: number
  readonly says: string
  readonly stops?: boolean
}

function concentrationPoint({ hhi }: NicheFigures): VerdictPoint {
  const figure = `Concentration is ${Math.round(hhi)} of 10,000`
  if (hhi > CONCENTRATED.highly) return { weighs: -1, says: `${figure}: a few sellers dominate the niche.` }
  if (hhi > CONCENTRATED.moderately) return { weighs: 0, says: `${figure}: some sellers are large.` }
  return { weighs: 1, says: `${figure}: no seller dominates the niche.` }
}

function crowdingPoint({ saturation: { sellers_per_unit, above } }: NicheFigures): VerdictPoint {
  const says = `${sellers_per_unit.toFixed(2)} sellers per unit sold a day, more crowded than ${percent(above)} of the other niches.`
  return { weighs: above > 0.75 ? -1 : above < 0.4 ? 1 : 0, says }
}

function growthPoint({ trend, growth }: NicheFigures): VerdictPoint {
  const sure = trend.p < 0.1
  const says = `Without the season it ${growth < 0 ? 'shrinks' : 'grows'} by ${percent(Math.abs(growth))} a year (p ${trend.p.toFixed(3)}).`
  if (!sure) return { weighs: 0, says }
  return { weighs: growth > 0.05 ? 1 : growth < -0.05 ? -1 : 0, says, stops: growth < -0.4 }
}

function seasonPoint({ season, ahead }: NicheFigures): VerdictPoint {
  if (!season.known) return { weighs: 0, says: 'The history is too short to show a season.' }
  const says = `The next 90 days sell ${percent(ahead)} of the yearly mean; the best month is ${percent(season.amplitude)} above it.`
  return { weighs: ahead > 1.1 ? 1 : ahead < 0.85 ? -1 : 0, says }
}

function marginPoint({ margin }: NicheFigures): VerdictPoint {
  if (margin === undefined) return { weighs: -1, says: 'No supplier has any of it.', stops: true }
  const says = `The median product keeps ${percent(margin)} of its price after goods, shipping, defects and fee.`
  return { weighs: margin > 0.45 ? 1 : margin < 0.25 ? -1 : 0, says, stops: margin < 0.05 }
}
