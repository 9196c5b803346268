/**
 * Fulfils an order, only once: takes its share of the stock, buys the rest from the supplier (who ships to the customer), and
 * writes to the customer. Everything is decided in the transaction that does it.
 */
import { ToolError } from 'myrmex'
import { addDays, type Day } from '../../day.ts'
import { updateReserved } from '../../market/sales/place-orders.ts'
import { SHELF_DAYS, writePurchase } from '../../market/staff/staff.ts'
import { fillShippingFields } from '../../message.ts'
import { type Cents, toAmount } from '../../money.ts'
import { checkOpen } from '../../ports/shop-errors.ts'
import type { Fulfilment, FulfilPlan, Order, Product, PurchaseNeed } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import type { Store } from '../database/store.ts'
import { orderNumber } from '../database/tables.ts'
import { checkAddress } from './place-order.ts'
import { findPurchases, requireOrder } from './read-orders.ts'

const CARRIER = 'Parcel Post'

/** How one line of an order is fulfilled. */
interface LinePlan {
  readonly product: Product
  readonly title: string
  readonly fromStock: number
  readonly buy: number
  /** of what is bought */
  readonly total: Cents
  /** what the supplier has today; nothing where it no longer offers the product */
  readonly supplier: { readonly lead_days: number; readonly stock: number }
}

export function purchasesNeeded(store: Store, order_id: string): PurchaseNeed[] {
  return planLines(store, requireOrder(store, order_id))
    .filter(({ buy }) => buy > 0)
    .map(({ product: { sku, supplier_id }, buy, total, supplier }) => ({
      sku,
      quantity: buy,
      supplier_id,
      total,
      lead_days: supplier.lead_days,
      in_stock: supplier.stock >= buy,
    }))
}

export function fulfilOrder(store: Store, plan: FulfilPlan): Fulfilment {
  const { order_id, address, message } = plan
  checkAddress(address)
  const order = requireOrder(store, order_id)
  checkOpen(order)
  const lines = planLines(store, order)
  checkLines(order_id, lines, plan.most)
  const today = store.today()
  const number = orderNumber(order_id)
  const { name, street, city, postal_code, country } = address
  const status = lines.some(({ buy }) => buy > 0) ? 'ordered' : 'shipped'
  store.update('orders', { order_id: number }, { name, street, city, postal_code, country, status })
  for (const line of lines) fulfilLine(store, number, line, today)
  const parcel = { carrier: CARRIER, tracking: trackingNumber(number) }
  const dates = { shipped_on: today, arrives_on: arrivalDay(lines, today), delivered_on: null }
  store.insert('shipments', { order_id: number, ...parcel, ...dates })
  const after = requireOrder(store, order_id)
  if (after.shipment === undefined) throw new Error(`The shipment of order ${order_id} was not stored.`)
  const body = fillShippingFields(message.body, after.shipment)
  const subject = fillShippingFields(message.subject, after.shipment)
  store.insert('messages', { day: today, email: order.email, subject, body, about: order_id })
  return { order: after, purchases: findPurchases(store, { order_id }), shipment: after.shipment, message: body }
}

function planLines(store: Store, order: Order): LinePlan[] {
  return order.lines.map(({ sku, title, quantity }) => {
    const product = findProduct(store, sku)
    if (product === undefined) {
      throw new ToolError('OutOfStock', `The shop no longer has the product ${title} (${sku}).`, { sku })
    }
    const { supplier_id, product_id, unit, shipping } = product
    const fromStock =
      order.status === 'paid' ? shelfClaim(store, orderNumber(order.order_id), product, quantity) : quantity
    const buy = quantity - fromStock
    const supplier = store.find('offers', { supplier_id, product_id }) ?? { lead_days: 0, stock: 0 }
    return { product, title, fromStock, buy, total: buy * (unit + shipping), supplier }
  })
}

