/** All that is known of a product's stock: what is there, what is promised and coming, and what its sales say about it. */
import { addDays, type Day, daysBetween } from '../../day.ts'
import type { Product, SalesDay, Shop, Stock } from '../../ports.ts'
import { type Cover, coverOf, type Demand, demandOf, orderQuantity, reorderPointOf } from './demand.ts'

/** Four whole weeks: every weekday counts the same. */
export const SALES_DAYS = 28

export interface StockStatus {
  readonly product: Product
  readonly stock: Stock
  readonly available: number
  readonly incomingUnits: number
  readonly demand: Demand
  readonly cover: Cover
  /** undefined: no supplier says how long it takes */
  readonly lead_days: number | undefined
  readonly reorder_point: number | undefined
  readonly orderQuantity: number
}

export async function readStockStatus(shop: Shop, product: Product): Promise<StockStatus | undefined> {
  const [stock, today] = await Promise.all([shop.orders.stock(product.sku), shop.clock.today()])
  if (stock === undefined) return undefined
  const from = addDays(today, -SALES_DAYS)
  const [sales, offers] = await Promise.all([
    shop.books.sales({ from, to: addDays(today, -1), sku: product.sku }),
    shop.suppliers.offers({ product_id: product.product_id }),
  ])
  const lead = offers.find(({ supplier }) => supplier.supplier_id === product.supplier_id)?.lead_days
  return stockStatus(product, stock, dailySales(product, sales, today), lead)
}

export function stockStatus(
  product: Product,
  stock: Stock,
  daily: readonly number[],
  lead: number | undefined,
): StockStatus {
  const available = stock.on_hand - stock.reserved
  const coming = stock.incoming.reduce((sum, { quantity }) => sum + quantity, 0)
  const demand = demandOf(daily)
  const reorder_point = lead === undefined ? undefined : reorderPointOf(demand, lead)
  return {
    ...{ product, stock, available, incomingUnits: coming, demand, lead_days: lead, reorder_point },
    cover: coverOf(available, demand),
    orderQuantity: reorder_point === undefined ? 0 : orderQuantity(available + coming, reorder_point, demand),
  }
}

/** Units of each of the last days, the oldest first. Days before it was on sale are none of its days. */
export function dailySales(product: Product, sales: readonly SalesDay[], today: Day): number[] {
  const age = Math.max(0, daysBetween(product.created_on, today))
  const days = Math.min(SALES_DAYS, age)
  const daily = Array.from({ length: days }, () => 0)
  for (const { day, sku, units } of sales) {
    const at = days - daysBetween(day, today)
    if (sku === product.sku && at >= 0 && at < days) daily[at] = (daily[at] ?? 0) + units
  }
  return daily
}
