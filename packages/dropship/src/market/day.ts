/**
 * One day of the market after the other. A day begins with what arrives and, where the shop's own people work, with their work; then
 * rivals move, shoppers come, customers write, and what was promised is paid. Each day is one transaction.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../day.ts'
import { openTickets } from './after-sales/concerns.ts'
import { receiveDeliveries } from './after-sales/delivery.ts'
import { refundRate } from './after-sales/refund-rate.ts'
import { settleTickets } from './after-sales/remedies.ts'
import { dayNumber, weekdayOf } from './calendar.ts'
import { type Market, readMarket } from './market.ts'
import { simulateAds } from './sales/ads.ts'
import { type ListingDays, moveRivals, writeListingDays } from './sales/rivals.ts'
import { productsOnSale, readShelf } from './sales/shelf.ts'
import { simulateShoppers } from './sales/shoppers.ts'
import { doStaffWork } from './staff/staff.ts'
import { all, readMeta, run } from './statements.ts'

export interface SimulationSummary {
  /** the first and the last day that were lived */
  readonly from: Day
  readonly to: Day
  readonly days: number
  readonly visits: number
  readonly orders: number
  /** cents, as all money here */
  readonly revenue: number
  readonly spend: number
  readonly tickets: number
  readonly refunds: number
  readonly refunded: number
  /** days on which nothing could be sold because of too many refunds */
  readonly paused_days: number
}

export interface SimulationOptions {
  /** true: the shop's own people ship and answer; else that is left to the fleet */
  readonly operate?: boolean
}

type Sum = { -readonly [Name in keyof SimulationSummary]: SimulationSummary[Name] }

export const simulateDays = (
  db: DatabaseSync,
  days: number,
  { operate = false }: SimulationOptions = {},
): SimulationSummary => {
  if (!Number.isInteger(days) || days < 0)
    throw new RangeError(`The number of days to simulate is a whole one from 0 up, not ${days}.`)
  const market = readMarket(db)
  const from = readMeta(db, 'today')
  const sum = emptySummary(from)
  const seen: ListingDays = []
  for (let at = 0; at < days; at++) {
    db.exec('BEGIN IMMEDIATE')
    try {
      simulateDay(market, sum, seen, { operate, show: true })
      writeListingDays(market, seen)
      db.exec('COMMIT')
    } catch (error) {
      // On a full disk SQLite has rolled back by itself; another ROLLBACK would fail and hide why.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return sum
}

export const emptySummary = (from: Day): Sum => ({
  from,
  to: addDays(from, -1),
  days: 0,
  visits: 0,
  orders: 0,
  revenue: 0,
  spend: 0,
  tickets: 0,
  refunds: 0,
  refunded: 0,
  paused_days: 0,
})

interface DayOptions {
  readonly operate: boolean
  /** whether what the public sees of rivals now is brought up to date; a history needs only its end */
  readonly show: boolean
}

/** What the public sees of the day's sales is added to `seen`, for the caller to write. */
export const simulateDay = (market: Market, sum: Sum, seen: ListingDays, { operate, show }: DayOptions): void => {
  const { db } = market
  const today = readMeta(db, 'today')
  receiveDeliveries(market, today)
  if (operate) doStaffWork(market, today)
  const shelf = readShelf(market, today)
  moveRivals(market, today, shelf, seen, show)
  const products = productsOnSale(today, shelf)
  const { paused } = refundRate(db, today)
  const came = simulateShoppers(market, today, products, paused)
  const ads = simulateAds(market, today, products, paused)
  const tickets = openTickets(market, today, visitedToday(market, today))
  const settled = settleTickets(market, today)
  updateReserved(market)
  supply(market, today)
  run(db, "UPDATE meta SET value = ? WHERE name = 'today'", addDays(today, 1))
  sum.to = today
  sum.days++
  sum.visits += came.visits + ads.visits
  sum.orders += came.orders + ads.orders
  sum.revenue += came.revenue + ads.revenue
  sum.spend += ads.spend
  sum.tickets += tickets + settled.tickets
  sum.refunds += settled.refunds
  sum.refunded += settled.refunded
  sum.paused_days += paused ? 1 : 0
}

const visitedToday = (market: Market, today: Day): { sku: string; title: string; visits: number }[] =>
  all(
    market.db,
    'SELECT v.sku, p.title, sum(v.visits) AS visits FROM visits v JOIN products p ON p.sku = v.sku WHERE v.day = ? GROUP BY v.sku ORDER BY v.sku',
    today,
  )

/** Promised is what is on hand for orders that wait, and never more than is there. */
export const updateReserved = (market: Market): void => {
  run(
    market.db,
    `UPDATE products SET reserved = min(on_hand, (SELECT coalesce(sum(l.quantity), 0) FROM orders o JOIN order_lines l ON l.order_id = o.order_id
       WHERE o.status = 'paid' AND l.sku = products.sku))
     WHERE reserved > 0 OR sku IN (SELECT l.sku FROM orders o JOIN order_lines l ON l.order_id = o.order_id WHERE o.status = 'paid')`,
  )
}

/** Suppliers make more of what runs out, on Mondays. */
const supply = (market: Market, today: Day): void => {
  if (weekdayOf(dayNumber(today)) === 0) run(market.db, 'UPDATE offers SET stock = stock + 80 WHERE stock < 40')
}
