/** The books port of the embedded shop. Every cent of a fee or refund, and every order, is counted in exactly one entry. */
import { SalesTotals, splitByValue } from '../ports/sales-totals.ts'
import type { Books, SalesDay } from '../ports.ts'
import type { Store } from './database/store.ts'

export const books = (store: Store): Books => ({
  sales: async (where) => store.read(() => sales(store, where)),
  firstDay: async () => store.meta('since') ?? store.today(),
})

type Where = Parameters<Books['sales']>[0]

function sales(store: Store, where: Where): SalesDay[] {
  const totals = new SalesTotals({ knowsFees: true })
  for (const row of visits(store, where)) totals.entry(row.day, row.sku, row.channel).visits += row.visits
  for (const [order, lines] of soldLines(store, where)) {
    const fees = splitByValue(order.fee, lines)
    // An order cancelled before it was shipped cost only the payment fee, which the provider does not give back.
    const isCalledOff = order.shipped_on === null && (order.status === 'cancelled' || order.status === 'refunded')
    const sold = lines.map((line, index) => {
      const fee = fees[index] ?? 0
      return { ...line, cost: (isCalledOff ? 0 : line.cost) + fee, fees: fee }
    })
    totals.addOrder(order.placed_on, order.channel, sold)
  }
  for (const [refund, lines] of refundedLines(store, where)) {
    const parts = splitByValue(refund.amount, lines)
    for (const [index, line] of lines.entries())
      totals.entry(refund.day, line.sku, refund.channel).refunds += parts[index] ?? 0
  }
  return totals.days(where.sku)
}

function visits(store: Store, { from, to, sku }: Where) {
  const query = store.kysely.selectFrom('visits').selectAll().where('day', '>=', from).where('day', '<=', to)
  return store.all(query.where((eb) => eb.and({ sku })))
}

/** Whole orders even for one product, because its share of the fee depends on the other lines. */
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
  return groupsOf(store.all(query), (row) => row.order_id)
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
  return groupsOf(store.all(query), (row) => row.refund_id)
}

/** Each group with its first row, which has the columns that all of its rows share. */
const groupsOf = <Row>(rows: readonly Row[], id: (row: Row) => number): [Row, Row[]][] =>
  [...Map.groupBy(rows, id).values()].map((group) => [group[0] as Row, group])
