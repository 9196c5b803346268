/** The page of an order. It needs the key from the order's link, and is not found without it. */
import type { Order, OrderStatus } from '../../ports.ts'
import { addressLines } from '../checkout/order-form.ts'
import type { Seal } from '../checkout/seal.ts'
import type { Reply } from '../reply.ts'
import { page, type Visit } from '../visit.ts'
import { amountText } from './amount.ts'

export const orderLink = (order_id: string, seal: Seal): string =>
  `/shop/orders/${encodeURIComponent(order_id)}?key=${seal.sign('order', order_id)}`

const MEANING: Readonly<Record<OrderStatus, readonly [name: string, meaning: string]>> = {
  paid: ['Received', 'We have your order and get it ready.'],
  ordered: ['Ordered', 'The supplier is getting your order ready.'],
  shipped: ['On its way', 'The parcel has left.'],
  delivered: ['Delivered', 'The parcel has arrived.'],
  cancelled: ['Cancelled', 'The order was cancelled and will not be sent.'],
  refunded: ['Refunded', 'The order was refunded.'],
}

const STAGES: readonly (readonly [name: string, statuses: readonly OrderStatus[]])[] = [
  ['Received', ['paid']],
  ['Being prepared', ['ordered']],
  ['On its way', ['shipped']],
  ['Delivered', ['delivered']],
]

export async function orderPage(visit: Visit, order_id: string): Promise<Reply | undefined> {
  if (!visit.seal.verify('order', order_id, visit.url.searchParams.get('key') ?? '')) return undefined
  const [order] = await visit.shop.orders.orders({ order_id, limit: 1 })
  if (order === undefined) return undefined
  const body = visit.engine.view('order', scopeOf(order, visit.shop.currency))
  return page(visit, { title: `Order ${order_id} | ${visit.shopName}`, body }, { caching: 'never' })
}

function scopeOf(order: Order, currency: string): Record<string, unknown> {
  const { order_id, placed_on, status, address, lines, total, shipment, refunded } = order
  const [name, meaning] = MEANING[status]
  const at = STAGES.findIndex(([, statuses]) => statuses.includes(status))
  return {
    order_id,
    placed_on,
    status: name,
    meaning,
    stages: at < 0 ? [] : STAGES.map(([stage], index) => ({ name: stage, done: index < at, current: index === at })),
    lines: lines.map(({ title, quantity, price }) => ({
      title,
      quantity,
      price: amountText(price, currency),
      total: amountText(price * quantity, currency),
    })),
    total: amountText(total, currency),
    refunded: refunded > 0 ? amountText(refunded, currency) : undefined,
    shipment,
    address: addressLines(address),
  }
}
