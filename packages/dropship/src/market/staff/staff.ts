/**
 * Simulated staff, for the history and for runs without agents. In the morning they answer the tickets of the day before, ship orders and
 * restock. They follow the policies and know the true intent of every ticket.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays } from '../../day.ts'
import type { Order, Product, Purchase, Reply, Ticket } from '../../ports.ts'
import { CANCELLED_AFTER_DAYS } from '../after-sales/remedies.ts'
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { diceFor, integerBetween, pick } from '../random.ts'
import { all, first, insert, nextId, run } from '../statements.ts'
import { staffReply, type TicketToAnswer } from './staff-replies.ts'

const CARRIERS = ['Parcel Post', 'Blue Courier', 'Swift Freight', 'Home Delivery']
export const SHELF_DAYS = 3

export const doStaffWork = (market: Market, today: string): void => {
  answerTickets(market, today)
  shipOrders(market, today)
  restock(market, today)
}

type OpenTicket = TicketToAnswer & Pick<Ticket, 'ticket_id' | 'email' | 'subject'> & Pick<Reply, 'sentiment'>

const OPEN = `SELECT t.ticket_id, t.email, t.subject, t.order_id, o.name, o.status, s.arrives_on, h.intent, h.sentiment
  FROM tickets t JOIN hidden_tickets h ON h.ticket_id = t.ticket_id
  LEFT JOIN orders o ON o.order_id = t.order_id LEFT JOIN shipments s ON s.order_id = t.order_id
  WHERE t.status = 'open' ORDER BY length(t.ticket_id), t.ticket_id`

const answerTickets = (market: Market, today: string): void => {
  for (const ticket of all<OpenTicket>(market.db, OPEN)) {
    const dice = diceFor(market.seed, dayNumber(today), ticket.ticket_id, 'answer')
    const { body, actions } = staffReply(dice, ticket)
    const { ticket_id, intent, sentiment, email, subject } = ticket
    const reply = { ticket_id, made_on: today, intent, sentiment, confidence: 1, body, sent: 1 }
    insert(market.db, 'replies', { ...reply, actions: JSON.stringify(actions) })
    run(market.db, "UPDATE tickets SET status = 'answered' WHERE ticket_id = ?", ticket_id)
    insert(market.db, 'messages', { day: today, email, subject: `Re: ${subject}`, body, about: ticket_id })
  }
}

type Bought = Pick<Product, 'sku' | 'product_id' | 'supplier_id' | 'unit' | 'shipping'> & {
  quantity: number
  lead_days: number | null
}
type Unshipped = Bought & Pick<Order, 'placed_on' | 'email'> & { order_id: number; name: string; title: string }

const UNSHIPPED = `SELECT o.order_id, o.placed_on, o.email, o.name, l.sku, l.title, l.quantity, p.product_id, p.supplier_id, p.unit, p.shipping, f.lead_days
  FROM orders o JOIN order_lines l ON l.order_id = o.order_id JOIN products p ON p.sku = l.sku
  LEFT JOIN offers f ON f.product_id = p.product_id AND f.supplier_id = p.supplier_id
  WHERE o.status = 'paid' AND o.order_id NOT IN (
    SELECT t.order_id FROM tickets t JOIN hidden_tickets h ON h.ticket_id = t.ticket_id
    WHERE t.status IN ('open', 'answered', 'with a human', 'closed') AND t.opened_on >= ? AND t.order_id IS NOT NULL AND h.intent = 'cancel_order')
  ORDER BY o.order_id, l.line`

/** Ships all paid orders, or only the lines of one product. A line comes entirely from stock or entirely from the supplier. */
export const shipOrders = (market: Market, today: string, only?: string): void => {
  // No order waits longer than this, so older tickets cannot be about a waiting order.
  const open = all<Unshipped>(market.db, UNSHIPPED, addDays(today, -CANCELLED_AFTER_DAYS - 1))
  const wanted = only === undefined ? open : open.filter((line) => line.sku === only)
  const orders = Map.groupBy(wanted, (line) => line.order_id)
  for (const [order_id, lines] of orders) shipOrder(market, today, order_id, lines)
}

