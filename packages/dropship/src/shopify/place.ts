/**
 * An order made from here. Shopify has no idempotency key for it, so the order is tagged with ours, and looked for by that tag
 * before it is made: a lost answer is followed by looking, never by sending again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolError } from 'myrmex'
import { type Cents, toAmount, toCents } from '../money.ts'
import type { Key, NewOrder, Order } from '../ports.ts'
import { checkTotal } from '../shown-total.ts'
import type { Admin } from './admin.ts'
import { isUnsure, refused, type UserError } from './failures.ts'
import { keyMark } from './memo.ts'
import { type OrderNode, orderFields, orderNodes, orderOf } from './orders.ts'
import { term } from './paging.ts'
import { variantOf } from './variants.ts'

const CREATE = /* GraphQL */ `mutation CreateOrder($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { ${orderFields()} } userErrors { field message code } } }`

/** Shopify's search learns of an order a moment after it is made. */
const LOOKS = 5
const LOOK_MS = 400

export async function place(admin: Admin, order: NewOrder, currency: string, key: Key): Promise<Order> {
  const tag = `myrmex-${keyMark(key)}`
  const known = key === undefined ? undefined : await taggedOrder(admin, tag)
  if (known !== undefined) return known
  const lines = await Promise.all(order.lines.map((line) => lineOf(admin, line)))
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  checkTotal(order, total)
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
    if (orderCreate.order === null) throw refused('the order', orderCreate.userErrors)
    return orderOf(orderCreate.order)
  } catch (thrown) {
    if (!isUnsure(thrown)) throw thrown
    for (let look = 0; look < LOOKS; look++) {
      const made = await taggedOrder(admin, tag)
      if (made !== undefined) return made
      await sleep(LOOK_MS)
    }
    throw thrown
  }
}

async function taggedOrder(admin: Admin, tag: string): Promise<Order | undefined> {
  for await (const { node } of orderNodes(admin, { query: term('tag', tag), first: 1 })) return orderOf(node)
  return undefined
}

async function lineOf(
  admin: Admin,
  { sku, quantity }: NewOrder['lines'][number],
): Promise<{ readonly variantId: string; readonly quantity: number; readonly price: Cents }> {
  const variant = await variantOf(admin, sku)
  if (variant === undefined)
    throw new ToolError('UnknownSku', `The shop sells nothing under the sku ${JSON.stringify(sku)}.`, { sku })
  if (variant.product.status !== 'ACTIVE')
    throw new ToolError('ProductPaused', `${variant.product.title} (${sku}) is not for sale now.`, { sku })
  return { variantId: variant.id, quantity, price: toCents(Number(variant.price)) }
}
