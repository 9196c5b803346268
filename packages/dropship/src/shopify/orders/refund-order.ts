/**
 * Pays an order back at Shopify. The key goes with it as Shopify's own idempotency key, which holds for a day, and into the
 * refund's note, where a later call finds it however long ago it was.
 */
import { ToolError } from 'myrmex'
import { type Cents, toAmount } from '../../money.ts'
import type { IdempotencyKey, Order } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { refusedError, type UserError } from '../api/errors.ts'
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
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new ToolError('ValidationError', `A refund is a whole number of cents above 0, not ${amount}.`, { amount })
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
    throw new ToolError('ValidationError', `Nothing was paid for order ${order_id}, so nothing can be paid back.`, {
      order_id,
    })
  const transaction = { orderId: id, parentId: paid.id, gateway: paid.gateway ?? 'manual', kind: 'REFUND' }
  const input = {
    ...{ orderId: id, notify: true, note: `${reason} [${mark}]` },
    transactions: [{ ...transaction, amount: toAmount(amount).toFixed(2) }],
  }
  const { refundCreate } = await admin.write<{ refundCreate: { userErrors: UserError[] } }>(
    REFUND,
    { input, key: asUuid(mark) },
    'safe',
  )
  if (refundCreate.userErrors.length > 0) throw refusedError('the refund', refundCreate.userErrors)
  return toOrder(await requireOrderNode(admin, order_id))
}
