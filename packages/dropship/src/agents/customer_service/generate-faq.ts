/**
 * `customer_service.generate_faq`: what customers ask about a topic, most asked first, each with an answer from the policies and past
 * replies, and how many tickets it covers. Changes nothing.
 */
import { answer, ToolError, tool } from 'myrmex'
import * as z from 'zod'
import type { Shop, ShopSource } from '../../ports.ts'
import {
  buildFaq,
  type ClassifiedTicket,
  classifyTickets,
  type FaqEntry,
  intentCounts,
  ticketsOnTopic,
} from '../../tickets/faq/faq.ts'
import { intent } from './fields.ts'

const input = z.object({
  topic: z
    .string()
    .trim()
    .min(2)
    .max(100)
    .describe('What the questions are about: shipping, returns, the name of a product.'),
  most: z.number().int().min(1).max(50).default(10).describe('Most questions to give.'),
})

const share = (what: string) => z.number().min(0).max(1).describe(what)
const count = (what: string) => z.number().int().min(0).describe(what)

const entry = z.object({
  question: z.string().max(300).describe('The question.'),
  answer: z.string().max(4000).describe('The answer, in the words of policies and past replies.'),
  intent,
  tickets: count('Tickets that it answers.'),
  share: share('The same as a share of all tickets of the topic.'),
  asked_as: z.array(z.string().max(100)).max(6).describe('How customers put it: turns of phrase that were found.'),
  policies: z.array(z.string().max(60)).max(10).describe('Ids of the policies that it is drawn from.'),
  replies: count('Replies that were sent to these tickets, where a sentence they share is part of the answer; else 0.'),
})

const output = z.object({
  topic: z.string().max(100).describe('What was asked for.'),
  tickets: count('Tickets of the topic.'),
  of: count('All tickets there are.'),
  covered: count('Tickets of the topic that the answers cover.'),
  share: share('The same as a share of the tickets of the topic.'),
  faq: z.array(entry).max(50).describe('Questions with answers, most asked first.'),
})

export const generateFaq = (source: ShopSource) =>
  tool({
    name: 'customer_service.generate_faq',
    version: '1.0.0',
    title: 'Answer what is asked often',
    description:
      'Groups the tickets of a topic and answers each group once, from the policies and past replies. Says how many tickets every ' +
      'answer covers and what share of the topic that is.',
    input,
    output,
    errors: { UnknownTopic: 'No ticket was ever about this. The error names the topics there are.' },
    idempotent: true,
    destructive: false,
    security:
      '- Reads all tickets. Nothing that a customer wrote comes out: questions are ours, answers come from policies, and of past replies ' +
      'only sentences without figures, dates and names that many of them share.',
    examples: [
      { title: 'What is asked about shipping', arguments: { topic: 'shipping' } },
      { title: 'Never asked about', arguments: { topic: 'xylophone lessons' }, error: 'UnknownTopic' },
    ],
    run: async ({ topic, most }) => {
      const shop = await source()
      const asked = await allAsked(shop)
      const own = await ticketsOnTopic(asked, topic)
      if (own.length === 0) throw unknownTopic(topic, asked)
      const { entries } = buildFaq(own, await shop.helpdesk.policies())
      const faq = entries.slice(0, most)
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
        { explanation: `${faq.length} answers cover ${covered} of ${own.length} tickets about ${topic}.` },
      )
    },
  })

const allAsked = async (shop: Shop): Promise<ClassifiedTicket[]> =>
  classifyTickets(await shop.helpdesk.tickets(), await shop.helpdesk.replies())

const portion = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 1000

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
    `No ticket is about ${JSON.stringify(topic)}. ${named === '' ? 'There are no tickets yet.' : `Asked about were: ${named}.`}`,
    { topic, topics },
  )
}
