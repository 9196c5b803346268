/**
 * One ticket from reading to reply: the order behind it, the policies, an answer to each topic, and whether it may go out. Reads the
 * shop and changes nothing.
 */
import type { Order, Shop, Ticket } from '../ports.ts'
import { ANSWERS } from './answers/answers.ts'
import { composeReply, type ReplyPart } from './answers/compose-reply.ts'
import { type Fact, Facts, MissingFigure } from './answers/facts.ts'
import { matchOrder, type OrderMatch } from './answers/match-order.ts'
import { matchProduct } from './answers/match-product.ts'
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

/** Below this the words leave it open how somebody feels, and whoever asked may know better. */
const SURE_OF_MOOD = 0.6

export async function prepareReply(shop: Shop, ticket: Ticket, hint?: Sentiment): Promise<PreparedReply> {
  const reading = await readTicket(ticket)
  const { topics, mood } = reading
  const behind = await matchOrder(shop.orders, ticket, reading.order_ids, topics[0].intent)
  const sentiment = hint !== undefined && mood.confidence < SURE_OF_MOOD ? hint : mood.sentiment
  const facts = new Facts(shop.currency)
  const policies = await shop.helpdesk.policies()
  const about = await caseOf(
    shop,
    ticket,
    behind.order,
    facts,
    topics.map(({ intent }) => intent),
  )
  const parts: ReplyPart[] = []
  const against: string[] = []
  for (const { intent } of topics) {
    const said = answerTo(intent, about, against)
    if (said !== undefined) parts.push({ intent, said })
  }
  against.push(...reasonsAgainstSending(reading, parts, policies))
  return {
    ticket,
    reading,
    orderMatch: behind,
    sentiment,
    parts,
    reply: composeReply(parts, sentiment, behind.order?.address.name, facts),
    facts: facts.used,
    actions: parts.flatMap(({ said }) => said.actions),
    reasonsAgainstSending: against,
  }
}

async function caseOf(
  shop: Shop,
  ticket: Ticket,
  order: Order | undefined,
  facts: Facts,
  intents: readonly Intent[],
): Promise<TicketCase> {
  const said = normalised(`${ticket.subject}. ${ticket.body}`)
  const asksProduct = intents.includes('product_question')
  const product = asksProduct ? matchProduct(await shop.storefront.products(), said, order) : undefined
  const [listing] = product === undefined ? [] : await shop.marketplace.listings({ product_id: product.product_id })
  return {
    ticket,
    today: await shop.clock.today(),
    order,
    product: product && { product, listing },
    policies: await shop.helpdesk.policies(),
    facts,
    said,
  }
}

/** A policy that lacks what the answer needs is no reason to fail: a person then writes it. */
function answerTo(intent: Intent, about: TicketCase, against: string[]): TopicAnswer | undefined {
  try {
    return ANSWERS[intent](about)
  } catch (thrown) {
    if (!(thrown instanceof MissingFigure)) throw thrown
    against.push(thrown.message)
    return undefined
  }
}
