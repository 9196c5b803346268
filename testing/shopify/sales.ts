/** Orders, their fulfilment and their refunds over the local store: queries and mutations as the Admin API has them. */
import type { GraphQLResolveInfo } from 'graphql'
import { metafieldOf, type SearchArguments, type UserError, variantView } from './catalogue.ts'
import { type Connection, connection, type Paged } from './connection.ts'
import { matchesTerm, type Term, termsOf } from './search-query.ts'
import {
  gid,
  HOME,
  type LevelRecord,
  type LineRecord,
  type OrderRecord,
  type Store,
  shipStock,
} from './shopify-store.ts'

type View = Record<string, unknown>

const bag = (amount: number): View => {
  const money = { amount: amount.toFixed(2), currencyCode: 'EUR' }
  return { shopMoney: money, presentmentMoney: money }
}

const totalOf = ({ lines }: OrderRecord): number =>
  lines.reduce((sum, { price, quantity, discount = 0 }) => sum + (price - discount) * quantity, 0)
const refundedOf = ({ refunds }: OrderRecord): number => refunds.reduce((sum, { amount }) => sum + amount, 0)
const isDone = ({ lines }: Pick<OrderRecord, 'lines'>): boolean => lines.every(({ remaining }) => remaining === 0)
const isBegun = ({ lines }: OrderRecord): boolean => lines.some(({ remaining, quantity }) => remaining < quantity)

