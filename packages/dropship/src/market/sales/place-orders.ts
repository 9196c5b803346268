/** Writes orders with their lines and cost, the payment fee and the customer's address: those of simulated shoppers, and any other. */
import type { DatabaseSync } from 'node:sqlite'
import { paymentFee } from '../../money.ts'
import type { OrderLine } from '../../ports.ts'
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { diceFor, hashText } from '../random.ts'
import { insert, nextNumber, run } from '../statements.ts'
import { type Customer, drawCustomer } from './customers.ts'
import type { ProductOnSale } from './shelf.ts'

const quantityOf = (die: number): number => (die < 0.92 ? 1 : die < 0.99 ? 2 : 3)

/** `source` (a campaign, or nothing) separates shoppers of the same channel, day and product, so that their dice differ. Returns the revenue. */
export const placeOrders = (
  market: Market,
  today: string,
  product: Pick<ProductOnSale, 'sku' | 'title' | 'price' | 'unit' | 'shipping'>,
  channel: string,
  count: number,
  source: string,
): number => {
  let revenue = 0
  const day = dayNumber(today)
  for (let at = 0; at < count; at++) {
    const dice = diceFor(market.seed, day, hashText(`${product.sku} ${channel} ${source} ${at}`), 'customer')
    const { email, address } = drawCustomer(dice)
    const quantity = quantityOf(dice())
    const total = quantity * product.price
    const cost = quantity * (product.unit + product.shipping)
    const order_id = nextNumber(market.db, 'orders')
    writeOrder(market.db, { order_id, today, email, address, channel, total }, [{ ...product, quantity, cost }])
    revenue += total
  }
  return revenue
}

interface OrderHead extends Customer {
  readonly order_id: number
  readonly today: string
  readonly channel: string
  readonly total: number
}

type OrderedLine = OrderLine & { readonly cost: number }

export const writeOrder = (db: DatabaseSync, head: OrderHead, lines: readonly OrderedLine[]): void => {
  const { order_id, today, email, address, channel, total } = head
  const { name, street, city, postal_code, country } = address
  const recipient = { email, name, street, city, postal_code, country }
  const payment = { total, fee: paymentFee(total), refunded: 0 }
  insert(db, 'orders', { order_id, placed_on: today, status: 'paid', ...recipient, channel, ...payment })
  for (const [index, { sku, title, quantity, price, cost }] of lines.entries())
    insert(db, 'order_lines', { order_id, line: index + 1, sku, title, quantity, price, cost })
}

const RESERVE = `UPDATE products SET reserved = min(on_hand, (SELECT coalesce(sum(l.quantity), 0)
  FROM orders o JOIN order_lines l ON l.order_id = o.order_id WHERE o.status = 'paid' AND l.sku = products.sku))`

/**
 * Recomputes the units reserved for waiting orders, never more than are in stock: of one product, or of all. Call it after every
 * change to the stock or to an order that is not shipped, so that the number cannot drift.
 */
export const updateReserved = (db: DatabaseSync, sku?: string): void => {
  if (sku !== undefined) return run(db, `${RESERVE} WHERE sku = ?`, sku)
  const waiting = "SELECT l.sku FROM orders o JOIN order_lines l ON l.order_id = o.order_id WHERE o.status = 'paid'"
  run(db, `${RESERVE} WHERE reserved > 0 OR sku IN (${waiting})`)
}
