/**
 * Shows what an all-knowing player would see: the hidden parameters, and the true results of a product on a day. For the bench and for tests.
 */
import type { DatabaseSync } from 'node:sqlite'
import { dayNumber } from '../../packages/dropship/src/market/calendar.ts'
import { hashText } from '../../packages/dropship/src/market/random.ts'
import { auctionFactor, clickAppeal, saturationLeft } from '../../packages/dropship/src/market/sales/ads.ts'
import { attractionOf, marketDemand, pullOf } from '../../packages/dropship/src/market/sales/demand.ts'
import { PLATFORM_FIGURES } from '../../packages/dropship/src/market/sales/platforms.ts'
import { all, readMeta } from '../../packages/dropship/src/market/statements.ts'
import type { HiddenOffer, HiddenProduct } from '../../packages/dropship/src/market/world/hidden-parameters.ts'
import { readHiddenProducts } from '../../packages/dropship/src/market/world/hidden-parameters.ts'
import { paymentFee } from '../../packages/dropship/src/money.ts'
import type { Platform } from '../../packages/dropship/src/ports.ts'

export interface KnownOffer extends HiddenOffer {
  readonly supplier_id: string
  readonly shipping: number
  readonly lead_days: number
  readonly stock: number
}

export interface KnownProduct {
  readonly product_id: string
  readonly title: string
  readonly price: number
  readonly sellers: number
  readonly hidden: HiddenProduct
  readonly offers: readonly KnownOffer[]
}

export const readHiddenWorld = (db: DatabaseSync): KnownProduct[] => {
  const hidden = readHiddenProducts(db)
  const offers = new Map<string, KnownOffer[]>()
  const rows = all<{
    supplier_id: string
    product_id: string
    shipping: number
    lead_days: number
    stock: number
    parameters: string
  }>(
    db,
    'SELECT o.supplier_id, o.product_id, o.shipping, o.lead_days, o.stock, h.parameters FROM offers o JOIN hidden_offers h ON h.supplier_id = o.supplier_id AND h.product_id = o.product_id ORDER BY o.product_id, o.supplier_id',
  )
  for (const { supplier_id, product_id, shipping, lead_days, stock, parameters } of rows) {
    const known = { supplier_id, shipping, lead_days, stock, ...(JSON.parse(parameters) as HiddenOffer) }
    offers.set(product_id, [...(offers.get(product_id) ?? []), known])
  }
  const listings = all<{ product_id: string; title: string; price: number; sellers: number }>(
    db,
    'SELECT product_id, title, price, sellers FROM listings ORDER BY product_id',
  )
  return listings.flatMap((listing) => {
    const found = hidden.get(listing.product_id)
    return found === undefined ? [] : { ...listing, hidden: found, offers: offers.get(listing.product_id) ?? [] }
  })
}

/** The true figures of a product at a price, from one supplier, on one day. */
export interface ProductTruth {
  /** share of the shop's visitors, 1 for an average product, for a page that is no longer new */
  readonly attraction: number
  /** factor on the channel's usual conversion */
  readonly pull: number
  /** profit in cents after goods at the supplier's lowest price, shipping, fee, defects and returns */
  readonly keeps: number
}

/** The share of defects that lead to a complaint, which costs the price. */
const COMPLAINED = 0.93

export const productTruth = (
  db: DatabaseSync,
  known: KnownProduct,
  offer: KnownOffer,
  price: number,
  day: string,
  seo = 70,
): ProductTruth => {
  const { hidden, sellers } = known
  const at = dayNumber(day)
  const demand = marketDemand(Number(readMeta(db, 'seed')), hashText(known.product_id), hidden, at, known.price)
  return {
    attraction: attractionOf(demand, seo, sellers),
    pull: pullOf(hidden, at, price, known, offer.lead_days),
    keeps:
      price - offer.reserve - offer.shipping - paymentFee(price) - price * (COMPLAINED * offer.defect + hidden.remorse),
  }
}

/** Mean orders from a day's spend on a platform, with a creative of that score. */
export const adOrders = (
  known: KnownProduct,
  truth: ProductTruth,
  platform: Platform,
  spend: number,
  day: string,
  score = 0.7,
): number => {
  const { click_cost, conversion } = PLATFORM_FIGURES[platform]
  const { click_fit, buy_fit, saturation } = known.hidden
  const paid = spend / (click_cost * auctionFactor(dayNumber(day)))
  const clicks = paid * click_fit[platform] * clickAppeal(score) * saturationLeft(spend, saturation[platform])
  return clicks * Math.min(0.15, conversion * buy_fit[platform] * truth.pull)
}
