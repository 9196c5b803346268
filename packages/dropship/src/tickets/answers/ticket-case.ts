/** A ticket with everything needed to answer it, and the parts that an answer to one of its topics is made of. */
import type { Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type { Listing, Order, Product, ShopPolicy, Ticket } from '../../ports.ts'
import { type Facts, MissingFigure } from './facts.ts'

export interface TicketCase {
  readonly ticket: Ticket
  readonly today: Day
  /** one of the customer's own orders; undefined where it is not certain which */
  readonly order: Order | undefined
  /** a product that the text names, with its listing */
  readonly product: { readonly product: Product; readonly listing: Listing | undefined } | undefined
  readonly policies: readonly ShopPolicy[]
  readonly facts: Facts
  /** the normalised text */
  readonly text: string
}

export const ACTIONS = [
  'refund',
  'return',
  'replacement',
  'cancel',
  'change_address',
  'send_invoice',
  'fulfil',
  'ask_carrier',
  'escalate',
] as const
export type ActionName = (typeof ACTIONS)[number]

/** A proposal. Nothing here carries it out. */
export interface Action {
  readonly action: ActionName
  readonly detail: string
  readonly order_id?: string
  readonly amount?: Cents
}

/** The answer to one topic. */
export interface TopicAnswer {
  readonly sentences: readonly string[]
  readonly actions: readonly Action[]
  readonly policy: ShopPolicy
  /** why a person should look first; undefined: the answer can be sent */
  readonly human?: string | undefined
}

export type Answerer = (ticket: TicketCase) => TopicAnswer

export const answer = (
  policy: ShopPolicy,
  sentences: readonly string[],
  actions: readonly Action[] = [],
  human?: string,
): TopicAnswer => ({ sentences, actions, policy, human })

export const orderAction = ({ order_id }: Order, action: ActionName, detail: string, amount?: Cents): Action => ({
  action,
  detail,
  order_id,
  ...(amount !== undefined && { amount }),
})

export function requirePolicy({ policies }: TicketCase, topic: string): ShopPolicy {
  const policy = policies.find((known) => known.topic === topic)
  if (policy === undefined) throw new MissingFigure(`the shop has no policy on ${topic}`)
  return policy
}

/** What is left of the order's total after refunds. */
export const refundable = (order: Order): Cents => Math.max(0, order.total - order.refunded)

/** That amount as a fact of the reply. */
export const refundText = ({ facts }: TicketCase, order: Order): string =>
  facts.amount('to be refunded', refundable(order), 'order, total less what was refunded')

/** "order 1042", as the record has it. */
export const orderName = ({ facts }: TicketCase, order: Order): string =>
  `order ${facts.text('order', order.order_id, 'order')}`

export const isClosed = ({ status }: Order): boolean => status === 'cancelled' || status === 'refunded'
export const isUnsent = ({ status }: Order): boolean => status === 'paid' || status === 'ordered'

/** For every topic, where the order was cancelled or refunded. Money that is still owed is a matter for a person. */
export function answerClosed(ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { refunded, status } = order
  const paid = refunded > 0 ? `, and we have paid back ${ticket.facts.amount('refunded', refunded, 'order')}` : ''
  const sentence = `Your ${orderName(ticket, order)} is already ${status}${paid}.`
  const isOwed = refundable(order) > 0
  return answer(policy, [sentence], [], isOwed ? `the order is ${status}, but not fully refunded` : undefined)
}

/** For every topic that needs an order where none was found. */
export const askWhichOrder = (policy: ShopPolicy): TopicAnswer =>
  answer(
    policy,
    [
      'I could not find the order you mean under your email address.',
      'Please reply with the order number from your confirmation, from the address you ordered with.',
    ],
    [],
    'it is not certain which order it is about',
  )
