/** Reads orders with their lines and shipments, purchases and stock. */
import { unknownOrder } from '../../ports/shop-errors.ts'
import type { Order, Orders, Purchase, Shipment, Stock } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { idLength, type Store } from '../database/store.ts'
import { fromOrderRow, fromRow, orderNumber, type Tables } from '../database/tables.ts'

type Filter = NonNullable<Parameters<Orders['orders']>[0]>

export function findOrders(store: Store, where: Filter = {}): Order[] {
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
        .map(({ order_id, ...shipment }) => [order_id, fromRow<Shipment>(shipment)]),
    )
    return rows.map((row) => toOrder(row, lines.get(row.order_id) ?? [], shipments.get(row.order_id)))
  })
}

function matchingOrders(store: Store, { order_id, from, to, after, limit, ...filter }: Filter) {
  let query = store.kysely.selectFrom('orders').orderBy('order_id', 'desc')
  query = query.where((eb) => eb.and(filter))
  if (order_id !== undefined) query = query.where('order_id', '=', orderNumber(order_id))
  if (from !== undefined) query = query.where('placed_on', '>=', from)
  if (to !== undefined) query = query.where('placed_on', '<=', to)
  if (after !== undefined) query = query.where('order_id', '<', orderNumber(after))
  if (limit !== undefined) query = query.limit(limit)
  return query
}

export function requireOrder(store: Store, order_id: string): Order {
  const order = findOrders(store, { order_id })[0]
  if (order === undefined) throw unknownOrder(order_id)
  return order
}

export function findPurchases(store: Store, where: Parameters<Orders['purchases']>[0] = {}): Purchase[] {
  const order_id = where.order_id === undefined ? undefined : orderNumber(where.order_id)
  return store.page('purchases', 'purchase_id', { ...where, order_id }).map((row) => fromOrderRow<Purchase>(row))
}

export function readStock(store: Store, sku: string): Stock | undefined {
  const product = findProduct(store, sku)
  if (product === undefined) return undefined
  const { title, on_hand, reserved, reorder_point } = product
  // A purchase for one order goes straight to its customer and never adds to the stock.
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

function toOrder(
  row: Tables['orders'],
  lines: readonly Tables['order_lines'][],
  shipment: Shipment | undefined,
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
    shipment,
    refunded,
  }
}
