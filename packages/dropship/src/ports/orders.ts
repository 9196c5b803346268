/** The orders port: orders, purchases, shipments and stock. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Paging } from './paging.ts'

export interface Address {
  readonly name: string
  readonly street: string
  readonly city: string
  readonly postal_code: string
  /** ISO 3166, two letters */
  readonly country: string
}

export type OrderStatus = 'paid' | 'ordered' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'

export interface OrderLine {
  readonly sku: string
  readonly title: string
  readonly quantity: number
  /** per unit */
  readonly price: Cents
}

export interface Order {
  readonly order_id: string
  readonly placed_on: Day
  readonly status: OrderStatus
  readonly email: string
  readonly address: Address
  readonly lines: readonly OrderLine[]
  readonly total: Cents
  /** organic, direct, or a platform */
  readonly channel: string
  readonly shipment: Shipment | undefined
  readonly refunded: Cents
}

export interface Shipment {
  readonly carrier: string
  readonly tracking: string
  readonly shipped_on: Day
  readonly arrives_on: Day
  readonly delivered_on: Day | undefined
}

/** A purchase from a supplier, for one order or for the shop's own stock. */
export interface Purchase {
  readonly purchase_id: string
  readonly supplier_id: string
  readonly sku: string
  readonly quantity: number
  readonly unit: Cents
  readonly shipping: Cents
  readonly total: Cents
  readonly placed_on: Day
  readonly arrives_on: Day
  readonly order_id: string | undefined
  readonly status: 'under way' | 'arrived'
}

/** A purchase that fulfilling an order would take. */
export interface PurchaseNeed extends Pick<Purchase, 'sku' | 'quantity' | 'supplier_id' | 'total'> {
  readonly lead_days: number
  readonly in_stock: boolean
}

export interface NewOrder {
  readonly email: string
  readonly address: Address
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[]
  readonly channel: string
  /** the total that the customer was shown; an order that costs another sum is rejected */
  readonly total?: Cents
}

export interface Fulfilment {
  readonly order: Order
  readonly purchases: readonly Purchase[]
  readonly shipment: Shipment
  /** the message sent to the customer */
  readonly message: string
}

/** How to fulfil one order: from stock, and from suppliers for the rest. */
export interface FulfilPlan {
  readonly order_id: string
  readonly address: Address
  /** the most that may be spent at suppliers */
  readonly most: Cents
  /** {carrier}, {tracking} and {arrives_on} are replaced once the shipment exists: see message.ts */
  readonly message: { readonly subject: string; readonly body: string }
}

export interface Stock {
  readonly sku: string
  readonly title: string
  readonly on_hand: number
  readonly reserved: number
  /** arrives_on is undefined where the shop does not know the day */
  readonly incoming: readonly { readonly quantity: number; readonly arrives_on: Day | undefined }[]
  readonly reorder_point: number
}

export interface Orders {
  /** newest first */
  orders(
    where?: Partial<Pick<Order, 'order_id' | 'status' | 'email'>> & { from?: Day; to?: Day } & Paging,
  ): Promise<readonly Order[]>
  purchases(where?: Partial<Pick<Purchase, 'order_id' | 'sku' | 'purchase_id'>> & Paging): Promise<readonly Purchase[]>
  stock(sku: string): Promise<Stock | undefined>
  /** Accepted without stock, since the supplier delivers. UnknownSku, ProductPaused, SalesPaused, PriceChanged. */
  place(order: NewOrder, key: IdempotencyKey): Promise<Order>
  /**
   * Once per order, even with different keys: takes what is in stock, buys the rest, ships and writes to the customer.
   * UnknownOrder, AlreadyFulfilled, OrderClosed (cancelled or refunded), OutOfStock, PurchaseTooLarge.
   */
  fulfil(plan: FulfilPlan, key: IdempotencyKey): Promise<Fulfilment>
  /** what fulfilling the order would buy, and at what cost */
  purchasesNeeded(order_id: string): Promise<readonly PurchaseNeed[]>
  refund(order_id: string, amount: Cents, reason: string, key: IdempotencyKey): Promise<Order>
}
