/**
 * The ports: all that the agents know of the world. The embedded shop implements every one of them in one SQLite file; a live
 * adapter implements those it can. Whatever changes something takes a key, and with the same key changes it once. What an
 * implementation finds in the way is a ToolError whose type stands beside the method.
 */
import type { Day } from './day.ts'
import type { Cents } from './money.ts'

export interface Clock {
  /** the shop's own day; it goes on when the market is simulated, not by itself */
  today(): Promise<Day>
}

/** What an effect is told beside its request. Undefined: the caller does not mind doing it twice. */
export type Key = string | undefined

// ---------------------------------------------------------------- marketplace

/** A product as anybody can see it on the marketplace, whether or not the shop sells it. */
export interface Listing {
  readonly product_id: string
  readonly title: string
  readonly category: string
  readonly niche: string
  readonly price: Cents
  readonly sellers: number
  readonly rating: number
  readonly reviews: number
  readonly listed_on: Day
  /** what is known of it, by name: material, colour, capacity, … Nothing else may be claimed of it. */
  readonly facts: Readonly<Record<string, string>>
  readonly keywords: readonly string[]
  readonly image: string
}

export interface ListingDay {
  readonly product_id: string
  readonly day: Day
  /** an estimate from public ranks, as research tools sell it: noisy */
  readonly units: number
  readonly price: Cents
  readonly sellers: number
}

export interface SellerShare {
  readonly product_id: string
  readonly seller: string
  readonly price: Cents
  /** of the product's sales, 0 to 1 */
  readonly share: number
}

export interface Marketplace {
  categories(): Promise<readonly { readonly category: string; readonly niches: readonly string[] }[]>
  /** in the order of their ids */
  listings(where?: { category?: string; niche?: string; product_id?: string }): Promise<readonly Listing[]>
  /** the last `days` days before today, oldest first */
  history(product_ids: readonly string[], days: number): Promise<readonly ListingDay[]>
  sellers(product_ids: readonly string[]): Promise<readonly SellerShare[]>
}

// ------------------------------------------------------------------ suppliers

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
export type Buyer = (said: readonly Bid[]) => Bid

export interface Quote {
  readonly quote_id: string
  readonly supplier_id: string
  readonly product_id: string
  readonly unit: Cents
  readonly made_on: Day
  /** the last day on which a page may take it up; a product made with it keeps its price (Product) */
  readonly expires_on: Day
}

export interface Talk {
  readonly said: readonly Bid[]
  /** undefined: no deal */
  readonly quote: Quote | undefined
}

export interface Suppliers {
  supplier(supplier_id: string): Promise<Supplier | undefined>
  /** of one product, or of one supplier */
  offers(where: { product_id?: string; supplier_id?: string }): Promise<readonly Offer[]>
  /** Alternating offers, the buyer first. TalksClosed: this supplier has had enough of us for some days. */
  negotiate(supplier_id: string, product_id: string, buyer: Buyer, key: Key): Promise<Talk>
  quote(quote_id: string): Promise<Quote | undefined>
  /** quotes that still hold today, newest first */
  quotes(where: { product_id?: string; supplier_id?: string }): Promise<readonly Quote[]>
  /** Takes a quote back, as if it had not been asked for. */
  dropQuote(quote_id: string, key: Key): Promise<void>
}

// ----------------------------------------------------------------- storefront

/** What the shop sells. */
export interface Product {
  readonly sku: string
  readonly product_id: string
  readonly title: string
  readonly price: Cents
  /**
   * Who delivers it, and the price agreed for a piece and for its shipping: that of the offer, or of a quote that held on the day
   * its page was made. Every purchase pays it, until a new page agrees on another.
   */
  readonly supplier_id: string
  readonly unit: Cents
  readonly shipping: Cents
  readonly on_hand: number
  /** of those on hand, promised to orders not yet shipped */
  readonly reserved: number
  readonly reorder_point: number
  readonly status: 'active' | 'paused'
  readonly created_on: Day
}

export interface Page {
  readonly page_id: string
  readonly sku: string
  /** it opens at /shop/products/SLUG */
  readonly slug: string
  readonly title: string
  readonly price: Cents
  readonly images: readonly string[]
  /** Liquid */
  readonly template: string
  /** rendered */
  readonly html: string
  readonly meta_title: string
  readonly meta_description: string
  readonly keywords: readonly string[]
  /** 0 to 100, of the last audit */
  readonly seo_score: number
  readonly version: number
  readonly status: 'published' | 'withdrawn'
  readonly made_on: Day
}

