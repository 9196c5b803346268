/**
 * Fulfils an order at Shopify, only once. Shopify itself fulfils each item once. In addition the order is marked with the key's hash
 * before it is shipped, so that a repeated call with that key returns the first result. After a crash between mark and parcel the
 * next call finds the order open and ships it.
 */
import { ToolError } from 'myrmex'
import { toAmount } from '../../money.ts'
import { alreadyFulfilled, checkNotClosed } from '../../ports/shop-errors.ts'
import type { Address, Fulfilment, FulfilPlan, IdempotencyKey, Order, PurchaseNeed } from '../../ports.ts'
import { type AdminApi, mutate } from '../api/admin-api.ts'
import { isUnknownOutcome, refusedError, type UserError } from '../api/errors.ts'
import { hashKey, swapMetafield } from '../api/metafields.ts'
import { findVariant, inventoryCount, toProduct } from '../catalogue/read-variants.ts'
import { FULFILLED_BY, isPaidFor, type OrderNode, requireOrderNode, toMailingAddress, toOrder } from './read-orders.ts'

const OPEN = /* GraphQL */ `query OpenFulfillmentOrders($id: ID!, $first: Int!, $after: String) {
  order(id: $id) { fulfillmentOrders(first: $first, after: $after) {
    nodes { id status assignedLocation { location { id } } } pageInfo { hasNextPage endCursor } } } }`
const CREATE = /* GraphQL */ `mutation Fulfill($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id name } userErrors { field message } } }`
const READDRESS = /* GraphQL */ `mutation SetShippingAddress($input: OrderInput!) {
  orderUpdate(input: $input) { order { id } userErrors { field message } } }`

/** The items that stock does not cover, with their supplier. This adapter cannot buy from suppliers yet. */
export async function purchasesNeeded(admin: AdminApi, order_id: string): Promise<PurchaseNeed[]> {
  const node = await requireOrderNode(admin, order_id)
  if (toOrder(node).status !== 'paid') return []
  const lacking: PurchaseNeed[] = []
  for (const { sku, currentQuantity: quantity } of node.lineItems.nodes) {
    // Tips, gift cards and lines added by hand have no stock.
    if (sku === null || sku === '') continue
    const variant = await findVariant(admin, sku)
    if (variant?.inventoryItem.tracked === false) continue
    const onHand = variant === undefined ? 0 : inventoryCount(variant, 'on_hand')
    // Units on hand that other orders wait for do not belong to this one.
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
    if (node.metafield?.value !== mark) throw alreadyFulfilled(order)
    return fulfilled(node)
  }
  // A process may have died after it shipped some of several parcels. The same key ships the rest.
  const isStarted = order.status === 'ordered' && node.metafield?.value === mark
  if (!isStarted) {
    checkPaid(order, node)
    checkNotClosed(order)
    if (order.status !== 'paid') throw alreadyFulfilled(order)
  }
  await checkStock(admin, order)
  const open = await openFulfillmentOrders(admin, node)
  if (open.length === 0) throw onHold(order)
  await claim(admin, node, mark)
  await readdress(admin, node, order.address, plan.address)
  for (const parcel of open) await ship(admin, plan.order_id, parcel)
  return fulfilled(await requireOrderNode(admin, plan.order_id))
}

const isShipped = ({ status, shipment }: Order): boolean =>
  shipment !== undefined && (status === 'shipped' || status === 'delivered')

function checkPaid({ order_id }: Order, node: OrderNode): void {
  if (isPaidFor(node)) return
  throw new ToolError('OrderClosed', `Order ${order_id} is not paid at Shopify, so it cannot be sent yet.`, {
    order_id,
    status: node.displayFinancialStatus,
  })
}

async function checkStock(admin: AdminApi, { order_id }: Order): Promise<void> {
  const [first] = await purchasesNeeded(admin, order_id)
  if (first === undefined) return
  throw new ToolError(
    'OutOfStock',
    `Order ${order_id} lacks ${first.quantity} of ${first.sku}. This shop cannot buy from suppliers: restock it in Shopify first.`,
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

/** Grouped by location, because Shopify ships a parcel from one location only. */
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

/** Of two concurrent calls one marks the order first. The other takes the mark over and finds nothing left to ship. */
async function claim(admin: AdminApi, node: OrderNode, mark: string): Promise<void> {
  if (node.metafield?.value === mark) return
  const name = { key: FULFILLED_BY, type: 'single_line_text_field' } as const
  if (await swapMetafield(admin, node.id, name, node.metafield, mark)) return
  const now = await requireOrderNode(admin, toOrder(node).order_id)
  if (now.metafield?.value === mark) return
  if (isShipped(toOrder(now))) throw alreadyFulfilled(toOrder(now))
  if (!(await swapMetafield(admin, node.id, name, now.metafield, mark))) {
    throw new ToolError(
      'UnavailableError',
      `Another process is fulfilling order ${toOrder(node).order_id} right now. Try again in a second.`,
      { retry_after_ms: 1000 },
    )
  }
}

async function readdress(admin: AdminApi, { id }: OrderNode, before: Address, address: Address): Promise<void> {
  const isSame = (Object.keys(address) as (keyof Address)[]).every((part) => address[part] === before[part])
  if (isSame) return
  const input = { id, shippingAddress: toMailingAddress(address) }
  const { userErrors } = await mutate(admin, READDRESS, { input }, 'safe')
  if (userErrors.length > 0) throw refusedError('the address', userErrors)
}

async function ship(admin: AdminApi, order_id: string, open: readonly string[]): Promise<void> {
  const fulfillment = {
    lineItemsByFulfillmentOrder: open.map((fulfillmentOrderId) => ({ fulfillmentOrderId })),
    notifyCustomer: true,
  }
  let errors: readonly UserError[] = []
  try {
    errors = (await mutate(admin, CREATE, { fulfillment }, 'once')).userErrors
  } catch (thrown) {
    // The order shows whether it happened.
    if (!isUnknownOutcome(thrown)) throw thrown
    const after = await requireOrderNode(admin, order_id)
    if (isShipped(toOrder(after))) return
    throw thrown
  }
  if (errors.length === 0) return
  const after = await requireOrderNode(admin, order_id)
  if (isShipped(toOrder(after))) throw alreadyFulfilled(toOrder(after))
  throw refusedError('the fulfilment', errors)
}

function fulfilled(node: OrderNode): Fulfilment {
  const order = toOrder(node)
  if (order.shipment === undefined)
    throw new ToolError(
      'UnavailableError',
      `Shopify does not show the parcel of order ${order.order_id} yet. Try again in a second.`,
      { retry_after_ms: 1000 },
    )
  const { carrier, tracking } = order.shipment
  const message = `Shopify sent its own shipping confirmation to ${order.email} (${carrier}, ${tracking}).`
  return { order, purchases: [], shipment: order.shipment, message }
}

const onHold = ({ order_id }: Order): ToolError =>
  new ToolError('OrderClosed', `Order ${order_id} has nothing open to ship at Shopify. It may be on hold there.`, {
    order_id,
  })
