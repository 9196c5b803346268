/** What the tool tells of a handled ticket, and what the helpdesk keeps of it. */
import type * as z from 'zod'
import { toAmount } from '../../money.ts'
import type { Order, Reply } from '../../ports.ts'
import { ACTIONS, type ActionName } from '../../tickets/case.ts'
import type { Handled } from '../../tickets/handle.ts'
import { SENTIMENTS, type Sentiment } from '../../tickets/intents.ts'
import { isIntent } from '../../tickets/topics.ts'
import type { handledTicket } from './fields.ts'

export type Told = z.input<typeof handledTicket>

const rounded = (share: number): number => Math.round(share * 1000) / 1000
/** Never 100: a model is not certain. */
const percent = (share: number): string => `${Math.min(99, Math.round(share * 100))} %`
const MOST_REASON = 1200

export function toldOf(handled: Handled, hint: Sentiment | undefined): Told {
  const { ticket, reading, behind, parts, against } = handled
  const { topics, mood } = reading
  const policy = parts[0]?.said.policy
  const sent = against.length === 0
  // A reply is as sure as the least sure of the topics that it answers.
  const confidence = rounded(Math.min(...topics.map((topic) => topic.confidence)))
  return {
    ticket_id: ticket.ticket_id,
    intent: topics[0].intent,
    intents: topics.map((topic) => ({ intent: topic.intent, confidence: rounded(topic.confidence) })),
    sentiment: handled.sentiment,
    sentiment_note: noteOn(handled, hint),
    confidence,
    why: [
      ...topics.flatMap(({ intent, why }) => why.map((reason) => ({ speaks_for: intent, ...reason }))),
      ...mood.why.map((reason) => ({ speaks_for: mood.sentiment, ...reason })),
    ].slice(0, 20),
    order: behind.order === undefined ? null : shownOrder(behind.order, behind.why),
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
      : `A person should look: ${against.join('; ')}.`.slice(0, MOST_REASON),
  }
}

function noteOn({ reading: { mood }, sentiment }: Handled, hint: Sentiment | undefined): string | null {
  if (hint === undefined || hint === mood.sentiment) return null
  const kept = sentiment === hint ? 'so the hint was taken' : 'so the words were taken'
  return `You said ${hint}; the words read as ${mood.sentiment} (${percent(mood.confidence)} sure), ${kept}.`
}

const shownOrder = (order: Order, why: string): NonNullable<Told['order']> => ({
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

export const replyOf = (told: Told): Omit<Reply, 'made_on'> => ({
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
export function withReply(told: Told, reply: Omit<Reply, 'made_on'>): Told {
  const { intent, sentiment, confidence, body, actions, sent } = reply
  return {
    ...told,
    ...(isIntent(intent) && { intent }),
    ...(isSentiment(sentiment) && { sentiment }),
    confidence,
    reply: body,
    facts: told.facts.filter(({ value }) => body.includes(value)),
    actions: actions.flatMap(({ action, detail }) => keptAction(action, detail, told.order?.order_id ?? null)),
    status: sent ? 'answered' : 'with a human',
  }
}

function keptAction(action: string, kept: string, order_id: string | null): Told['actions'] {
  const [, amount, detail] = /^(\d+\.\d\d): (.*)$/s.exec(kept) ?? []
  if (!isAction(action)) return []
  return [{ action, detail: detail ?? kept, order_id, amount: amount === undefined ? null : Number(amount) }]
}

const isSentiment = (text: string): text is Sentiment => (SENTIMENTS as readonly string[]).includes(text)
const isAction = (text: string): text is ActionName => (ACTIONS as readonly string[]).includes(text)
