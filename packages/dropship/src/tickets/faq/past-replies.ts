/**
 * Sentences that many past replies share word for word. Sentences with a figure, a date or a name concern one customer and are never
 * returned.
 */
import type { Reply } from '../../ports.ts'

const SHARED_BY = 0.3
const FEWEST_WORDS = 6
const MAX_SENTENCES = 1

/** Greetings and closes, which every reply has. */
const FORM =
  /^(?:hello|hi|dear|thank|thanks|kind regards|i understand|i am sorry|we are sorry|sorry|if anything|your customer service|best)\b/i

const personal = (sentence: string): boolean =>
  /\b(?:we|i) (?:have|had|am|are (?:asking|looking))\b/i.test(sentence) ||
  /\d|@|\bhello\b/i.test(sentence) ||
  /(?<!^)(?<![.!?] )\b(?!I\b|VAT\b|PDF\b)[A-Z][a-z]+/.test(sentence)

export function sharedSentences(replies: readonly Reply[]): string[] {
  const counts = new Map<string, number>()
  for (const { body } of replies) {
    const sentences = body.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim())
    for (const sentence of new Set(sentences)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  }
  return [...counts]
    .filter(
      ([sentence, count]) =>
        count >= 2 && count / replies.length >= SHARED_BY && sentence.split(' ').length >= FEWEST_WORDS,
    )
    .filter(([sentence]) => !FORM.test(sentence) && !personal(sentence))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_SENTENCES)
    .map(([sentence]) => sentence)
}