function financialStatus(order: OrderRecord): string {
  const refunded = refundedOf(order)
  if (refunded === 0) return order.paid > 0 ? 'PAID' : 'PENDING'
  return refunded >= order.paid ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

/** One for each location that ships a part of the order: the first keeps the order's number. */
function fulfillmentOrders(
  order: OrderRecord,
): { id: string; location: LevelRecord['location']; lines: LineRecord[] }[] {
  const parts = Map.groupBy(order.lines, ({ variant }) => variant.variant.levels[0]?.location ?? HOME)
  const id = order.id.replace('/Order/', '/FulfillmentOrder/')
  return [...parts].map(([location, lines], at) => ({ id: at === 0 ? id : `${id}${at}`, location, lines }))
}

export function orderView(order: OrderRecord): View {
  const { id, name, createdAt, cancelledAt, email, tags, note, sourceName, test, shippingAddress, lines } = order
  return {
    ...{ id, name, createdAt, cancelledAt, email, tags, note, sourceName, test, shippingAddress },
    legacyResourceId: id.slice(id.lastIndexOf('/') + 1),
    displayFinancialStatus: financialStatus(order),
    displayFulfillmentStatus: isDone(order) ? 'FULFILLED' : isBegun(order) ? 'PARTIALLY_FULFILLED' : 'UNFULFILLED',
    totalPriceSet: bag(totalOf(order)),
    totalRefundedSet: bag(refundedOf(order)),
    metafield: metafieldOf(order),
    lineItems: (asked: Paged) =>
      connection(lines, asked, (line) => ({
        ...{
          id: line.id,
          title: line.title,
          name: line.title,
          quantity: line.quantity,
          currentQuantity: line.quantity - (line.removed ?? 0),
        },
        sku: line.variant.variant.sku,
        originalUnitPriceSet: bag(line.price),
        discountedUnitPriceAfterAllDiscountsSet: bag(line.price - (line.discount ?? 0)),
        variant: () => variantView(line.variant),
      })),
    fulfillments: ({ first = 250 }: Paged) =>
      order.fulfillments.slice(0, first).map((one) => ({ ...one, trackingInfo: () => one.tracking })),
    fulfillmentOrders: (asked: Paged) =>
      connection(fulfillmentOrders(order), asked, ({ id: own, location, lines: parts }) => ({
        id: own,
        status: order.cancelledAt !== null || isDone({ lines: parts }) ? 'CLOSED' : 'OPEN',
        assignedLocation: { name: location.name, location },
        lineItems: (more: Paged) =>
          connection(parts, more, (line) => ({
            id: line.id.replace('/LineItem/', '/FulfillmentOrderLineItem/'),
            sku: line.variant.variant.sku,
            totalQuantity: line.quantity,
            remainingQuantity: line.remaining,
          })),
      })),
    refunds: ({ first = 250 }: Paged) =>
      order.refunds.slice(0, first).map((refund) => ({ ...refund, totalRefundedSet: bag(refund.amount) })),
    transactions: () => [
      {
        id: `${order.id.replace('/Order/', '/OrderTransaction/')}`,
        kind: 'SALE',
        status: 'SUCCESS',
        gateway: 'manual',
        amountSet: bag(order.paid),
      },
    ],
  }
}

const FOUND: Record<string, (order: OrderRecord) => string | readonly string[]> = {
  name: ({ name, number }) => [name, String(number)],
  tag: ({ tags }) => tags,
  email: ({ email }) => email,
  created_at: ({ createdAt }) => createdAt,
  fulfillment_status: (order) =>
    isDone(order) ? ['shipped', 'fulfilled'] : isBegun(order) ? ['partial'] : ['unshipped', 'unfulfilled'],
  financial_status: (order) => financialStatus(order).toLowerCase(),
  status: ({ cancelledAt }) => [
    'any',
    cancelledAt === null ? 'open' : 'cancelled',
    ...(cancelledAt === null ? ['not_closed'] : []),
  ],
}

const matches = (order: OrderRecord, terms: readonly Term[]): boolean =>
  terms.every((term) => matchesTerm(term, FOUND[term.field]?.(order) ?? ''))

export function salesQueries(store: Store) {
  return {
    order: ({ id }: { id: string }): View | null => {
      const order = store.orders.find((one) => one.id === id)
      return order === undefined ? null : orderView(order)
    },
    orders: (asked: SearchArguments): Connection<View> => {
      const terms = termsOf(asked.query)
      const found = store.orders
        .filter((order) => matches(order, terms))
        .sort((one, other) => one.number - other.number)
      return connection(asked.reverse === true ? found.reverse() : found, asked, orderView)
    },
  }
}

interface AddressInput {
  firstName?: string
  lastName?: string
  address1?: string
  city?: string
  zip?: string
  countryCode?: string
}

const addressOf = (input: AddressInput): OrderRecord['shippingAddress'] => ({
  name: [input.firstName, input.lastName].filter((one) => one !== undefined && one !== '').join(' '),
  address1: input.address1 ?? '',
  address2: null,
  city: input.city ?? '',
  zip: input.zip ?? '',
  countryCodeV2: input.countryCode ?? 'DE',
})

interface OrderInput {
  email: string
  lineItems: { variantId: string; quantity: number }[]
  shippingAddress: AddressInput
  sourceName?: string
  tags?: string[]
}

interface FulfillmentInput {
  lineItemsByFulfillmentOrder: { fulfillmentOrderId: string }[]
  notifyCustomer?: boolean
  trackingInfo?: { company?: string; number?: string; url?: string }
}

interface RefundInput {
  orderId: string
  note?: string
  transactions?: { amount: string; parentId?: string }[]
}

export function salesMutations(store: Store) {
  const refused = (name: string, refusal: UserError): View => ({ [name]: null, userErrors: [refusal] })
  return {
    orderCreate: ({ order: input }: { order: OrderInput }): View => {
      const found = input.lineItems.map(({ variantId }) =>
        store.products.find(({ variant }) => variant.id === variantId),
      )
      const [product] = found
      const bad = found.indexOf(undefined)
      if (product === undefined || bad >= 0)
        return refused('order', {
          field: ['order', 'lineItems', String(Math.max(0, bad)), 'variantId'],
          message: 'Variant is invalid',
          code: 'INVALID',
        })
      const lines = found.map((one, at) => {
        const variant = one ?? product
        const { quantity } = input.lineItems[at] ?? { quantity: 0 }
        const price = Number(variant.variant.price)
        return {
          id: gid('LineItem', store.next()),
          variant,
          title: variant.title,
          quantity,
          price,
          remaining: quantity,
        }
      })
      const order = store.ordered(product, 0, {
        email: input.email,
        tags: input.tags ?? [],
        shippingAddress: addressOf(input.shippingAddress),
        sourceName: input.sourceName ?? 'api',
        lines,
        paid: lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
      })
      return { order: orderView(order), userErrors: [] }
    },
    orderUpdate: ({ input }: { input: { id: string; shippingAddress?: AddressInput; note?: string } }): View => {
      const order = store.orders.find(({ id }) => id === input.id)
      if (order === undefined) return refused('order', { field: ['id'], message: 'Order does not exist' })
      if (input.shippingAddress !== undefined) order.shippingAddress = addressOf(input.shippingAddress)
      if (input.note !== undefined) order.note = input.note
      return { order: orderView(order), userErrors: [] }
    },
    fulfillmentCreate: ({ fulfillment: input }: { fulfillment: FulfillmentInput }): View => {
      const ids = input.lineItemsByFulfillmentOrder.map(({ fulfillmentOrderId: id }) => id)
      const order = store.orders.find((one) => fulfillmentOrders(one).some(({ id }) => ids.includes(id)))
      const parts = order === undefined ? [] : fulfillmentOrders(order).filter(({ id }) => ids.includes(id))
      if (new Set(parts.map(({ location }) => location.id)).size > 1)
        return refused('fulfillment', {
          field: ['fulfillment'],
          message: 'All fulfillment orders must be assigned to the same location.',
        })
      const lines = parts.flatMap((part) => part.lines)
      if (order === undefined || order.cancelledAt !== null || isDone({ lines }))
        return refused('fulfillment', {
          field: ['fulfillment'],
          message: `Fulfillment order ${ids[0]} has an unfulfillable status= closed.`,
        })
      for (const line of lines) {
        shipStock(line.variant, line.remaining)
        line.remaining = 0
      }
      const tracking = {
        company: input.trackingInfo?.company ?? null,
        number: input.trackingInfo?.number ?? null,
        url: null,
      }
      const made = {
        id: gid('Fulfillment', store.next()),
        name: `${order.name}-F${order.fulfillments.length + 1}`,
        status: 'SUCCESS' as const,
        createdAt: new Date().toISOString(),
        deliveredAt: null,
        estimatedDeliveryAt: null,
        tracking: input.trackingInfo === undefined ? [] : [tracking],
      }
      order.fulfillments.push(made)
      if (input.notifyCustomer === true) store.sent.push({ to: order.email, about: made.name })
      return { fulfillment: { ...made, trackingInfo: () => made.tracking }, userErrors: [] }
    },
    refundCreate: ({ input }: { input: RefundInput }, _context: unknown, info: GraphQLResolveInfo): View =>
      once(store, info, { input }, () => {
        const order = store.orders.find(({ id }) => id === input.orderId)
        if (order === undefined)
          return { order: null, ...refused('refund', { field: ['orderId'], message: 'Order does not exist' }) }
        const amount = (input.transactions ?? []).reduce((sum, one) => sum + Number(one.amount), 0)
        if (refundedOf(order) + amount > order.paid + 0.001)
          return {
            order: null,
            ...refused('refund', {
              field: ['transactions', '0', 'amount'],
              message: 'Refund amount cannot exceed the amount available to refund.',
            }),
          }
        const refund = {
          id: gid('Refund', store.next()),
          note: input.note ?? null,
          createdAt: new Date().toISOString(),
          amount,
        }
        order.refunds.push(refund)
        return { order: orderView(order), refund: { ...refund, totalRefundedSet: bag(amount) }, userErrors: [] }
      }),
  }
}

/** `@idempotent`: the same key is answered as the first time; without one the mutation is refused, as since 2026-04. */
function once(store: Store, info: GraphQLResolveInfo, variables: unknown, act: () => View): View {
  const directive = info.fieldNodes[0]?.directives?.find(({ name }) => name.value === 'idempotent')
  const given = directive?.arguments?.[0]?.value
  const key =
    given?.kind === 'StringValue'
      ? given.value
      : given?.kind === 'Variable'
        ? (info.variableValues as unknown as { coerced: Record<string, string> }).coerced[given.name.value]
        : undefined
  if (key === undefined)
    throw new Error('The @idempotent directive is required for this mutation but was not provided.')
  const text = JSON.stringify(variables)
  const known = store.answered.get(key)
  if (known === undefined) {
    const answer = act()
    store.answered.set(key, { variables: text, answer })
    return answer
  }
  if (known.variables !== text)
    throw new Error('The same idempotency key cannot be used with different operation parameters.')
  return known.answer as View
}
