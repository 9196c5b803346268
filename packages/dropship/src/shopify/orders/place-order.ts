/**
 * Creates an order at Shopify. Shopify has no idempotency key for this, so the order is tagged with the key's hash and searched by
 * that tag first. After a lost response the order is searched for and never sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cents, toAmount, toCents } from '../../money.ts'
import { checkShownTotal, productPaused, unknownSku } from '../../ports/shop-errors.ts'
import type { IdempotencyKey, NewOrder, Order } from '../../ports.ts'
import { type AdminApi, mutate } from '../api/admin-api.ts'
import { searchTerm } from '../api/connections.ts'
import { isUnknownOutcome, refusedError } from '../api/errors.ts'
import { hashKey } from '../api/metafields.ts'
import { findVariant } from '../catalogue/read-variants.ts'
import { type OrderNode, orderFields, orderNodes, toMailingAddress, toOrder } from './read-orders.ts'

const CREATE = /* GraphQL */ `mutation CreateOrder($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { ${orderFields()} } userErrors { field message code } } }`

/** Shopify's search finds an order only a moment after it was created. */
const SEARCHES = 5
const SEARCH_PAUSE_MS = 400

export async function placeOrder(
  admin: AdminApi,
  order: NewOrder,
  currency: string,
  key: IdempotencyKey,
): Promise<Order> {
  const tag = `myrmex-${hashKey(key)}`
  const known = key === undefined ? undefined : await findTagged(admin, tag)
  if (known !== undefined) return known
  const lines = await Promise.all(order.lines.map((line) => priceLine(admin, line)))
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  checkShownTotal(order, total)
  const amountSet = { shopMoney: { amount: toAmount(total).toFixed(2), currencyCode: currency } }
  const input = {
    ...{ email: order.email, currency, tags: [tag], sourceName: order.channel, financialStatus: 'PAID' },
    lineItems: lines.map(({ variantId, quantity }) => ({ variantId, quantity })),
    shippingAddress: toMailingAddress(order.address),
    transactions: [{ kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet }],
  }
  const variables = { order: input, options: { inventoryBehaviour: 'DECREMENT_IGNORING_POLICY' } }
  try {
    const created = await mutate<{ order: OrderNode | null }>(admin, CREATE, variables, 'once')
    if (created.order === null) throw refusedError('the order', created.userErrors)
    return toOrder(created.order)
  } catch (thrown) {
    if (!isUnknownOutcome(thrown)) throw thrown
    for (let search = 0; search < SEARCHES; search++) {
      const created = await findTagged(admin, tag)
      if (created !== undefined) return created
      await sleep(SEARCH_PAUSE_MS)
    }
    throw thrown
  }
}

async function findTagged(admin: AdminApi, tag: string): Promise<Order | undefined> {
  for await (const { node } of orderNodes(admin, { query: searchTerm('tag', tag), first: 1 })) return toOrder(node)
  return undefined
}

async function priceLine(
  admin: AdminApi,
  { sku, quantity }: NewOrder['lines'][number],
): Promise<{ readonly variantId: string; readonly quantity: number; readonly price: Cents }> {
  const variant = await findVariant(admin, sku)
  if (variant === undefined) throw unknownSku(sku)
  if (variant.product.status !== 'ACTIVE') throw productPaused(variant.product.title, sku)
  return { variantId: variant.id, quantity, price: toCents(Number(variant.price)) }
}
