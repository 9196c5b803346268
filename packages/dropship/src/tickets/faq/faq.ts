/**
 * Builds a list of frequently asked questions: the tickets of a topic grouped by intent and then by similarity, each group with one
 * question and an answer from the policies and from sentences that past replies share.
 */

import { stem } from 'myrmex/english'
import { cached } from '../../cached.ts'
import type { Reply, ShopPolicy, Ticket } from '../../ports.ts'
import { INTENT_ABOUT, INTENTS, type Intent, isIntent } from '../intents.ts'
import { likeliest } from '../model/classify.ts'
import { findCues } from '../model/cues.ts'
import { intentModel } from '../reading/topics.ts'
import { mattersOf, normalised, wordsOf } from '../reading/words.ts'
import { clusterByText } from './cluster.ts'
import { sharedSentences } from './past-replies.ts'
import { QUESTIONS, type Question } from './questions.ts'
import { intentsOf, searchTickets } from './ticket-search.ts'

export interface ClassifiedTicket {
  readonly ticket: Ticket
  readonly intent: Intent
  readonly reply: Reply | undefined
}

export interface FaqEntry {
  readonly question: string
  readonly answer: string
  readonly intent: Intent
  readonly tickets: number
  /** names of the most frequent cues */
  readonly words: readonly string[]
  readonly policies: readonly string[]
  /** number of sent replies that the answer is based on */
  readonly replies: number
}

/** The intent of each ticket: that of its reply, or else the model's. */
export async function classifyTickets(
  tickets: readonly Ticket[],
  replies: readonly Reply[],
): Promise<ClassifiedTicket[]> {
  const model = await intentModel()
  const byTicket = new Map(replies.map((reply) => [reply.ticket_id, reply]))
  return tickets.map((ticket) => {
    const reply = byTicket.get(ticket.ticket_id)
    const known = reply !== undefined && isIntent(reply.intent) ? reply.intent : undefined
    const intent = known ?? likeliest<Intent>(model(mattersOf(textOf(ticket))[0]).chances).label
    return { ticket, intent, reply }
  })
}

const textOf = ({ subject, body }: Ticket): string => `${subject}. ${body}`

/** Tickets per intent, most frequent first. */
export const intentCounts = (asked: readonly ClassifiedTicket[]): { intent: Intent; tickets: number }[] =>
  INTENTS.map((intent) => ({ intent, tickets: asked.filter((one) => one.intent === intent).length }))
    .filter(({ tickets }) => tickets > 0)
    .sort((a, b) => b.tickets - a.tickets)

/** The tickets on a topic: those whose intent it names, or else those that contain its words. */
export async function ticketsOnTopic(asked: readonly ClassifiedTicket[], topic: string): Promise<ClassifiedTicket[]> {
  const named = new Set(intentsOf(topic))
  const byName = asked.filter(({ intent }) => named.has(intent))
  if (byName.length > 0) return byName
  const hits = await searchTickets(
    asked.map(({ ticket }) => ticket),
    topic,
  )
  return asked.filter(({ ticket }) => hits.has(ticket.ticket_id))
}

/** The intent's first question whose cue at least half of the group has. */
function questionFor(intent: Intent, members: readonly ClassifiedTicket[]): Question | undefined {
  const said = members.map(({ ticket }) => new Set(findCues(normalised(textOf(ticket))).map(({ name }) => name)))
  return QUESTIONS[intent]?.find(
    ({ cue }) => cue === undefined || said.filter((cues) => cues.has(cue)).length >= members.length / 2,
  )
}

/** The entries, most frequent first. */
export function buildFaq(asked: readonly ClassifiedTicket[], policies: readonly ShopPolicy[]): FaqEntry[] {
  const byQuestion = new Map<Question, { intent: Intent; members: ClassifiedTicket[] }>()
  for (const [intent, ofIntent] of Map.groupBy(asked, (one) => one.intent)) {
    for (const members of clusterByText(ofIntent, ({ ticket }) => textOf(ticket))) {
      const question = questionFor(intent, members)
      if (question === undefined) continue
      cached(byQuestion, question, () => ({ intent, members: [] as ClassifiedTicket[] })).members.push(...members)
    }
  }
  return [...byQuestion]
    .flatMap(([question, entry]) => entryOf(question, entry, policies) ?? [])
    .sort((a, b) => b.tickets - a.tickets)
}

function entryOf(
  { question, about, policies: topics }: Question,
  { intent, members }: { intent: Intent; members: readonly ClassifiedTicket[] },
  policies: readonly ShopPolicy[],
): FaqEntry | undefined {
  const used = (topics ?? [INTENT_ABOUT[intent].policy]).flatMap(
    (topic) => policies.find((policy) => policy.topic === topic) ?? [],
  )
  if (used.length === 0) return undefined
  const sent = members.flatMap(({ reply }) => (reply?.sent === true ? [reply] : []))
  const fromReplies = sharedSentences(sent)
  const answer = [...used.map((policy) => policySentences(policy, about)), ...fromReplies].join(' ')
  return {
    question,
    answer,
    intent,
    tickets: members.length,
    words: turnsOf(intent, members),
    policies: used.map(({ policy_id }) => policy_id),
    replies: fromReplies.length === 0 ? 0 : sent.length,
  }
}

const MAX_TURNS = 6

function turnsOf(intent: Intent, members: readonly ClassifiedTicket[]): string[] {
  const found = members.flatMap(({ ticket }) =>
    findCues(normalised(textOf(ticket))).filter((cue) => cue.intent === intent),
  )
  return [...Map.groupBy(found, ({ name }) => name)]
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MAX_TURNS)
    .map(([name]) => name)
}

const MAX_SENTENCES = 3

/** The sentences of a policy that share words with a question, in the policy's order. */
function policySentences(policy: ShopPolicy, about: string): string {
  const wanted = new Set(wordsOf(about).map(stem))
  const sentences = policy.text.split(/(?<=[.!?])\s+/)
  const scored = sentences.map((sentence, place) => {
    const words = new Set(wordsOf(sentence.toLowerCase()).map(stem))
    return { sentence, place, shared: [...wanted].filter((word) => words.has(word)).length }
  })
  const best = scored
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.place - b.place)
    .slice(0, MAX_SENTENCES)
  return (best.length === 0 ? scored.slice(0, 1) : best.sort((a, b) => a.place - b.place))
    .map(({ sentence }) => sentence)
    .join(' ')
}
