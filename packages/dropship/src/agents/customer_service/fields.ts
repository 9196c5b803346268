/** Fields shared by the tools of customer service, and the output of handle_ticket. */
import * as z from 'zod'
import { ACTIONS } from '../../tickets/answers/ticket-case.ts'
import { INTENTS, SENTIMENTS } from '../../tickets/intents.ts'
import * as field from '../field-types.ts'

export const ticket_id = field.filledText(40, 'Id of the ticket, as in t_555.', 'ticket_id')

export const sentiment = z.enum(SENTIMENTS).describe('Mood of the customer.')
export const intent = z.enum(INTENTS).describe('Topic.')

const confidence = field.share('Calibrated confidence: of those at 0.8, about 80 % are right.')
const day = (what: string) => field.nullable(`${what} (2026-11-22), or null.`, field.text(10))
const amount = (what: string) => z.number().min(0).describe(`${what}, in the currency of the shop.`)

const orderShown = field.object('The order behind the ticket, with the same email address.', {
  order_id: field.text(40, 'Id of the order.', 'order_id'),
  status: z.enum(['paid', 'ordered', 'shipped', 'delivered', 'cancelled', 'refunded']).describe('Status of the order.'),
  placed_on: field.text(10, 'Day it was placed.'),
  total: amount('Amount paid'),
  refunded: amount('Amount refunded'),
  products: field.list(100, 'Titles of the products.', field.text(200)),
  shipped_on: day('Day of shipment'),
  arrives_on: day('Expected day of arrival'),
  delivered_on: day('Day of delivery'),
  why: field.text(200, 'Why this order was chosen.'),
})

const policyShown = field.object('The policy that the reply follows.', {
  policy_id: field.text(60, 'Id of the policy.'),
  title: field.text(200, 'Title of the policy.'),
  text: field.text(4000, 'Text of the policy.'),
})

const reason = z.object({
  speaks_for: field.text(60, 'The intent or sentiment that it supports.'),
  words: field.text(200, 'Words of the ticket, or the name of a phrase found in it.'),
  weight: field.number('Its effect on the score, relative to the mean of all classes.'),
})

const action = z.object({
  action: z.enum(ACTIONS).describe('Name of the action.'),
  detail: field.text(300, 'Details and reason.'),
  order_id: field.nullable('The order concerned, or null.', field.text(40)),
  amount: field.nullable('Amount to refund in the currency of the shop, or null.', z.number().min(0)),
})

const fact = z.object({
  fact: field.text(60, 'Name of the fact.'),
  value: field.text(200, 'Its value in the reply.'),
  source: field.text(200, 'Its source.'),
})

export const handledTicket = z.object({
  ticket_id,
  intent,
  intents: z.array(z.object({ intent, confidence })).min(1).max(12).describe('All topics, the main one first.'),
  sentiment,
  sentiment_note: field.nullable('Note if the given sentiment and the text disagree, or null.', field.text(200)),
  confidence,
  why: field.list(20, 'The deciding words with their weights.', reason),
  order: field.nullable('The order concerned, or null if none is certain.', orderShown),
  policy: field.nullable('The first policy that applies, or null.', policyShown),
  reply: field.text(6000, 'The reply or its draft.'),
  facts: field.list(60, 'Every figure, date and name in the reply, with its source.', fact),
  actions: field.list(20, 'Proposed actions. None is done yet.', action),
  status: z.enum(['answered', 'with a human']).describe('Sent, or a draft for a human.'),
  reason: field.text(1200, 'Why it was sent, or why a human should review it.'),
})
