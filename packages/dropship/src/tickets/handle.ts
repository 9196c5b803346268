/**
 * One ticket from reading to reply: the order behind it, the policies, an answer to each topic, and whether it may go out. Reads the
 * shop and changes nothing.
 */
import type { Order, Shop, Ticket } from '../ports.ts'
import { ANSWERS } from './answer.ts'
import type { Action, Case, Said } from './case.ts'
import { againstSending } from './decide.ts'
import { type Fact, Facts, MissingFigure } from './facts.ts'
import type { Intent, Sentiment } from './intents.ts'
import { type Behind, orderBehind } from './order-behind.ts'
import { productMeant } from './product-meant.ts'
import { type Reading, readTicket } from './read-ticket.ts'
import { compose, type Part } from './reply.ts'
import { normalised } from './words.ts'

export interface Handled {
  readonly ticket: Ticket
  readonly reading: Reading
  readonly behind: Behind
  readonly sentiment: Sentiment
  readonly parts: readonly Part[]
  readonly facts: readonly Fact[]
  readonly actions: readonly Action[]
  readonly reply: string
  /** why it goes to a person; none: it can be sent */
  readonly against: readonly string[]
}

/** Below this the words leave it open how somebody feels, and whoever asked may know better. */
const SURE_OF_MOOD = 0.6

export async function handle(shop: Shop, ticket: Ticket, hint?: Sentiment): Promise<Handled> {
  const reading = await readTicket(ticket)
  const { topics, mood } = reading
  const behind = await orderBehind(shop.orders, ticket, reading.order_ids, topics[0].intent)
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
  const parts: Part[] = []
  const against: string[] = []
  for (const { intent } of topics) {
    const said = answerTo(intent, about, against)
    if (said !== undefined) parts.push({ intent, said })
  }
  against.push(...againstSending(reading, parts, policies))
  return {
    ticket,
    reading,
    behind,
    sentiment,
    parts,
    reply: compose(parts, sentiment, behind.order?.address.name, facts),
    facts: facts.used,
    actions: parts.flatMap(({ said }) => said.actions),
    against,
  }
}

async function caseOf(
  shop: Shop,
  ticket: Ticket,
  order: Order | undefined,
  facts: Facts,
  intents: readonly Intent[],
): Promise<Case> {
  const said = normalised(`${ticket.subject}. ${ticket.body}`)
  const asksProduct = intents.includes('product_question')
  const product = asksProduct ? productMeant(await shop.storefront.products(), said, order) : undefined
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
function answerTo(intent: Intent, about: Case, against: string[]): Said | undefined {
  try {
    return ANSWERS[intent](about)
  } catch (thrown) {
    if (!(thrown instanceof MissingFigure)) throw thrown
    against.push(thrown.message)
    return undefined
  }
}
