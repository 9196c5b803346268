/**
 * The tables of migrations/* as Kysely sees them. Most are a record of the ports stored as a row: `Row` gives its columns and
 * `fromRow` reads it back. Money is in cents.
 */
import type { Generated } from 'kysely'
import type { Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type * as ports from '../../ports.ts'

/** Text that JSON.parse reads. */
type Json = string

/** Undefined is stored as NULL, a boolean as 0 or 1, a list or an object as JSON. */
type Column<Value> = Value extends undefined
  ? null
  : Value extends boolean
    ? number
    : Value extends object
      ? Json
      : Value
export type Row<Port> = { -readonly [Name in keyof Port]-?: Column<Port[Name]> }

/** Rows that belong to an order, or to none, hold its number. */
type OfOrder<Port> = Omit<Row<Port>, 'order_id'> & { order_id: number | null }

export interface Tables {
  meta: { name: string; value: string }
  keys: { key: string; what: string; result: Json; made_on: Day }
  numbers: { name: string; last: number }

  listings: Row<ports.Listing>
  listing_days: Row<ports.ListingDay>
  seller_shares: Row<ports.SellerShare>
  hidden_products: { product_id: string; parameters: Json }

  suppliers: Row<ports.Supplier>
  offers: Omit<Row<ports.Offer>, 'supplier'> & { supplier_id: string }
  hidden_offers: { supplier_id: string; product_id: string; parameters: Json }
  talks: {
    talk_id: Generated<number>
    supplier_id: string
    product_id: string
    day: Day
    said: Json
    quote_id: string | null
  }
  quotes: Row<ports.Quote> & { dropped: number }

  products: Row<ports.Product>
  stock_moves: { move_id: Generated<number>; sku: string; day: Day; change: number; why: string }
  pages: Row<ports.Page>

  creatives: Row<ports.Creative>
  campaigns: Row<ports.Campaign>
  campaign_days: Omit<Row<ports.CampaignDay>, 'platform' | 'sku'>

  visits: { day: Day; sku: string; channel: string; visits: number }
  orders: Omit<Row<ports.Order>, 'order_id' | 'address' | 'lines' | 'shipment'> &
    Row<ports.Address> & { order_id: number; fee: Cents }
  /** `cost` is that of the whole line, goods and shipping */
  order_lines: Row<ports.OrderLine> & { order_id: number; line: number; cost: Cents }
  purchases: OfOrder<ports.Purchase>
  shipments: Row<ports.Shipment> & { order_id: number }
  refunds: { refund_id: Generated<number>; order_id: number; day: Day; amount: Cents; reason: string }
  messages: { message_id: Generated<number>; day: Day; email: string; subject: string; body: string; about: string }

  tickets: OfOrder<ports.Ticket>
  hidden_tickets: { ticket_id: string; intent: string; sentiment: string }
  replies: Row<ports.Reply>
  policies: Row<ports.ShopPolicy>
}

/** The record that a row stores; `json` names its columns of lists and objects. */
export function fromRow<Port>(row: Row<Port>, json: readonly (string & keyof Port)[] = []): Port {
  const record: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const isJson = (json as readonly string[]).includes(name)
    record[name] = value === null ? undefined : isJson ? JSON.parse(value as Json) : value
  }
  return record as Port
}

/** Orders are numbered; any other text is the id of none. */
export const orderNumber = (order_id: string): number => (/^[1-9]\d{0,14}$/.test(order_id) ? Number(order_id) : -1)

/** The same for rows that belong to an order, or to none. */
export function fromOrderRow<Port extends { readonly order_id: string | undefined }>({
  order_id,
  ...row
}: OfOrder<Port>): Port {
  const columns: object = { ...row, order_id: order_id === null ? null : String(order_id) }
  return fromRow<Port>(columns as Row<Port>)
}
