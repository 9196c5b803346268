/** The tables of migrations/* as Kysely sees them. Money is in cents, a `Json` column is the text of a list or an object. */
import type { Generated } from 'kysely'
import type { Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type { Campaign, OrderStatus, Page, Platform, Product, Purchase, Ticket } from '../../ports.ts'

/** Text that JSON.parse reads. */
type Json = string

export interface Tables {
  meta: { name: string; value: string }
  keys: { key: string; what: string; result: Json; made_on: Day }
  numbers: { name: string; last: number }

  listings: {
    product_id: string
    title: string
    category: string
    niche: string
    price: Cents
    sellers: number
    rating: number
    reviews: number
    listed_on: Day
    facts: Json
    keywords: Json
    image: string
  }
  listing_days: { product_id: string; day: Day; units: number; price: Cents; sellers: number }
  seller_shares: { product_id: string; seller: string; price: Cents; share: number }
  hidden_products: { product_id: string; parameters: Json }

  suppliers: { supplier_id: string; name: string; country: string; rating: number; reviews: number; on_time: number }
  offers: {
    supplier_id: string
    product_id: string
    unit: Cents
    shipping: Cents
    lead_days: number
    stock: number
  }
  hidden_offers: { supplier_id: string; product_id: string; parameters: Json }
  talks: {
    talk_id: Generated<number>
    supplier_id: string
    product_id: string
    day: Day
    said: Json
    quote_id: string | null
  }
  quotes: {
    quote_id: string
    supplier_id: string
    product_id: string
    unit: Cents
    made_on: Day
    expires_on: Day
    dropped: number
  }

  products: {
    sku: string
    product_id: string
    title: string
    price: Cents
    supplier_id: string
    unit: Cents
    shipping: Cents
    on_hand: number
    reserved: number
    reorder_point: number
    status: Product['status']
    created_on: Day
  }
  stock_moves: { move_id: Generated<number>; sku: string; day: Day; change: number; why: string }
  pages: {
    page_id: string
    sku: string
    slug: string
    title: string
    price: Cents
    images: Json
    template: string
    html: string
    meta_title: string
    meta_description: string
    keywords: Json
    seo_score: number
    version: number
    status: Page['status']
    made_on: Day
  }

  creatives: {
    creative_id: string
    sku: string | null
    product_name: string
    tone: string
    channel: string
    headline: string
    body: string
    call_to_action: string
    score: number
    made_on: Day
  }
  campaigns: {
    campaign_id: string
    platform: Platform
    creative_id: string
    sku: string
    daily: Cents
    started_on: Day
    ends_on: Day
    status: Campaign['status']
    stop_reason: string | null
    spent: Cents
  }
  campaign_days: {
    campaign_id: string
    day: Day
    spend: Cents
    impressions: number
    clicks: number
    orders: number
    revenue: Cents
  }

  visits: { day: Day; sku: string; channel: string; visits: number }
  orders: {
    order_id: number
    placed_on: Day
    status: OrderStatus
    email: string
    name: string
    street: string
    city: string
    postal_code: string
    country: string
    total: Cents
    channel: string
    fee: Cents
    refunded: Cents
  }
  /** `cost` is that of the whole line, goods and shipping */
  order_lines: {
    order_id: number
    line: number
    sku: string
    title: string
    quantity: number
    price: Cents
    cost: Cents
  }
  purchases: {
    purchase_id: string
    supplier_id: string
    sku: string
    quantity: number
    unit: Cents
    shipping: Cents
    total: Cents
    placed_on: Day
    arrives_on: Day
    order_id: number | null
    status: Purchase['status']
  }
  shipments: {
    order_id: number
    carrier: string
    tracking: string
    shipped_on: Day
    arrives_on: Day
    delivered_on: Day | null
  }
  refunds: { refund_id: Generated<number>; order_id: number; day: Day; amount: Cents; reason: string }
  messages: { message_id: Generated<number>; day: Day; email: string; subject: string; body: string; about: string }

  tickets: {
    ticket_id: string
    opened_on: Day
    email: string
    order_id: number | null
    subject: string
    body: string
    status: Ticket['status']
  }
  hidden_tickets: { ticket_id: string; intent: string; sentiment: string }
  replies: {
    ticket_id: string
    made_on: Day
    intent: string
    sentiment: string
    confidence: number
    body: string
    actions: Json
    sent: number
  }
  policies: { policy_id: string; topic: string; title: string; text: string; figures: Json }
}
