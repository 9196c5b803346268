/** An output, read once for all criteria that look at the same place in it. */
import { hasWordSpaces, looksEnglish } from './english.ts'
import { leavesOf, pointerOf } from './passages.ts'
import { type Sentence, sentencesOf, type Word, wordsOf } from './sentences.ts'
import { visibleText } from './visible-text.ts'

export interface Passage {
  /** JSON pointer; empty for an output that is a text */
  readonly pointer: string
  /** as it was given */
  readonly raw: string
  /** as a reader sees it */
  readonly text: string
  readonly words: readonly Word[]
  readonly sentences: readonly Sentence[]
}

export interface OutputReading {
  readonly value: unknown
  readonly passages: readonly Passage[]
  /** those that may claim something: all but names */
  readonly texts: readonly Passage[]
  /** those written to be read: in data, a single word is a label */
  readonly prose: readonly Passage[]
  /** as far as its words tell */
  readonly isEnglish: boolean
  /** false for scripts that put no blanks between words: there is nothing to count */
  readonly hasSpaces: boolean
}

/** Made for machines: an identifier with an underscore, a URL, a UUID or longer hash, a timestamp. A date or a price is none of them. */
const NAME =
  /^(?:[A-Za-z0-9-]*_[A-Za-z0-9_-]*|[a-z][a-z0-9+.-]{1,20}:\/\/\S*|\/\S*|[0-9a-f-]{16,}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))$/

export function readOutput(value: unknown): OutputReading {
  const passages: Passage[] = []
  const texts: Passage[] = []
  const isText = typeof value === 'string'
  for (const leaf of leavesOf(typeof value === 'number' ? String(value) : value)) {
    const raw = leaf.value
    if (typeof raw !== 'string' || raw === '') continue
    const text = visibleText(raw)
    const words = wordsOf(text)
    const passage = { pointer: pointerOf(leaf), raw, text, words, sentences: sentencesOf(text, words) }
    passages.push(passage)
    if ((isText || !NAME.test(raw)) && text.trim() !== '') texts.push(passage)
  }
  const prose = texts.filter(({ words }) => words.length > (isText ? 0 : 1))
  return { value, passages, texts, prose, isEnglish: looksEnglish(prose), hasSpaces: hasWordSpaces(prose) }
}
