/**
 * Whether the shop may sell: above a rate of refunds it may not (meta pause_sales_above). The rate is what was paid back in the last
 * thirty days over what was taken on the last thirty days that sold anything, so that a pause does not feed on itself by leaving
 * nothing to compare with. One dear parcel, or two unlucky ones, decide nothing: the share of orders paid back must be above the
 * limit too, and by more than chance explains (Wilson's interval); fewer than 20 orders are not judged at all.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../../day.ts'
import { first, readMeta } from '../statements.ts'

export const REFUND_WINDOW_DAYS = 30
export const ORDERS_TO_JUDGE = 20
/** Nine times out of ten, a shop that is judged so does pay back more than the limit. */
const SURE = 1.2816

/** The least share of successes that so many out of so many speak for (Wilson 1927), one-sided. */
export const leastShare = (successes: number, tries: number): number => {
  // what is paid back may be of orders from before the days that are counted
  const found = Math.min(1, successes / tries)
  const slack = SURE ** 2 / tries
  const spread = Math.sqrt((found * (1 - found) * SURE ** 2 + (SURE ** 2 * slack) / 4) / tries)
  return (found + slack / 2 - spread) / (1 + slack)
}

export interface RefundRate {
  readonly orders: number
  readonly revenue: number
  readonly refunded: number
  /** orders that were paid back, in whole or in part */
  readonly returned: number
  readonly rate: number
  readonly limit: number
  readonly paused: boolean
}

/** As of the end of `day`. */
export const refundRate = (db: DatabaseSync, day: Day): RefundRate => {
  const sold = first<{ orders: number; revenue: number }>(
    db,
    `SELECT count(*) AS orders, coalesce(sum(total), 0) AS revenue FROM orders WHERE placed_on <= ?1 AND placed_on > coalesce(
       (SELECT DISTINCT placed_on FROM orders WHERE placed_on <= ?1 ORDER BY placed_on DESC LIMIT 1 OFFSET ${REFUND_WINDOW_DAYS}), '')`,
    day,
  ) ?? { orders: 0, revenue: 0 }
  const back = first<{ refunded: number; returned: number }>(
    db,
    'SELECT coalesce(sum(amount), 0) AS refunded, count(DISTINCT order_id) AS returned FROM refunds WHERE day > ? AND day <= ?',
    addDays(day, -REFUND_WINDOW_DAYS),
    day,
  ) ?? { refunded: 0, returned: 0 }
  const limit = Number(readMeta(db, 'pause_sales_above'))
  const rate = sold.revenue === 0 ? 0 : back.refunded / sold.revenue
  const judged = sold.orders >= ORDERS_TO_JUDGE && rate > limit
  return { ...sold, ...back, rate, limit, paused: judged && leastShare(back.returned, sold.orders) > limit }
}
