/** The port of books: what happened day by day, for reports and forecasts. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'

/** What happened in the shop, day by day; the raw material of reports and forecasts. */
export interface SalesDay {
  readonly day: Day
  readonly sku: string
  readonly channel: string
  readonly visits: number
  readonly orders: number
  readonly units: number
  readonly revenue: Cents
  /** goods, shipping and payment fees of what was sold */
  readonly cost: Cents
  /** of the cost, what the payment provider took; undefined where the shop does not know it apart */
  readonly fees?: Cents
  readonly refunds: Cents
}

export interface Books {
  /** by day, product and channel, oldest first */
  sales(where: { from: Day; to: Day; sku?: string }): Promise<readonly SalesDay[]>
  /** the first day that is on the books */
  firstDay(): Promise<Day>
}
