/**
 * Ships an order at Shopify, once ever. Shopify itself fulfils each piece once; on top of it the order is marked with the key
 * before it is shipped, so that whoever calls again with that key gets the first answer. A crash in between leaves the mark and no
 * parcel: the next call finds the order open and ships it.
 */
import { ToolError } from 'myrmex'
import { toAmount } from '../../money.ts'
import type { Address, Fulfilment, FulfilPlan, IdempotencyKey, Order, Orders } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { isUnknownOutcome, refusedError, type UserError } from '../api/errors.ts'
import { hashKey, swapMetafield } from '../api/metafields.ts'
import { findVariant, inventoryCount, toProduct } from '../catalogue/read-variants.ts'
import { FULFILLED_BY, isPaidFor, type OrderNode, requireOrderNode, toOrder } from './read-orders.ts'

const OPEN = /* GraphQL */ `query OpenFulfillmentOrders($id: ID!, $first: Int!, $after: String) {
  order(id: $id) { fulfillmentOrders(first: $first, after: $after) {
    nodes { id status assignedLocation { location { id } } } pageInfo { hasNextPage endCursor } } } }`
const CREATE = /* GraphQL */ `mutation Fulfill($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id name } userErrors { field message } } }`
const READDRESS = /* GraphQL */ `mutation SetShippingAddress($input: OrderInput!) {
  orderUpdate(input: $input) { order { id } userErrors { field message } } }`

type Needs = Awaited<ReturnType<Orders['purchasesNeeded']>>

/** What the shelf lacks. At which supplier it would be bought is known; buying there is not this shop's to do yet. */
export async function purchasesNeeded(admin: AdminApi, order_id: string): Promise<Needs> {
  const node = await requireOrderNode(admin, order_id)
  if (toOrder(node).status !== 'paid') return []
  const lacking: Needs[number][] = []
  for (const { sku, currentQuantity: quantity } of node.lineItems.nodes) {
    // A tip, a gift card or something written in by hand lies on no shelf.
    if (sku === null || sku === '') continue
    const variant = await findVariant(admin, sku)
    if (variant?.inventoryItem.tracked === false) continue
    const onHand = variant === undefined ? 0 : inventoryCount(variant, 'on_hand')
    // Pieces on hand that other orders wait for are not this one's.
    const others = variant === undefined ? 0 : Math.max(0, inventoryCount(variant, 'committed') - quantity)
    const missing = Math.min(quantity, Math.max(0, quantity - Math.max(0, onHand - others)))
    if (missing === 0) continue
    const product = variant && toProduct(variant, undefined)
    const total = missing * ((product?.unit ?? 0) + (product?.shipping ?? 0))
    lacking.push({
      sku,
      quantity: missing,
      supplier_id: product?.supplier_id ?? '',
      total,
      lead_days: 0,
      in_stock: false,
    })
  }
  return lacking
}

export async function fulfilOrder(admin: AdminApi, plan: FulfilPlan, key: IdempotencyKey): Promise<Fulfilment> {
  const mark = hashKey(key)
  const node = await requireOrderNode(admin, plan.order_id)
  const order = toOrder(node)
  if (isShipped(order)) {
    if (node.metafield?.value !== mark) throw alreadyFulfilledError(order)
    return fulfilled(node)
  }
  // Of several parcels some may have left before whoever sent them died: the rest follows under the same key.
  const isBegun = order.status === 'ordered' && node.metafield?.value === mark
  if (!isBegun) checkOpen(order, node)
  await checkShelf(admin, order)
  const open = await openFulfillmentOrders(admin, node)
  if (open.length === 0) throw onHold(order)
  await claim(admin, node, mark)
  await readdress(admin, node, order.address, plan.address)
  for (const parcel of open) await ship(admin, plan.order_id, parcel)
  return fulfilled(await requireOrderNode(admin, plan.order_id))
}

const isShipped = ({ status, shipment }: Order): boolean =>
  shipment !== undefined && (status === 'shipped' || status === 'delivered')

function checkOpen(order: Order, node: OrderNode): void {
  const { order_id, status } = order
  if (!isPaidFor(node))
    throw new ToolError('OrderClosed', `Order ${order_id} is not paid at Shopify: nothing is to be sent yet.`, {
      order_id,
      status: node.displayFinancialStatus,
    })
  if (status === 'cancelled' || status === 'refunded')
    throw new ToolError('OrderClosed', `Order ${order_id} is ${status}: nothing is to be sent.`, { order_id, status })
  if (status !== 'paid') throw alreadyFulfilledError(order)
}

async function checkShelf(admin: AdminApi, { order_id }: Order): Promise<void> {
  const [first] = await purchasesNeeded(admin, order_id)
  if (first === undefined) return
  throw new ToolError(
    'OutOfStock',
    `Order ${order_id} lacks ${first.quantity} of ${first.sku}. Buying at a supplier is not connected to this shop: restock it in Shopify first.`,
    { order_id, sku: first.sku, lacking: first.quantity, cost: toAmount(first.total) },
  )
}

