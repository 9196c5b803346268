/** The books port: sales by day, the input of reports and forecasts. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'

export interface SalesDay {
  readonly day: Day
  readonly sku: string
  readonly channel: string
  readonly visits: number
  readonly orders: number
  readonly units: number
  readonly revenue: Cents
  /** goods, shipping and payment fees of everything sold */
  readonly cost: Cents
  /** the payment fees within the cost; undefined where the shop does not know them */
  readonly fees?: Cents
  readonly refunds: Cents
}

export interface Books {
  /** by day, product and channel, oldest first */
  sales(where: { from: Day; to: Day; sku?: string }): Promise<readonly SalesDay[]>
  /** the first recorded day */
  firstDay(): Promise<Day>
}
