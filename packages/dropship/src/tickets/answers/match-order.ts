/**
 * Finds the order that a ticket is about. Only orders with the ticket's own email address count: anybody can name a number, so another
 * customer's order is treated as if it did not exist.
 */
import type { Order, Orders, Ticket } from '../../ports.ts'
import type { Intent } from '../intents.ts'

export interface OrderMatch {
  readonly order: Order | undefined
  /** numbers in the text that are not orders of this customer */
  readonly notTheirs: readonly string[]
  /** why this one, or why none */
  readonly why: string
}

/** The order states that an intent is usually about, for tickets without an order number. */
const LIKELY: Readonly<Partial<Record<Intent, readonly Order['status'][]>>> = {
  where_is_my_order: ['paid', 'ordered', 'shipped'],
  cancel_order: ['paid', 'ordered'],
  change_address: ['paid', 'ordered'],
  return_request: ['delivered'],
  damaged_item: ['delivered'],
  wrong_item: ['delivered'],
  refund_status: ['refunded', 'cancelled'],
}

const MAX_LOOKED_AT = 50

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

export async function matchOrder(
  orders: Orders,
  ticket: Ticket,
  named: readonly string[],
  intent: Intent,
): Promise<OrderMatch> {
  const found: Order[] = []
  const notTheirs: string[] = []
  for (const order_id of named) {
    const [order] = await orders.orders({ order_id, limit: 1 })
    if (order !== undefined && same(order.email, ticket.email)) found.push(order)
    else notTheirs.push(order_id)
  }
  if (found.length === 1) return { order: found[0], notTheirs, why: 'the text names it' }
  if (found.length > 1) return { order: undefined, notTheirs, why: `the text names ${found.length} orders` }
  if (notTheirs.length > 0)
    return { order: undefined, notTheirs, why: 'the text names an order that is not under this email address' }
  if (ticket.order_id !== undefined) {
    const [order] = await orders.orders({ order_id: ticket.order_id, limit: 1 })
    if (order !== undefined && same(order.email, ticket.email))
      return { order, notTheirs, why: 'the ticket is tied to it' }
    return { order: undefined, notTheirs, why: 'the order of the ticket is not under its email address' }
  }
  return likeliestOf(await orders.orders({ email: ticket.email, limit: MAX_LOOKED_AT }), intent)
}

function likeliestOf(all: readonly Order[], intent: Intent): OrderMatch {
  if (all.length === 0) return { order: undefined, notTheirs: [], why: 'there is no order under this email address' }
  if (all.length === 1) return { order: all[0], notTheirs: [], why: 'it is the only one of this customer' }
  const likely = all.filter(({ status }) => LIKELY[intent]?.includes(status) ?? false)
  if (likely.length === 1)
    return { order: likely[0], notTheirs: [], why: `it is the only one of this customer that is ${likely[0]?.status}` }
  return { order: undefined, notTheirs: [], why: `this customer has ${all.length} orders and names none` }
}
