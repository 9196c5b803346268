/**
 * The books port of a Shopify shop, from its orders. Visits stay 0, because the Admin API does not count them. The cost covers goods
 * and their shipping but not the payment fees, which are unknown here. Test orders and unpaid orders do not count.
 */
import type { Day } from '../day.ts'
import { SalesTotals, splitByValue } from '../ports/sales-totals.ts'
import type { Books, Product } from '../ports.ts'
import type { AdminApi } from './api/admin-api.ts'
import { createdBetween, isPaidFor, orderNodes, toOrder } from './orders/read-orders.ts'

export const books = (admin: AdminApi, products: () => Promise<readonly Product[]>, today: () => Day): Books => ({
  sales: async ({ from, to, sku }) => {
    const costs = new Map((await products()).map((product) => [product.sku, product.unit + product.shipping]))
    const totals = new SalesTotals({ knowsFees: false })
    const query = createdBetween(from, to).join(' AND ')
    for await (const { node } of orderNodes(admin, { query, reverse: false })) {
      const { status, placed_on, channel, lines, refunded } = toOrder(node)
      if (status === 'cancelled' || node.test || !isPaidFor(node)) continue
      const refunds = splitByValue(refunded, lines)
      const sold = lines.map((line, index) => {
        const cost = line.quantity * (costs.get(line.sku) ?? 0)
        return { ...line, cost, refunds: refunds[index] ?? 0 }
      })
      totals.addOrder(placed_on, channel, sold)
    }
    return totals.days(sku)
  },
  firstDay: async () => {
    for await (const { node } of orderNodes(admin, { reverse: false, first: 1 })) return node.createdAt.slice(0, 10)
    return today()
  },
})
