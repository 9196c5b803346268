/** Fields that both tools of customer service speak of, and what handling a ticket answers. */
import * as z from 'zod'
import { ACTIONS } from '../../tickets/answers/ticket-case.ts'
import { INTENTS, SENTIMENTS } from '../../tickets/intents.ts'

export const ticket_id = z
  .string()
  .min(1)
  .max(40)
  .meta({ type_id: 'ticket_id', description: 'Id of the ticket, as in t_555.' })

export const sentiment = z.enum(SENTIMENTS).describe('How the customer feels.')
export const intent = z.enum(INTENTS).describe('What it is about.')

const confidence = z
  .number()
  .min(0)
  .max(1)
  .describe('How sure that is, calibrated: of those at 0.8, about 80 % are right.')
const day = (what: string) => z.string().max(10).nullable().describe(`${what} (2026-11-22), or null.`)
const amount = (what: string) => z.number().min(0).describe(`${what}, in the currency of the shop.`)

const orderShown = z
  .object({
    order_id: z.string().max(40).meta({ type_id: 'order_id', description: 'Id of the order.' }),
    status: z
      .enum(['paid', 'ordered', 'shipped', 'delivered', 'cancelled', 'refunded'])
      .describe('State of the order.'),
    placed_on: z.string().max(10).describe('Day it was placed.'),
    total: amount('What was paid'),
    refunded: amount('What was paid back'),
    products: z.array(z.string().max(200)).max(100).describe('Titles of what was ordered.'),
    shipped_on: day('Day it left'),
    arrives_on: day('Day it is due'),
    delivered_on: day('Day it was delivered'),
    why: z.string().max(200).describe('Why it is this order.'),
  })
  .describe('The order behind the ticket: one of the same email address.')

const policyShown = z
  .object({
    policy_id: z.string().max(60).describe('Id of the policy.'),
    title: z.string().max(200).describe('Its title.'),
    text: z.string().max(4000).describe('Its words.'),
  })
  .describe('The rule of the shop that the answer follows.')

const reason = z.object({
  speaks_for: z.string().max(60).describe('The intent or sentiment that it speaks for.'),
  words: z.string().max(200).describe('Words of the ticket, or the name of a turn of phrase found in it.'),
  weight: z.number().describe('How far it moved the score, against the mean of all.'),
})

const action = z.object({
  action: z.enum(ACTIONS).describe('What to do.'),
  detail: z.string().max(300).describe('For whom or what, and why.'),
  order_id: z.string().max(40).nullable().describe('The order it is for, or null.'),
  amount: z.number().min(0).nullable().describe('Money that would be paid back, in the currency of the shop, or null.'),
})

const fact = z.object({
  fact: z.string().max(60).describe('What it is.'),
  value: z.string().max(200).describe('As it stands in the reply.'),
  source: z.string().max(200).describe('Where it comes from.'),
})

export const handledTicket = z.object({
  ticket_id,
  intent,
  intents: z
    .array(z.object({ intent, confidence }))
    .min(1)
    .max(12)
    .describe('All that it is about, the leading one first.'),
  sentiment,
  sentiment_note: z
    .string()
    .max(200)
    .nullable()
    .describe('Where the given sentiment and the words disagree: how; else null.'),
  confidence,
  why: z.array(reason).max(20).describe('The words that decided, with their weights.'),
  order: orderShown.nullable().describe('The order behind it, or null where none is certain.'),
  policy: policyShown.nullable().describe('The policy that applies first, or null where the shop has none.'),
  reply: z.string().max(6000).describe('The reply, or its draft.'),
  facts: z.array(fact).max(60).describe('Every figure, date and name in the reply, with its source.'),
  actions: z.array(action).max(20).describe('What is proposed beside answering. Nothing of it is done yet.'),
  status: z.enum(['answered', 'with a human']).describe('Sent, or a draft for a person.'),
  reason: z.string().max(1200).describe('Why it was sent, or why a person should look first.'),
})
