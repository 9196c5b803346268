/**
 * Forbidden words and phrases, found as they look: whole words in any case, with `*` all that begin so, and also where they
 * are s p a c e d out, written with digits for letters (fr33), or cut by marks (fr*ee).
 */
import { SCRIPT_WITHOUT_SPACES } from '../../../../english/words.ts'
import { getOrMake } from '../../../../protocol/get-or-make.ts'
import { phraseFinder } from '../../reading/phrases.ts'
import type { Passage } from '../../reading/reading.ts'
import { type Word, wordsOf } from '../../reading/sentences.ts'
import { visibleText } from '../../reading/visible-text.ts'

export interface ForbiddenMatch {
  readonly phrase: string
  /** as it is written in the text */
  readonly found: string
}

type Disguise = (passage: Passage) => readonly Word[]

const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[ .\-_*·|/]\p{L}(?![\p{L}\p{N}])){2,}/gu
const CUT = /[*_~`|\\^·•]+/gu
const DIGITS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's' }
const GROWN = /\p{L}[0134578@$]|[0134578@$]\p{L}/u
const MIXED = /[\p{L}0134578@$]+/gu
/** Longer runs are not words. */
const MAX_WORD_LENGTH = 40

const plain: Disguise = ({ words }) => words
const spaced: Disguise = ({ text }) =>
  (text.match(SPACED) ?? []).flatMap((run) => wordsOf(run.replace(/[^\p{L}]/gu, '')))
const cut: Disguise = ({ text }) => (!/\p{L}[*_~`|\\^·•]+\p{L}/u.test(text) ? [] : wordsOf(text.replace(CUT, '')))
const digits: Disguise = ({ text }) => (GROWN.test(text) ? wordsOf(text.replace(MIXED, lettered)) : [])

const lettered = (word: string): string =>
  word.length > MAX_WORD_LENGTH || !/\p{L}/u.test(word)
    ? word
    : word.replace(/[0134578@$]/g, (sign) => DIGITS[sign] as string)

export const DISGUISES = { none: [plain], all: [plain, spaced, cut, digits] } as const

/** Made once for a list, asked of every passage. */
export function forbiddenFinder(
  phrases: readonly string[],
  disguises: readonly Disguise[] = DISGUISES.all,
): (passage: Passage) => ForbiddenMatch[] {
  if (phrases.length === 0) return () => []
  const findPhrases = phraseFinder(phrases)
  // Without blanks between words, and for signs, there are no words to compare.
  const wordless = phrases
    .map((phrase) => ({ phrase, sought: visibleText(phrase).toLowerCase() }))
    .filter(({ sought }) => SCRIPT_WITHOUT_SPACES.test(sought) || !/[\p{L}\p{N}]/u.test(sought))
  return (passage) => {
    const found = new Map<string, string>()
    for (const disguise of disguises) {
      const words = disguise(passage)
      for (const { phrase, from, to } of findPhrases(words)) {
        const texts = words.slice(from, to).map(({ text }) => text)
        getOrMake(found, phrase, () => texts.join(' '))
      }
    }
    const lower = wordless.length === 0 ? '' : passage.text.toLowerCase()
    for (const { phrase, sought } of wordless) if (lower.includes(sought)) found.set(phrase, sought)
    return [...found].map(([phrase, as]) => ({ phrase, found: as }))
  }
}
