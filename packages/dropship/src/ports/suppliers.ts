/** The port of suppliers: who delivers, what they ask, and bargaining with them. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './key.ts'

export interface Supplier {
  readonly supplier_id: string
  readonly name: string
  readonly country: string
  readonly rating: number
  readonly reviews: number
  /** of its shipments, as published: 0 to 1 */
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

/** The buyer's next word, given all that was said; `leaves` ends the talk. */
export type BuyerStrategy = (said: readonly Bid[]) => Bid

export interface Quote {
  readonly quote_id: string
  readonly supplier_id: string
  readonly product_id: string
  readonly unit: Cents
  readonly made_on: Day
  /** the last day on which a page may take it up; a product made with it keeps its price (Product) */
  readonly expires_on: Day
}

export interface Negotiation {
  readonly said: readonly Bid[]
  /** undefined: no deal */
  readonly quote: Quote | undefined
}

export interface Suppliers {
  supplier(supplier_id: string): Promise<Supplier | undefined>
  /** of one product, or of one supplier */
  offers(where: { product_id?: string; supplier_id?: string }): Promise<readonly Offer[]>
  /** Alternating offers, the buyer first. TalksClosed: this supplier has had enough of us for some days. */
  negotiate(supplier_id: string, product_id: string, buyer: BuyerStrategy, key: IdempotencyKey): Promise<Negotiation>
  quote(quote_id: string): Promise<Quote | undefined>
  /** quotes that still hold today, newest first */
  quotes(where: { product_id?: string; supplier_id?: string }): Promise<readonly Quote[]>
  /** Takes a quote back, as if it had not been asked for. */
  withdrawQuote(quote_id: string, key: IdempotencyKey): Promise<void>
}
