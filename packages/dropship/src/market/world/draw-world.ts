/**
 * Draws the world; day.ts simulates its days. docs/market.md describes the model in full, with sources. In short:
 * - A product has a heavy-tailed true demand, of which the public sees a biased and noisy estimate.
 * - It has a price that the market settles on, a cost near 30 % of it, and a number of sellers. High demand draws sellers and lowers margins.
 * - A supplier has one hidden quality: good ones ask more, make fewer mistakes and are rated better, with noise.
 * - Platforms suit products differently, and each returns less for every further euro.
 */
import { type Listing, type Offer, PLATFORMS, type Platform, type Supplier } from '../../ports.ts'
import { dayText } from '../calendar.ts'
import { between, chance, type Dice, diceFor, integerBetween, lognormal, normal, pickSome } from '../random.ts'
import { CATEGORY_AFFINITY } from '../sales/platforms.ts'
import { type FixedListing, imageOf, writeListingText } from './catalogue/listing-text.ts'
import { NICHES, type Niche } from './catalogue/niches.ts'
import { type Origin, originOf, supplierName } from './catalogue/traders.ts'
import type { HiddenOffer, HiddenProduct } from './hidden-parameters.ts'

export interface DrawnListing extends Omit<Listing, 'category' | 'niche'> {
  readonly niche: Niche
  readonly hidden: HiddenProduct
  /** unit cost at average labour cost and quality */
  readonly cost: number
}

export interface DrawnSupplier extends Omit<Supplier, 'country'> {
  readonly origin: Origin
  readonly quality: number
}

export interface DrawnOffer extends Omit<Offer, 'supplier'> {
  readonly supplier_id: string
  readonly hidden: HiddenOffer
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** The specification's examples name these two, and the shop sells the second. */
export const COMFY_CHAIR = '123'
export const RED_CHAIR = '124'
const CHAIRS: Readonly<Record<string, FixedListing & { readonly anchor: number }>> = {
  [COMFY_CHAIR]: { title: 'Comfy Chair', thing: 'Reclining Office Chair', colour: 'sand', anchor: 7990 },
  [RED_CHAIR]: { title: 'Red Chair', thing: 'Swivel Chair', colour: 'red', anchor: 6990 },
}

/** Drawn in the order of PLATFORMS. */
const onEach = (value: (platform: Platform) => number): Record<Platform, number> =>
  Object.fromEntries(PLATFORMS.map((platform) => [platform, round(value(platform), 4)])) as Record<Platform, number>

/** Online sales are best on Sunday and Monday and worst on Saturday. Each product varies a little. */
const WEEK = [1.1, 1.04, 1, 0.98, 0.93, 0.88, 1.07]

const drawWeek = (dice: Dice): number[] => {
  const raw = WEEK.map((factor) => factor * Math.exp(0.06 * normal(dice)))
  const mean = raw.reduce((sum, factor) => sum + factor, 0) / 7
  return raw.map((factor) => round(factor / mean, 4))
}

const drawHidden = (dice: Dice, niche: Niche, anchor: number, epoch: number): HiddenProduct => {
  const wanted = normal(dice)
  const affinity = (platform: Platform): number => CATEGORY_AFFINITY[platform][niche.category] ?? 0
  const demand = 12 * Math.exp(1.05 * wanted - 0.3 * Math.log(anchor / 4000))
  const trend = clamp(0.05 + 0.38 * normal(dice), -0.9, 1.2)
  return {
    demand: round(demand, 4),
    bias: round(lognormal(dice, 1, 0.68), 4),
    appeal: round(Math.exp(0.26 * wanted + 0.28 * normal(dice) - 0.05), 4),
    elasticity: round(clamp(2.6 + 0.6 * normal(dice), 1.3, 4.2), 3),
    trend: round(trend, 4),
    weekly: drawWeek(dice),
    peak: niche.peak + integerBetween(dice, -12, 12),
    swing: round(Math.max(0, niche.swing * between(dice, 0.7, 1.3)), 4),
    gift: round(Math.max(0, niche.gift * between(dice, 0.6, 1.4)), 4),
    epoch,
    anchor,
    crowd: round(clamp(8 * Math.exp(0.42 * wanted + 0.45 * normal(dice)), 2, 45), 2),
    evenness: round(between(dice, 0.6, 4), 3),
    click_fit: onEach((platform) => Math.exp(0.5 * affinity(platform) + 0.15 * normal(dice))),
    buy_fit: onEach((platform) => Math.exp(affinity(platform) + 0.28 * normal(dice))),
    saturation: onEach(() => clamp(lognormal(dice, 2600, 0.35) * (demand / 12) ** 0.25, 700, 12000)),
    remorse: round(between(dice, 0.004, 0.012), 5),
  }
}

/** About seven listings per niche, as far as there are niches. */
const nichesFor = (listings: number): readonly Niche[] =>
  NICHES.slice(0, clamp(Math.round(listings / 7), 4, NICHES.length))

export const drawListings = (seed: number, count: number, since: number): DrawnListing[] => {
  const niches = nichesFor(count)
  const taken = new Set(Object.values(CHAIRS).map((chair) => chair.title))
  return Array.from({ length: count }, (_, at) => {
    const product_id = String(101 + at)
    const dice = diceFor(seed, 0, product_id, 'listing')
    const chair = CHAIRS[product_id]
    const niche = (chair ? NICHES[0] : niches[at % niches.length]) as Niche
    const words = writeListingText(dice, niche, taken, chair)
    const anchor = Math.round(Math.exp(between(dice, Math.log(niche.from), Math.log(niche.to)))) * 100 - 10
    const hidden = drawHidden(dice, niche, chair?.anchor ?? anchor, since)
    // The cost of goods is near 30 % of the price, and more where many sellers lower the price.
    const margin = 0.29 * Math.exp(0.24 * normal(dice) + 0.07 * Math.log(hidden.crowd / 8))
    const reviews = Math.round(hidden.demand * lognormal(dice, 9, 0.7))
    return {
      ...words,
      product_id,
      niche,
      price: Math.round(hidden.anchor * Math.exp(0.04 * normal(dice))),
      sellers: Math.max(1, Math.round(hidden.crowd * Math.exp(0.15 * normal(dice)))),
      rating: round(clamp(4.15 + 0.7 * Math.log(hidden.appeal) + 0.2 * normal(dice), 2.4, 4.9), 1),
      reviews,
      listed_on: dayText(since - (chance(dice, 0.15) ? integerBetween(dice, 0, 90) : integerBetween(dice, 91, 1400))),
      image: imageOf(product_id),
      hidden,
      cost: hidden.anchor * (chair ? 0.26 : clamp(margin, 0.15, 0.62)),
    }
  })
}

/** The public sees the quality only with noise, in the rating and the published punctuality. */
export const drawSuppliers = (seed: number, listings: number): DrawnSupplier[] => {
  const count = clamp(Math.round(listings / 4), 10, 160)
  const first = Math.max(1, 99 - Math.floor(count / 2))
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, at) => {
    const supplier_id = `sup_${first + at}`
    const dice = diceFor(seed, 0, supplier_id, 'supplier')
    const known = supplier_id === 'sup_99'
    const drawn = normal(dice)
    const quality = known ? 0.9 : clamp(drawn, -2.2, 2.2)
    const rating = clamp(4.15 + 0.34 * quality + 0.13 * normal(dice), 2.5, 5)
    const on_time = clamp(1 - lateness(quality) + 0.03 * normal(dice), 0.4, 1)
    return {
      supplier_id,
      name: supplierName(dice, taken),
      origin: originOf(dice),
      quality,
      rating: round(known ? Math.max(4.6, rating) : rating, 1),
      reviews: Math.round(lognormal(dice, 240, 1)),
      on_time: round(on_time, 3),
    }
  })
}

