/** The state of the market during a simulation: the traded products with their hidden parameters, read once, and their rivals. */
import type { DatabaseSync } from 'node:sqlite'
import type { Day } from '../day.ts'
import { hashText } from './random.ts'
import type { RivalState } from './sales/competition.ts'
import { allArrays, readMeta } from './statements.ts'
import { type HiddenOffer, type HiddenProduct, readHiddenOffer, readHiddenProducts } from './world/hidden-parameters.ts'

/** A product of the market. Each simulated day changes the fields that are not readonly. */
export interface TradedProduct {
  readonly product_id: string
  /** hash of its id, for dice */
  readonly hash: number
  readonly hidden: HiddenProduct
  readonly listed_on: Day
  rivals: RivalState
  /** mean units that the market sells today */
  demand: number
}

export interface Market {
  readonly db: DatabaseSync
  readonly seed: number
  /** ordered by id */
  readonly traded: readonly TradedProduct[]
  product(product_id: string): TradedProduct | undefined
  /** undefined where the supplier does not offer the product (any more) */
  offer(supplier_id: string, product_id: string): HiddenOffer | undefined
}

interface HiddenCache {
  readonly byId: Map<string, TradedProduct>
  readonly offers: Map<string, HiddenOffer | undefined>
}

/** Hidden parameters never change, so they are cached per world. The rivals' state is read again each time. */
const caches = new WeakMap<ReadonlyMap<string, HiddenProduct>, HiddenCache>()

const LISTINGS = 'SELECT product_id, price, sellers, listed_on FROM listings ORDER BY product_id'

export const readMarket = (db: DatabaseSync): Market => {
  const hidden = readHiddenProducts(db)
  const { byId, offers } = caches.get(hidden) ?? { byId: new Map(), offers: new Map() }
  caches.set(hidden, { byId, offers })
  const traded: TradedProduct[] = []
  for (const [product_id, price, sellers, listed_on] of allArrays<[string, number, number, string]>(db, LISTINGS)) {
    const parameters = hidden.get(product_id)
    if (parameters === undefined) continue
    let one = byId.get(product_id)
    if (one?.listed_on !== listed_on) {
      const hash = hashText(product_id)
      one = { product_id, hash, hidden: parameters, listed_on, rivals: { price, sellers }, demand: 0 }
      byId.set(product_id, one)
    }
    one.rivals = { price, sellers }
    traded.push(one)
  }
  return {
    db,
    seed: Number(readMeta(db, 'seed')),
    traded,
    product: (product_id) => byId.get(product_id),
    offer(supplier_id, product_id) {
      const name = `${supplier_id} ${product_id}`
      if (!offers.has(name)) offers.set(name, readHiddenOffer(db, supplier_id, product_id))
      return offers.get(name)
    },
  }
}
