/**
 * Prepares the reply to a ticket: reads it, finds its order, answers each topic from the policies, and decides whether the reply may
 * be sent. It reads the shop and changes nothing.
 */
import type { Order, Shop, Ticket } from '../ports.ts'
import { ANSWERS } from './answers/answers.ts'
import { composeReply, type ReplyPart } from './answers/compose-reply.ts'
import { type Fact, Facts, MissingFigure } from './answers/facts.ts'
import { matchOrder, type OrderMatch } from './answers/match-order.ts'
import { matchProduct } from './answers/questions.ts'
import { reasonsAgainstSending } from './answers/send-decision.ts'
import type { Action, TicketCase, TopicAnswer } from './answers/ticket-case.ts'
import type { Intent, Sentiment } from './intents.ts'
import { readTicket, type TicketReading } from './reading/read-ticket.ts'
import { normalised } from './reading/words.ts'

export interface PreparedReply {
  readonly ticket: Ticket
  readonly reading: TicketReading
  readonly orderMatch: OrderMatch
  readonly sentiment: Sentiment
  readonly parts: readonly ReplyPart[]
  readonly facts: readonly Fact[]
  readonly actions: readonly Action[]
  readonly reply: string
  /** why it goes to a person; none: it can be sent */
  readonly reasonsAgainstSending: readonly string[]
}

/** Below this the text leaves the mood open, and the caller's hint counts more. */
const SURE_OF_MOOD = 0.6

export async function prepareReply(shop: Shop, ticket: Ticket, hint?: Sentiment): Promise<PreparedReply> {
  const reading = await readTicket(ticket)
  const { topics, mood } = reading
  const orderMatch = await matchOrder(shop.orders, ticket, reading.order_ids, topics[0].intent)
  const sentiment = hint !== undefined && mood.confidence < SURE_OF_MOOD ? hint : mood.sentiment
  const facts = new Facts(shop.currency)
  const isProductQuestion = topics.some(({ intent }) => intent === 'product_question')
  const ticketCase = await caseOf(shop, ticket, orderMatch.order, facts, isProductQuestion)
  const parts: ReplyPart[] = []
  const against: string[] = []
  for (const { intent } of topics) {
    const answer = answerTo(intent, ticketCase, against)
    if (answer !== undefined) parts.push({ intent, answer })
  }
  against.push(...reasonsAgainstSending(reading, parts, ticketCase.policies))
  return {
    ticket,
    reading,
    orderMatch,
    sentiment,
    parts,
    reply: composeReply(parts, sentiment, orderMatch.order?.address.name, facts),
    facts: facts.used,
    actions: parts.flatMap(({ answer }) => answer.actions),
    reasonsAgainstSending: against,
  }
}

async function caseOf(
  shop: Shop,
  ticket: Ticket,
  order: Order | undefined,
  facts: Facts,
  isProductQuestion: boolean,
): Promise<TicketCase> {
  const text = normalised(`${ticket.subject}. ${ticket.body}`)
  const product = isProductQuestion ? matchProduct(await shop.storefront.products(), text, order) : undefined
  const [listing] = product === undefined ? [] : await shop.marketplace.listings({ product_id: product.product_id })
  const [today, policies] = await Promise.all([shop.clock.today(), shop.helpdesk.policies()])
  return { ticket, today, order, product: product && { product, listing }, policies, facts, text }
}

/** A policy without a figure that the answer needs is no failure. A person writes the reply then. */
function answerTo(intent: Intent, ticketCase: TicketCase, against: string[]): TopicAnswer | undefined {
  try {
    return ANSWERS[intent](ticketCase)
  } catch (thrown) {
    if (!(thrown instanceof MissingFigure)) throw thrown
    against.push(thrown.message)
    return undefined
  }
}
