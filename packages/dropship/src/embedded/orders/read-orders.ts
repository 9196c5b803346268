/** Reads of orders, with their lines and shipments, and of purchases. */
import { ToolError } from 'myrmex'
import type { Order, Orders, Purchase, Shipment, Stock } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { idAfter, idLength } from '../database/id-order.ts'
import type { Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'

type Where = NonNullable<Parameters<Orders['orders']>[0]>

/** Orders are numbered; whatever is no such number is the id of none. */
export const orderNumber = (order_id: string): number => (/^[1-9]\d{0,14}$/.test(order_id) ? Number(order_id) : -1)

export function findOrders(store: Store, where: Where = {}): Order[] {
  return store.read(() => {
    const rows = store.all(matchingOrders(store, where).selectAll())
    const ids = matchingOrders(store, where).select('order_id')
    const lines = Map.groupBy(
      store.all(store.kysely.selectFrom('order_lines').selectAll().where('order_id', 'in', ids).orderBy('line')),
      (line) => line.order_id,
    )
    const shipments = new Map(
      store
        .all(store.kysely.selectFrom('shipments').selectAll().where('order_id', 'in', ids))
        .map((shipment) => [shipment.order_id, shipment]),
    )
    return rows.map((row) => orderOf(row, lines.get(row.order_id) ?? [], shipments.get(row.order_id)))
  })
}

function matchingOrders(store: Store, where: Where) {
  let query = store.kysely.selectFrom('orders').orderBy('order_id', 'desc')
  if (where.order_id !== undefined) query = query.where('order_id', '=', orderNumber(where.order_id))
  if (where.status !== undefined) query = query.where('status', '=', where.status)
  if (where.email !== undefined) query = query.where('email', '=', where.email)
  if (where.from !== undefined) query = query.where('placed_on', '>=', where.from)
  if (where.to !== undefined) query = query.where('placed_on', '<=', where.to)
  if (where.after !== undefined) query = query.where('order_id', '<', orderNumber(where.after))
  if (where.limit !== undefined) query = query.limit(where.limit)
  return query
}

export function requireOrder(store: Store, order_id: string): Order {
  const order = findOrders(store, { order_id })[0]
  if (order !== undefined) return order
  throw new ToolError('UnknownOrder', `There is no order ${JSON.stringify(order_id)}.`, { order_id })
}

export function findPurchases(store: Store, where: Parameters<Orders['purchases']>[0] = {}): Purchase[] {
  let query = store.kysely.selectFrom('purchases').selectAll().orderBy(idLength('purchase_id')).orderBy('purchase_id')
  if (where.order_id !== undefined) query = query.where('order_id', '=', orderNumber(where.order_id))
  if (where.sku !== undefined) query = query.where('sku', '=', where.sku)
  if (where.purchase_id !== undefined) query = query.where('purchase_id', '=', where.purchase_id)
  if (where.after !== undefined) query = query.where(idAfter('purchase_id', where.after))
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map((row) => ({ ...row, order_id: row.order_id === null ? undefined : String(row.order_id) }))
}

export function readStock(store: Store, sku: string): Stock | undefined {
  const product = findProduct(store, sku)
  if (product === undefined) return undefined
  const { title, on_hand, reserved, reorder_point } = product
  // What is bought for one order goes to its customer and never lies on our shelf.
  const incoming = store.all(
    store.kysely
      .selectFrom('purchases')
      .select(['quantity', 'arrives_on'])
      .where('sku', '=', sku)
      .where('status', '=', 'under way')
      .where('order_id', 'is', null)
      .orderBy('arrives_on')
      .orderBy(idLength('purchase_id'))
      .orderBy('purchase_id'),
  )
  return { sku, title, on_hand, reserved, incoming: incoming.map((row) => ({ ...row })), reorder_point }
}

function orderOf(
  row: Tables['orders'],
  lines: readonly Tables['order_lines'][],
  shipment: Tables['shipments'] | undefined,
): Order {
  const { order_id, placed_on, status, email, total, channel, refunded } = row
  const { name, street, city, postal_code, country } = row
  return {
    order_id: String(order_id),
    placed_on,
    status,
    email,
    address: { name, street, city, postal_code, country },
    lines: lines.map(({ sku, title, quantity, price }) => ({ sku, title, quantity, price })),
    total,
    channel,
    shipment: shipment && shipmentOf(shipment),
    refunded,
  }
}

const shipmentOf = ({ order_id: _, ...shipment }: Tables['shipments']): Shipment => ({
  ...shipment,
  delivered_on: shipment.delivered_on ?? undefined,
})
