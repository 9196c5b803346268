/** What the market keeps in mind while days go by: the hidden parameters, read once, and how rivals stand. */
import type { DatabaseSync } from 'node:sqlite'
import type { Rivals } from './competition.ts'
import { type HiddenOffer, type HiddenProduct, hiddenProducts, offerHidden } from './hidden.ts'
import { all, metaOf } from './statements.ts'

export interface Market {
  readonly db: DatabaseSync
  readonly seed: number
  readonly hidden: ReadonlyMap<string, HiddenProduct>
  /** by product; day.ts writes what changes */
  readonly rivals: Map<string, Rivals & { readonly listed_on: string }>
  /** pieces the market sells of each product today, mean; day.ts writes it */
  readonly demand: Map<string, number>
  /** undefined where the supplier does not, or no longer, offer the product */
  offer(supplier_id: string, product_id: string): HiddenOffer | undefined
}

export const readMarket = (db: DatabaseSync): Market => {
  const offers = new Map<string, HiddenOffer | undefined>()
  const listings = all<{ product_id: string; price: number; sellers: number; listed_on: string }>(
    db,
    'SELECT product_id, price, sellers, listed_on FROM listings ORDER BY product_id',
  )
  return {
    db,
    seed: Number(metaOf(db, 'seed')),
    hidden: hiddenProducts(db),
    rivals: new Map(listings.map(({ product_id, ...rivals }) => [product_id, rivals])),
    demand: new Map(),
    offer(supplier_id, product_id) {
      const name = `${supplier_id} ${product_id}`
      if (!offers.has(name)) offers.set(name, offerHidden(db, supplier_id, product_id))
      return offers.get(name)
    },
  }
}