/** The share of late shipments: from 3 % for the best to more than a third for the worst. */
const lateness = (quality: number): number => 1 / (1 + Math.exp(2 + 0.95 * quality))
/** The share of defective units: from 0.4 % for the best to more than a tenth for the worst. Platforms ask for 1 %; unaudited suppliers reach 8 %. */
const defects = (quality: number): number => 0.012 * Math.exp(-1.05 * quality)

const drawOffer = (dice: Dice, supplier: DrawnSupplier, listing: DrawnListing): DrawnOffer => {
  const { origin, quality } = supplier
  const fixed = supplier.supplier_id === 'sup_99' && listing.product_id === COMFY_CHAIR
  const drawn = listing.cost * origin.price * Math.exp(0.13 * quality + 0.08 * normal(dice))
  // In the specification's example the shop negotiates with sup_99 for the Comfy Chair, aiming at 15.00.
  const ask = fixed ? 1790 : Math.max(90, Math.round(drawn))
  const reserve = Math.round(ask * (fixed ? 0.8 : between(dice, 0.74, 0.95)))
  const own = clamp(quality + 0.35 * normal(dice), -2.6, 2.6)
  const weight = clamp(listing.hidden.anchor / 9000, 0, 1) * (listing.niche.bulky ? 1 : 0.75)
  const [near, far] = origin.shipping
  return {
    supplier_id: supplier.supplier_id,
    product_id: listing.product_id,
    unit: ask,
    shipping: Math.round(near + (far - near) * weight + (listing.niche.bulky ? 250 : 0)),
    lead_days: integerBetween(dice, origin.lead[0], origin.lead[1]),
    stock: fixed ? 400 : chance(dice, 0.04) ? 0 : Math.round(lognormal(dice, 260, 0.8)),
    hidden: {
      ask,
      reserve,
      patience: integerBetween(dice, 3, 8),
      concession: round(lognormal(dice, 0.9, 0.4), 3),
      offence: round(between(dice, 0.6, 0.82), 3),
      defect: round(clamp(defects(own), 0.002, 0.14), 5),
      late: round(lateness(own), 5),
      delay: round(between(dice, 2, 5) + 1.5 * Math.max(0, -own), 3),
    },
  }
}

export const drawOffers = (
  seed: number,
  listings: readonly DrawnListing[],
  suppliers: readonly DrawnSupplier[],
): DrawnOffer[] =>
  listings.flatMap((listing) => {
    const dice = diceFor(seed, 0, listing.product_id, 'who offers it')
    const some = pickSome(dice, suppliers, integerBetween(dice, 4, 8))
    const known = suppliers.find((supplier) => supplier.supplier_id === 'sup_99')
    const chair = CHAIRS[listing.product_id] !== undefined
    const who = chair && known && !some.includes(known) ? [...some, known] : some
    return who.map((supplier) =>
      drawOffer(diceFor(seed, 0, `${supplier.supplier_id} ${listing.product_id}`, 'offer'), supplier, listing),
    )
  })
