/** Sales of every day in the books, including days without a sale: the input of a forecast. */
import { addDays, type Day, daysBetween } from '../../../day.ts'
import { closedDays } from '../../../forecast/index.ts'
import { toAmount } from '../../../money.ts'
import type { Shop } from '../../../ports.ts'

export interface SalesHistory {
  /** the first day; the last one is yesterday */
  readonly since: Day
  readonly units: readonly number[]
  /** in the shop's currency */
  readonly revenue: readonly number[]
  /** for every day: whether the shop was evidently closed, because it sold nothing for longer than chance explains */
  readonly closed: readonly boolean[]
}

/** Of the whole shop, or of one product from the day it was added. */
export async function salesHistory(
  shop: Shop,
  today: Day,
  product?: { readonly sku: string; readonly created_on: Day },
): Promise<SalesHistory> {
  const books = await shop.books.firstDay()
  const days = Math.max(0, daysBetween(books, today))
  const all = new Float64Array(days)
  const units = new Float64Array(days)
  const cents = new Float64Array(days)
  const rows = days > 0 ? await shop.books.sales({ from: books, to: addDays(today, -1) }) : []
  for (const row of rows) {
    const at = daysBetween(books, row.day)
    all[at] = (all[at] ?? 0) + row.units
    if (product !== undefined && row.sku !== product.sku) continue
    units[at] = (units[at] ?? 0) + row.units
    cents[at] = (cents[at] ?? 0) + row.revenue
  }
  const since = product !== undefined && product.created_on > books ? product.created_on : books
  const first = Math.min(days, daysBetween(books, since))
  return {
    since,
    units: [...units.subarray(first)],
    revenue: Array.from(cents.subarray(first), toAmount),
    closed: closedDays(all).slice(first),
  }
}
