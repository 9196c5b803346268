/**
 * Products whose available and incoming stock is at or below their reorder point, the one that runs out first at the top.
 * A product without a reorder point is not stocked: the supplier ships it.
 */
import { rounded, sum } from '../../../figures.ts'
import type { Product, Shop } from '../../../ports.ts'
import type { Report } from './report-schema.ts'
import type { Tally } from './tally.ts'

export async function stockWarnings(
  shop: Shop,
  products: readonly Product[],
  sold: ReadonlyMap<string, Tally>,
  days: number,
): Promise<Report['stock']> {
  const low = products.filter(
    ({ status, on_hand, reserved, reorder_point }) =>
      status === 'active' && reorder_point > 0 && on_hand - reserved <= reorder_point,
  )
  const rows = await Promise.all(
    low.map(async ({ sku, title, on_hand, reserved, reorder_point }) => {
      const stock = await shop.orders.stock(sku)
      const available = on_hand - reserved
      const units = sold.get(sku)?.units ?? 0
      return {
        sku,
        product_name: title,
        available,
        incoming: sum(stock?.incoming ?? [], ({ quantity }) => quantity),
        reorder_point,
        days_of_cover: units === 0 ? null : rounded((Math.max(0, available) / units) * days, 1),
      }
    }),
  )
  const cover = ({ days_of_cover }: Report['stock'][number]): number => days_of_cover ?? Number.POSITIVE_INFINITY
  return rows
    .filter(({ available, incoming, reorder_point }) => available + incoming <= reorder_point)
    .sort((a, b) => (cover(a) === cover(b) ? (a.sku < b.sku ? -1 : 1) : cover(a) - cover(b)))
}
