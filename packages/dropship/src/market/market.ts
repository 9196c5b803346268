/** What the market keeps in mind while days go by: what is traded with its hidden parameters, read once, and how rivals stand. */
import type { DatabaseSync } from 'node:sqlite'
import type { Day } from '../day.ts'
import { hashText } from './random.ts'
import type { RivalState } from './sales/competition.ts'
import { allArrays, readMeta } from './statements.ts'
import { type HiddenOffer, type HiddenProduct, readHiddenOffer, readHiddenProducts } from './world/hidden-parameters.ts'

/** A product of the market. What day.ts changes as days go by is not read-only. */
export interface TradedProduct {
  readonly product_id: string
  /** of its id, for dice */
  readonly hash: number
  readonly hidden: HiddenProduct
  readonly listed_on: Day
  rivals: RivalState
  /** pieces the market sells today, mean */
  demand: number
}

export interface Market {
  readonly db: DatabaseSync
  readonly seed: number
  /** in the order of their ids */
  readonly traded: readonly TradedProduct[]
  product(product_id: string): TradedProduct | undefined
  /** undefined where the supplier does not, or no longer, offer the product */
  offer(supplier_id: string, product_id: string): HiddenOffer | undefined
}

interface Known {
  readonly hidden: ReadonlyMap<string, HiddenProduct>
  readonly byId: Map<string, TradedProduct>
  readonly offers: Map<string, HiddenOffer | undefined>
}

/** What is hidden never changes, so what was made of it is kept with the file; how rivals stand is read anew. */
const kept = new WeakMap<DatabaseSync, Known>()

const knownOf = (db: DatabaseSync): Known => {
  const hidden = readHiddenProducts(db)
  const before = kept.get(db)
  if (before?.hidden === hidden) return before
  const known = { hidden, byId: new Map(), offers: new Map() }
  kept.set(db, known)
  return known
}

const LISTINGS = 'SELECT product_id, price, sellers, listed_on FROM listings ORDER BY product_id'

export const readMarket = (db: DatabaseSync): Market => {
  const { hidden, byId, offers } = knownOf(db)
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
