/** A ticket with everything needed to answer it, and the parts that an answer to one of its topics is made of. */
import { addDays, type Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type { Listing, Order, Product, ShopPolicy, Ticket } from '../../ports.ts'
import { type Facts, figureOf, MissingFigure } from './facts.ts'

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

export function requirePolicy({ policies }: TicketCase, topic: string): ShopPolicy {
  const policy = policies.find((known) => known.topic === topic)
  if (policy === undefined) throw new MissingFigure(`the shop has no policy on ${topic}`)
  return policy
}

/** An answer to a topic that needs an order. Without one, the customer is asked which it is. */
export const aboutOrder =
  (topic: string, answerFor: (about: OrderCase) => TopicAnswer): Answerer =>
  (ticket) => {
    const policy = requirePolicy(ticket, topic)
    if (ticket.order !== undefined) return answerFor(new OrderCase(ticket, ticket.order, policy))
    const sentences = [
      'I could not find the order you mean under your email address.',
      'Please reply with the order number from your confirmation, from the address you ordered with.',
    ]
    return answer(policy, sentences, [], 'it is not certain which order it is about')
  }

/** A ticket whose order is known, with the policy of its topic. */
export class OrderCase {
  readonly ticket: TicketCase
  readonly facts: Facts
  readonly order: Order
  readonly policy: ShopPolicy

  constructor(ticket: TicketCase, order: Order, policy: ShopPolicy) {
    this.ticket = ticket
    this.facts = ticket.facts
    this.order = order
    this.policy = policy
  }

  /** Whether today is more than a figure of the policy's days after another day. */
  isPast(day: Day, figure: string): boolean {
    return this.ticket.today > addDays(day, figureOf(this.policy, figure))
  }

  isClosed(): boolean {
    return this.order.status === 'cancelled' || this.order.status === 'refunded'
  }

  isUnsent(): boolean {
    return this.order.status === 'paid' || this.order.status === 'ordered'
  }

  /** "order 1042", as the record has it. */
  name(): string {
    return `order ${this.facts.text('order', this.order.order_id, 'order')}`
  }

  /** What is left of the order's total after refunds. */
  refundable(): Cents {
    return Math.max(0, this.order.total - this.order.refunded)
  }

  /** That amount as a fact of the reply. */
  refundText(): string {
    return this.facts.amount('to be refunded', this.refundable(), 'order, total less what was refunded')
  }

  action(action: ActionName, detail: string, amount?: Cents): Action {
    return { action, detail, order_id: this.order.order_id, ...(amount !== undefined && { amount }) }
  }

  answer(sentences: readonly string[], actions: readonly Action[] = [], human?: string): TopicAnswer {
    return answer(this.policy, sentences, actions, human)
  }

  /** For every topic, if the order was cancelled or refunded. Money that is still owed is a matter for a person. */
  closedAnswer(): TopicAnswer {
    const { refunded, status } = this.order
    const paid = refunded > 0 ? `, and we have paid back ${this.facts.amount('refunded', refunded, 'order')}` : ''
    const isOwed = this.refundable() > 0
    const human = isOwed ? `the order is ${status}, but not fully refunded` : undefined
    return this.answer([`Your ${this.name()} is already ${status}${paid}.`], [], human)
  }
}
