/** The features of a message for the linear model: stems, pairs of adjacent stems, and cues. */

import { stem } from 'myrmex/english'
import { normalised, wordsOf } from '../reading/words.ts'
import { findCues } from './cues.ts'

/** Features by name, with the words they were found in: `not arriv` from "not arrived". */
export type Features = ReadonlyMap<string, string>

/** Words without a topic. They count in pairs (`not arriv`, `my money`) but not alone. */
const EMPTY = new Set(
  `a an the i me we us our you your he she it its they them this that these those to of in on at for by from as and or be is are
  was were am been have has had do does did will would could should may might hello hi dear team please thank thanks regards kind
  best sir madam there so just very really with my`
    .split(/\s+/)
    .map(stem),
)

/** The value of a cue, where all words of a message together have length 1. Found by cross-validation (training/train.ts). */
const CUE_VALUE = 1

export const isCue = (feature: string): boolean => feature.startsWith('cue:')

/** `correct` replaces a misspelled stem by one that the model knows. */
export function extractFeatures(text: string, correct: (stemmed: string) => string = (stemmed) => stemmed): Features {
  const normal = normalised(text)
  const words = wordsOf(normal)
  const stems = words.map((word) => correct(stem(word)))
  const found = new Map<string, string>()
  for (const [index, here] of stems.entries()) {
    if (!EMPTY.has(here)) found.set(here, words[index] ?? here)
    const next = stems[index + 1]
    if (next !== undefined && !(EMPTY.has(here) && EMPTY.has(next)))
      found.set(`${here} ${next}`, `${words[index]} ${words[index + 1]}`)
  }
  for (const { name } of findCues(normal)) found.set(`cue:${name}`, name)
  return found
}

/** Scales the words of a message of any length to a vector of length 1, and adds the cues. */
export function scaleFeatures(found: Features, known: (feature: string) => boolean): Map<string, number> {
  const kept = [...found.keys()].filter(known)
  const words = kept.filter((feature) => !isCue(feature)).length
  return new Map(kept.map((feature) => [feature, isCue(feature) ? CUE_VALUE : 1 / Math.sqrt(words)]))
}
