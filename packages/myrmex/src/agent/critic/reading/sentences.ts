/** Words and sentences of a text that is shown (shown.ts). A word has a key: what it is compared by. */
import { latinLookalikes } from '../../../tool/verify/lookalikes.ts'

export interface Word {
  readonly text: string
  /** small letters, and those of other scripts that look Latin made Latin, so that a forged word is the word it forges */
  readonly key: string
  readonly start: number
  readonly end: number
}

export interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu
const ASCII = /^[\0-\x7f]*$/

export const wordKey = (word: string): string => (ASCII.test(word) ? word : latinLookalikes(word)).toLowerCase()

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    words.push({ text: word, key: wordKey(word), start: index, end: index + word.length })
  }
  return words
}

/** A full stop after these ends no sentence. */
const SHORT = new Set('mr mrs ms dr prof st vs approx fig vol dept est inc ltd co e.g i.e'.split(' '))
const STOPS = /[.!?…。！？\n]+/gu
/** A line longer than this was broken to fit a width, not to end a thought. */
const WRAPPED = 60

export function sentencesOf(text: string, words: readonly Word[]): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  let word = 0
  const close = (end: number): void => {
    const first = word
    while (word < words.length && (words[word] as Word).start < end) word += 1
    // Marks without a word belong to nothing.
    if (word > first) sentences.push({ text: text.slice(from, end).trim(), words: words.slice(first, word) })
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
