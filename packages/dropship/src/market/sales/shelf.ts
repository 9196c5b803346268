/** What shoppers can buy today: products with a published page, and how attractive each of them is. */
import type { Product } from '../../ports.ts'
import { dayNumber } from '../calendar.ts'
import type { Market, TradedProduct } from '../market.ts'
import { allArrays } from '../statements.ts'
import type { HiddenProduct } from '../world/hidden-parameters.ts'
import { attractionOf, pullOf } from './demand.ts'

type Sold = Pick<Product, 'sku' | 'title' | 'price' | 'unit' | 'shipping'>

export interface ProductOnSale extends Sold {
  readonly hidden: HiddenProduct
  /** share of the visitors who come without ads, 1 for an average product */
  readonly attraction: number
  /** factor on the channel's usual conversion */
  readonly pull: number
}

/** A product on sale, as stored. */
export interface ShelvedProduct extends Sold, Pick<Product, 'on_hand' | 'created_on'> {
  readonly traded: TradedProduct
  readonly seo_score: number
  readonly lead_days: number | null
}

const SHELVED = `SELECT p.sku, p.product_id, p.title, p.price, p.unit, p.shipping, p.on_hand, p.created_on, o.lead_days,
  (SELECT max(g.seo_score) FROM pages g WHERE g.sku = p.sku AND g.status = 'published') AS seo_score
  FROM products p LEFT JOIN offers o ON o.product_id = p.product_id AND o.supplier_id = p.supplier_id
  WHERE p.status = 'active' AND p.created_on <= ? ORDER BY p.sku`

type Row = [string, string, string, number, number, number, number, string, number | null, number | null]

/** Products with a published page that the market trades. */
export const readShelf = (market: Market, today: string): ShelvedProduct[] => {
  const found: ShelvedProduct[] = []
  for (const row of allArrays<Row>(market.db, SHELVED, today)) {
    const [sku, product_id, title, price, unit, shipping, on_hand, created_on, lead_days, seo_score] = row
    const traded = market.product(product_id)
    if (seo_score === null || traded === undefined) continue
    found.push({ sku, traded, title, price, unit, shipping, on_hand, created_on, lead_days, seo_score })
  }
  return found
}

/** Days until half of the visitors find a new page, because search engines take some weeks. */
const FOUND_AFTER_DAYS = 14
const FROM_THE_SHELF_DAYS = 3
/** Used for products whose supplier has no offer. */
const UNKNOWN_LEAD_DAYS = 14

export const productsOnSale = (today: string, shelf: readonly ShelvedProduct[]): ProductOnSale[] => {
  const day = dayNumber(today)
  return shelf.map((row) => {
    const { hidden, rivals, demand } = row.traded
    const { sku, title, price, unit, shipping } = row
    const age = day - dayNumber(row.created_on)
    const lead = row.on_hand > 0 ? FROM_THE_SHELF_DAYS : (row.lead_days ?? UNKNOWN_LEAD_DAYS)
    return {
      ...{ sku, title, price, unit, shipping, hidden },
      attraction: attractionOf(demand, row.seo_score, rivals.sellers) * (1 - 0.5 ** ((age + 1) / FOUND_AFTER_DAYS)),
      pull: pullOf(hidden, day, price, rivals, lead),
    }
  })
}
