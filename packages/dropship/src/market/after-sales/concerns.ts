/**
 * Decides which customers write today, and about what. No state is kept from day to day: an order's dice and dates determine the one day
 * on which each ticket is opened, so the result does not depend on how the days are simulated.
 */
import { addDays } from '../../day.ts'
import type { Intent, Product, Sentiment } from '../../ports.ts'
import { dayNumber } from '../calendar.ts'
import type { Market } from '../market.ts'
import { binomial, diceFor, pick, poisson } from '../random.ts'
import { drawCustomer } from '../sales/customers.ts'
import { allArrays, first } from '../statements.ts'
import type { HiddenOffer, HiddenProduct } from '../world/hidden-parameters.ts'
import { type LetterContext, openTicket } from './letters/write-letter.ts'
import { type OrderDice, rollOrderDice } from './order-dice.ts'

/** Nobody writes about an order that was delivered longer ago. */
const REMEMBERED_DAYS = 15
const INVOICE_AFTER_DAYS = 2
/** Days after which customers ask about an order that is not shipped, and after which they complain. */
const ASKED_AFTER_DAYS = 5
const COMPLAINED_AFTER_DAYS = 15
/** Customers ask for their money when a parcel is this late. */
const GIVEN_UP_AFTER_DAYS = 9

type Row = readonly [
  order_id: number,
  placed_on: string,
  email: string,
  shipped_on: string | null,
  arrives_on: string | null,
  delivered_on: string | null,
]

/** Orders that a customer may write about today: waiting, on their way, or recently delivered. The + stops SQLite from starting with all orders. */
const ORDERS = `SELECT order_id, placed_on, email, NULL, NULL, NULL FROM orders WHERE status = 'paid'
  UNION ALL SELECT o.order_id, o.placed_on, o.email, s.shipped_on, s.arrives_on, s.delivered_on
  FROM shipments s JOIN orders o ON o.order_id = s.order_id
  WHERE s.delivered_on IS NULL AND +o.status IN ('ordered', 'shipped', 'delivered')
  UNION ALL SELECT o.order_id, o.placed_on, o.email, s.shipped_on, s.arrives_on, s.delivered_on
  FROM shipments s JOIN orders o ON o.order_id = s.order_id
  WHERE s.delivered_on >= ? AND +o.status IN ('ordered', 'shipped', 'delivered') ORDER BY 1`

interface Detail {
  name: string
  title: string
  product_id: string | null
  supplier_id: string | null
}

/** Read only for customers who write. */
const DETAIL = `SELECT o.name, l.title, p.product_id, coalesce(b.supplier_id, p.supplier_id) AS supplier_id
  FROM orders o JOIN order_lines l ON l.order_id = o.order_id AND l.line = 1
  LEFT JOIN products p ON p.sku = l.sku LEFT JOIN purchases b ON b.order_id = o.order_id AND b.sku = l.sku
  WHERE o.order_id = ?`

type Concern = Pick<LetterContext, 'intent' | 'sentiment' | 'days'>

const moodOf = (dice: OrderDice, angry: number, unhappy: number): Sentiment =>
  dice.temper < angry ? 'angry' : dice.temper < angry + unhappy ? 'unhappy' : 'neutral'

const days = (from: string, now: number): number => now - dayNumber(from)
const spread = (die: number, many: number): number => Math.floor(die * many)

/** Before the order is shipped. */
const concernWhilePaid = (dice: OrderDice, age: number): Concern | undefined => {
  if (age === 0 && dice.errand < 0.004)
    return { intent: 'cancel_order', sentiment: moodOf(dice, 0.04, 0.12), days: age }
  if (age === 0 && dice.errand < 0.012)
    return { intent: 'change_address', sentiment: moodOf(dice, 0.02, 0.1), days: age }
  if (age === ASKED_AFTER_DAYS + spread(dice.patience, 4))
    return { intent: 'where_is_my_order', sentiment: moodOf(dice, 0.3, 0.4), days: age }
  if (age === COMPLAINED_AFTER_DAYS && dice.temper < 0.5)
    return { intent: 'complaint', sentiment: moodOf(dice, 0.35, 0.15), days: age }
  return undefined
}

const concernOnTheWay = (dice: OrderDice, overdue: number, shipped: number): Concern | undefined => {
  if (overdue === 1 + spread(dice.patience, 4) && dice.asks < 0.75)
    return { intent: 'where_is_my_order', sentiment: moodOf(dice, 0.2, 0.4), days: overdue }
  if (overdue === GIVEN_UP_AFTER_DAYS && dice.temper < 0.6)
    return { intent: 'complaint', sentiment: moodOf(dice, 0.45, 0.15), days: overdue }
  if (overdue < 0 && shipped === 2 + spread(dice.when, 5) && dice.asks > 0.95)
    return { intent: 'where_is_my_order', sentiment: moodOf(dice, 0.02, 0.1), days: shipped }
  return undefined
}

