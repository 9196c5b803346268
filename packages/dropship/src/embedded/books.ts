/**
 * What happened in the shop, by day, product and channel. Every cent of a fee and of a refund, and every order, is on exactly
 * one line.
 */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { Books, SalesDay } from '../ports.ts'
import type { Store } from './database/store.ts'

export const books = (store: Store): Books => ({
  sales: async (where) => store.read(() => sales(store, where)),
  firstDay: async () => store.meta('since') ?? store.today(),
})

type Where = Parameters<Books['sales']>[0]
type Entry = { -readonly [Name in keyof SalesDay]-?: SalesDay[Name] }

function sales(store: Store, where: Where): SalesDay[] {
  const entries = new Map<string, Entry>()
  const entry = (day: Day, sku: string, channel: string): Entry => {
    const name = `${day}\0${sku}\0${channel}`
    const found = entries.get(name)
    if (found !== undefined) return found
    const made = { day, sku, channel, visits: 0, orders: 0, units: 0, revenue: 0, cost: 0, fees: 0, refunds: 0 }
    entries.set(name, made)
    return made
  }
  for (const row of visits(store, where)) entry(row.day, row.sku, row.channel).visits += row.visits
  for (const [order, lines] of soldLines(store, where)) {
    const fees = shares(order.fee, lines)
    // Of an order that was called off before anything was sent only the fee was spent: no payment provider gives it back.
    const calledOff = order.shipped_on === null && (order.status === 'cancelled' || order.status === 'refunded')
    for (const [at, line] of lines.entries()) {
      const into = entry(order.placed_on, line.sku, order.channel)
      // An order of several products is one order: it counts with its first.
      if (at === 0) into.orders++
      into.units += line.quantity
      into.revenue += line.quantity * line.price
      into.cost += (calledOff ? 0 : line.cost) + (fees[at] ?? 0)
      into.fees += fees[at] ?? 0
    }
  }
  for (const [refund, lines] of refundedLines(store, where)) {
    const parts = shares(refund.amount, lines)
    for (const [at, line] of lines.entries()) entry(refund.day, line.sku, refund.channel).refunds += parts[at] ?? 0
  }
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, found]) => found)
    .filter(({ sku }) => where.sku === undefined || sku === where.sku)
}

interface Line {
  readonly sku: string
  readonly quantity: number
  readonly price: Cents
  readonly cost: Cents
}

/** An amount over the lines by what each of them sold for; the parts add up to it. */
export function shares(amount: Cents, lines: readonly Pick<Line, 'quantity' | 'price'>[]): Cents[] {
  const whole = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
  let before = 0
  let passed = 0
  return lines.map((line, at) => {
    passed += whole === 0 ? 0 : line.quantity * line.price
    const until = at === lines.length - 1 ? amount : Math.round((amount * passed) / (whole || 1))
    const part = until - before
    before = until
    return part
  })
}

function visits(store: Store, { from, to, sku }: Where) {
  let query = store.kysely.selectFrom('visits').selectAll().where('day', '>=', from).where('day', '<=', to)
  if (sku !== undefined) query = query.where('sku', '=', sku)
  return store.all(query)
}

/** Whole orders, even where one product is asked for: its share of the fee depends on the others. */
function soldLines(store: Store, { from, to, sku }: Where) {
  let query = store.kysely
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.order_id')
    .leftJoin('shipments', 'shipments.order_id', 'orders.order_id')
    .select(['orders.order_id', 'placed_on', 'channel', 'fee', 'status', 'shipped_on'])
    .select(['sku', 'quantity', 'price', 'cost'])
    .where('placed_on', '>=', from)
    .where('placed_on', '<=', to)
    .orderBy('orders.order_id')
    .orderBy('line')
  if (sku !== undefined) {
    query = query.where('orders.order_id', 'in', (eb) =>
      eb.selectFrom('order_lines').select('order_id').where('sku', '=', sku),
    )
  }
  return byFirst(store.all(query), (row) => row.order_id)
}

function refundedLines(store: Store, { from, to }: Where) {
  const query = store.kysely
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.order_id', 'refunds.order_id')
    .innerJoin('order_lines', 'order_lines.order_id', 'refunds.order_id')
    .select(['refund_id', 'day', 'amount', 'channel', 'sku', 'quantity', 'price', 'cost'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('refund_id')
    .orderBy('line')
  return byFirst(store.all(query), (row) => row.refund_id)
}

/** Each group with its first row, which stands for what all of its rows share. */
const byFirst = <Row>(rows: readonly Row[], id: (row: Row) => number): [Row, Row[]][] =>
  [...Map.groupBy(rows, id).values()].map((group) => [group[0] as Row, group])