export interface NewProduct {
  readonly product_id: string
  readonly sku: string
  readonly title: string
  readonly price: Cents
  readonly supplier_id: string
  readonly unit: Cents
  readonly shipping: Cents
}

export type PageContent = Pick<
  Page,
  | 'slug'
  | 'title'
  | 'price'
  | 'images'
  | 'template'
  | 'html'
  | 'meta_title'
  | 'meta_description'
  | 'keywords'
  | 'seo_score'
>

/** What a page agrees on for its product. */
export type Terms = Omit<NewProduct, 'product_id' | 'sku'> & Pick<Product, 'status'>

/** What a change replaced; what was not there before is left out. */
export interface Before {
  readonly page?: Partial<PageContent>
  readonly product?: Terms
}

/** A page as a change left it, with its product. Asked for again under its key it is the same, whatever became of it since. */
export interface Published {
  readonly page: Page
  readonly product: NewProduct
  readonly before: Before
}

export interface Storefront {
  /** What can be bought. Paged by sku. */
  products(where?: {
    sku?: string
    status?: Product['status']
    after?: string
    limit?: number
  }): Promise<readonly Product[]>
  pages(where?: {
    page_id?: string
    slug?: string
    sku?: string
    after?: string
    limit?: number
  }): Promise<readonly Page[]>
  /** What publish or update made under the key of the page with this id, or at this address; undefined: nothing yet. */
  done(key: Key, where: { page_id?: string; slug?: string }): Promise<Published | undefined>
  /** Makes product and page together; a product that is there keeps its stock and gets the new terms. SlugTaken. */
  publish(product: NewProduct, page: PageContent, key: Key): Promise<Published>
  /** Only if the page still has that version. PageChanged. */
  update(page_id: string, version: number, content: Partial<PageContent>, key: Key): Promise<Published>
  /**
   * Puts back what a change replaced. A page that was not there before is withdrawn, and what no page shows any more is paused.
   * Terms that a newer page agreed on since stay.
   */
  withdraw(page_id: string, before: Before, key: Key): Promise<void>
}

// ------------------------------------------------------------------------ ads

export const PLATFORMS = ['facebook', 'instagram', 'tiktok'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Words to advertise with. */
export interface Creative {
  readonly creative_id: string
  readonly sku: string | undefined
  readonly product_name: string
  readonly tone: string
  readonly channel: string
  readonly headline: string
  readonly body: string
  readonly call_to_action: string
  /** 0 to 1 */
  readonly score: number
  readonly made_on: Day
}

export interface Campaign {
  readonly campaign_id: string
  readonly platform: Platform
  readonly creative_id: string
  readonly sku: string
  readonly daily: Cents
  readonly started_on: Day
  /** the last day it runs */
  readonly ends_on: Day
  readonly status: 'running' | 'stopped' | 'ended'
  readonly stop_reason: string | undefined
  readonly spent: Cents
}

export interface Scaled extends Campaign {
  /** a day's budget before */
  readonly daily_before: Cents
}

export interface CampaignDay {
  readonly campaign_id: string
  readonly platform: Platform
  readonly sku: string
  readonly day: Day
  readonly spend: Cents
  readonly impressions: number
  readonly clicks: number
  readonly orders: number
  readonly revenue: Cents
}

/** What a platform says of itself to anybody who may buy there. */
export interface PlatformBenchmark {
  readonly platform: Platform
  readonly click_cost: Cents
  readonly click_rate: number
  readonly conversion: number
}

export interface Ads {
  benchmarks(): Promise<readonly PlatformBenchmark[]>
  creative(creative_id: string): Promise<Creative | undefined>
  creatives(where?: { sku?: string; after?: string; limit?: number }): Promise<readonly Creative[]>
  keep(creatives: readonly Omit<Creative, 'creative_id' | 'made_on'>[], key: Key): Promise<readonly Creative[]>
  /** Takes words back that nothing was advertised with. */
  dropCreatives(creative_ids: readonly string[], key: Key): Promise<void>
  campaigns(where?: {
    campaign_id?: string
    sku?: string
    status?: Campaign['status']
    after?: string
    limit?: number
  }): Promise<readonly Campaign[]>
  results(where: { from: Day; to: Day; campaign_id?: string }): Promise<readonly CampaignDay[]>
  /** most that all running campaigns of this account may spend in a day */
  account(): Promise<{ readonly daily_cap: Cents; readonly daily_committed: Cents }>
  /** What start or scale made under the key; undefined: nothing yet. */
  done(key: Key): Promise<Campaign | Scaled | undefined>
  /** AccountCapReached: the account's own limit on a day's spend would be passed. */
  start(
    campaign: Pick<Campaign, 'platform' | 'creative_id' | 'sku' | 'daily'> & { days: number },
    key: Key,
  ): Promise<Campaign>
  /** CampaignOver, AccountCapReached. */
  scale(campaign_id: string, daily: Cents, key: Key): Promise<Scaled>
  stop(campaign_id: string, reason: string, key: Key): Promise<Campaign>
}

// --------------------------------------------------------------------- orders

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
  place(order: NewOrder, key: Key): Promise<Order>
  /**
   * Once per order, ever, whatever the key: takes what is on hand, buys the rest, ships, writes to the customer. UnknownOrder,
   * AlreadyFulfilled, OrderClosed (cancelled or refunded), OutOfStock, PurchaseTooLarge.
   */
  fulfil(plan: FulfilPlan, key: Key): Promise<Fulfilment>
  /** what fulfilling would buy, and for how much, without doing it */
  needs(order_id: string): Promise<
    readonly {
      readonly sku: string
      readonly quantity: number
      readonly supplier_id: string
      readonly total: Cents
      readonly lead_days: number
      readonly in_stock: boolean
    }[]
  >
  refund(order_id: string, amount: Cents, reason: string, key: Key): Promise<Order>
}

