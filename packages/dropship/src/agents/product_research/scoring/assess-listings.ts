/**
 * Assesses a set of listings together: reads history, sellers, offers and the shop's books once, then computes each listing's demand,
 * price, costs and outlook. Listings without history or supplier are skipped and counted.
 */
import { addDays } from '../../../day.ts'
import type { Listing, SellerShare, Shop } from '../../../ports.ts'
import { type WeighedOffer, weighAll } from '../../supplier/offers/weigh-offers.ts'
import { priceMove } from '../statistics/competition.ts'
import { type Demand, demandOf } from '../statistics/demand.ts'
import { type Elasticity, elasticityOf } from '../statistics/elasticity.ts'
import { indexOn, type Season, seasonOf, type Week } from '../statistics/season.ts'
import { weeksOf } from '../statistics/weeks.ts'
import { readBaseline } from './baseline.ts'
import { type Baseline, type EarningsOutlook, earningsOutlook } from './earnings-outlook.ts'
import type { ListingFacts } from './score.ts'

export interface AssessedListing extends ListingFacts {
  readonly elasticity: Elasticity
  readonly outlook: EarningsOutlook
}

/** A year and a partial week. */
export const HISTORY_DAYS = 371

interface ListingHistory {
  readonly listing: Listing
  readonly weeks: readonly Week[]
  readonly season: Season
  readonly demand: Demand
}

export async function assessListings(shop: Shop, listings: readonly Listing[]) {
  const ids = listings.map(({ product_id }) => product_id)
  const [today, history, shares, offers] = await Promise.all([
    shop.clock.today(),
    shop.marketplace.history(ids, HISTORY_DAYS),
    shop.marketplace.sellers(ids),
    offersByProduct(shop, listings),
  ])
  const weeks = weeksOf(history)
  const seasons = seasonsOf(listings, weeks)
  const histories = listings.flatMap((listing): ListingHistory[] => {
    const own = weeks.get(listing.product_id) ?? []
    const season = seasons.get(listing.niche) ?? seasonOf([])
    const demand = demandOf(own, season, today)
    return demand === undefined ? [] : [{ listing, weeks: own, season, demand }]
  })
  const offered = histories.filter(({ listing }) => (offers.get(listing.product_id) ?? []).length > 0)
  const baseline = await readBaseline(shop, histories, today)
  const bySeller = Map.groupBy(shares, ({ product_id }) => product_id)
  const bare = offered.map((one) => assessListing(one, bySeller.get(one.listing.product_id) ?? [], offers, baseline))
  return {
    assessed: withRanks(bare),
    skipped: { history: listings.length - histories.length, supplier: histories.length - offered.length },
  }
}

/** By niche, from the listings with the longest history. */
function seasonsOf(listings: readonly Listing[], weeks: ReadonlyMap<string, readonly Week[]>): Map<string, Season> {
  const longest = Math.max(0, ...[...weeks.values()].map((own) => own.length))
  const byNiche = Map.groupBy(listings, ({ niche }) => niche)
  return new Map(
    [...byNiche].map(([niche, own]) => {
      const series = own.map(({ product_id }) => weeks.get(product_id) ?? []).filter((one) => one.length === longest)
      return [niche, seasonOf(series)]
    }),
  )
}

/** Offers in stock, best first. */
async function offersByProduct(
  shop: Shop,
  listings: readonly Listing[],
): Promise<Map<string, readonly WeighedOffer[]>> {
  const all = await weighAll(shop, listings)
  return new Map([...all].map(([product_id, offers]) => [product_id, offers.filter(({ offer }) => offer.stock > 0)]))
}

function assessListing(
  { listing, weeks, season, demand }: ListingHistory,
  shares: readonly SellerShare[],
  offers: ReadonlyMap<string, readonly WeighedOffer[]>,
  baseline: Baseline,
): Omit<AssessedListing, 'demandRank' | 'relativeEarnings'> {
  const indices = weeks.map(({ from }) => indexOn(season, addDays(from, 3)))
  const elasticity = elasticityOf(weeks, indices)
  const outlooks = (offers.get(listing.product_id) ?? []).map((offer) =>
    earningsOutlook(listing, demand, elasticity, shares, offer, baseline),
  )
  return {
    listing,
    demand,
    season,
    elasticity,
    shares: shares.map(({ share }) => share),
    priceMove: priceMove(weeks),
    outlook: outlooks.reduce((best, one) => (one.value > best.value ? one : best)),
  }
}

/** Adds each listing's rank among the compared ones. */
function withRanks(bare: readonly Omit<AssessedListing, 'demandRank' | 'relativeEarnings'>[]): AssessedListing[] {
  const best = Math.max(1, ...bare.map(({ outlook }) => outlook.value))
  const less = (ahead: number): number => bare.filter(({ demand }) => demand.ahead < ahead).length
  return bare.map((one) => ({
    ...one,
    demandRank: bare.length < 2 ? 0.5 : less(one.demand.ahead) / (bare.length - 1),
    relativeEarnings: Math.max(0, one.outlook.value / best),
  }))
}