interface FulfillmentOrders {
  readonly order: {
    readonly fulfillmentOrders: {
      readonly nodes: readonly {
        readonly id: string
        readonly status: string
        readonly assignedLocation: { readonly location: { readonly id: string } | null }
      }[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
    }
  } | null
}

/** By the location that ships them: Shopify makes a parcel from one location only. */
async function openFulfillmentOrders(admin: AdminApi, { id }: OrderNode): Promise<string[][]> {
  const open = new Map<string, string[]>()
  for (let after: string | null = null; ; ) {
    const { order }: FulfillmentOrders = await admin.read(OPEN, { id, first: 50, after })
    for (const one of order?.fulfillmentOrders.nodes ?? []) {
      if (one.status !== 'OPEN' && one.status !== 'IN_PROGRESS') continue
      const location = one.assignedLocation.location?.id ?? ''
      open.set(location, [...(open.get(location) ?? []), one.id])
    }
    after = order?.fulfillmentOrders.pageInfo.hasNextPage === true ? order.fulfillmentOrders.pageInfo.endCursor : null
    if (after === null) return [...open.values()]
  }
}

/** Of two at once one marks the order first; the other takes the mark over and finds nothing left to ship. */
async function claim(admin: AdminApi, node: OrderNode, mark: string): Promise<void> {
  if (node.metafield?.value === mark) return
  const name = { key: FULFILLED_BY, type: 'single_line_text_field' } as const
  if (await swapMetafield(admin, node.id, name, node.metafield, mark)) return
  const now = await requireOrderNode(admin, toOrder(node).order_id)
  if (now.metafield?.value === mark) return
  if (isShipped(toOrder(now))) throw alreadyFulfilledError(toOrder(now))
  if (!(await swapMetafield(admin, node.id, name, now.metafield, mark))) {
    throw new ToolError('UnavailableError', `Somebody else is fulfilling order ${toOrder(node).order_id} right now.`, {
      retry_after_ms: 1000,
    })
  }
}

async function readdress(admin: AdminApi, { id }: OrderNode, before: Address, address: Address): Promise<void> {
  const isSame = (Object.keys(address) as (keyof Address)[]).every((part) => address[part] === before[part])
  if (isSame) return
  const [lastName = '', ...first] = address.name.split(' ').reverse()
  const shippingAddress = {
    ...{ firstName: first.reverse().join(' '), lastName },
    ...{
      address1: address.street,
      address2: '',
      city: address.city,
      zip: address.postal_code,
      countryCode: address.country,
    },
  }
  const input = { id, shippingAddress }
  const { orderUpdate } = await admin.write<{ orderUpdate: { userErrors: UserError[] } }>(READDRESS, { input }, 'safe')
  const [error] = orderUpdate.userErrors
  if (error !== undefined) throw refusedError('the address', orderUpdate.userErrors)
}

async function ship(admin: AdminApi, order_id: string, open: readonly string[]): Promise<void> {
  const fulfillment = {
    lineItemsByFulfillmentOrder: open.map((fulfillmentOrderId) => ({ fulfillmentOrderId })),
    notifyCustomer: true,
  }
  let errors: readonly UserError[] = []
  try {
    const { fulfillmentCreate } = await admin.write<{ fulfillmentCreate: { userErrors: UserError[] } }>(
      CREATE,
      { fulfillment },
      'once',
    )
    errors = fulfillmentCreate.userErrors
  } catch (thrown) {
    // Whether it happened can be seen at the order.
    if (!isUnknownOutcome(thrown)) throw thrown
    const after = await requireOrderNode(admin, order_id)
    if (isShipped(toOrder(after))) return
    throw thrown
  }
  if (errors.length === 0) return
  const after = await requireOrderNode(admin, order_id)
  if (isShipped(toOrder(after))) throw alreadyFulfilledError(toOrder(after))
  throw refusedError('the fulfilment', errors)
}

function fulfilled(node: OrderNode): Fulfilment {
  const order = toOrder(node)
  if (order.shipment === undefined)
    throw new ToolError('UnavailableError', `Shopify does not show the parcel of order ${order.order_id} yet.`, {
      retry_after_ms: 1000,
    })
  const { carrier, tracking } = order.shipment
  const message = `Shopify sent its own shipping confirmation to ${order.email} (${carrier}, ${tracking}).`
  return { order, purchases: [], shipment: order.shipment, message }
}

const alreadyFulfilledError = ({ order_id, status, shipment }: Order): ToolError =>
  new ToolError('AlreadyFulfilled', `Order ${order_id} is ${status} already; an order is fulfilled once.`, {
    order_id,
    status,
    tracking: shipment?.tracking ?? null,
  })

const onHold = ({ order_id }: Order): ToolError =>
  new ToolError('OrderClosed', `Order ${order_id} has nothing open to ship at Shopify: it may be on hold there.`, {
    order_id,
  })