const shipOrder = (market: Market, today: string, order_id: number, lines: readonly Unshipped[]): void => {
  const [head] = lines
  if (head === undefined) return
  const days = lines.map((line) =>
    takeFromShelf(market, today, line) ? SHELF_DAYS : buy(market, today, line, line.order_id),
  )
  const bought = first<{ one: number }>(market.db, 'SELECT 1 AS one FROM purchases WHERE order_id = ?', order_id)
  const dice = diceFor(market.seed, dayNumber(head.placed_on), head.email, 'parcel')
  const tracking = `MX${integerBetween(dice, 10_000, 99_999)}${integerBetween(dice, 10_000, 99_999)}`
  const carrier = pick(dice, CARRIERS)
  const arrives_on = addDays(today, Math.max(...days))
  insert(market.db, 'shipments', { order_id, carrier, tracking, shipped_on: today, arrives_on })
  const status = bought === undefined ? 'shipped' : 'ordered'
  run(market.db, 'UPDATE orders SET status = ? WHERE order_id = ?', status, order_id)
  const body = `Hello ${head.name}, your order ${order_id} (${lines.map((line) => line.title).join(', ')}) is on its way with ${carrier}, tracking ${tracking}. It should be with you by ${arrives_on}.`
  const subject = `Your order ${order_id} is on its way`
  insert(market.db, 'messages', { day: today, email: head.email, subject, body, about: String(order_id) })
}

const takeFromShelf = (market: Market, today: string, line: Unshipped): boolean => {
  const now = first<{ on_hand: number }>(market.db, 'SELECT on_hand FROM products WHERE sku = ?', line.sku)
  if (now === undefined || now.on_hand < line.quantity) return false
  run(market.db, 'UPDATE products SET on_hand = on_hand - ? WHERE sku = ?', line.quantity, line.sku)
  const why = `order ${line.order_id} shipped`
  insert(market.db, 'stock_moves', { sku: line.sku, day: today, change: -line.quantity, why })
  return true
}

/** Writes a purchase for an order, or for the stock. Returns the days until it arrives. */
export const writePurchase = (
  db: DatabaseSync,
  today: string,
  line: Bought,
  order_id: number | null,
  status: Purchase['status'] = 'under way',
): number => {
  const lead = line.lead_days ?? 14
  const { supplier_id, sku, quantity, unit, shipping } = line
  const purchase_id = nextId(db, 'purchases')
  const purchase = { purchase_id, supplier_id, sku, quantity, unit, shipping, total: quantity * (unit + shipping) }
  const dates = { placed_on: today, arrives_on: addDays(today, lead) }
  insert(db, 'purchases', { ...purchase, ...dates, order_id, status })
  return lead
}

const buy = (market: Market, today: string, line: Bought, order_id: number | null): number => {
  const { supplier_id, product_id, quantity } = line
  const take = 'UPDATE offers SET stock = max(0, stock - ?) WHERE supplier_id = ? AND product_id = ?'
  run(market.db, take, quantity, supplier_id, product_id)
  return writePurchase(market.db, today, line, order_id)
}

const LOW = `SELECT p.sku, p.product_id, p.supplier_id, p.unit, p.shipping, 3 * p.reorder_point AS quantity, f.lead_days
  FROM products p LEFT JOIN offers f ON f.product_id = p.product_id AND f.supplier_id = p.supplier_id
  WHERE p.reorder_point > 0 AND p.status = 'active' AND p.created_on <= ? AND p.on_hand < p.reorder_point AND p.on_hand + coalesce(
    (SELECT sum(b.quantity) FROM purchases b WHERE b.sku = p.sku AND b.status = 'under way' AND b.order_id IS NULL), 0) < p.reorder_point
  ORDER BY p.sku`

const restock = (market: Market, today: string): void => {
  for (const line of all<Bought>(market.db, LOW, today)) buy(market, today, line, null)
}
