/** Bounds that are usual for a kind of text, found by the words of the task. The sources are in docs/critic.md. */

import { wordKey } from '../../reading/sentences.ts'
import { visibleText } from '../../reading/visible-text.ts'

export const BOUND_NAMES = ['min_words', 'max_words', 'min_characters', 'max_characters'] as const
export type Bounds = Readonly<Partial<Record<(typeof BOUND_NAMES)[number], number>>>

/** Kind, pattern of the task, bounds. The first match counts, so special kinds come before general ones. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp, bounds: Bounds])[] = [
  ['a search ad headline', /\b(?:google|search)(?: ads?)? headlines?\b/, { min_characters: 5, max_characters: 30 }],
  ['a search ad description', /\b(?:google|search) ads? descriptions?\b/, { min_characters: 30, max_characters: 90 }],
  ['a meta description', /\b(?:meta|seo) descriptions?\b/, { min_characters: 70, max_characters: 160 }],
  [
    'a tweet',
    /\b(?:tweets?|posts? (?:on|for) (?:x|twitter)|twitter posts?)\b/,
    { min_characters: 20, max_characters: 280 },
  ],
  ['a subject line', /\bsubject lines?\b/, { min_words: 2, max_characters: 60 }],
  ['a headline', /\b(?:headlines?|titles?)\b/, { min_words: 2, max_characters: 70 }],
  ['a slogan', /\b(?:slogans?|taglines?)\b/, { min_words: 2, max_words: 10 }],
  ['a product description', /\bdescriptions?\b/, { min_words: 30, max_words: 300 }],
  ['a reply', /\b(?:reply|replies|answers? to|respond|response to)\b/, { min_words: 20, max_words: 200 }],
  ['an ad', /\b(?:ads?|adverts?|advertisements?|ad copy)\b/, { min_words: 5, max_words: 125 }],
  ['a summary', /\b(?:summary|summaries|summari[sz]e|abstract)\b/, { min_words: 20, max_words: 150 }],
  ['an article', /\b(?:articles?|blog posts?|essays?)\b/, { min_words: 300, max_words: 2500 }],
]

export const USUAL_LENGTHS = KINDS.map(([kind, pattern, bounds]) => ({ kind, pattern, bounds }))

/** A task is a sentence or two. The rest of a longer text does not name its kind. */
const MAX_TASK_LENGTH = 2000

export function usualLengthFor(task: string): (typeof USUAL_LENGTHS)[number] | undefined {
  const asked = wordKey(visibleText(String(task).slice(0, MAX_TASK_LENGTH)))
  return USUAL_LENGTHS.find(({ pattern }) => pattern.test(asked))
}
