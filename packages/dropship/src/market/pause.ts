/**
 * Whether the shop may sell: above a rate of refunds it may not (meta pause_sales_above). The rate is what was paid back in the last
 * thirty days over what was taken on the last thirty days that sold anything, so that a pause does not feed on itself by leaving
 * nothing to compare with. A shop with fewer than 20 orders in that time is not judged: one parcel would decide.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../day.ts'
import { first, metaOf } from './statements.ts'

export const REFUND_WINDOW_DAYS = 30
export const ORDERS_TO_JUDGE = 20

export interface RefundRate {
  readonly orders: number
  readonly revenue: number
  readonly refunded: number
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
  const back = first<{ refunded: number }>(
    db,
    'SELECT coalesce(sum(amount), 0) AS refunded FROM refunds WHERE day > ? AND day <= ?',
    addDays(day, -REFUND_WINDOW_DAYS),
    day,
  ) ?? { refunded: 0 }
  const limit = Number(metaOf(db, 'pause_sales_above'))
  const rate = sold.revenue === 0 ? 0 : back.refunded / sold.revenue
  return { ...sold, ...back, rate, limit, paused: sold.orders >= ORDERS_TO_JUDGE && rate > limit }
}
