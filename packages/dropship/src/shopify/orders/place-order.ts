/**
 * An order made from here. Shopify has no idempotency key for it, so the order is tagged with ours, and looked for by that tag
 * before it is made: a lost answer is followed by looking, never by sending again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolError } from 'myrmex'
import { type Cents, toAmount, toCents } from '../../money.ts'
import type { IdempotencyKey, NewOrder, Order } from '../../ports.ts'
import { checkShownTotal } from '../../shown-total.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { searchTerm } from '../api/connections.ts'
import { isUnknownOutcome, refusedError, type UserError } from '../api/errors.ts'
import { hashKey } from '../api/metafields.ts'
import { findVariant } from '../catalogue/read-variants.ts'
import { type OrderNode, orderFields, orderNodes, toOrder } from './read-orders.ts'

const CREATE = /* GraphQL */ `mutation CreateOrder($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { ${orderFields()} } userErrors { field message code } } }`

/** Shopify's search learns of an order a moment after it is made. */
const LOOKS = 5
const LOOK_MS = 400

export async function placeOrder(
  admin: AdminApi,
  order: NewOrder,
  currency: string,
  key: IdempotencyKey,
): Promise<Order> {
  const tag = `myrmex-${hashKey(key)}`
  const known = key === undefined ? undefined : await taggedOrder(admin, tag)
  if (known !== undefined) return known
  const lines = await Promise.all(order.lines.map((line) => lineOf(admin, line)))
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  checkShownTotal(order, total)
  const { name, street, city, postal_code, country } = order.address
  const [lastName = '', ...first] = name.split(' ').reverse()
  const input = {
    ...{ email: order.email, currency, tags: [tag], sourceName: order.channel, financialStatus: 'PAID' },
    lineItems: lines.map(({ variantId, quantity }) => ({ variantId, quantity })),
    shippingAddress: {
      firstName: first.reverse().join(' '),
      lastName,
      address1: street,
      city,
      zip: postal_code,
      countryCode: country,
    },
    transactions: [
      {
        kind: 'SALE',
        status: 'SUCCESS',
        gateway: 'manual',
        amountSet: { shopMoney: { amount: toAmount(total).toFixed(2), currencyCode: currency } },
      },
    ],
  }
  const options = { inventoryBehaviour: 'DECREMENT_IGNORING_POLICY' }
  try {
    const { orderCreate } = await admin.write<{ orderCreate: { order: OrderNode | null; userErrors: UserError[] } }>(
      CREATE,
      { order: input, options },
      'once',
    )
    if (orderCreate.order === null) throw refusedError('the order', orderCreate.userErrors)
    return toOrder(orderCreate.order)
  } catch (thrown) {
    if (!isUnknownOutcome(thrown)) throw thrown
    for (let look = 0; look < LOOKS; look++) {
      const made = await taggedOrder(admin, tag)
      if (made !== undefined) return made
      await sleep(LOOK_MS)
    }
    throw thrown
  }
}

async function taggedOrder(admin: AdminApi, tag: string): Promise<Order | undefined> {
  for await (const { node } of orderNodes(admin, { query: searchTerm('tag', tag), first: 1 })) return toOrder(node)
  return undefined
}

async function lineOf(
  admin: AdminApi,
  { sku, quantity }: NewOrder['lines'][number],
): Promise<{ readonly variantId: string; readonly quantity: number; readonly price: Cents }> {
  const variant = await findVariant(admin, sku)
  if (variant === undefined)
    throw new ToolError('UnknownSku', `The shop sells nothing under the sku ${JSON.stringify(sku)}.`, { sku })
  if (variant.product.status !== 'ACTIVE')
    throw new ToolError('ProductPaused', `${variant.product.title} (${sku}) is not for sale now.`, { sku })
  return { variantId: variant.id, quantity, price: toCents(Number(variant.price)) }
}
