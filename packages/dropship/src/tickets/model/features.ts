/** What the linear model counts in a message: stems, pairs of stems that follow each other, and cues. */

import { stem } from 'myrmex/english'
import { normalised, wordsOf } from '../reading/words.ts'
import { findCues } from './cues.ts'

/** Feature by name, with the words that it was found in: `not arriv` from "not arrived". */
export type Features = ReadonlyMap<string, string>

/** Words without a topic of their own. They count in pairs (`not arriv`, `my money`) but not alone. */
const EMPTY = new Set(
  `a an the i me we us our you your he she it its they them this that these those to of in on at for by from as and or be is are
  was were am been have has had do does did will would could should may might hello hi dear team please thank thanks regards kind
  best sir madam there so just very really with my`
    .split(/\s+/)
    .map(stem),
)

/** What a cue counts, where the words of a message count one together; found by cross-validation (train.ts). */
const CUE_VALUE = 1

export const isCue = (feature: string): boolean => feature.startsWith('cue:')

/** `mend` puts a word the model never saw right, where one that it knows is a letter away. */
export function extractFeatures(text: string, mend: (stemmed: string) => string = (stemmed) => stemmed): Features {
  const said = normalised(text)
  const words = wordsOf(said)
  const stems = words.map((word) => mend(stem(word)))
  const found = new Map<string, string>()
  for (const [index, here] of stems.entries()) {
    if (!EMPTY.has(here)) found.set(here, words[index] ?? here)
    const next = stems[index + 1]
    if (next !== undefined && !(EMPTY.has(here) && EMPTY.has(next)))
      found.set(`${here} ${next}`, `${words[index]} ${words[index + 1]}`)
  }
  for (const { name } of findCues(said)) found.set(`cue:${name}`, name)
  return found
}

/** The words scaled to a length of one, however long the message, and the cues beside them. */
export function scaleFeatures(found: Features, known: (feature: string) => boolean): Map<string, number> {
  const kept = [...found.keys()].filter(known)
  const words = kept.filter((feature) => !isCue(feature)).length
  return new Map(kept.map((feature) => [feature, isCue(feature) ? CUE_VALUE : 1 / Math.sqrt(words)]))
}
