/** The port of helpdesk: letters of customers, replies, and the rules of the shop. */
import type { Day } from '../day.ts'
import type { IdempotencyKey } from './key.ts'

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
  /** what should be done beside answering, such as a refund */
  readonly actions: readonly { readonly action: string; readonly detail: string }[]
  /** false: drafted for a human to send */
  readonly sent: boolean
}

/** A rule of the shop, in words and in figures. */
export interface ShopPolicy {
  readonly policy_id: string
  readonly topic: string
  readonly title: string
  readonly text: string
  readonly figures: Readonly<Record<string, number>>
}

export interface Helpdesk {
  /** oldest first */
  tickets(where?: {
    ticket_id?: string
    status?: Ticket['status']
    after?: string
    limit?: number
  }): Promise<readonly Ticket[]>
  replies(where?: { ticket_id?: string; limit?: number }): Promise<readonly Reply[]>
  policies(topic?: string): Promise<readonly ShopPolicy[]>
  /** Once per ticket: answered, or put with a human as a draft. UnknownTicket, TicketClosed. */
  answer(reply: Omit<Reply, 'made_on'>, key: IdempotencyKey): Promise<Ticket>
}
