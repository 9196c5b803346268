/** Reads and computes the figures of one niche for analyze_niche. */

import { ToolError } from 'myrmex'
import { plural } from 'myrmex/text'
import { median } from 'simple-statistics'
import { addDays, type Day, MONTHS } from '../../../day.ts'
import { mean, rounded, sum } from '../../../figures.ts'
import type { Listing, ListingDay, Shop } from '../../../ports.ts'
import { weighAll } from '../../supplier/offers/weigh-offers.ts'
import type { MarketSegment } from '../market-segment.ts'
import { HISTORY_DAYS } from '../scoring/assess-listings.ts'
import { hhiOf, sharesOf } from '../statistics/competition.ts'
import { keywordsOf } from '../statistics/keywords.ts'
import { indexOn, logUnits, type Season, seasonOf, type Week } from '../statistics/season.ts'
import { trendOf } from '../statistics/trend.ts'
import { weeksOf } from '../statistics/weeks.ts'
import { type Crowding, judgeNiche, priceBand, saturationOf } from './niche-verdict.ts'

const RECENT_DAYS = 28
const FEWEST_WEEKS = 4
const AHEAD_DAYS = 90

export async function analyseNiche(shop: Shop, scope: MarketSegment) {
  const everything = await shop.marketplace.listings()
  const nameOf = (listing: Listing): string => listing[scope.kind]
  const within = everything.filter((listing) => nameOf(listing) === scope.name)
  const ids = within.map(({ product_id }) => product_id)
  const [today, history, sellers, recent, offers] = await Promise.all([
    shop.clock.today(),
    shop.marketplace.history(ids, HISTORY_DAYS),
    shop.marketplace.sellers(ids),
    shop.marketplace.history(
      everything.map(({ product_id }) => product_id),
      RECENT_DAYS,
    ),
    weighAll(shop, within),
  ])
  const units = unitsADay(recent)
  const series = longestSeries([...weeksOf(history).values()])
  const weeks = series[0]?.length ?? 0
  if (weeks < FEWEST_WEEKS) {
    throw new ToolError(
      'TooLittleHistory',
      `${scope.name} has ${plural(weeks, 'whole week')} of history; ${FEWEST_WEEKS} are needed. Try again later.`,
      { niche: scope.name, weeks },
    )
  }
  const season = seasonOf(series)
  const trend = trendOf(deseasonalisedWeeks(series, season))
  const margins = within.flatMap(({ product_id, price }) => {
    const best = (offers.get(product_id) ?? []).find(({ offer }) => offer.stock > 0)
    return best === undefined ? [] : [best.margin / price]
  })
  const all = crowdingByNiche(everything, nameOf, units)
  const own = all.find((one) => one.niche === scope.name) ?? { niche: scope.name, sellers: 0, units: 0 }
  const figures = {
    hhi: hhiOf(sharesOf(sellers, (id) => units.get(id) ?? 0)),
    saturation: saturationOf(own, all),
    trend,
    growth: Math.expm1(trend.slope * 52),
    season,
    ahead: seasonAhead(season, today),
    margin: margins.length === 0 ? undefined : median(margins),
  }
  const { verdict, reasons } = judgeNiche(figures)
  return {
    niche: scope.name,
    category: scope.category,
    currency: shop.currency,
    listings: within.length,
    sellers: own.sellers,
    units_a_day: rounded(own.units),
    hhi: Math.round(figures.hhi),
    saturation: {
      sellers_per_unit: rounded(figures.saturation.sellers_per_unit, 3),
      more_crowded_than: rounded(figures.saturation.above),
    },
    price_band: priceBand(within.map(({ price }) => price)),
    season: seasonOutput(season, figures.ahead),
    growth: { low: yearly(trend.low), expected: yearly(trend.slope), high: yearly(trend.high) },
    growth_p: rounded(trend.p, 4),
    median_margin: figures.margin === undefined ? null : rounded(figures.margin, 3),
    verdict,
    reasons,
    keywords: keywordsOf(within, everything, 10),
  }
}

const yearly = (slope: number): number => rounded(Math.expm1(slope * 52), 3)

/** Mean units a day, by product. */
function unitsADay(days: readonly ListingDay[]): Map<string, number> {
  const byProduct = Map.groupBy(days, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, own]) => [id, mean(own.map(({ units }) => units))]))
}

/** Only series over the same time can be compared. */
function longestSeries(series: readonly (readonly Week[])[]): (readonly Week[])[] {
  const most = Math.max(0, ...series.map(({ length }) => length))
  return series.filter(({ length }) => length === most)
}

/** Weekly sales of the niche as a mean of logarithms, without the season. */
function deseasonalisedWeeks(series: readonly (readonly Week[])[], season: Season): number[] {
  return (series[0] ?? []).map(({ from }, week) => {
    const logs = series.map((one) => logUnits(one[week]?.units ?? 0))
    return mean(logs) - Math.log(indexOn(season, addDays(from, 3)))
  })
}

function crowdingByNiche(
  all: readonly Listing[],
  nameOf: (listing: Listing) => string,
  units: ReadonlyMap<string, number>,
): Crowding[] {
  return [...Map.groupBy(all, nameOf)].map(([niche, own]) => ({
    niche,
    sellers: sum(own, ({ sellers }) => sellers),
    units: sum(own, ({ product_id }) => units.get(product_id) ?? 0),
  }))
}

const seasonAhead = (season: Season, today: Day): number =>
  mean(Array.from({ length: AHEAD_DAYS }, (_, day) => indexOn(season, addDays(today, day))))

const seasonOutput = (season: Season, ahead: number) => ({
  known: season.known,
  strength: rounded(season.strength, 3),
  amplitude: rounded(season.amplitude, 3),
  months: season.months.map((index, at) => ({ month: MONTHS[at] ?? '', index: rounded(index, 3) })),
  peak_months: season.peaks.map((peak) => MONTHS[peak - 1] ?? ''),
  next_90_days: rounded(ahead, 3),
})
