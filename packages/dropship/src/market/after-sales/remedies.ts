/**
 * What follows from tickets and from orders that nobody ships. A promised refund is paid some days later. A justified ticket without an
 * answer becomes a chargeback. An order not shipped for 30 days is cancelled and refunded.
 */
import { addDays } from '../../day.ts'
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { diceFor } from '../random.ts'
import { all, first, insert, run } from '../statements.ts'
import { JUSTIFIED, openTicket } from './letters/write-letter.ts'

export const CANCELLED_AFTER_DAYS = 30
export const CHARGEBACK_AFTER_DAYS = 14
const CLOSED_AFTER_DAYS = 7
/** A draft for a person is sent after this many days. */
const HUMAN_DAYS = 2
/** Days from the reply until the money is paid. Returns take longer. */
const PAID_AFTER = { refund: 3, return: 9, cancel: 1, replacement: 2 } as const
type Remedy = keyof typeof PAID_AFTER

/** The share of return labels that are used. */
const SENT_BACK = 0.88
/** The share of justified complaints that become a chargeback when they are answered without a remedy. */
const NOT_SATISFIED = 0.5
const OWED = ['damaged_item', 'wrong_item', 'return_request']

interface Row {
  ticket_id: string
  opened_on: string
  status: string
  email: string
  order_id: number | null
  intent: string
  made_on: string | null
  actions: string | null
  sent: number | null
}

const TICKETS = `SELECT t.ticket_id, t.opened_on, t.status, t.email, t.order_id, h.intent, r.made_on, r.actions, r.sent
  FROM tickets t JOIN hidden_tickets h ON h.ticket_id = t.ticket_id LEFT JOIN replies r ON r.ticket_id = t.ticket_id
  WHERE t.status IN ('open', 'answered', 'with a human') AND t.opened_on >= ? ORDER BY length(t.ticket_id), t.ticket_id`

/** The actions of replies that cost money, the most expensive first: a customer with a choice takes the money. */
const REMEDIES = ['refund', 'return', 'cancel', 'replacement'] as const

/** The first of them that a reply's actions contain. */
const remedyOf = (actions: string): Remedy | undefined => {
  const named = (JSON.parse(actions) as { action: string }[]).map(({ action }) => action)
  return REMEDIES.find((remedy) => named.includes(remedy))
}

/** Returns the number and the amount of refunds, and the tickets that follow. */
export const settleTickets = (
  market: Market,
  today: string,
): { refunds: number; refunded: number; tickets: number } => {
  const sum = { refunds: 0, refunded: 0, tickets: 0 }
  const pay = (order_id: number | null, reason: string, share: 'all' | 'goods', status: string): void => {
    const amount = order_id === null ? 0 : payBack(market, today, order_id, reason, share, status)
    if (amount === 0) return
    sum.refunds++
    sum.refunded += amount
  }
  const now = dayNumber(today)
  for (const row of all<Row>(market.db, TICKETS, addDays(today, -60))) {
    if (row.made_on === null || row.actions === null) settleUnanswered(market, row, now, pay)
    else {
      const sentOn = dayNumber(row.made_on) + (row.sent === 1 ? 0 : HUMAN_DAYS)
      sum.tickets += settleAnswered(market, today, row, sentOn, row.actions, pay)
    }
  }
  const old = all<{ order_id: number }>(
    market.db,
    "SELECT order_id FROM orders WHERE status = 'paid' AND placed_on <= ? ORDER BY order_id",
    addDays(today, -CANCELLED_AFTER_DAYS),
  )
  for (const { order_id } of old) pay(order_id, `not shipped within ${CANCELLED_AFTER_DAYS} days`, 'all', 'cancelled')
  return sum
}

type Pay = (order_id: number | null, reason: string, share: 'all' | 'goods', status: string) => void

