/** Capitals and exclamation marks, counted. */
import type { Word } from '../../reading/sentences.ts'

/** Of letters, at least two, none of them small. Scripts without capitals cannot shout. */
const CAPITALS = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\p{N}']+$/u
const LONGEST_WORD = 100

/** The longest run of words in capitals. Figures between them neither end nor lengthen it. */
export function longestShout(words: readonly Word[]): Word[] {
  let longest: Word[] = []
  let here: Word[] = []
  for (const word of words) {
    if (/^\p{N}+$/u.test(word.text.slice(0, LONGEST_WORD))) continue
    if (CAPITALS.test(word.text.slice(0, LONGEST_WORD))) here.push(word)
    // “A” and “I” are capitals in any case.
    else if (!/^\p{Lu}$/u.test(word.text)) here = []
    if (here.length > longest.length) longest = here
  }
  return longest
}

export const exclamations = (text: string): number => text.match(/[!¡]/g)?.length ?? 0
