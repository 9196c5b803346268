/** Whether the shop's own figures add up: shelf, reservations, purchases, suppliers' stock, shipments and messages. */
import type { DatabaseSync } from 'node:sqlite'
import { type ShopSnapshot, SUPPLIER_STOCK } from './shop-file.ts'

/** A figure that is not what it has to be. More than there should be is done twice; less is lost. */
export interface Mismatch {
  readonly what: string
  readonly is: number
  readonly should: number
}

/** Each gives what a figure is, what it should be, and what it is about. */
const SUMS: readonly string[] = [
  `SELECT 'on the shelf of ' || sku || ' (its moves say less or more)' AS what, on_hand AS is_so,
     (SELECT coalesce(sum(change), 0) FROM stock_moves m WHERE m.sku = products.sku) AS should FROM products`,
  `SELECT 'reserved of ' || sku AS what, reserved AS is_so,
     min(on_hand, (SELECT coalesce(sum(quantity), 0) FROM orders JOIN order_lines l USING (order_id)
       WHERE status = 'paid' AND l.sku = products.sku)) AS should FROM products`,
  `SELECT 'orders that wait though their parcel is gone' AS what, count(*) AS is_so, 0 AS should
     FROM orders JOIN shipments USING (order_id) WHERE status = 'paid'`,
  `SELECT 'orders that are sent and have no parcel' AS what, 0 AS is_so, count(*) AS should
     FROM orders LEFT JOIN shipments USING (order_id)
     WHERE status IN ('ordered', 'shipped', 'delivered') AND shipments.order_id IS NULL`,
  `SELECT 'answered tickets without a reply' AS what, 0 AS is_so, count(*) AS should
     FROM tickets LEFT JOIN replies USING (ticket_id)
     WHERE status IN ('answered', 'with a human') AND replies.ticket_id IS NULL`,
  `SELECT 'tickets that are open though they have a reply' AS what, count(*) AS is_so, 0 AS should
     FROM tickets JOIN replies USING (ticket_id) WHERE status = 'open'`,
]

/** Of orders that were sent since: what left the shelf and what was bought for it is what was ordered. */
const SENT = `SELECT s.order_id, l.sku, sum(l.quantity) AS ordered,
    (SELECT coalesce(sum(quantity), 0) FROM purchases b WHERE b.order_id = s.order_id AND b.sku = l.sku) AS bought,
    (SELECT -coalesce(sum(change), 0) FROM stock_moves m WHERE m.sku = l.sku AND m.why = 'order ' || s.order_id) AS taken
  FROM shipments s JOIN order_lines l USING (order_id) GROUP BY s.order_id, l.sku`

/** What the shop told people about something: by order or ticket. */
const TOLD = 'SELECT about, count(*) AS times FROM messages GROUP BY about'

const BOUGHT = `SELECT b.purchase_id, b.supplier_id, p.product_id, b.quantity FROM purchases b JOIN products p USING (sku)`

export function mismatches(db: DatabaseSync, before: ShopSnapshot): Mismatch[] {
  const found: Mismatch[] = []
  const compare = (what: string, is: number, should: number): void => {
    if (is !== should) found.push({ what, is, should })
  }
  for (const sql of SUMS)
    for (const { what, is_so, should } of db.prepare(sql).all()) compare(String(what), Number(is_so), Number(should))
  for (const row of db.prepare(SENT).all()) {
    if (before.has('shipment', row.order_id)) continue
    const about = `${row.sku} sent for order ${row.order_id} (${row.taken} from the shelf, ${row.bought} bought)`
    compare(about, Number(row.taken) + Number(row.bought), Number(row.ordered))
  }
  checkMessages(db, before, compare)
  checkSuppliers(db, before, compare)
  return found
}

type Compare = (what: string, is: number, should: number) => void

function checkMessages(db: DatabaseSync, before: ShopSnapshot, compare: Compare): void {
  const told = new Map(
    db
      .prepare(TOLD)
      .all()
      .map(({ about, times }) => [String(about), Number(times)]),
  )
  for (const { order_id } of db.prepare('SELECT order_id FROM shipments').all())
    if (!before.has('shipment', order_id))
      compare(`messages about order ${order_id}`, told.get(String(order_id)) ?? 0, 1)
  for (const { ticket_id, sent } of db.prepare('SELECT ticket_id, sent FROM replies').all())
    if (!before.has('reply', ticket_id))
      compare(`messages about ticket ${ticket_id}`, told.get(String(ticket_id)) ?? 0, Number(sent))
}

function checkSuppliers(db: DatabaseSync, before: ShopSnapshot, compare: Compare): void {
  const bought = new Map<string, number>()
  for (const { purchase_id, supplier_id, product_id, quantity } of db.prepare(BOUGHT).all()) {
    if (before.has('purchase', purchase_id)) continue
    const offer = `${supplier_id} ${product_id}`
    bought.set(offer, (bought.get(offer) ?? 0) + Number(quantity))
  }
  for (const { supplier_id, product_id, stock } of db
    .prepare('SELECT supplier_id, product_id, stock FROM offers')
    .all())
    compare(
      `pieces of ${product_id} gone from ${supplier_id}`,
      SUPPLIER_STOCK - Number(stock),
      bought.get(`${supplier_id} ${product_id}`) ?? 0,
    )
}
