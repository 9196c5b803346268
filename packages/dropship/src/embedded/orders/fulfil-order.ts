/**
 * Ships an order, once ever: what is on the shelf for it is taken, the rest is bought and goes from the supplier to the
 * customer, who is told. Everything is decided in the transaction that does it.
 */
import { ToolError } from 'myrmex'
import { addDays, type Day } from '../../day.ts'
import { fillShippingFields } from '../../message.ts'
import type { Cents } from '../../money.ts'
import type { Fulfilment, FulfilPlan, Order, Orders } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'
import { checkAddress } from './place-order.ts'
import { findPurchases, orderNumber, requireOrder } from './read-orders.ts'
import { shelfClaim, updateReserved } from './reserve-stock.ts'
import { type Source, sourceOf } from './source.ts'
import { CARRIER, shelfArrivalDay, trackingNumber } from './tracking.ts'

/** What one line of an order takes. */
interface LinePlan {
  readonly sku: string
  readonly title: string
  readonly shelf: number
  readonly buy: number
  readonly supplier_id: string
  readonly product_id: string
  readonly source: Source
  readonly total: Cents
}

export function purchasesNeeded(store: Store, order_id: string): Awaited<ReturnType<Orders['purchasesNeeded']>> {
  return planLines(store, requireOrder(store, order_id))
    .filter(({ buy }) => buy > 0)
    .map(({ sku, buy, supplier_id, total, source }) => ({
      sku,
      quantity: buy,
      supplier_id,
      total,
      lead_days: source.lead_days,
      in_stock: source.stock >= buy,
    }))
}

export function fulfilOrder(store: Store, plan: FulfilPlan): Fulfilment {
  const { order_id, address, message } = plan
  checkAddress(address)
  const order = requireOrder(store, order_id)
  checkOpen(order)
  const parts = planLines(store, order)
  checkParts(order_id, parts, plan.most)
  const today = store.today()
  const bought = parts.some(({ buy }) => buy > 0)
  const number = orderNumber(order_id)
  const state = { ...addressOf(plan), status: bought ? ('ordered' as const) : ('shipped' as const) }
  store.run(store.kysely.updateTable('orders').set(state).where('order_id', '=', number))
  for (const part of parts) deliver(store, number, part, today)
  const arrives_on = arrivalDay(parts, today)
  const shipment = {
    order_id: number,
    carrier: CARRIER,
    tracking: trackingNumber(number),
    shipped_on: today,
    arrives_on,
  }
  store.run(store.kysely.insertInto('shipments').values({ ...shipment, delivered_on: null }))
  const after = requireOrder(store, order_id)
  if (after.shipment === undefined) throw new Error(`the shipment of order ${order_id} was not kept`)
  const body = fillShippingFields(message.body, after.shipment)
  const told = {
    day: today,
    email: order.email,
    subject: fillShippingFields(message.subject, after.shipment),
    body,
    about: order_id,
  }
  store.run(store.kysely.insertInto('messages').values(told))
  return { order: after, purchases: findPurchases(store, { order_id }), shipment: after.shipment, message: body }
}

function checkOpen({ order_id, status, shipment }: Order): void {
  if (status === 'cancelled' || status === 'refunded') {
    throw new ToolError('OrderClosed', `Order ${order_id} is ${status}: nothing is to be sent.`, { order_id, status })
  }
  if (status !== 'paid' || shipment !== undefined) {
    throw new ToolError('AlreadyFulfilled', `Order ${order_id} is ${status} already; an order is fulfilled once.`, {
      order_id,
      status,
      tracking: shipment?.tracking ?? null,
    })
  }
}

function planLines(store: Store, order: Order): LinePlan[] {
  return order.lines.map(({ sku, title, quantity }) => {
    const product = findProduct(store, sku)
    if (product === undefined) {
      throw new ToolError('OutOfStock', `${title} (${sku}) is no product of the shop any more.`, { sku })
    }
    const shelf = order.status === 'paid' ? shelfClaim(store, orderNumber(order.order_id), sku, quantity) : quantity
    const buy = quantity - shelf
    const source = sourceOf(store, product)
    const { supplier_id, product_id } = product
    return { sku, title, shelf, buy, supplier_id, product_id, source, total: buy * (source.unit + source.shipping) }
  })
}

function checkParts(order_id: string, parts: readonly LinePlan[], most: Cents): void {
  for (const { sku, title, buy, supplier_id, source } of parts) {
    if (buy <= source.stock) continue
    throw new ToolError(
      'OutOfStock',
      `Order ${order_id} lacks ${buy} of ${title} (${sku}), and the supplier ${supplier_id} has ${source.stock}.`,
      { order_id, sku, lacking: buy, supplier_id, supplier_stock: source.stock },
    )
  }
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  if (total <= most) return
  throw new ToolError(
    'PurchaseTooLarge',
    `What order ${order_id} lacks costs ${total / 100} at the suppliers, more than the ${most / 100} allowed.`,
    { order_id, total: total / 100, most: most / 100 },
  )
}

/** Two products of one order may come from one offer: the second takes what the first left. */
function deliver(store: Store, order_id: number, part: LinePlan, today: Day): void {
  const { kysely } = store
  const { sku, shelf, buy, supplier_id, product_id, source, total } = part
  if (shelf > 0) {
    const taken = kysely.updateTable('products').set((eb) => ({ on_hand: eb('on_hand', '-', shelf) }))
    store.run(taken.where('sku', '=', sku))
    store.run(kysely.insertInto('stock_moves').values({ sku, day: today, change: -shelf, why: `order ${order_id}` }))
  }
  updateReserved(store, sku)
  if (buy === 0) return
  const left = kysely.updateTable('offers').set((eb) => ({ stock: eb('stock', '-', buy) }))
  const changed = store.run(
    left.where('supplier_id', '=', supplier_id).where('product_id', '=', product_id).where('stock', '>=', buy),
  )
  if (changed === 0) {
    throw new ToolError('OutOfStock', `The supplier ${supplier_id} has fewer than ${buy} of ${sku} left.`, {
      sku,
      lacking: buy,
      supplier_id,
    })
  }
  const { unit, shipping, lead_days } = source
  const purchase = { purchase_id: nextId(store, 'purchases'), supplier_id, sku, quantity: buy, unit, shipping, total }
  setCost(store, order_id, part)
  const when = { placed_on: today, arrives_on: addDays(today, lead_days), order_id, status: 'under way' as const }
  store.run(kysely.insertInto('purchases').values({ ...purchase, ...when }))
}

/** What a line cost was reckoned when it was sold; for what is bought now it is known. */
function setCost(store: Store, order_id: number, { sku, shelf, buy, total }: LinePlan): void {
  const { kysely } = store
  const line = kysely.selectFrom('order_lines').select('cost').where('order_id', '=', order_id).where('sku', '=', sku)
  const reckoned = store.first(line)?.cost ?? 0
  const cost = Math.round((reckoned * shelf) / (shelf + buy)) + total
  store.run(kysely.updateTable('order_lines').set({ cost }).where('order_id', '=', order_id).where('sku', '=', sku))
}

const addressOf = ({ address: { name, street, city, postal_code, country } }: FulfilPlan) => ({
  name,
  street,
  city,
  postal_code,
  country,
})

/** The customer has all of it when the slowest part is there. */
function arrivalDay(parts: readonly LinePlan[], today: Day): Day {
  const days = parts.map(({ buy, source }) => (buy > 0 ? addDays(today, source.lead_days) : shelfArrivalDay(today)))
  return days.sort().at(-1) ?? today
}
