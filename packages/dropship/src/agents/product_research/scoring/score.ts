/**
 * The score of a listing: five components, each 0 to 1 with the figures behind it and a sentence, weighed by what the caller cares
 * about. What the listing is expected to earn counts for as much as all five together, so that nothing wins on beauty alone.
 */
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
  /** shares of its sales, by seller */
  readonly shares: readonly number[]
  /** of the market's price, of late: -0.05 is five per cent down */
  readonly priceMove: number
  readonly outlook: EarningsOutlook
  /** share of the listings compared that sell less */
  readonly demandRank: number
  /** what it would earn, as a part of what the best of them would: 0 to 1 */
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
  const beauty = COMPONENTS.reduce((sum, component) => sum + weights[component] * evidence[component].score, 0)
  return (beauty + earns) / 2
}

const digits = (value: number, count = 2): number => Number(value.toFixed(count))
const percent = (value: number): string => `${(value * 100).toFixed(0)} %`
/** 0.5 at `middle`, near 0.73 one `width` above it. */
const logistic = (value: number, middle: number, width: number): number => 1 / (1 + Math.exp(-(value - middle) / width))

function demandEvidence({ demand, demandRank }: ListingFacts): ScoredComponent {
  const { now, ahead, error, weeks } = demand
  return {
    score: digits(demandRank),
    figures: { units_a_day_now: digits(now), units_a_day_ahead: digits(ahead), error: digits(error), weeks },
    says: `The market sells ${now.toFixed(1)} a day now and ${ahead.toFixed(1)} in the next 90 days, more than ${percent(demandRank)} of the listings compared.`,
  }
}

/** Growth of a fifth a year is good; a slope that may be chance counts as none. */
function trendEvidence({ trend, growth }: Demand): ScoredComponent {
  const believed = Math.log1p(Math.max(-0.95, growth)) * (1 - trend.p)
  const sure = trend.p < 0.05 ? 'which is hardly chance' : 'which may be chance'
  return {
    score: digits(logistic(believed, 0, 0.2)),
    figures: {
      growth_a_year: digits(growth),
      slope_a_week: digits(trend.slope, 4),
      slope_low: digits(trend.low, 4),
      slope_high: digits(trend.high, 4),
      mann_kendall_p: digits(trend.p, 4),
    },
    says: `Without the season it ${growth < 0 ? 'falls' : 'grows'} by ${percent(Math.abs(growth))} a year, ${sure} (p ${trend.p.toFixed(3)}).`,
  }
}

/** Many sellers, sales in few hands and falling prices each make it harder. */
function competitionEvidence({ listing, shares, priceMove }: ListingFacts): ScoredComponent {
  const hhi = hhiOf(shares)
  const room = 1 - logistic(Math.log(listing.sellers), Math.log(12), 0.6)
  const open = 1 - logistic(hhi, 1800, 700)
  const calm = logistic(priceMove, -0.04, 0.02)
  const war = priceMove < -0.04 ? `prices fell by ${percent(-priceMove)} of late` : 'prices hold'
  return {
    score: digits(0.5 * room + 0.25 * open + 0.25 * calm),
    figures: { sellers: listing.sellers, hhi: Math.round(hhi), price_move: digits(priceMove, 3) },
    says: `${listing.sellers} sellers, concentration ${Math.round(hhi)} of 10,000, ${war}.`,
  }
}

function marginEvidence({ outlook }: ListingFacts): ScoredComponent {
  const { margin, suggested, offer } = outlook
  const part = margin / suggested.price
  return {
    score: digits(logistic(part, 0.5, 0.12)),
    figures: {
      margin: toAmount(margin),
      margin_share: digits(part),
      landed_cost: toAmount(offer.landed),
      price: toAmount(suggested.price),
      ad_cost_of_an_order: toAmount(outlook.ads.cost),
    },
    says: `${toAmount(margin)} of ${toAmount(suggested.price)} are left (${percent(part)}), at ${toAmount(offer.landed)} all in from ${offer.supplier_id}.`,
  }
}

/** 1 is safe. Weeks that jump, poor stars, few reviews and a strong season make it less so. */
function riskEvidence({ listing, demand, season }: ListingFacts): ScoredComponent {
  const steady = 1 - logistic(demand.volatility, 0.25, 0.08)
  const liked = logistic(listing.rating, 3.9, 0.25)
  const known = listing.reviews / (listing.reviews + 25)
  const even = 1 - logistic(season.amplitude, 0.4, 0.12)
  return {
    score: digits((steady + liked + known + even) / 4),
    figures: {
      volatility: digits(demand.volatility),
      rating: listing.rating,
      reviews: listing.reviews,
      season_amplitude: digits(season.amplitude),
    },
    says: `Weeks vary by ${percent(demand.volatility)}, ${listing.rating} stars from ${listing.reviews} reviews, best month ${percent(season.amplitude)} above the year's mean.`,
  }
}
