/** Pays an order back, in part or whole. Never more than was paid; what was kept for it on the shelf is free again. */
import { ToolError } from 'myrmex'
import type { Cents } from '../../money.ts'
import type { Order } from '../../ports.ts'
import type { Store } from '../database/store.ts'
import { orderNumber, requireOrder } from './read-orders.ts'
import { updateReserved } from './reserve-stock.ts'

export function refundOrder(store: Store, order_id: string, amount: Cents, reason: string): Order {
  const { kysely } = store
  const order = requireOrder(store, order_id)
  const left = order.total - order.refunded
  if (!Number.isSafeInteger(amount) || amount < 1) {
    throw new ToolError('ValidationError', `A refund is a whole number of cents above 0, not ${amount}.`, { amount })
  }
  if (amount > left) {
    throw new ToolError(
      'RefundTooLarge',
      `Of order ${order_id} ${left / 100} can still be paid back, not ${amount / 100}.`,
      {
        order_id,
        left: left / 100,
        amount: amount / 100,
      },
    )
  }
  const number = orderNumber(order_id)
  const row = { order_id: number, day: store.today(), amount, reason }
  store.run(kysely.insertInto('refunds').values(row))
  const refunded = order.refunded + amount
  const status = refunded === order.total ? ('refunded' as const) : order.status
  store.run(kysely.updateTable('orders').set({ refunded, status }).where('order_id', '=', number))
  for (const { sku } of order.lines) updateReserved(store, sku)
  return requireOrder(store, order_id)
}
