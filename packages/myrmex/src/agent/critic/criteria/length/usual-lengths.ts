/** Bounds that are usual for a kind of text, found by the words of the task. The sources are in docs/critic.md. */

import { wordKey } from '../../reading/sentences.ts'
import { visibleText } from '../../reading/visible-text.ts'

export interface Bounds {
  readonly min_words?: number
  readonly max_words?: number
  readonly min_characters?: number
  readonly max_characters?: number
}

export interface UsualLength {
  readonly kind: string
  readonly pattern: RegExp
  readonly bounds: Bounds
}

/** The first that fits: the more special stand before the more general. */
export const USUAL_LENGTHS: readonly UsualLength[] = [
  {
    kind: 'a search ad headline',
    pattern: /\b(?:google|search)(?: ads?)? headlines?\b/,
    bounds: { min_characters: 5, max_characters: 30 },
  },
  {
    kind: 'a search ad description',
    pattern: /\b(?:google|search) ads? descriptions?\b/,
    bounds: { min_characters: 30, max_characters: 90 },
  },
  {
    kind: 'a meta description',
    pattern: /\b(?:meta|seo) descriptions?\b/,
    bounds: { min_characters: 70, max_characters: 160 },
  },
  {
    kind: 'a tweet',
    pattern: /\b(?:tweets?|posts? (?:on|for) (?:x|twitter)|twitter posts?)\b/,
    bounds: { min_characters: 20, max_characters: 280 },
  },
  { kind: 'a subject line', pattern: /\bsubject lines?\b/, bounds: { min_words: 2, max_characters: 60 } },
  { kind: 'a headline', pattern: /\b(?:headlines?|titles?)\b/, bounds: { min_words: 2, max_characters: 70 } },
  { kind: 'a slogan', pattern: /\b(?:slogans?|taglines?)\b/, bounds: { min_words: 2, max_words: 10 } },
  { kind: 'a product description', pattern: /\bdescriptions?\b/, bounds: { min_words: 30, max_words: 300 } },
  {
    kind: 'a reply',
    pattern: /\b(?:reply|replies|answers? to|respond|response to)\b/,
    bounds: { min_words: 20, max_words: 200 },
  },
  { kind: 'an ad', pattern: /\b(?:ads?|adverts?|advertisements?|ad copy)\b/, bounds: { min_words: 5, max_words: 125 } },
  {
    kind: 'a summary',
    pattern: /\b(?:summary|summaries|summari[sz]e|abstract)\b/,
    bounds: { min_words: 20, max_words: 150 },
  },
  { kind: 'an article', pattern: /\b(?:articles?|blog posts?|essays?)\b/, bounds: { min_words: 300, max_words: 2500 } },
]

/** A task is a sentence or two; what stands further back does not say what is asked for. */
const READ = 2000

export function usualLengthFor(task: string): UsualLength | undefined {
  const asked = wordKey(visibleText(String(task).slice(0, READ)))
  return USUAL_LENGTHS.find(({ pattern }) => pattern.test(asked))
}
