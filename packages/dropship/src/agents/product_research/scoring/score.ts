/**
 * The score of a listing: five components from 0 to 1, each with its figures and a sentence, weighted by the caller's criteria. The
 * expected earnings count as much as all five components together.
 */
import { plural } from 'myrmex/text'
import { percent, rounded } from '../../../figures.ts'
import { toAmount } from '../../../money.ts'
import type { Listing } from '../../../ports.ts'
import { hhiOf } from '../statistics/competition.ts'
import type { Demand } from '../statistics/demand.ts'
import type { Season } from '../statistics/season.ts'
import { COMPONENTS, type Component, type Weights } from './criteria.ts'
import type { EarningsOutlook } from './earnings-outlook.ts'

export interface ScoredComponent {
  /** 0 to 1, 1 is best */
  readonly score: number
  readonly figures: Readonly<Record<string, number>>
  readonly says: string
}

export type ScoreEvidence = Readonly<Record<Component, ScoredComponent>>

export interface ListingFacts {
  readonly listing: Listing
  readonly demand: Demand
  readonly season: Season
  /** the sellers' shares of its sales */
  readonly shares: readonly number[]
  /** recent change of the market price: -0.05 is 5 % down */
  readonly priceMove: number
  readonly outlook: EarningsOutlook
  /** share of the compared listings with less demand */
  readonly demandRank: number
  /** earnings relative to the best of the compared listings, 0 to 1 */
  readonly relativeEarnings: number
}

export const evidenceOf = (facts: ListingFacts): ScoreEvidence => ({
  demand: demandEvidence(facts),
  trend: trendEvidence(facts.demand),
  competition: competitionEvidence(facts),
  margin: marginEvidence(facts),
  risk: riskEvidence(facts),
})

export function scoreOf(evidence: ScoreEvidence, weights: Weights, earns: number): number {
  const components = COMPONENTS.reduce((sum, component) => sum + weights[component] * evidence[component].score, 0)
  return (components + earns) / 2
}

/** Best first; equal scores by product_id. */
export const rankListings = <T extends ListingFacts>(all: readonly T[], weights: Weights) =>
  all
    .map((facts) => {
      const evidence = evidenceOf(facts)
      return { listing: facts, evidence, score: scoreOf(evidence, weights, facts.relativeEarnings) }
    })
    .sort((a, b) => b.score - a.score || (a.listing.listing.product_id < b.listing.listing.product_id ? -1 : 1))

/** 0.5 at `middle`, near 0.73 one `width` above it. */
const logistic = (value: number, middle: number, width: number): number => 1 / (1 + Math.exp(-(value - middle) / width))

function demandEvidence({ demand, demandRank }: ListingFacts): ScoredComponent {
  const { now, ahead, error, weeks } = demand
  return {
    score: rounded(demandRank),
    figures: { units_a_day_now: rounded(now), units_a_day_ahead: rounded(ahead), error: rounded(error), weeks },
    says: `The market sells ${now.toFixed(1)} a day now and ${ahead.toFixed(1)} a day in the next 90 days, more than ${percent(demandRank)} of the compared listings.`,
  }
}

/** Growth of 20 % a year is good. A slope counts the less, the more likely it is chance. */
function trendEvidence({ trend, growth }: Demand): ScoredComponent {
  const believed = Math.log1p(Math.max(-0.95, growth)) * (1 - trend.p)
  const sure = trend.p < 0.05 ? 'unlikely to be chance' : 'possibly chance'
  return {
    score: rounded(logistic(believed, 0, 0.2)),
    figures: {
      growth_a_year: rounded(growth),
      slope_a_week: rounded(trend.slope, 4),
      slope_low: rounded(trend.low, 4),
      slope_high: rounded(trend.high, 4),
      mann_kendall_p: rounded(trend.p, 4),
    },
    says: `Without the season it ${growth < 0 ? 'falls' : 'grows'} by ${percent(Math.abs(growth))} a year, ${sure} (p ${trend.p.toFixed(3)}).`,
  }
}

/** Many sellers, concentrated sales and falling prices each make it harder. */
function competitionEvidence({ listing, shares, priceMove }: ListingFacts): ScoredComponent {
  const hhi = hhiOf(shares)
  const room = 1 - logistic(Math.log(listing.sellers), Math.log(12), 0.6)
  const open = 1 - logistic(hhi, 1800, 700)
  const calm = logistic(priceMove, -0.04, 0.02)
  const war = priceMove < -0.04 ? `prices recently fell by ${percent(-priceMove)}` : 'prices are stable'
  return {
    score: rounded(0.5 * room + 0.25 * open + 0.25 * calm),
    figures: { sellers: listing.sellers, hhi: Math.round(hhi), price_move: rounded(priceMove, 3) },
    says: `${plural(listing.sellers, 'seller')}, concentration ${Math.round(hhi)} of 10,000, ${war}.`,
  }
}

function marginEvidence({ outlook }: ListingFacts): ScoredComponent {
  const { margin, suggested, offer } = outlook
  const part = margin / suggested.price
  return {
    score: rounded(logistic(part, 0.5, 0.12)),
    figures: {
      margin: toAmount(margin),
      margin_share: rounded(part),
      landed_cost: toAmount(offer.landed),
      price: toAmount(suggested.price),
      ad_cost_of_an_order: toAmount(outlook.ads.cost),
    },
    says: `The margin is ${toAmount(margin)} of ${toAmount(suggested.price)} (${percent(part)}), at a landed cost of ${toAmount(offer.landed)} from ${offer.supplier_id}.`,
  }
}

/** 1 is safe. Volatile weeks, a low rating, few reviews and a strong season make it riskier. */
function riskEvidence({ listing, demand, season }: ListingFacts): ScoredComponent {
  const steady = 1 - logistic(demand.volatility, 0.25, 0.08)
  const liked = logistic(listing.rating, 3.9, 0.25)
  const known = listing.reviews / (listing.reviews + 25)
  const even = 1 - logistic(season.amplitude, 0.4, 0.12)
  return {
    score: rounded((steady + liked + known + even) / 4),
    figures: {
      volatility: rounded(demand.volatility),
      rating: listing.rating,
      reviews: listing.reviews,
      season_amplitude: rounded(season.amplitude),
    },
    says: `Weeks vary by ${percent(demand.volatility)}, ${listing.rating} stars from ${plural(listing.reviews, 'review')}, best month ${percent(season.amplitude)} above the yearly mean.`,
  }
}