const settleUnanswered = (market: Market, row: Row, now: number, pay: Pay): void => {
  if (now !== dayNumber(row.opened_on) + CHARGEBACK_AFTER_DAYS || !JUSTIFIED.includes(row.intent)) return
  pay(row.order_id, `chargeback: ticket ${row.ticket_id} was not answered`, 'all', 'refunded')
  run(market.db, "UPDATE tickets SET status = 'closed' WHERE ticket_id = ?", row.ticket_id)
}

/** Returns the number of new tickets: some customers ask where their money is. */
const settleAnswered = (market: Market, today: string, row: Row, sentOn: number, actions: string, pay: Pay): number => {
  const now = dayNumber(today)
  const dice = diceFor(market.seed, dayNumber(row.opened_on), row.email, 'remedy')
  const [sendsBack, satisfied, asks] = [dice(), dice(), dice()]
  const remedy = remedyOf(actions)
  let tickets = 0
  if (remedy !== undefined && now === sentOn + PAID_AFTER[remedy]) {
    const cancelled = remedy === 'cancel' && isPaid(market, row.order_id)
    if (remedy !== 'return' || sendsBack < SENT_BACK)
      pay(
        row.order_id,
        `${remedy}: ticket ${row.ticket_id}`,
        remedy === 'replacement' ? 'goods' : 'all',
        cancelled ? 'cancelled' : 'refunded',
      )
  }
  if (
    remedy === undefined &&
    now === sentOn + CHARGEBACK_AFTER_DAYS / 2 &&
    OWED.includes(row.intent) &&
    satisfied < NOT_SATISFIED
  )
    pay(row.order_id, `chargeback: ticket ${row.ticket_id} was not made good`, 'all', 'refunded')
  if (remedy === 'return' && now === sentOn + 6 && asks < 0.25) tickets += askForMoney(market, today, row)
  if (now >= sentOn + closesAfter(remedy))
    run(market.db, "UPDATE tickets SET status = 'closed' WHERE ticket_id = ?", row.ticket_id)
  return tickets
}

const closesAfter = (remedy: Remedy | undefined): number =>
  Math.max(CLOSED_AFTER_DAYS, remedy === undefined ? 0 : PAID_AFTER[remedy])

const isPaid = (market: Market, order_id: number | null): boolean =>
  first<{ status: string }>(market.db, 'SELECT status FROM orders WHERE order_id = ?', order_id)?.status === 'paid'

const askForMoney = (market: Market, today: string, row: Row): number => {
  const order = first<{ name: string; title: string }>(
    market.db,
    'SELECT o.name, l.title FROM orders o JOIN order_lines l ON l.order_id = o.order_id AND l.line = 1 WHERE o.order_id = ?',
    row.order_id,
  )
  const { order_id, email } = row
  if (order === undefined || order_id === null) return 0
  const { name, title: product } = order
  openTicket(market, today, { intent: 'refund_status', sentiment: 'unhappy', days: 6, email, order_id, name, product })
  return 1
}

/** Refunds the rest of the order, or the cost of its goods where a replacement is sent. Returns the amount, 0 if nothing is left. */
const payBack = (
  market: Market,
  today: string,
  order_id: number,
  reason: string,
  share: 'all' | 'goods',
  status: string,
): number => {
  const order = first<{ left: number; goods: number }>(
    market.db,
    `SELECT o.total - o.refunded AS left, (SELECT sum(cost) FROM order_lines l WHERE l.order_id = o.order_id) AS goods
     FROM orders o WHERE o.order_id = ? AND o.status NOT IN ('cancelled', 'refunded')`,
    order_id,
  )
  const amount = order === undefined ? 0 : share === 'all' ? order.left : Math.min(order.left, order.goods)
  if (amount <= 0) return 0
  insert(market.db, 'refunds', { order_id, day: today, amount, reason })
  run(market.db, 'UPDATE orders SET refunded = refunded + ? WHERE order_id = ?', amount, order_id)
  if (share === 'all') run(market.db, 'UPDATE orders SET status = ? WHERE order_id = ?', status, order_id)
  return amount
}