// ------------------------------------------------------------------- helpdesk

export interface Ticket {
  readonly ticket_id: string
  readonly opened_on: Day
  readonly email: string
  readonly order_id: string | undefined
  readonly subject: string
  readonly body: string
  readonly status: 'open' | 'answered' | 'with a human' | 'closed'
}

export interface Reply {
  readonly ticket_id: string
  readonly made_on: Day
  readonly intent: string
  readonly sentiment: string
  readonly confidence: number
  readonly body: string
  /** what should be done beside answering, such as a refund */
  readonly actions: readonly { readonly action: string; readonly detail: string }[]
  /** false: drafted for a human to send */
  readonly sent: boolean
}

/** A rule of the shop, in words and in figures. */
export interface ShopPolicy {
  readonly policy_id: string
  readonly topic: string
  readonly title: string
  readonly text: string
  readonly figures: Readonly<Record<string, number>>
}

export interface Helpdesk {
  /** oldest first */
  tickets(where?: {
    ticket_id?: string
    status?: Ticket['status']
    after?: string
    limit?: number
  }): Promise<readonly Ticket[]>
  replies(where?: { ticket_id?: string; limit?: number }): Promise<readonly Reply[]>
  policies(topic?: string): Promise<readonly ShopPolicy[]>
  /** Once per ticket: answered, or put with a human as a draft. UnknownTicket, TicketClosed. */
  answer(reply: Omit<Reply, 'made_on'>, key: Key): Promise<Ticket>
}

// -------------------------------------------------------------------- figures

/** What happened in the shop, day by day; the raw material of reports and forecasts. */
export interface SalesDay {
  readonly day: Day
  readonly sku: string
  readonly channel: string
  readonly visits: number
  readonly orders: number
  readonly units: number
  readonly revenue: Cents
  /** goods, shipping and payment fees of what was sold */
  readonly cost: Cents
  /** of the cost, what the payment provider took; undefined where the shop does not know it apart */
  readonly fees?: Cents
  readonly refunds: Cents
}

export interface Books {
  /** by day, product and channel, oldest first */
  sales(where: { from: Day; to: Day; sku?: string }): Promise<readonly SalesDay[]>
  /** the first day that is on the books */
  since(): Promise<Day>
}

/** The whole shop. */
export interface Shop {
  readonly clock: Clock
  readonly marketplace: Marketplace
  readonly suppliers: Suppliers
  readonly storefront: Storefront
  readonly ads: Ads
  readonly orders: Orders
  readonly helpdesk: Helpdesk
  readonly books: Books
  readonly currency: string
  /** changes whenever anything in the shop may have: cheap to ask for often */
  revision(): number
  close(): Promise<void>
}

/** How tools get at the shop they work on. Asked at every call, so that a module can be loaded before there is one. */
export type ShopSource = () => Promise<Shop>
