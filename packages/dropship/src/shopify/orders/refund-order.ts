/**
 * Refunds an order at Shopify. The key's hash is sent as Shopify's own idempotency key, which is valid for a day, and is stored in
 * the refund's note, where later calls find it at any time.
 */
import { ToolError } from 'myrmex'
import { type Cents, toAmount } from '../../money.ts'
import { checkCents } from '../../ports/shop-errors.ts'
import type { IdempotencyKey, Order } from '../../ports.ts'
import { type AdminApi, mutate } from '../api/admin-api.ts'
import { refusedError } from '../api/errors.ts'
import { asUuid, hashKey } from '../api/metafields.ts'
import { requireOrderNode, toOrder } from './read-orders.ts'

const MONEY = /* GraphQL */ `query OrderMoney($id: ID!) { order(id: $id) {
  refunds(first: 100) { note } transactions(first: 50) { id kind status gateway amountSet { shopMoney { amount } } } } }`
const REFUND = /* GraphQL */ `mutation Refund($input: RefundInput!, $key: String!) {
  refundCreate(input: $input) @idempotent(key: $key) { refund { id } userErrors { field message } } }`

interface Transaction {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly gateway: string | null
}

export async function refundOrder(
  admin: AdminApi,
  order_id: string,
  amount: Cents,
  reason: string,
  key: IdempotencyKey,
): Promise<Order> {
  checkCents('A refund', 'amount', amount)
  const mark = hashKey(key)
  const { id } = await requireOrderNode(admin, order_id)
  const { order } = await admin.read<{
    order: { refunds: { note: string | null }[]; transactions: Transaction[] } | null
  }>(MONEY, { id })
  if (order?.refunds.some(({ note }) => note?.includes(mark))) return toOrder(await requireOrderNode(admin, order_id))
  const paid = order?.transactions.find(
    ({ kind, status }) => (kind === 'SALE' || kind === 'CAPTURE') && status === 'SUCCESS',
  )
  if (paid === undefined)
    throw new ToolError('ValidationError', `Order ${order_id} was never paid, so there is nothing to refund.`, {
      order_id,
    })
  const transaction = { orderId: id, parentId: paid.id, gateway: paid.gateway ?? 'manual', kind: 'REFUND' }
  const input = {
    ...{ orderId: id, notify: true, note: `${reason} [${mark}]` },
    transactions: [{ ...transaction, amount: toAmount(amount).toFixed(2) }],
  }
  const { userErrors } = await mutate(admin, REFUND, { input, key: asUuid(mark) }, 'safe')
  if (userErrors.length > 0) throw refusedError('the refund', userErrors)
  return toOrder(await requireOrderNode(admin, order_id))
}
