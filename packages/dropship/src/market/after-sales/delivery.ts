/** What arrives on a day: purchases for the shop's stock, and parcels at customers, on the announced day or later. */
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { all, insert, run } from '../statements.ts'
import { daysLate, rollOrderDice } from './order-dice.ts'

/** Parcels from the shop's own stock depend on the carrier alone. */
const FROM_THE_SHELF = { late: 0.04, delay: 2 }

export const receiveDeliveries = (market: Market, today: string): void => {
  fillShelf(market, today)
  deliver(market, today)
}

const fillShelf = (market: Market, today: string): void => {
  const come = all<{ purchase_id: string; sku: string; quantity: number; order_id: number | null }>(
    market.db,
    `SELECT purchase_id, sku, quantity, order_id FROM purchases WHERE status = 'under way' AND arrives_on <= ?
     ORDER BY length(purchase_id), purchase_id`,
    today,
  )
  for (const { purchase_id, sku, quantity, order_id } of come) {
    run(market.db, "UPDATE purchases SET status = 'arrived' WHERE purchase_id = ?", purchase_id)
    if (order_id !== null) continue
    run(market.db, 'UPDATE products SET on_hand = on_hand + ? WHERE sku = ?', quantity, sku)
    const why = `purchase ${purchase_id} arrived`
    insert(market.db, 'stock_moves', { sku, day: today, change: quantity, why })
  }
}

interface UnderWay {
  order_id: number
  placed_on: string
  email: string
  arrives_on: string
  supplier_id: string | null
  product_id: string | null
}

/** A parcel is as late as the slowest of its suppliers. */
const UNDER_WAY = `SELECT o.order_id, o.placed_on, o.email, s.arrives_on, b.supplier_id, p.product_id
  FROM shipments s JOIN orders o ON o.order_id = s.order_id
  LEFT JOIN purchases b ON b.order_id = o.order_id
  LEFT JOIN products p ON p.sku = b.sku
  WHERE s.delivered_on IS NULL AND s.arrives_on <= ? ORDER BY o.order_id, b.sku`

const deliver = (market: Market, today: string): void => {
  const now = dayNumber(today)
  const due = new Map<number, number>()
  for (const row of all<UnderWay>(market.db, UNDER_WAY, today)) {
    const dice = rollOrderDice(market.seed, dayNumber(row.placed_on), row.email)
    const bought = row.supplier_id !== null && row.product_id !== null
    const ways = bought ? market.offer(row.supplier_id as string, row.product_id as string) : undefined
    const { late, delay } = ways ?? FROM_THE_SHELF
    const comes = dayNumber(row.arrives_on) + daysLate(dice, late, delay)
    due.set(row.order_id, Math.max(comes, due.get(row.order_id) ?? 0))
  }
  for (const [order_id, comes] of due) {
    if (comes > now) continue
    run(market.db, 'UPDATE shipments SET delivered_on = ? WHERE order_id = ?', today, order_id)
    run(
      market.db,
      "UPDATE orders SET status = 'delivered' WHERE order_id = ? AND status IN ('ordered', 'shipped')",
      order_id,
    )
  }
}
