/** Reads Shopify's orders as orders of the ports. An order's id is the number shown on it (#1042), not Shopify's internal id. */
import { addDays, type Day } from '../../day.ts'
import { toCents } from '../../money.ts'
import { unknownOrder } from '../../ports/shop-errors.ts'
import type { Address, Order, OrderStatus, Orders, Shipment } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { connectionReader, type Edge, type ListOptions, searchTerm } from '../api/connections.ts'
import type { Cursors } from '../api/cursors.ts'
import { type Metafield, NAMESPACE } from '../api/metafields.ts'

interface Money {
  readonly shopMoney: { readonly amount: string }
}

interface LineItem {
  readonly sku: string | null
  readonly title: string
  readonly quantity: number
  /** without removed and refunded units */
  readonly currentQuantity: number
  readonly discountedUnitPriceAfterAllDiscountsSet: Money
}

interface Lines {
  readonly nodes: readonly LineItem[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

export interface OrderNode {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly cancelledAt: string | null
  readonly email: string | null
  readonly sourceName: string | null
  /** paid with a test gateway */
  readonly test: boolean
  readonly displayFinancialStatus: string | null
  readonly displayFulfillmentStatus: string
  readonly totalPriceSet: Money
  readonly totalRefundedSet: Money
  readonly shippingAddress: {
    readonly name: string | null
    readonly address1: string | null
    readonly address2: string | null
    readonly city: string | null
    readonly zip: string | null
    readonly countryCodeV2: string | null
  } | null
  readonly lineItems: Lines
  readonly fulfillments: readonly {
    readonly name: string
    readonly status: string
    readonly createdAt: string
    readonly deliveredAt: string | null
    readonly estimatedDeliveryAt: string | null
    readonly trackingInfo: readonly { readonly company: string | null; readonly number: string | null }[]
  }[]
  readonly metafield: Metafield | null
}

/** The metafield that holds the key under which the order was fulfilled. */
export const FULFILLED_BY = 'fulfilled_by'
/** Enough for most orders. An order with more is read again with all of its lines. */
const FEW_LINES = 5
const ALL_LINES = 250
/** An order costs 28 points of the 1000 that a query may cost. */
const PAGE = 30

export const orderFields = (lines = FEW_LINES): string => `id name createdAt cancelledAt email sourceName test
  displayFinancialStatus displayFulfillmentStatus
  totalPriceSet { shopMoney { amount } } totalRefundedSet { shopMoney { amount } }
  shippingAddress { name address1 address2 city zip countryCodeV2 }
  lineItems(first: ${lines}) { nodes { sku title quantity currentQuantity
    discountedUnitPriceAfterAllDiscountsSet { shopMoney { amount } } }
    pageInfo { hasNextPage } }
  fulfillments(first: 5) { name status createdAt deliveredAt estimatedDeliveryAt trackingInfo(first: 1) { company number } }
  metafield(namespace: "${NAMESPACE}", key: "${FULFILLED_BY}") { value compareDigest }`

const LIST = /* GraphQL */ `query Orders($first: Int!, $after: String, $query: String, $reverse: Boolean) {
  orders(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: $reverse) {
    edges { cursor node { ${orderFields()} } } pageInfo { hasNextPage endCursor } } }`
const WHOLE = /* GraphQL */ `query WholeOrder($id: ID!) { order(id: $id) { ${orderFields(ALL_LINES)} } }`

const readNodes = connectionReader<OrderNode>('orders', LIST, PAGE)

/** Newest first by default. */
export async function* orderNodes(admin: AdminApi, options: ListOptions): AsyncGenerator<Edge<OrderNode>> {
  for await (const { cursor, node } of readNodes(admin, { reverse: true, ...options }))
    yield { cursor, node: node.lineItems.pageInfo.hasNextPage ? await wholeOrder(admin, node) : node }
}

async function wholeOrder(admin: AdminApi, node: OrderNode): Promise<OrderNode> {
  const { order } = await admin.read<{ order: OrderNode | null }>(WHOLE, { id: node.id })
  return order ?? node
}

const idOf = ({ name }: OrderNode): string => name.replace(/^#/, '')

export async function findOrder(admin: AdminApi, order_id: string): Promise<OrderNode | undefined> {
  if (order_id === '' || order_id.length > 60) return undefined
  for await (const { node } of orderNodes(admin, { query: searchTerm('name', order_id), first: 5 })) {
    if (idOf(node) === order_id) return node
  }
  return undefined
}

export async function requireOrderNode(admin: AdminApi, order_id: string): Promise<OrderNode> {
  const node = await findOrder(admin, order_id)
  if (node === undefined) throw unknownOrder(order_id)
  return node
}

type Filter = NonNullable<Parameters<Orders['orders']>[0]>

export async function listOrders(admin: AdminApi, cursors: Cursors, where: Filter = {}): Promise<Order[]> {
  const { order_id, status, email, from, to } = where
  const toRecord = async (node: OrderNode) => {
    const order = toOrder(node)
    return { id: order.order_id, record: isPaidFor(node) && matchesFilter(order, where) ? order : undefined }
  }
  if (order_id !== undefined) {
    const node = await findOrder(admin, order_id)
    const record = node && (await toRecord(node)).record
    return record === undefined ? [] : [record]
  }
  const query = [
    ...(email === undefined ? [] : [searchTerm('email', email)]),
    ...createdBetween(from, to),
    ...(status === undefined ? [] : SEARCHED[status]),
  ].join(' AND ')
  return cursors.page(query, where, (options) => orderNodes(admin, { ...options, query }), toRecord)
}

/** Search terms for the days from the first to the last, both included. */
export const createdBetween = (from: Day | undefined, to: Day | undefined): string[] => [
  ...(from === undefined ? [] : [searchTerm('created_at', `${from}T00:00:00Z`, '>=')]),
  ...(to === undefined ? [] : [searchTerm('created_at', `${addDays(to, 1)}T00:00:00Z`, '<')]),
]

/** What Shopify's search can distinguish. `matchesFilter` checks the rest for each order. */
const SEARCHED: Readonly<Record<OrderStatus, readonly string[]>> = {
  paid: ['fulfillment_status:unfulfilled', 'status:open'],
  ordered: [],
  shipped: ['fulfillment_status:fulfilled'],
  delivered: ['fulfillment_status:fulfilled'],
  cancelled: ['status:cancelled'],
  refunded: ['financial_status:refunded'],
}

const matchesFilter = (order: Order, { status, email, from, to }: Filter): boolean =>
  (status === undefined || order.status === status) &&
  (email === undefined || order.email.toLowerCase() === email.toLowerCase()) &&
  (from === undefined || order.placed_on >= from) &&
  (to === undefined || order.placed_on <= to)

/** An order that is not paid, or whose payment was released, has nothing to ship or to count: the shop does not see it yet. */
export const isPaidFor = ({ cancelledAt, displayFinancialStatus: status }: OrderNode): boolean =>
  cancelledAt !== null || status === null || !UNPAID.has(status)

const UNPAID = new Set(['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID', 'EXPIRED', 'VOIDED'])

const cents = ({ shopMoney }: Money): number => toCents(Number(shopMoney.amount))

export function toOrder(node: OrderNode): Order {
  const { shippingAddress: address } = node
  return {
    order_id: idOf(node),
    placed_on: node.createdAt.slice(0, 10),
    status: statusOf(node),
    email: node.email ?? '',
    address: {
      name: address?.name ?? '',
      street: [address?.address1, address?.address2]
        .filter((part) => part !== null && part !== undefined && part !== '')
        .join(', '),
      city: address?.city ?? '',
      postal_code: address?.zip ?? '',
      country: address?.countryCodeV2 ?? '',
    },
    lines: node.lineItems.nodes.map((line) => ({
      sku: line.sku ?? '',
      title: line.title,
      quantity: line.quantity,
      price: cents(line.discountedUnitPriceAfterAllDiscountsSet),
    })),
    total: cents(node.totalPriceSet),
    // Shopify reports orders from its own web shop as `web`.
    channel: node.sourceName === null || node.sourceName === 'web' ? 'organic' : node.sourceName.toLowerCase(),
    shipment: toShipment(node),
    refunded: cents(node.totalRefundedSet),
  }
}

function statusOf(node: OrderNode): OrderStatus {
  if (node.cancelledAt !== null) return 'cancelled'
  if (node.displayFinancialStatus === 'REFUNDED') return 'refunded'
  if (node.displayFulfillmentStatus === 'FULFILLED') {
    return parcelsOf(node).every(({ deliveredAt }) => deliveredAt !== null) ? 'delivered' : 'shipped'
  }
  return UNDER_WAY.has(node.displayFulfillmentStatus) ? 'ordered' : 'paid'
}

const UNDER_WAY = new Set(['IN_PROGRESS', 'PARTIALLY_FULFILLED', 'PENDING_FULFILLMENT'])

/** Used where Shopify has no estimated day: the slower end of what carriers publish for standard post within Europe. */
const TRANSIT_DAYS = 5

/** Without cancelled and failed fulfillments. */
const parcelsOf = ({ fulfillments }: OrderNode): OrderNode['fulfillments'] =>
  fulfillments.filter(({ status }) => status === 'SUCCESS')

export function toShipment(node: OrderNode): Shipment | undefined {
  const last = parcelsOf(node).at(-1)
  if (last === undefined) return undefined
  const [tracking] = last.trackingInfo
  const shipped_on = last.createdAt.slice(0, 10)
  return {
    carrier: tracking?.company ?? 'the shop',
    // Until somebody enters the carrier's number, the parcel can only be found by Shopify's own name for it.
    tracking: tracking?.number ?? last.name,
    shipped_on,
    arrives_on: last.estimatedDeliveryAt?.slice(0, 10) ?? addDays(shipped_on, TRANSIT_DAYS),
    delivered_on: last.deliveredAt?.slice(0, 10),
  }
}

/** The input form of an address. Shopify wants the last name apart from the others. */
export function toMailingAddress({ name, street, city, postal_code, country }: Address) {
  const [lastName = '', ...others] = name.split(' ').reverse()
  const firstName = others.reverse().join(' ')
  return { firstName, lastName, address1: street, address2: '', city, zip: postal_code, countryCode: country }
}
