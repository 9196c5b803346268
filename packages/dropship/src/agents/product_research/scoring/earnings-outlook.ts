/**
 * What a listing would bring this shop: a price to take, visitors, buyers and profit a day, each with a range. An estimate from
 * public figures and the shop's own books; its assumptions stand here, each with its reason. Nothing hidden is known to it.
 */
import type { Cents } from '../../../money.ts'
import type { Listing, PlatformBenchmark, SellerShare } from '../../../ports.ts'
import { netOfSale, waitingShare } from '../../supplier/offers/sale.ts'
import type { WeighedOffer } from '../../supplier/offers/weigh-offers.ts'
import type { Demand } from '../statistics/demand.ts'
import type { Elasticity } from '../statistics/elasticity.ts'
import { type SuggestedPrice, suggestPrice } from './suggest-price.ts'

export interface Range {
  readonly low: number
  readonly expected: number
  readonly high: number
}

/** What the shop has seen itself, and what all listings look like; both make one listing comparable. */
export interface Baseline {
  /** organic visitors a day to a usual product of the shop */
  readonly visits: number
  /** of them, the part that buys */
  readonly conversion: number
  /** medians over the listings compared */
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
  /** of a sale at the suggested price, after fee and landed cost */
  readonly margin: Cents
  readonly units: Range
  /** cents a day from visitors who come by themselves */
  readonly profit: Range
  /** what an order costs in ads on the platform where that is least, and what the margin leaves of it */
  readonly ads: { readonly platform: string; readonly cost: Cents; readonly left: Cents }
  /** cents a day with TEST_BUDGET of ads where they pay, else without: what products are chosen by */
  readonly value: number
}

/*
 * Where the figures below come from: they were set with the model of the simulated market (../../market) in view, not fitted to public
 * data, so how well they rank products there says little about another market. On a real one they are to be fitted to its own books.
 */

/**
 * Two witnesses of how much a product is wanted: units estimated from public ranks, right within a factor of two or so, and reviews,
 * which only buyers leave, but not every buyer. The first is the better one by a little. Together they still err, so what they say of
 * how far a product lies from the middle is believed by this part, in logarithms.
 */
const UNITS_WEIGHT = 0.58
const REVIEWS_WEIGHT = 0.42
const SIGNAL_TRUST = 0.85
/** A shop wins visitors less than in proportion to what the market sells: those who sell most are met everywhere. */
const VISITS_BY_DEMAND = 0.7
/** What is much wanted also sells better to who has found it, and so does what is rated better: log of buying, for one more. */
const BUYS_BY_DEMAND = 0.15
const BUYS_BY_STAR = 0.6
/** A star of few reviews is worth less: as if so many usual ones stood beside them. */
const USUAL_REVIEWS = 25
/** Dearer things are bought after longer thought. */
const BUYS_BY_PRICE = -0.3
/** Each rival takes visitors and buyers. */
const VISITS_BY_SELLERS = -0.25
const BUYS_BY_SELLERS = -0.12
/** What is left unknown of a product's appeal, as a standard deviation in logarithms. */
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
  yardstick: Baseline,
): EarningsOutlook {
  const priced = suggestPrice(listing.price, sellers, offer, elasticity)
  const margin = Math.round(netOfSale(priced.price) - offer.landed)
  const sold = Math.log(Math.max(demand.ahead, 0.05) / yardstick.demand)
  const reviewed = Math.log((listing.reviews + 1) / (yardstick.reviews + 1))
  const wanted = SIGNAL_TRUST * (UNITS_WEIGHT * sold + REVIEWS_WEIGHT * reviewed)
  const rivals = Math.log((listing.sellers + 1) / (yardstick.sellers + 1))
  const stars = ((listing.rating - yardstick.rating) * listing.reviews) / (listing.reviews + USUAL_REVIEWS)
  const visits = yardstick.visits * Math.exp(VISITS_BY_DEMAND * wanted + VISITS_BY_SELLERS * rivals)
  const pull =
    Math.exp(
      BUYS_BY_DEMAND * wanted +
        BUYS_BY_STAR * stars +
        BUYS_BY_PRICE * Math.log(listing.price / yardstick.price) +
        BUYS_BY_SELLERS * rivals,
    ) *
    (waitingShare(offer.lead_days) / waitingShare(USUAL_LEAD_DAYS)) *
    priced.demandFactor
  const units = visits * yardstick.conversion * pull
  const error = Math.hypot(demand.error, RANKS_WRONG * (VISITS_BY_DEMAND + BUYS_BY_DEMAND), APPEAL_UNKNOWN)
  const ads = adsFor(yardstick.platforms, pull, margin)
  const profit = { ...rangeAround(units * margin, error) }
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

/** Conversions that platforms publish are of shops that deliver in about a week. */
const USUAL_LEAD_DAYS = 8

/** 80 % of the time in between; the expected one is the middle, for the mean of a skewed guess flatters. */
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
