/** Words and sentences of a text as a reader sees it (visible-text.ts). A word has a key: what it is compared by. */
import { stem } from '../../../english/stem.ts'
import { latinLookalikes } from '../../../tool/verify/lookalikes.ts'
import { firstNotBelow } from './first-not-below.ts'
import { visibleText } from './visible-text.ts'

/** A piece of a text, as it is written there. */
export interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface Word extends Span {
  /** small letters, and those of other scripts that look Latin made Latin, so that a forged word is the word it forges */
  readonly key: string
}

export interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu
const ASCII = /^[\0-\x7f]*$/

export const wordKey = (word: string): string => (ASCII.test(word) ? word : latinLookalikes(word)).toLowerCase()

export const spanOf = ({ 0: text, index }: RegExpExecArray): Span => ({ text, start: index, end: index + text.length })

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(WORD)) words.push({ ...spanOf(match), key: wordKey(match[0]) })
  return words
}

export const stemsOf = (text: string): string[] => wordsOf(visibleText(text)).map(({ key }) => stem(key))

/** How many of the spans, which are in order, begin before an index of the text. */
export const countBefore = (spans: readonly Span[], index: number): number =>
  firstNotBelow(spans, index, ({ start }) => start)

/** The words that begin within a part of the text. */
export const wordsBetween = (words: readonly Word[], start: number, end: number): Word[] =>
  words.slice(countBefore(words, start), countBefore(words, end))

/** A full stop after these ends no sentence. */
const SHORT = new Set('mr mrs ms dr prof st vs approx fig vol dept est inc ltd co e.g i.e'.split(' '))
const STOPS = /[.!?…。！？\n]+/gu
/** A line longer than this was broken to fit a width, not to end a thought. */
const WRAPPED = 60

export function sentencesOf(text: string, words: readonly Word[]): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  const close = (end: number): void => {
    const within = wordsBetween(words, from, end)
    // Marks without a word belong to nothing.
    if (within.length > 0) sentences.push({ text: text.slice(from, end).trim(), words: within })
    from = end
  }
  let lineStart = 0
  for (const { 0: stop, index } of text.matchAll(STOPS)) {
    const end = index + stop.length
    if (endsSentence(text, stop, index, end, lineStart)) close(end)
    if (stop.includes('\n')) lineStart = end
  }
  close(text.length)
  return sentences
}

function endsSentence(text: string, stop: string, index: number, end: number, lineStart: number): boolean {
  if (stop === '\n') return index - lineStart < WRAPPED || !/[\p{Ll}\p{N}("']/u.test(text.charAt(end))
  if (/[\n。！？]/u.test(stop)) return true
  let after = end
  while (after < end + 3 && /["')\]]/.test(text.charAt(after))) after += 1
  if (after < text.length && !/\s/.test(text.charAt(after))) return false
  return stop !== '.' || !isShort(text, index)
}

function isShort(text: string, index: number): boolean {
  const before = /[\p{L}.]+$/u.exec(text.slice(Math.max(0, index - 8), index))?.[0].toLowerCase()
  // A lone letter is an initial or part of an abbreviation; but “I” and a grade may end a sentence at the end of the text.
  return before !== undefined && (SHORT.has(before) || (/(^|\.)\p{L}$/u.test(before) && index + 1 < text.length))
}
