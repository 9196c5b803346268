/**
 * Sets up the shop as a sensible owner would: which listings it sells, from which suppliers, its pages, its creatives and the campaigns
 * of the past year. It uses public information only, never hidden parameters.
 */
import type { DatabaseSync } from 'node:sqlite'
import { PLATFORMS } from '../../ports.ts'
import { dayText } from '../calendar.ts'
import { between, chance, diceFor, integerBetween, lognormal, normal, pick } from '../random.ts'
import { insert, nextId, run } from '../statements.ts'
import { slugOf } from './catalogue/listing-text.ts'
import { type DrawnListing, type DrawnOffer, type DrawnSupplier, RED_CHAIR } from './draw-world.ts'
import { firstCreative, firstPage } from './first-pages.ts'

export const CHAIR_SKU = 'chair-red'
const UNSOLD = 'Coffee'

export interface OpeningPeriod {
  readonly seed: number
  /** the first recorded day as a number, and how many days of history follow */
  readonly since: number
  readonly history: number
}

export interface SoldProduct {
  readonly sku: string
  readonly listing: DrawnListing
  readonly offer: DrawnOffer
  readonly price: number
}

/** Prefers popular products, with a random taste. Always the red chair, never Coffee. */
const chosen = (seed: number, listings: readonly DrawnListing[], count: number): DrawnListing[] => {
  const liking = (listing: DrawnListing): number =>
    listing.product_id === RED_CHAIR
      ? Number.POSITIVE_INFINITY
      : Math.log(listing.reviews + 1) * 0.4 +
        Math.log(listing.price) * 0.5 +
        normal(diceFor(seed, 0, listing.product_id, 'taste'))
  return listings
    .filter(
      (listing) =>
        listing.niche.category !== UNSOLD && (listing.product_id === RED_CHAIR || listing.title !== 'Comfy Chair'),
    )
    .map((listing) => ({ listing, liking: liking(listing) }))
    .sort((a, b) => b.liking - a.liking)
    .slice(0, count)
    .map(({ listing }) => listing)
    .sort((a, b) => (a.product_id < b.product_id ? -1 : 1))
}

/** Weighs landed cost against rating: a tenth of a star is worth about 3 % of the price, and slow delivery costs a little. */
const bestOffer = (
  listing: DrawnListing,
  offers: readonly DrawnOffer[],
  suppliers: ReadonlyMap<string, DrawnSupplier>,
): DrawnOffer => {
  const value = (offer: DrawnOffer): number =>
    -(offer.unit + offer.shipping) / listing.price +
    0.28 * (suppliers.get(offer.supplier_id)?.rating ?? 0) -
    0.003 * offer.lead_days
  const [best] = offers.filter((offer) => offer.stock > 0).sort((a, b) => value(b) - value(a))
  const found = best ?? offers[0]
  if (found === undefined) throw new Error(`No supplier offers ${listing.title} (${listing.product_id}).`)
  return found
}

export const setUpShop = (
  db: DatabaseSync,
  opening: OpeningPeriod,
  listings: readonly DrawnListing[],
  offers: readonly DrawnOffer[],
  suppliers: readonly DrawnSupplier[],
  count: number,
): SoldProduct[] => {
  const bySupplier = new Map(suppliers.map((supplier) => [supplier.supplier_id, supplier]))
  const sold = chosen(opening.seed, listings, count).map((listing): SoldProduct => {
    const own = offers.filter((offer) => offer.product_id === listing.product_id)
    const offer = bestOffer(listing, own, bySupplier)
    const sku = listing.product_id === RED_CHAIR ? CHAIR_SKU : slugOf(listing.title)
    const dice = diceFor(opening.seed, 0, listing.product_id, 'our price')
    const price = Math.max(
      Math.round(listing.price * between(dice, 0.94, 1.06)),
      Math.round(1.4 * (offer.unit + offer.shipping)),
    )
    return { sku, listing, offer, price: Math.round(price / 100) * 100 - 10 }
  })
  const chairFirst = [...sold].sort((a, b) => Number(b.sku === CHAIR_SKU) - Number(a.sku === CHAIR_SKU))
  for (const one of chairFirst) putOnSale(db, opening, one)
  planCampaigns(db, opening, chairFirst)
  return sold
}

