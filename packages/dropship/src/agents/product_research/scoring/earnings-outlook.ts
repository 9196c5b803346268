/**
 * What a listing would earn in this shop: suggested price, visitors, buyers and profit a day, with ranges. An estimate from public
 * figures and the shop's own books; the constants below are its assumptions, each with its reason.
 */
import type { Range } from '../../../figures.ts'
import type { Cents } from '../../../money.ts'
import type { Listing, PlatformBenchmark, SellerShare } from '../../../ports.ts'
import { netOfSale, waitingShare } from '../../supplier/offers/sale.ts'
import type { WeighedOffer } from '../../supplier/offers/weigh-offers.ts'
import type { Demand } from '../statistics/demand.ts'
import type { Elasticity } from '../statistics/elasticity.ts'
import { type SuggestedPrice, suggestPrice } from './suggest-price.ts'

/** What is usual in the shop and among all listings, to compare one listing with. */
export interface Baseline {
  /** organic visitors a day of an average product of the shop */
  readonly visits: number
  /** share of them that buys */
  readonly conversion: number
  /** medians over the compared listings */
  readonly demand: number
  readonly reviews: number
  readonly price: Cents
  readonly sellers: number
  readonly rating: number
  readonly platforms: readonly PlatformBenchmark[]
}

export interface EarningsOutlook {
  readonly suggested: SuggestedPrice
  readonly offer: WeighedOffer
  /** per sale at the suggested price, after fee and landed cost */
  readonly margin: Cents
  readonly units: Range
  /** cents a day without ads */
  readonly profit: Range
  /** ad cost per order on the cheapest platform, and the margin after it */
  readonly ads: { readonly platform: string; readonly cost: Cents; readonly left: Cents }
  /** cents a day, with TEST_BUDGET of ads if they pay: products are ranked by this */
  readonly value: number
}

/*
 * The constants below were set with the simulated market (../../market) in view, not fitted to public data. How well they rank
 * products there says little about another market; on a real one, fit them to its books.
 */

/**
 * Two signals of demand: units estimated from public ranks, right within about a factor of two, and reviews, which some buyers leave.
 * The first is slightly better. Both err, so their deviation from the median counts by SIGNAL_TRUST, in logarithms.
 */
const UNITS_WEIGHT = 0.58
const REVIEWS_WEIGHT = 0.42
const SIGNAL_TRUST = 0.85
/** Visitors grow less than in proportion to market sales: bestsellers are sold everywhere. */
const VISITS_BY_DEMAND = 0.7
/** Demand and rating also raise the conversion: change of its logarithm per unit. */
const BUYS_BY_DEMAND = 0.15
const BUYS_BY_STAR = 0.6
/** A rating from few reviews counts less: as if this many average reviews were added. */
const USUAL_REVIEWS = 25
/** Expensive products convert less. */
const BUYS_BY_PRICE = -0.3
/** Each rival takes visitors and buyers. */
const VISITS_BY_SELLERS = -0.25
const BUYS_BY_SELLERS = -0.12
/** Unknown part of a product's appeal, as a standard deviation in logarithms. */
const APPEAL_UNKNOWN = 0.35
const RANKS_WRONG = 0.45
const TEN_PERCENT = 1.2816
/** A first campaign, in cents a day. */
const TEST_BUDGET = 2000

export function earningsOutlook(
  listing: Listing,
  demand: Demand,
  elasticity: Elasticity,
  sellers: readonly SellerShare[],
  offer: WeighedOffer,
  baseline: Baseline,
): EarningsOutlook {
  const priced = suggestPrice(listing.price, sellers, offer, elasticity)
  const margin = Math.round(netOfSale(priced.price) - offer.landed)
  const sold = Math.log(Math.max(demand.ahead, 0.05) / baseline.demand)
  const reviewed = Math.log((listing.reviews + 1) / (baseline.reviews + 1))
  const wanted = SIGNAL_TRUST * (UNITS_WEIGHT * sold + REVIEWS_WEIGHT * reviewed)
  const rivals = Math.log((listing.sellers + 1) / (baseline.sellers + 1))
  const stars = ((listing.rating - baseline.rating) * listing.reviews) / (listing.reviews + USUAL_REVIEWS)
  const visits = baseline.visits * Math.exp(VISITS_BY_DEMAND * wanted + VISITS_BY_SELLERS * rivals)
  const pull =
    Math.exp(
      BUYS_BY_DEMAND * wanted +
        BUYS_BY_STAR * stars +
        BUYS_BY_PRICE * Math.log(listing.price / baseline.price) +
        BUYS_BY_SELLERS * rivals,
    ) *
    (waitingShare(offer.lead_days) / waitingShare(USUAL_LEAD_DAYS)) *
    priced.demandFactor
  const units = visits * baseline.conversion * pull
  const error = Math.hypot(demand.error, RANKS_WRONG * (VISITS_BY_DEMAND + BUYS_BY_DEMAND), APPEAL_UNKNOWN)
  const ads = adsFor(baseline.platforms, pull, margin)
  const profit = rangeAround(units * margin, error)
  return {
    suggested: priced,
    offer,
    margin,
    units: rangeAround(units, error),
    profit: margin < 0 ? { low: profit.high, expected: profit.expected, high: profit.low } : profit,
    ads,
    value: units * margin + Math.max(0, (TEST_BUDGET / ads.cost) * ads.left),
  }
}

/** Published conversions are from shops that deliver in about a week. */
const USUAL_LEAD_DAYS = 8

/** An 80 % interval; the expected value is the median, because the mean of a skewed estimate is too high. */
const rangeAround = (expected: number, error: number): Range => ({
  low: expected * Math.exp(-TEN_PERCENT * error),
  expected,
  high: expected * Math.exp(TEN_PERCENT * error),
})

function adsFor(platforms: readonly PlatformBenchmark[], pull: number, margin: Cents): EarningsOutlook['ads'] {
  const costs = platforms.map(({ platform, click_cost, conversion }) => ({
    platform,
    cost: click_cost / (conversion * pull),
  }))
  const least = costs.reduce((best, one) => (one.cost < best.cost ? one : best), { platform: 'none', cost: Infinity })
  return {
    platform: least.platform,
    cost: Math.round(Math.min(least.cost, 1e9)),
    left: Math.round(margin - Math.min(least.cost, 1e9)),
  }
}
