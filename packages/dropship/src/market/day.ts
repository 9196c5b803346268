/**
 * Simulates the market day by day, each day in one transaction:
 * 1. Deliveries arrive, and the simulated staff work if they are switched on.
 * 2. Rivals change their prices, shoppers visit and buy, ads bring orders.
 * 3. Customers write tickets, and promised refunds are paid.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../day.ts'
import { openTickets, type VisitedProduct } from './after-sales/concerns.ts'
import { receiveDeliveries } from './after-sales/delivery.ts'
import { refundRate } from './after-sales/refund-rate.ts'
import { settleTickets } from './after-sales/remedies.ts'
import { dayNumber, weekdayOf } from './calendar.ts'
import { type Market, readMarket } from './market.ts'
import { simulateAds } from './sales/ads.ts'
import { updateReserved } from './sales/place-orders.ts'
import { type ListingDays, moveRivals, writeListingDays } from './sales/rivals.ts'
import { productsOnSale, readShelf } from './sales/shelf.ts'
import { simulateShoppers } from './sales/shoppers.ts'
import { doStaffWork } from './staff/staff.ts'
import { all, inTransaction, readMeta, run } from './statements.ts'

/** Amounts are in cents. `paused_days` are days without sales because of too many refunds. */
const ZERO = {
  days: 0,
  visits: 0,
  orders: 0,
  revenue: 0,
  spend: 0,
  tickets: 0,
  refunds: 0,
  refunded: 0,
  paused_days: 0,
}

/** `from` and `to` are the first and the last simulated day. */
export type SimulationSummary = Readonly<typeof ZERO & { from: Day; to: Day }>

export interface SimulationOptions {
  /** true: simulated staff ship orders and answer tickets; false: that is left to the agents */
  readonly operate?: boolean
}

type Sum = { -readonly [Name in keyof SimulationSummary]: SimulationSummary[Name] }

export const simulateDays = (
  db: DatabaseSync,
  days: number,
  { operate = false }: SimulationOptions = {},
): SimulationSummary => {
  if (!Number.isInteger(days) || days < 0)
    throw new RangeError(`The number of days must be a whole number of at least 0, not ${days}.`)
  const market = readMarket(db)
  const from = readMeta(db, 'today')
  const sum = emptySummary(from)
  const seen: ListingDays = []
  for (let at = 0; at < days; at++) {
    inTransaction(db, () => {
      simulateDay(market, sum, seen, { operate, show: true })
      writeListingDays(market, seen)
    })
  }
  return sum
}

export const emptySummary = (from: Day): Sum => ({ from, to: addDays(from, -1), ...ZERO })

interface DayOptions {
  readonly operate: boolean
  /** whether to publish the rivals' current state; a history needs only its last days */
  readonly show: boolean
}

/** Adds the public estimates of the day's sales to `seen`, for the caller to write. */
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
  updateReserved(db)
  supply(market, today)
  run(db, "UPDATE meta SET value = ? WHERE name = 'today'", addDays(today, 1))
  sum.to = today
  for (const counts of [came, ads, settled, { days: 1, tickets, paused_days: paused ? 1 : 0 }])
    for (const [name, count] of Object.entries(counts)) sum[name as 'days'] += count
}

const visitedToday = (market: Market, today: Day): VisitedProduct[] =>
  all(
    market.db,
    'SELECT v.sku, p.title, sum(v.visits) AS visits FROM visits v JOIN products p ON p.sku = v.sku WHERE v.day = ? GROUP BY v.sku ORDER BY v.sku',
    today,
  )

/** On Mondays suppliers restock what is running out. */
const supply = (market: Market, today: Day): void => {
  if (weekdayOf(dayNumber(today)) === 0) run(market.db, 'UPDATE offers SET stock = stock + 80 WHERE stock < 40')
}