const putOnSale = (
  db: DatabaseSync,
  { seed, since, history }: OpeningPeriod,
  { sku, listing, offer, price }: SoldProduct,
): void => {
  const dice = diceFor(seed, 0, sku, 'opening')
  const isChair = sku === CHAIR_SKU
  // A fifth of the products came into the shop during the year.
  const late = !isChair && chance(dice, 0.2)
  const created = dayText(
    late
      ? since + integerBetween(dice, 20, Math.max(21, Math.floor(history * 0.7)))
      : since - integerBetween(dice, 30, 500),
  )
  const shelved = isChair || chance(dice, 0.4)
  const reorder = isChair ? 12 : shelved ? integerBetween(dice, 3, 10) : 0
  const stock = late ? 0 : 2 * reorder
  const { product_id, title, image, keywords } = listing
  const { supplier_id, unit, shipping } = offer
  const source = { supplier_id, unit, shipping }
  const shelf = { on_hand: stock, reserved: 0, reorder_point: reorder, status: 'active' }
  insert(db, 'products', { sku, product_id, title, price, ...source, ...shelf, created_on: created })
  if (stock > 0) insert(db, 'stock_moves', { sku, day: dayText(since), change: stock, why: 'opening stock' })
  insert(db, 'pages', {
    page_id: nextId(db, 'pages'),
    sku,
    slug: sku,
    title,
    price,
    images: JSON.stringify([image]),
    ...firstPage(listing, price),
    keywords: JSON.stringify(keywords.slice(0, 3)),
    seo_score: Math.round(between(dice, 38, 72)),
    version: 1,
    status: 'published',
    made_on: created,
  })
  insert(db, 'creatives', {
    creative_id: nextId(db, 'creatives'),
    sku,
    product_name: title,
    ...firstCreative(dice, listing),
    score: Number(between(dice, 0.35, 0.75).toFixed(2)),
    made_on: created,
  })
}

/** At most three small campaigns at a time. All end before today, so that the account's budget is free. */
const planCampaigns = (
  db: DatabaseSync,
  { seed, since, history }: OpeningPeriod,
  sold: readonly SoldProduct[],
): void => {
  const planned: { start: number; end: number; sku: number; daily: number; platform: string }[] = []
  for (let slot = 0; slot < 3; slot++) {
    const dice = diceFor(seed, 0, slot, 'campaigns of the year')
    let start = since + integerBetween(dice, 3, 20)
    for (;;) {
      const end = start + integerBetween(dice, 9, 27)
      if (end >= since + history) break
      const dear = [0, 1, 2]
        .map(() => integerBetween(dice, 0, sold.length - 1))
        .sort((a, b) => (sold[b]?.price ?? 0) - (sold[a]?.price ?? 0))
      planned.push({
        start,
        end,
        sku: dear[0] ?? 0,
        daily: integerBetween(dice, 5, 16) * 100,
        platform: pick(dice, PLATFORMS),
      })
      start = end + Math.ceil(lognormal(dice, 6, 0.5))
    }
  }
  planned.sort((a, b) => a.start - b.start)
  for (const { start, end, sku, daily, platform } of planned) {
    const one = sold[sku]
    if (one === undefined) continue
    run(
      db,
      "INSERT INTO campaigns SELECT ?, ?, creative_id, sku, ?, ?, ?, 'running', NULL, 0 FROM creatives WHERE sku = ?",
      nextId(db, 'campaigns'),
      platform,
      daily,
      dayText(start),
      dayText(end),
      one.sku,
    )
  }
}
