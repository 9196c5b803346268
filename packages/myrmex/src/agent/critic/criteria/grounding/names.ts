/**
 * Names in an English text: words with a capital that do not open a sentence, abbreviations, codes such as X200, and what
 * is in quotes. In a line that is set in title case every word has a capital, and none is taken for a name.
 */
import type { Passage } from '../../reading/reading.ts'
import { type Sentence, type Word, wordsBetween } from '../../reading/sentences.ts'

export interface Name {
  readonly text: string
  readonly words: readonly Word[]
}

const ORDINARY = new Set(
  (
    "i i'm i'll i've i'd ok faq ps asap tv pc diy mr mrs ms dr monday tuesday wednesday thursday friday saturday sunday " +
    'january february march april may june july august september october november december internet web dear'
  ).split(' '),
)
const CAPITAL = /^\p{Lu}/u
const ALL_CAPITALS = /^\p{Lu}{2,}$/u
/** Longer words in capitals are emphasis. */
const ABBREVIATION = 5
/** After these a new thought begins, with a capital that means nothing. */
const OPENS = /[:;"(•*–—>|]\s?$/

export function namesIn(passage: Passage): Name[] {
  return [...passage.sentences.flatMap((sentence) => namesOf(sentence, passage.text)), ...quotedIn(passage)]
}

function namesOf({ words }: Sentence, text: string): Name[] {
  const names: Name[] = []
  const isTitle = isTitleCase(words)
  let run: Word[] = []
  const close = () => {
    const [first] = run
    if (first !== undefined) names.push({ text: text.slice(first.start, (run.at(-1) as Word).end), words: run })
    run = []
  }
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word
    const isCode = /\p{L}/u.test(word.text) && /\d/.test(word.text)
    const isName = isCode || (!isTitle && isNameAt(words, index, text))
    const joins = run.length > 0 && /^[ -]$/.test(text.slice((run.at(-1) as Word).end, word.start))
    if (!isName || !joins) close()
    if (isName) run.push(word)
  }
  close()
  return names
}

function isNameAt(words: readonly Word[], index: number, text: string): boolean {
  const word = words[index] as Word
  if (!CAPITAL.test(word.text) || ORDINARY.has(word.key)) return false
  if (ALL_CAPITALS.test(word.text)) return word.text.length <= ABBREVIATION && !isShouted(words, index)
  return index > 0 && !OPENS.test(text.slice(Math.max(0, word.start - 3), word.start))
}

const isShouted = (words: readonly Word[], index: number): boolean =>
  [words[index - 1], words[index + 1]].some((word) => word !== undefined && ALL_CAPITALS.test(word.text))

/** Most of the longer words have a capital, and there are enough to tell. */
function isTitleCase(words: readonly Word[]): boolean {
  const long = words.filter(({ text }) => text.length > 3 && /\p{L}/u.test(text))
  return long.length >= 3 && long.filter(({ text }) => CAPITAL.test(text)).length > 0.75 * long.length
}

const QUOTED = /"([^"\n]{2,80})"/g

function quotedIn({ text, words }: Passage): Name[] {
  const names = Array.from(text.matchAll(QUOTED), ({ 0: whole, 1: name = '', index }): Name => {
    return { text: name, words: wordsBetween(words, index, index + whole.length) }
  })
  return names.filter((name) => name.words.length > 0)
}