/** How many units in stock this order would get if it were shipped now: earlier orders come first. */
function shelfClaim(store: Store, order_id: number, { sku, on_hand }: Product, quantity: number): number {
  const earlier = store.first(
    store.kysely
      .selectFrom('orders')
      .innerJoin('order_lines', 'order_lines.order_id', 'orders.order_id')
      .select((eb) => eb.fn.sum<number | null>('quantity').as('units'))
      .where('status', '=', 'paid')
      .where('sku', '=', sku)
      .where('orders.order_id', '<', order_id),
  )
  return Math.max(0, Math.min(quantity, on_hand - (earlier?.units ?? 0)))
}

function checkLines(order_id: string, lines: readonly LinePlan[], most: Cents): void {
  for (const { product, title, buy, supplier } of lines) {
    if (buy <= supplier.stock) continue
    const { sku, supplier_id } = product
    throw new ToolError(
      'OutOfStock',
      `Order ${order_id} lacks ${buy} of ${title} (${sku}), and the supplier ${supplier_id} has ${supplier.stock}.`,
      { order_id, sku, lacking: buy, supplier_id, supplier_stock: supplier.stock },
    )
  }
  const total = lines.reduce((sum, line) => sum + line.total, 0)
  if (total <= most) return
  throw new ToolError(
    'PurchaseTooLarge',
    `The missing items of order ${order_id} cost ${toAmount(total)} at the suppliers, more than the ${toAmount(most)} allowed.`,
    { order_id, total: toAmount(total), most: toAmount(most) },
  )
}

function fulfilLine(store: Store, order_id: number, line: LinePlan, today: Day): void {
  const { product, fromStock, buy, supplier } = line
  const { sku } = product
  if (fromStock > 0) {
    const query = store.kysely.updateTable('products').set((eb) => ({ on_hand: eb('on_hand', '-', fromStock) }))
    store.run(query.where('sku', '=', sku))
    store.insert('stock_moves', { sku, day: today, change: -fromStock, why: `order ${order_id}` })
  }
  updateReserved(store.db, sku)
  if (buy === 0) return
  takeFromSupplier(store, product, buy)
  setCost(store, order_id, line)
  writePurchase(store.db, today, { ...product, quantity: buy, lead_days: supplier.lead_days }, order_id)
}

/** Checks again: two products of one order may share an offer, and the first may have taken what the second needs. */
function takeFromSupplier(store: Store, { sku, supplier_id, product_id }: Product, quantity: number): void {
  const changed = store.run(
    store.kysely
      .updateTable('offers')
      .set((eb) => ({ stock: eb('stock', '-', quantity) }))
      .where((eb) => eb.and({ supplier_id, product_id }))
      .where('stock', '>=', quantity),
  )
  if (changed > 0) return
  throw new ToolError('OutOfStock', `The supplier ${supplier_id} has fewer than ${quantity} of ${sku} left.`, {
    sku,
    lacking: quantity,
    supplier_id,
  })
}

/** The cost of a line was estimated when it was sold. For the bought part it is known now. */
function setCost(store: Store, order_id: number, { product: { sku }, fromStock, buy, total }: LinePlan): void {
  const estimated = store.find('order_lines', { order_id, sku })?.cost ?? 0
  const cost = Math.round((estimated * fromStock) / (fromStock + buy)) + total
  store.update('order_lines', { order_id, sku }, { cost })
}

/** The order is complete when its slowest line has arrived. */
function arrivalDay(lines: readonly LinePlan[], today: Day): Day {
  const days = lines.map(({ buy, supplier }) => addDays(today, buy > 0 ? supplier.lead_days : SHELF_DAYS))
  return days.sort().at(-1) ?? today
}

/** Weights of the check digit of a postal item (Universal Postal Union, standard S10). */
const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]

/** In the form postal services use: two letters, eight digits, their check digit, the country of origin. */
export function trackingNumber(order_id: number): string {
  const digits = String(order_id % 100_000_000).padStart(8, '0')
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index] ?? 0), 0)
  const check = 11 - (sum % 11)
  return `RX${digits}${check === 10 ? 0 : check === 11 ? 5 : check}DE`
}
