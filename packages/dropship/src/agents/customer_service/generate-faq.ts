/**
 * `customer_service.generate_faq`: the questions of customers about a topic, most frequent first, each with an answer from the policies
 * and past replies, and the number of tickets it covers. Changes nothing.
 */

import { answer, ToolError, tool } from 'myrmex'
import { plural } from 'myrmex/text'
import * as z from 'zod'
import { rounded } from '../../figures.ts'
import type { ShopSource } from '../../ports.ts'
import {
  buildFaq,
  type ClassifiedTicket,
  classifyTickets,
  type FaqEntry,
  intentCounts,
  ticketsOnTopic,
} from '../../tickets/faq/faq.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { intent } from './fields.ts'

const input = z.object({
  topic: z.string().trim().min(2).max(100).describe('Topic: shipping, returns, the name of a product.'),
  most: field.integerFrom(1, 50, 'Maximum number of questions.').default(10),
})

const entry = z.object({
  question: field.text(300, 'The question.'),
  answer: field.text(4000, 'The answer, from policies and past replies.'),
  intent,
  tickets: field.count('Number of tickets it answers.'),
  share: field.share('Share of the tickets of the topic.'),
  asked_as: field.list(6, 'Phrases that customers used.', field.text(100)),
  policies: field.list(10, 'Ids of the policies used.', field.text(60)),
  replies: field.count('Replies to these tickets, if a shared sentence of them is part of the answer; otherwise 0.'),
})

const output = z.object({
  topic: field.text(100, 'The requested topic.'),
  tickets: field.count('Number of tickets of the topic.'),
  of: field.count('Number of all tickets.'),
  covered: field.count('Number of tickets that the answers cover.'),
  share: field.share('Share of the tickets that the answers cover.'),
  faq: field.list(50, 'Questions with answers, most frequent first.', entry),
})

export const generateFaq = (source: ShopSource) =>
  tool({
    name: 'customer_service.generate_faq',
    version: '1.1.0',
    title: 'Answer what is asked often',
    description:
      'Groups the tickets of a topic and answers each group once, from the policies and past replies. Reports how many tickets each ' +
      'answer covers, and their share of the topic.',
    input,
    output,
    errors: {
      UnknownTopic: details.failure('No ticket is about this. The error lists the known topics.', {
        topic: details.text('The topic that was given.'),
        topics: z
          .array(z.object({ topic: details.text('Name of the topic.'), tickets: details.integer('Tickets about it.') }))
          .describe('Topics that tickets are about.'),
      }),
    },
    idempotent: true,
    destructive: false,
    security:
      '- Reads all tickets but returns nothing that a customer wrote: questions are predefined, answers come from policies, and from past ' +
      'replies only sentences without figures, dates and names that many of them share.',
    examples: [
      { title: 'What is asked about shipping', arguments: { topic: 'shipping' } },
      { title: 'An unknown topic', arguments: { topic: 'xylophone lessons' }, error: 'UnknownTopic' },
    ],
    run: async ({ topic, most }) => {
      const shop = await source()
      const asked = await classifyTickets(await shop.helpdesk.tickets(), await shop.helpdesk.replies())
      const own = await ticketsOnTopic(asked, topic)
      if (own.length === 0) throw unknownTopic(topic, asked)
      const faq = buildFaq(own, await shop.helpdesk.policies()).slice(0, most)
      const covered = faq.reduce((sum, { tickets }) => sum + tickets, 0)
      return answer(
        {
          topic,
          tickets: own.length,
          of: asked.length,
          covered,
          share: portion(covered, own.length),
          faq: faq.map((one) => shownEntry(one, own.length)),
        },
        {
          explanation: `${plural(faq.length, 'answer covers', 'answers cover')} ${covered} of ${plural(own.length, 'ticket')} about ${topic}.`,
        },
      )
    },
  })

const portion = (part: number, whole: number): number => rounded(part / whole, 3)

const shownEntry = ({ words, policies, ...one }: FaqEntry, all: number) => ({
  ...one,
  share: portion(one.tickets, all),
  asked_as: [...words],
  policies: [...policies],
})

function unknownTopic(topic: string, asked: readonly ClassifiedTicket[]): ToolError {
  const topics = intentCounts(asked).map(({ intent, tickets }) => ({ topic: intent, tickets }))
  const named = topics.map((one) => `${one.topic} (${one.tickets})`).join(', ')
  return new ToolError(
    'UnknownTopic',
    `No ticket is about ${JSON.stringify(topic)}. ${named === '' ? 'There are no tickets yet.' : `Known topics: ${named}.`}`,
    { topic, topics },
  )
}
