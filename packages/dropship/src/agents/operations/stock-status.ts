/** The stock of a product: on hand, reserved and incoming units, and how long they last at the current rate of sales. */

import { addDays, type Day, daysBetween } from '../../day.ts'
import { sum } from '../../figures.ts'
import type { Product, SalesDay, Shop, Stock } from '../../ports.ts'
import { type Cover, coverOf, type Demand, demandOf, orderQuantity, reorderPointOf } from './demand.ts'

/** Four whole weeks, so that every weekday counts the same. */
export const SALES_DAYS = 28

export interface StockStatus {
  readonly product: Product
  readonly stock: Stock
  readonly available: number
  readonly incomingUnits: number
  readonly demand: Demand
  readonly cover: Cover
  /** undefined if its supplier states no lead time */
  readonly lead_days: number | undefined
  readonly reorder_point: number | undefined
  readonly orderQuantity: number
}

/** The days whose sales count, ending yesterday. */
export const salesRange = (today: Day) => ({ from: addDays(today, -SALES_DAYS), to: addDays(today, -1) })

/** `sales` may hold the sales of other products too; by default those of the product are read. Undefined if it is not in the shop. */
export async function readStockStatus(
  shop: Shop,
  product: Product,
  sales?: readonly SalesDay[],
): Promise<StockStatus | undefined> {
  const { sku, product_id, supplier_id } = product
  const [stock, today, offers] = await Promise.all([
    shop.orders.stock(sku),
    shop.clock.today(),
    shop.suppliers.offers({ product_id }),
  ])
  if (stock === undefined) return undefined
  const lead_days = offers.find(({ supplier }) => supplier.supplier_id === supplier_id)?.lead_days
  const available = stock.on_hand - stock.reserved
  const incomingUnits = sum(stock.incoming, ({ quantity }) => quantity)
  const recent = sales ?? (await shop.books.sales({ ...salesRange(today), sku }))
  const demand = demandOf(dailySales(product, recent, today))
  const reorder_point = lead_days === undefined ? undefined : reorderPointOf(demand, lead_days)
  return {
    ...{ product, stock, available, incomingUnits, demand, lead_days, reorder_point },
    cover: coverOf(available, demand),
    orderQuantity: reorder_point === undefined ? 0 : orderQuantity(available + incomingUnits, reorder_point, demand),
  }
}

/** Units of each recent day, oldest first, without the days before the product was on sale. */
function dailySales(product: Product, sales: readonly SalesDay[], today: Day): number[] {
  const age = Math.max(0, daysBetween(product.created_on, today))
  const days = Math.min(SALES_DAYS, age)
  const daily = Array.from({ length: days }, () => 0)
  for (const { day, sku, units } of sales) {
    const at = days - daysBetween(day, today)
    if (sku === product.sku && at >= 0 && at < days) daily[at] = (daily[at] ?? 0) + units
  }
  return daily
}
