/** The suppliers port: suppliers, their offers, and negotiating with them. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

export interface Supplier {
  readonly supplier_id: string
  readonly name: string
  readonly country: string
  readonly rating: number
  readonly reviews: number
  /** published share of its shipments that arrive on time, 0 to 1 */
  readonly on_time: number
}

export interface Offer {
  readonly supplier: Supplier
  readonly product_id: string
  readonly unit: Cents
  readonly shipping: Cents
  readonly lead_days: number
  readonly stock: number
}

export interface Bid {
  readonly by: 'buyer' | 'supplier'
  readonly price: Cents
  readonly says: 'offers' | 'accepts' | 'leaves'
}

/** Returns the buyer's next bid, given all bids so far. `leaves` ends the negotiation. */
export type BuyerStrategy = (said: readonly Bid[]) => Bid

export interface Quote {
  readonly quote_id: string
  readonly supplier_id: string
  readonly product_id: string
  readonly unit: Cents
  readonly made_on: Day
  /** the last day on which a page may use it; a product published with it keeps its price (see Product) */
  readonly expires_on: Day
}

export interface Negotiation {
  readonly said: readonly Bid[]
  /** undefined: no deal */
  readonly quote: Quote | undefined
}

export interface Suppliers {
  supplier(supplier_id: string): Promise<Supplier | undefined>
  /** for one product, or from one supplier */
  offers(where: { product_id?: string; supplier_id?: string }): Promise<readonly Offer[]>
  /** Alternating offers, the buyer first. TalksClosed: this supplier does not negotiate again for some days. */
  negotiate(supplier_id: string, product_id: string, buyer: BuyerStrategy, key: IdempotencyKey): Promise<Negotiation>
  /** For dry runs. TalksClosed: `negotiate` would fail with it. */
  requireTalksOpen(supplier_id: string, product_id: string): Promise<void>
  quote(quote_id: string): Promise<Quote | undefined>
  /** quotes that are valid today, newest first */
  quotes(where: { product_id?: string; supplier_id?: string }): Promise<readonly Quote[]>
  /** Gives up a quote, as if it had never been requested. */
  withdrawQuote(quote_id: string, key: IdempotencyKey): Promise<void>
}