/** `goods` returns how often the product is defective or regretted. It is called only where the dice leave that open. */
const concernAfterDelivery = (dice: OrderDice, had: number, late: number, goods: () => Goods): Concern | undefined => {
  const mayBeBroken = dice.defect < MAX_DEFECT && had === spread(dice.when, 4) && dice.asks < 0.93
  if (mayBeBroken && dice.defect < goods().defect)
    return { intent: dice.kind < 0.72 ? 'damaged_item' : 'wrong_item', sentiment: moodOf(dice, 0.28, 0.45), days: had }
  const mayRegret = dice.remorse < MAX_REMORSE && had === 2 + spread(dice.when, 12)
  if (mayRegret && dice.remorse < goods().remorse && dice.defect >= goods().defect)
    return { intent: 'return_request', sentiment: moodOf(dice, 0.05, 0.3), days: had }
  if (late > 4 && had === 1 && dice.temper < 0.15)
    return { intent: 'complaint', sentiment: moodOf(dice, 0.1, 0.05), days: late }
  const pleased = dice.errand > 0.982 && had === 2 + spread(dice.when, 5) && dice.defect >= goods().defect
  return pleased ? { intent: 'praise', sentiment: 'happy', days: had } : undefined
}

type Goods = Pick<HiddenOffer, 'defect'> & Pick<HiddenProduct, 'remorse'>

/** The highest values that draw-world.ts draws. */
const MAX_DEFECT = 0.14
const MAX_REMORSE = 0.012

const goodsOf = (market: Market, { product_id, supplier_id }: Detail): Goods => {
  const hidden = product_id === null ? undefined : market.product(product_id)?.hidden
  const offer = supplier_id === null || product_id === null ? undefined : market.offer(supplier_id, product_id)
  return { defect: offer?.defect ?? 0.02, remorse: hidden?.remorse ?? 0.01 }
}

const detailOf = (market: Market, order_id: number): Detail => {
  const found = first<Detail>(market.db, DETAIL, order_id)
  if (found === undefined) throw new Error(`Order ${order_id} has no lines.`)
  return found
}

const concernOf = (market: Market, row: Row, now: number): Concern | undefined => {
  const [order_id, placed_on, email, shipped_on, arrives_on, delivered_on] = row
  const placed = dayNumber(placed_on)
  const dice = rollOrderDice(market.seed, placed, email)
  const age = now - placed
  if (age === INVOICE_AFTER_DAYS && dice.errand >= 0.012 && dice.errand < 0.03)
    return { intent: 'invoice', sentiment: moodOf(dice, 0.02, 0.08), days: age }
  if (shipped_on === null || arrives_on === null) return concernWhilePaid(dice, age)
  if (delivered_on === null) return concernOnTheWay(dice, days(arrives_on, now), days(shipped_on, now))
  const late = dayNumber(delivered_on) - dayNumber(arrives_on)
  return concernAfterDelivery(dice, days(delivered_on, now), late, () => goodsOf(market, detailOf(market, order_id)))
}

export type VisitedProduct = Pick<Product, 'sku' | 'title'> & { readonly visits: number }

/** Returns the number of new tickets. */
export const openTickets = (market: Market, today: string, visited: readonly VisitedProduct[]): number => {
  const now = dayNumber(today)
  let opened = 0
  for (const row of allArrays<Row>(market.db, ORDERS, addDays(today, -REMEMBERED_DAYS))) {
    const concern = concernOf(market, row, now)
    if (concern === undefined) continue
    const [order_id, , email] = row
    const { name, title } = detailOf(market, order_id)
    openTicket(market, today, { ...concern, email, name, order_id, product: title })
    opened++
  }
  return opened + openOtherTickets(market, today, visited)
}

/** Questions of visitors before they buy, and tickets that concern no order. */
const openOtherTickets = (market: Market, today: string, visited: readonly VisitedProduct[]): number => {
  const now = dayNumber(today)
  let opened = 0
  const ask = (subject: string, intent: Intent, sentiment: Sentiment, product: string): void => {
    const { email, address } = drawCustomer(diceFor(market.seed, now, subject, 'who asks'))
    openTicket(market, today, { intent, sentiment, days: 0, email, name: address.name, order_id: undefined, product })
    opened++
  }
  for (const { sku, title, visits } of visited) {
    const count = binomial(diceFor(market.seed, now, sku, 'questions'), visits, 0.0013)
    for (let at = 0; at < count; at++) ask(`${sku} question ${at}`, 'product_question', 'neutral', title)
  }
  if (visited.length === 0) return opened
  const dice = diceFor(market.seed, now, 'the shop', 'letters')
  const letters = poisson(dice, 0.06)
  for (let at = 0; at < letters; at++) ask(`letter ${at}`, 'other', 'neutral', pick(dice, visited).title)
  return opened
}
