/** The output of handle_ticket, and the reply that the helpdesk records. */

import type * as z from 'zod'
import { percent, rounded } from '../../figures.ts'
import { toAmount } from '../../money.ts'
import type { Order, Reply } from '../../ports.ts'
import { ACTIONS, type ActionName } from '../../tickets/answers/ticket-case.ts'
import { isIntent, SENTIMENTS, type Sentiment } from '../../tickets/intents.ts'
import type { PreparedReply } from '../../tickets/prepare-reply.ts'
import type { handledTicket } from './fields.ts'

export type TicketResult = z.input<typeof handledTicket>

const threeDigits = (share: number): number => rounded(share, 3)
/** At most 99 %: a model is never certain. */
const certainty = (share: number): string => percent(Math.min(0.99, share))
const MAX_REASON = 1200

export function ticketResult(handled: PreparedReply, hint: Sentiment | undefined): TicketResult {
  const { ticket, reading, orderMatch, parts, reasonsAgainstSending } = handled
  const { topics, mood } = reading
  const policy = parts[0]?.answer.policy
  const sent = reasonsAgainstSending.length === 0
  // A reply is as certain as the least certain of its topics.
  const confidence = threeDigits(Math.min(...topics.map((topic) => topic.confidence)))
  return {
    ticket_id: ticket.ticket_id,
    intent: topics[0].intent,
    intents: topics.map((topic) => ({ intent: topic.intent, confidence: threeDigits(topic.confidence) })),
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
      ? `It is about ${topics.map(({ intent }) => intent).join(' and ')} (${certainty(confidence)} confidence), and nothing in it needs a human.`
      : `A human should review it: ${reasonsAgainstSending.join('; ')}.`.slice(0, MAX_REASON),
  }
}

function sentimentNote({ reading: { mood }, sentiment }: PreparedReply, hint: Sentiment | undefined): string | null {
  if (hint === undefined || hint === mood.sentiment) return null
  const kept = sentiment === hint ? 'so the hint was used' : 'so the text was used'
  return `You said ${hint}; the text reads as ${mood.sentiment} (${certainty(mood.confidence)} confidence), ${kept}.`
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

export const replyFrom = (result: TicketResult): Omit<Reply, 'made_on'> => ({
  ticket_id: result.ticket_id,
  intent: result.intent,
  sentiment: result.sentiment,
  confidence: result.confidence,
  body: result.reply,
  actions: result.actions.map(({ action, detail, amount }) => ({
    action,
    detail: amount === null ? detail : `${amount.toFixed(2)}: ${detail}`,
  })),
  sent: result.status === 'answered',
})

/** For a repeated call: the recorded reply, even if the shop has changed since. */
export function withRecordedReply(result: TicketResult, reply: Omit<Reply, 'made_on'>): TicketResult {
  const { intent, sentiment, confidence, body, actions, sent } = reply
  return {
    ...result,
    ...(isIntent(intent) && { intent }),
    ...(isSentiment(sentiment) && { sentiment }),
    confidence,
    reply: body,
    facts: result.facts.filter(({ value }) => body.includes(value)),
    actions: actions.flatMap(({ action, detail }) => recordedAction(action, detail, result.order?.order_id ?? null)),
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
