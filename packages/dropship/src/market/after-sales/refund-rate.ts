/**
 * Decides whether the shop may sell: not while the refund rate is above the limit (meta pause_sales_above). The rate divides the refunds of
 * the last thirty days by the sales of the last thirty days with sales, so that a pause cannot prolong itself. A few expensive or unlucky
 * orders do not count: the share of refunded orders must also be above the limit by more than chance explains (Wilson's interval), and
 * fewer than 20 orders are not judged.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../../day.ts'
import { first, readMeta } from '../statements.ts'

export const REFUND_WINDOW_DAYS = 30
export const ORDERS_TO_JUDGE = 20
/** The normal quantile of 0.9: nine of ten shops above the limit really refund too much. */
const SURE = 1.2816

/** The lower bound of a share, given its successes and tries (Wilson 1927, one-sided). */
export const leastShare = (successes: number, tries: number): number => {
  // Refunds may belong to orders from before the counted days.
  const found = Math.min(1, successes / tries)
  const slack = SURE ** 2 / tries
  const spread = Math.sqrt((found * (1 - found) * SURE ** 2 + (SURE ** 2 * slack) / 4) / tries)
  return (found + slack / 2 - spread) / (1 + slack)
}

/** As of the end of `day`. `returned` counts the orders refunded in full or in part. */
export const refundRate = (db: DatabaseSync, day: Day) => {
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
