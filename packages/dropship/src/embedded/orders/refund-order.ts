/** Refunds an order in part or in full, never more than was paid. Stock that was reserved for it becomes free. */
import { ToolError } from 'myrmex'
import { updateReserved } from '../../market/sales/place-orders.ts'
import { type Cents, toAmount } from '../../money.ts'
import { checkCents } from '../../ports/shop-errors.ts'
import type { Order } from '../../ports.ts'
import type { Store } from '../database/store.ts'
import { orderNumber } from '../database/tables.ts'
import { requireOrder } from './read-orders.ts'

export function refundOrder(store: Store, order_id: string, amount: Cents, reason: string): Order {
  const order = requireOrder(store, order_id)
  const left = order.total - order.refunded
  checkCents('A refund', 'amount', amount)
  if (amount > left) {
    throw new ToolError(
      'RefundTooLarge',
      `${toAmount(left)} of order ${order_id} can still be refunded, not ${toAmount(amount)}.`,
      { order_id, left: toAmount(left), amount: toAmount(amount) },
    )
  }
  const number = orderNumber(order_id)
  store.insert('refunds', { order_id: number, day: store.today(), amount, reason })
  const refunded = order.refunded + amount
  const status = refunded === order.total ? 'refunded' : order.status
  store.update('orders', { order_id: number }, { refunded, status })
  for (const { sku } of order.lines) updateReserved(store.db, sku)
  return requireOrder(store, order_id)
}
