/**
 * Composes a reply: a greeting, an opening for the mood, an answer to each topic, a close. It repeats nothing that the customer
 * wrote, so that no link, markup or invented figure of theirs is ever sent in the shop's name.
 */

import { INTENT_ABOUT, type Intent, type Sentiment } from '../intents.ts'
import { type Facts, sanitise } from './facts.ts'
import type { TopicAnswer } from './ticket-case.ts'

export interface ReplyPart {
  readonly intent: Intent
  readonly answer: TopicAnswer
}

const OPENINGS: Readonly<Record<Sentiment, string>> = {
  angry: 'I understand that you are angry, and I am sorry for the trouble this has caused you.',
  unhappy: 'I am sorry that this did not go as it should have.',
  neutral: 'Thank you for your message.',
  happy: 'Thank you for your kind message.',
}

const CLOSES: Readonly<Record<Sentiment, string>> = {
  angry: 'If anything about this is not right, reply to this message and one of us will take care of it.',
  unhappy: 'If anything is still unclear, just reply to this message.',
  neutral: 'If anything is still unclear, just reply to this message.',
  happy: 'We are glad to have you as a customer.',
}

/** The first name, if it looks like one. Names come from an order form and may be anything. */
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
  const answers = parts.map(({ intent, answer }, index) => {
    const lead = index === 0 ? [] : [`You also wrote about ${INTENT_ABOUT[intent].words}.`]
    return [...lead, ...answer.sentences].join(' ')
  })
  if (answers.length === 0) answers.push('A colleague is looking into your question and will write to you.')
  // The answer to praise is a thank-you already. A second one before it would sound automatic.
  const opening = parts[0]?.intent === 'praise' ? [] : [OPENINGS[sentiment]]
  return [greeting, ...opening, ...answers, CLOSES[sentiment], 'Kind regards\nYour customer service'].join('\n\n')
}
