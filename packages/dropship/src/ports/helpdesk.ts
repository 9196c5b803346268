/** The helpdesk port: customers' tickets, replies and the shop's policies. */
import type { Day } from '../day.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Paging } from './paging.ts'

export const INTENTS = [
  'where_is_my_order',
  'return_request',
  'refund_status',
  'damaged_item',
  'wrong_item',
  'cancel_order',
  'change_address',
  'product_question',
  'invoice',
  'complaint',
  'praise',
  'other',
] as const
export type Intent = (typeof INTENTS)[number]

export const SENTIMENTS = ['angry', 'unhappy', 'neutral', 'happy'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

export interface Ticket {
  readonly ticket_id: string
  readonly opened_on: Day
  readonly email: string
  readonly order_id: string | undefined
  readonly subject: string
  readonly body: string
  readonly status: 'open' | 'answered' | 'with a human' | 'closed'
}

export interface Reply {
  readonly ticket_id: string
  readonly made_on: Day
  readonly intent: string
  readonly sentiment: string
  readonly confidence: number
  readonly body: string
  /** what should be done besides answering, such as a refund */
  readonly actions: readonly { readonly action: string; readonly detail: string }[]
  /** false: a draft for a person to send */
  readonly sent: boolean
}

/** A rule of the shop as text, with its figures by name. */
export interface ShopPolicy {
  readonly policy_id: string
  readonly topic: string
  readonly title: string
  readonly text: string
  readonly figures: Readonly<Record<string, number>>
}

export interface Helpdesk {
  /** oldest first */
  tickets(where?: Partial<Pick<Ticket, 'ticket_id' | 'status'>> & Paging): Promise<readonly Ticket[]>
  replies(where?: { ticket_id?: string; limit?: number }): Promise<readonly Reply[]>
  policies(topic?: string): Promise<readonly ShopPolicy[]>
  /** Once per ticket: sends the reply, or leaves it as a draft for a person. UnknownTicket, TicketClosed. */
  answer(reply: Omit<Reply, 'made_on'>, key: IdempotencyKey): Promise<Ticket>
}
