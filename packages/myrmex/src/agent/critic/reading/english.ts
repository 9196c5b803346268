/** Whether a text is English, and whether an English sentence is passive, judged by words alone. */
import { languageOf } from '../../../english/language.ts'
import { SCRIPT_WITHOUT_SPACES } from '../../../english/words.ts'
import type { Passage } from './reading.ts'
import type { Sentence, Word } from './sentences.ts'

/** Advertising copy has fewer short words than letters have, and a headline may have none. */
const COPY = { wordsToTell: 20, leastShare: 0.05 }

export const looksEnglish = (prose: readonly Passage[]): boolean =>
  languageOf(prose.map(({ text }) => text).join('\n'), COPY).english

const ALL_UNSPACED = new RegExp(SCRIPT_WITHOUT_SPACES, 'gu')

export function hasWordSpaces(prose: readonly Passage[]): boolean {
  const text = prose.map((passage) => passage.text).join('')
  return (text.match(ALL_UNSPACED)?.length ?? 0) <= text.length / 5
}

const BE = new Set("is are was were be been being gets got isn't aren't wasn't weren't it's they're".split(' '))
const BETWEEN = new Set('not never also already always often usually currently been being now still so very'.split(' '))
const NO_PARTICIPLE = new Set(
  'hundred indeed need speed red bed seed feed shed interested excited pleased tired'.split(' '),
)
const IRREGULAR = new Set(
  (
    'made given taken done seen known shown written sold bought sent kept held built brought chosen driven found grown ' +
    'hidden left lost meant paid put read said set spent taught told thought understood won worn broken drawn eaten ' +
    'forgotten spoken stolen thrown begun run cut'
  ).split(' '),
)

const isParticiple = (key: string): boolean =>
  IRREGULAR.has(key) || (key.length > 4 && key.endsWith('ed') && !NO_PARTICIPLE.has(key))

/** A form of to be, at most two adverbs, and a participle. */
export function isPassive({ words }: Sentence): boolean {
  return words.some(({ key }, index) => {
    if (!BE.has(key)) return false
    let next = index + 1
    while (next < index + 3 && isAdverb(words[next])) next += 1
    const word = words[next]
    return word !== undefined && isParticiple(word.key)
  })
}

const isAdverb = (word: Word | undefined): boolean =>
  word !== undefined && (BETWEEN.has(word.key) || (word.key.length > 4 && word.key.endsWith('ly')))
