/** What the tool tells of a handled ticket, and what the helpdesk keeps of it. */
import type * as z from 'zod'
import { toAmount } from '../../money.ts'
import type { Order, Reply } from '../../ports.ts'
import { ACTIONS, type ActionName } from '../../tickets/answers/ticket-case.ts'
import { SENTIMENTS, type Sentiment } from '../../tickets/intents.ts'
import type { PreparedReply } from '../../tickets/prepare-reply.ts'
import { isIntent } from '../../tickets/reading/topics.ts'
import type { handledTicket } from './fields.ts'

export type TicketResult = z.input<typeof handledTicket>

const rounded = (share: number): number => Math.round(share * 1000) / 1000
/** Never 100: a model is not certain. */
const percent = (share: number): string => `${Math.min(99, Math.round(share * 100))} %`
const MOST_REASON = 1200

export function ticketResult(handled: PreparedReply, hint: Sentiment | undefined): TicketResult {
  const { ticket, reading, orderMatch, parts, reasonsAgainstSending } = handled
  const { topics, mood } = reading
  const policy = parts[0]?.answer.policy
  const sent = reasonsAgainstSending.length === 0
  // A reply is as sure as the least sure of the topics that it answers.
  const confidence = rounded(Math.min(...topics.map((topic) => topic.confidence)))
  return {
    ticket_id: ticket.ticket_id,
    intent: topics[0].intent,
    intents: topics.map((topic) => ({ intent: topic.intent, confidence: rounded(topic.confidence) })),
    sentiment: handled.sentiment,
    sentiment_note: sentimentNote(handled, hint),
    confidence,
    why: [
      ...topics.flatMap(({ intent, why }) => why.map((reason) => ({ speaks_for: intent, ...reason }))),
      ...mood.why.map((reason) => ({ speaks_for: mood.sentiment, ...reason })),
    ].slice(0, 20),
    order: orderMatch.order === undefined ? null : orderSummary(orderMatch.order, orderMatch.why),
    policy: policy === undefined ? null : { policy_id: policy.policy_id, title: policy.title, text: policy.text },
    reply: handled.reply,
    facts: [...handled.facts],
    actions: handled.actions.map(({ action, detail, order_id, amount }) => ({
      action,
      detail: detail.slice(0, 300),
      order_id: order_id ?? null,
      amount: amount === undefined ? null : toAmount(amount),
    })),
    status: sent ? 'answered' : 'with a human',
    reason: sent
      ? `${percent(confidence)} sure that it is about ${topics.map(({ intent }) => intent).join(' and ')}, and nothing in it needs a person.`
      : `A person should look: ${reasonsAgainstSending.join('; ')}.`.slice(0, MOST_REASON),
  }
}

function sentimentNote({ reading: { mood }, sentiment }: PreparedReply, hint: Sentiment | undefined): string | null {
  if (hint === undefined || hint === mood.sentiment) return null
  const kept = sentiment === hint ? 'so the hint was taken' : 'so the words were taken'
  return `You said ${hint}; the words read as ${mood.sentiment} (${percent(mood.confidence)} sure), ${kept}.`
}

const orderSummary = (order: Order, why: string): NonNullable<TicketResult['order']> => ({
  order_id: order.order_id,
  status: order.status,
  placed_on: order.placed_on,
  total: toAmount(order.total),
  refunded: toAmount(order.refunded),
  products: order.lines.slice(0, 100).map(({ title }) => title.slice(0, 200)),
  shipped_on: order.shipment?.shipped_on ?? null,
  arrives_on: order.shipment?.arrives_on ?? null,
  delivered_on: order.shipment?.delivered_on ?? null,
  why,
})

export const replyFrom = (told: TicketResult): Omit<Reply, 'made_on'> => ({
  ticket_id: told.ticket_id,
  intent: told.intent,
  sentiment: told.sentiment,
  confidence: told.confidence,
  body: told.reply,
  actions: told.actions.map(({ action, detail, amount }) => ({
    action,
    detail: amount === null ? detail : `${amount.toFixed(2)}: ${detail}`,
  })),
  sent: told.status === 'answered',
})

/** Told again: what was kept stands, whatever the shop looks like by now. */
export function withRecordedReply(told: TicketResult, reply: Omit<Reply, 'made_on'>): TicketResult {
  const { intent, sentiment, confidence, body, actions, sent } = reply
  return {
    ...told,
    ...(isIntent(intent) && { intent }),
    ...(isSentiment(sentiment) && { sentiment }),
    confidence,
    reply: body,
    facts: told.facts.filter(({ value }) => body.includes(value)),
    actions: actions.flatMap(({ action, detail }) => recordedAction(action, detail, told.order?.order_id ?? null)),
    status: sent ? 'answered' : 'with a human',
  }
}

function recordedAction(action: string, kept: string, order_id: string | null): TicketResult['actions'] {
  const [, amount, detail] = /^(\d+\.\d\d): (.*)$/s.exec(kept) ?? []
  if (!isAction(action)) return []
  return [{ action, detail: detail ?? kept, order_id, amount: amount === undefined ? null : Number(amount) }]
}

const isSentiment = (text: string): text is Sentiment => (SENTIMENTS as readonly string[]).includes(text)
const isAction = (text: string): text is ActionName => (ACTIONS as readonly string[]).includes(text)
