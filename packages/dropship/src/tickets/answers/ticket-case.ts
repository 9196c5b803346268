/** One ticket on the desk, and what an answer to one of its topics is made of. */
import type { Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type { Listing, Order, Product, ShopPolicy, Ticket } from '../../ports.ts'
import { type Facts, MissingFigure } from './facts.ts'

export interface TicketCase {
  readonly ticket: Ticket
  readonly today: Day
  /** the customer's own, or undefined where none is certain */
  readonly order: Order | undefined
  /** a product that the text names, with what is known of it */
  readonly product: { readonly product: Product; readonly listing: Listing | undefined } | undefined
  readonly policies: readonly ShopPolicy[]
  readonly facts: Facts
  /** the text, normalised */
  readonly said: string
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

/** Proposed, never carried out here. */
export interface Action {
  readonly action: ActionName
  readonly detail: string
  readonly order_id?: string
  readonly amount?: Cents
}

/** What there is to say on one topic. */
export interface TopicAnswer {
  /** sentences in their order */
  readonly says: readonly string[]
  readonly actions: readonly Action[]
  readonly policy: ShopPolicy
  /** why a person should look first; left out: the answer can go */
  readonly human?: string
}

export type Answerer = (about: TicketCase) => TopicAnswer

export function requirePolicy({ policies }: TicketCase, topic: string): ShopPolicy {
  const policy = policies.find((known) => known.topic === topic)
  if (policy === undefined) throw new MissingFigure(`the shop has no policy on ${topic}`)
  return policy
}

/** What of the order has not been paid back yet. */
export const refundable = (order: Order): Cents => Math.max(0, order.total - order.refunded)

/** "order 1042", as the record has it. */
export const orderName = ({ facts }: TicketCase, order: Order): string =>
  `order ${facts.text('order', order.order_id, 'order')}`

/** For every topic that needs an order and has none. */
export const askWhichOrder = (policy: ShopPolicy): TopicAnswer => ({
  says: [
    'I could not find the order you mean under your email address.',
    'Please answer with the order number from your confirmation, written from the address you ordered with.',
  ],
  actions: [],
  policy,
  human: 'which order it is about is not certain',
})
