/**
 * The demand for a product on a day, and how likely a visitor is to buy: trend, weekday, season, slow random changes and price. Pure
 * functions of hidden parameters, day and price.
 */
import { cached } from '../../cached.ts'
import { dayOfYear, weekdayOf } from '../calendar.ts'
import { diceFor, normal } from '../random.ts'
import type { HiddenProduct } from '../world/hidden-parameters.ts'

/** Growth wears off: 63 % of the total comes in the first year, 86 % in two years. */
export const growth = (hidden: HiddenProduct, day: number): number =>
  Math.exp(hidden.trend * (1 - Math.exp(-(day - hidden.epoch) / 365)))

/** Rises from 20 November, peaks in the second week of December and ends by Christmas Eve, when parcels would come too late. */
const presents = (year: number): number => Math.exp(-(((year - 342) / 13) ** 2))

export const season = (hidden: HiddenProduct, day: number): number => {
  const year = dayOfYear(day)
  return Math.exp(hidden.swing * Math.cos((2 * Math.PI * (year - hidden.peak)) / 365.25) + hidden.gift * presents(year))
}

/** The season of the shop's visitors: more before Christmas, fewer in summer. */
export const shopSeason = (day: number): number => {
  const year = dayOfYear(day)
  return Math.exp(0.13 * Math.cos((2 * Math.PI * (year - 345)) / 365.25) + 0.12 * presents(year))
}

const MOOD_DAYS = 14

/** A slow random walk around 1: one value per fortnight, interpolated in between. */
export const mood = (seed: number, subject: number, day: number, strength: number): number => {
  const at = Math.floor(day / MOOD_DAYS)
  const share = day / MOOD_DAYS - at
  const before = moodAt(seed, at, subject)
  return Math.exp(strength * (before + (moodAt(seed, at + 1, subject) - before) * share))
}

/** Every day needs the same two fortnights, so the newest ones are cached. */
interface Fortnight {
  readonly seed: number
  readonly at: number
  readonly moods: Map<number, number>
}
const fortnights: Fortnight[] = []
const FORTNIGHTS_KEPT = 6

const moodsOf = (seed: number, at: number): Map<number, number> => {
  for (const known of fortnights) if (known.at === at && known.seed === seed) return known.moods
  const moods = new Map<number, number>()
  fortnights.push({ seed, at, moods })
  if (fortnights.length > FORTNIGHTS_KEPT) fortnights.shift()
  return moods
}

const moodAt = (seed: number, at: number, subject: number): number =>
  cached(moodsOf(seed, at), subject, () => normal(diceFor(seed, at, subject, 'mood')))

/** Mean units that the market sells on a day. `hash` is the hash of the product's id. */
export const marketDemand = (
  seed: number,
  hash: number,
  hidden: HiddenProduct,
  day: number,
  price: number,
  grown = growth(hidden, day),
): number =>
  hidden.demand *
  grown *
  season(hidden, day) *
  (hidden.weekly[weekdayOf(day)] ?? 1) *
  mood(seed, hash, day, 0.1) *
  priceResponse(1, price / hidden.anchor)

/**
 * The effect of a price on sales: 1 at the usual price, with the given elasticity there, and at most 2, because an unbelievably low price
 * sells no better than a good one.
 */
export const priceResponse = (elasticity: number, ratio: number): number => 2 / (1 + ratio ** (2 * elasticity))

/** Expensive products need more thought before buying. */
const priceHesitation = (price: number): number => (price / 4000) ** -0.3

/** Customers buy more often with three days of delivery than with three weeks. */
const deliveryAppeal = (lead_days: number): number => Math.min(1.03, Math.max(0.72, 1.07 - 0.016 * lead_days))

/** 1 with eight sellers. Every doubling takes some visitors and buyers away. */
const rivalry = (sellers: number): number => (1.5 / (1 + sellers / 16)) ** 0.5

const USUAL_DEMAND = 12

/** Share of the visitors who come without ads, 1 for an average product. `demand` is that of the whole market. */
export const attractionOf = (demand: number, seo_score: number, sellers: number): number =>
  (demand / USUAL_DEMAND) ** 0.7 * (0.6 + (0.8 * seo_score) / 100) * rivalry(sellers)

/** Factor on a channel's usual conversion, at a price beside the market's. */
export const pullOf = (
  hidden: HiddenProduct,
  day: number,
  price: number,
  rivals: { readonly price: number; readonly sellers: number },
  lead_days: number,
): number =>
  hidden.appeal *
  priceResponse(hidden.elasticity, price / rivals.price) *
  priceHesitation(rivals.price) *
  deliveryAppeal(lead_days) *
  rivalry(rivals.sellers) ** 0.5 *
  (growth(hidden, day) * season(hidden, day)) ** 0.3
