/**
 * What was sold, day by day, from the orders themselves. Visits stay 0: the Admin API does not count them. The cost is that of the
 * goods and their shipping; what the payment provider took is not known here. Test orders, and those not paid, earned nothing.
 */
import { addDays, type Day } from '../day.ts'
import type { Books, Product, SalesDay } from '../ports.ts'
import type { AdminApi } from './api/admin-api.ts'
import { searchTerm } from './api/connections.ts'
import { isPaidFor, orderNodes, toOrder } from './orders/read-orders.ts'

type Entry = { -readonly [Name in keyof SalesDay]: SalesDay[Name] }

export const books = (admin: AdminApi, products: () => Promise<readonly Product[]>, today: () => Day): Books => ({
  sales: async ({ from, to, sku }) => {
    const costs = new Map((await products()).map((product) => [product.sku, product.unit + product.shipping]))
    const entries = new Map<string, Entry>()
    const query = `${searchTerm('created_at', `${from}T00:00:00Z`, '>=')} AND ${searchTerm('created_at', `${addDays(to, 1)}T00:00:00Z`, '<')}`
    for await (const { node } of orderNodes(admin, { query, reverse: false })) {
      const order = toOrder(node)
      if (order.status === 'cancelled' || node.test || !isPaidFor(node)) continue
      const refunds = sharesOf(order.refunded, order.lines)
      for (const [at, line] of order.lines.entries()) {
        if (sku !== undefined && line.sku !== sku) continue
        const into = entryOf(entries, order.placed_on, line.sku, order.channel)
        // An order of several products is one order: it counts with its first.
        if (at === 0) into.orders++
        into.units += line.quantity
        into.revenue += line.quantity * line.price
        into.cost += line.quantity * (costs.get(line.sku) ?? 0)
        into.refunds += refunds[at] ?? 0
      }
    }
    return [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
  },
  firstDay: async () => {
    for await (const { node } of orderNodes(admin, { reverse: false, first: 1 })) return node.createdAt.slice(0, 10)
    return today()
  },
})

function entryOf(entries: Map<string, Entry>, day: Day, sku: string, channel: string): Entry {
  const name = `${day}\0${sku}\0${channel}`
  const known = entries.get(name)
  if (known !== undefined) return known
  const made = { day, sku, channel, visits: 0, orders: 0, units: 0, revenue: 0, cost: 0, refunds: 0 }
  entries.set(name, made)
  return made
}

/** What was paid back, over the lines by what each sold for; the parts add up to it. */
function sharesOf(amount: number, lines: readonly { readonly quantity: number; readonly price: number }[]): number[] {
  const whole = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  let passed = 0
  let before = 0
  return lines.map(({ quantity, price }) => {
    passed += quantity * price
    const until = whole === 0 ? 0 : Math.round((amount * passed) / whole)
    const part = until - before
    before = until
    return part
  })
}
