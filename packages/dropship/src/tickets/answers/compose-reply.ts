/**
 * Puts a reply together: a greeting, words that fit the mood, an answer to each topic, a close. Nothing that the customer wrote is
 * repeated in it, so that no link, markup or made-up figure of theirs ever goes out in the shop's name.
 */

import { INTENT_WORDS, type Intent, type Sentiment } from '../intents.ts'
import { type Facts, sanitise } from './facts.ts'
import type { TopicAnswer } from './ticket-case.ts'

export interface ReplyPart {
  readonly intent: Intent
  readonly said: TopicAnswer
}

const OPENINGS: Readonly<Record<Sentiment, string>> = {
  angry: 'I understand that you are angry, and I am sorry for the trouble you have had with us.',
  unhappy: 'I am sorry that this did not go as it should.',
  neutral: 'Thank you for your message.',
  happy: 'Thank you for your kind message.',
}

const CLOSES: Readonly<Record<Sentiment, string>> = {
  angry: 'If anything about this is not right, answer this message and a person takes it up.',
  unhappy: 'If anything is left open, just answer this message.',
  neutral: 'If anything is left open, just answer this message.',
  happy: 'We are glad to have you as a customer.',
}

/** A first name as people have them, or nothing: names come from an order form. */
export function firstName(name: string): string | undefined {
  const first = sanitise(name).split(' ')[0] ?? ''
  return /^\p{L}[\p{L}'’-]{1,29}$/u.test(first) ? first : undefined
}

export function composeReply(
  parts: readonly ReplyPart[],
  sentiment: Sentiment,
  name: string | undefined,
  facts: Facts,
): string {
  const first = name === undefined ? undefined : firstName(name)
  const greeting = first === undefined ? 'Hello,' : `Hello ${facts.text('name', first, 'order')},`
  const answers = parts.map(({ intent, said }, index) => {
    const lead = index === 0 ? [] : [`You also wrote about ${INTENT_WORDS[intent]}.`]
    return [...lead, ...said.says].join(' ')
  })
  if (answers.length === 0) answers.push('A colleague is looking into your question and writes to you.')
  // A thank-you for praise says it all; a second one before it would sound like a machine.
  const opening = parts[0]?.intent === 'praise' ? [] : [OPENINGS[sentiment]]
  return [greeting, ...opening, ...answers, CLOSES[sentiment], 'Kind regards\nYour customer service'].join('\n\n')
}
