/**
 * Judges a sentence by its words as a whole: a sum of learned weights. It finds paraphrases that no rule has, and is wrong more often than
 * a rule, so that it asks for a look and does not block.
 */
import { WARN_WEIGHT } from './family.ts'
import type { SentenceFeatures } from './sentence-features.ts'
import type { Signal } from './signal.ts'
import { WORD_WEIGHTS } from './word-weights.ts'

/** Scores are logarithms of odds. About 2 % of honest tools that the weights were not trained on have a sentence above this one. */
const SUSPICIOUS = 0.9
/** What words alone weigh at most: they ask for a look, and block only together with a rule. */
const MAX_WEIGHT = 7
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

/** The sentence with the highest score, if it is high enough. */
export function wordWeightSignal(
  text: string,
  sentences: readonly SentenceFeatures[],
  isMain: boolean,
): Signal | undefined {
  const known = weights()
  let best = { score: Number.NEGATIVE_INFINITY, quote: '' }
  for (const { features, start, end } of sentences) {
    if (leavesOutData(text.slice(start, Math.min(end, start + MAX_SENTENCE)))) continue
    let score = known.get('bias') ?? 0
    for (const feature of features) score += known.get(feature) ?? 0
    if (score > best.score) best = { score, quote: text.slice(start, Math.min(end, start + 200)) }
  }
  const weight = Math.min(MAX_WEIGHT, WARN_WEIGHT + best.score - SUSPICIOUS - (isMain ? 0 : PARAMETER_MARGIN))
  if (weight < 1) return undefined
  const message = 'this sentence resembles known attacks: it gives orders instead of describing the tool'
  return { rule: 'reads-like-an-attack', weight, message, quote: best.quote }
}
