/** Words as search engines compare them: lower case, without plural endings and stop words. */
import { singular } from 'myrmex/english'

const STOP_WORDS = new Set(
  'a an and are as at be by for from in is it its of on or our that the this to under we with you your'.split(' '),
)

export const words = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

export const stems = (text: string): string[] => words(text).map(singular)

export const contentStems = (text: string): string[] =>
  words(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular)

/** How often the text contains the phrase, word by word. */
export function countPhrase(text: readonly string[], phrase: readonly string[]): number {
  if (phrase.length === 0) return 0
  let count = 0
  for (let at = 0; at + phrase.length <= text.length; at++) {
    if (phrase.every((word, offset) => text[at + offset] === word)) count++
  }
  return count
}

/** Whether the text contains all words of the phrase, in any order. */
export const covers = (text: string, phrase: string): boolean => {
  const there = new Set(stems(text))
  const wanted = contentStems(phrase)
  return wanted.length > 0 && wanted.every((word) => there.has(word))
}

/** Vowel groups without a silent e: the usual estimate for English. */
function syllables(word: string): number {
  const groups = word.replace(/e$/, '').match(/[aeiouy]+/g)
  return Math.max(1, groups?.length ?? 1)
}

/** Reading ease after Flesch (1948): 100 is very easy, 0 very hard. Undefined if there is too little text. */
export function readingEase(text: string): number | undefined {
  const sentences = text.split(/[.!?]+(?:\s|$)/).filter((sentence) => words(sentence).length > 0)
  const all = sentences.flatMap(words)
  if (all.length < 10) return undefined
  const perWord = all.reduce((sum, word) => sum + syllables(word), 0) / all.length
  return 206.835 - 1.015 * (all.length / sentences.length) - 84.6 * perWord
}
