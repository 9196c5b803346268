/** The port of orders: orders, what is bought for them, parcels and stock. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './key.ts'

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
  /** of one piece */
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

/** What was bought from a supplier: for one order, or for the shelf. */
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

export interface NewOrder {
  readonly email: string
  readonly address: Address
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[]
  readonly channel: string
  /** what the customer was told that it comes to: an order for another sum is not taken */
  readonly total?: Cents
}

export interface Fulfilment {
  readonly order: Order
  readonly purchases: readonly Purchase[]
  readonly shipment: Shipment
  /** what the customer was told */
  readonly message: string
}

/** What is to be done for one order: from the shelf, and from suppliers for what the shelf lacks. */
export interface FulfilPlan {
  readonly order_id: string
  readonly address: Address
  /** most that may be spent at suppliers */
  readonly most: Cents
  /** {carrier}, {tracking} and {arrives_on} in its texts stand for what becomes of the shipment: see message.ts */
  readonly message: { readonly subject: string; readonly body: string }
}

export interface Stock {
  readonly sku: string
  readonly title: string
  readonly on_hand: number
  readonly reserved: number
  /** on which day is undefined where the shop does not know */
  readonly incoming: readonly { readonly quantity: number; readonly arrives_on: Day | undefined }[]
  readonly reorder_point: number
}

export interface Orders {
  /** newest first; `after` is the last order id of the page before */
  orders(where?: {
    order_id?: string
    status?: OrderStatus
    email?: string
    from?: Day
    to?: Day
    after?: string
    limit?: number
  }): Promise<readonly Order[]>
  purchases(where?: {
    order_id?: string
    sku?: string
    purchase_id?: string
    after?: string
    limit?: number
  }): Promise<readonly Purchase[]>
  stock(sku: string): Promise<Stock | undefined>
  /** OutOfStock is no reason to refuse: the supplier delivers. UnknownSku, ProductPaused, SalesPaused, PriceChanged. */
  place(order: NewOrder, key: IdempotencyKey): Promise<Order>
  /**
   * Once per order, ever, whatever the key: takes what is on hand, buys the rest, ships, writes to the customer. UnknownOrder,
   * AlreadyFulfilled, OrderClosed (cancelled or refunded), OutOfStock, PurchaseTooLarge.
   */
  fulfil(plan: FulfilPlan, key: IdempotencyKey): Promise<Fulfilment>
  /** what fulfilling would buy, and for how much, without doing it */
  purchasesNeeded(order_id: string): Promise<
    readonly {
      readonly sku: string
      readonly quantity: number
      readonly supplier_id: string
      readonly total: Cents
      readonly lead_days: number
      readonly in_stock: boolean
    }[]
  >
  refund(order_id: string, amount: Cents, reason: string, key: IdempotencyKey): Promise<Order>
}
