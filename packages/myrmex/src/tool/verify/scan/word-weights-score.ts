/**
 * Judges a sentence by its words as a whole: a sum of learned weights. It finds paraphrases that no rule has, and is wrong more often than
 * a rule, so that it asks for a look and does not block.
 */
import { WARN_WEIGHT } from './family.ts'
import type { SentenceFeatures } from './sentence-features.ts'
import type { Signal } from './signal.ts'
import { WORD_WEIGHTS } from './word-weights.ts'

/** Scores are logarithms of odds. Of honest tools of servers that the weights were not trained on, about 2 % have a sentence above this one. */
const SUSPICIOUS = 1
/** What words alone weigh at most: they ask for a look, and block only together with a rule. */
const MAX_WEIGHT = 7
/** Weaker suspicions are dropped: in a long text they would add up with weak rules. */
const MIN_WEIGHT = 3
/** Texts about a parameter give orders about its value ("always pass a code"), so their score must be higher. */
const PARAMETER_MARGIN = 1.5
const MAX_SENTENCE = 300

/** "Ignore duplicates" says which data a tool leaves out. What it says about rules, people or tools is another matter. */
const LEAVES_OUT_DATA =
  /\b(?:ignor|disregard|skip|exclud)\w*\b[^.]{0,60}\b(?:irrelevant|unrelated|duplicates?|empty|blank|whitespace|punctuation|case|hidden files)\b/i
const IS_ABOUT_ORDERS =
  /\b(?:instruct|rule|prompt|polic|guideline|warning|safety|user|system|assistant|agent|model|tool)/i
const leavesOutData = (sentence: string): boolean => LEAVES_OUT_DATA.test(sentence) && !IS_ABOUT_ORDERS.test(sentence)

let made: ReadonlyMap<string, number> | undefined

function weights(): ReadonlyMap<string, number> {
  made ??= new Map(
    WORD_WEIGHTS.trim()
      .split(/[\n,]/)
      .map((pair) => {
        const space = pair.lastIndexOf(' ')
        return [pair.slice(0, space), Number(pair.slice(space + 1)) / 100] as const
      }),
  )
  return made
}

/** A sentence with its score, a logarithm of odds. */
export interface ScoredSentence {
  readonly start: number
  readonly end: number
  readonly score: number
}

/** `text` is what the sentences were read from. */
export function scoreSentences(text: string, sentences: readonly SentenceFeatures[]): ScoredSentence[] {
  const known = weights()
  return sentences.map(({ features, start, end }) => {
    if (leavesOutData(text.slice(start, Math.min(end, start + MAX_SENTENCE)))) return { start, end, score: HONEST }
    let score = known.get('bias') ?? 0
    for (const feature of features) score += known.get(feature) ?? 0
    return { start, end, score }
  })
}

/**
 * Below this score a sentence reads as honest, so that a weak rule alone says little about it. The longer a text is, the more chances for a
 * match it has; in one or two sentences a match is no chance.
 */
const HONEST = -3
const SOME_SENTENCES = 3
const HONEST_IN_LONG_TEXT = -1
const MANY_SENTENCES = 6
const HONEST_DISCOUNT = 3
/** Stronger rules are not doubted. */
const MAX_DOUBTED = 8

/** The weight of a rule's match at `start`, given the sentence that it is in. */
export function doubted(weight: number, start: number, sentences: readonly ScoredSentence[]): number {
  if (weight > MAX_DOUBTED || sentences.length < SOME_SENTENCES) return weight
  const sentence = sentences.find((one) => one.start <= start && start < one.end)
  const limit = sentences.length >= MANY_SENTENCES ? HONEST_IN_LONG_TEXT : HONEST
  return sentence !== undefined && sentence.score < limit ? Math.max(1, weight - HONEST_DISCOUNT) : weight
}

/** The sentence with the highest score, if it is high enough. */
export function wordWeightSignal(
  text: string,
  sentences: readonly ScoredSentence[],
  isMain: boolean,
): Signal | undefined {
  let best: ScoredSentence = { start: 0, end: 0, score: Number.NEGATIVE_INFINITY }
  for (const sentence of sentences) if (sentence.score > best.score) best = sentence
  const weight = Math.min(MAX_WEIGHT, WARN_WEIGHT + best.score - SUSPICIOUS - (isMain ? 0 : PARAMETER_MARGIN))
  if (weight < MIN_WEIGHT) return undefined
  const message = 'this sentence resembles known attacks: it gives orders instead of describing the tool'
  const quote = text.slice(best.start, Math.min(best.end, best.start + 200))
  return { rule: 'reads-like-an-attack', weight, message, quote }
}
