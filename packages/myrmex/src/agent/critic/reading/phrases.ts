/** Finds any of many phrases in a row of words, in one pass, the longest first. `guarant*` means all words that begin so. */

import { stem } from '../../../english/stem.ts'
import { type Word, wordsOf } from './sentences.ts'
import { visibleText } from './visible-text.ts'

export interface PhraseMatch {
  /** as it was listed */
  readonly phrase: string
  /** places among the words, the second after the last */
  readonly from: number
  readonly to: number
}

interface Node {
  next: Map<string, Node>
  /** beginnings of words, with what follows them */
  open: [string, Node][]
  phrase?: string
}

export interface PhraseFinder {
  find(words: readonly Word[]): PhraseMatch[]
}

const node = (): Node => ({ next: new Map(), open: [] })

/** With `stems`, forms of the same word match each other. */
export function phraseFinder(list: Iterable<string>, { stems = false } = {}): PhraseFinder {
  const root = node()
  const key = stems ? (word: Word) => stem(word.key) : (word: Word) => word.key
  for (const phrase of list) add(root, phrase, key)
  return {
    find(words) {
      const found: PhraseMatch[] = []
      for (let from = 0; from < words.length; ) {
        const longest = longestAt(root, words, from, key)
        if (longest === undefined) from += 1
        else {
          found.push({ phrase: longest.phrase, from, to: longest.to })
          from = longest.to
        }
      }
      return found
    },
  }
}

function add(root: Node, phrase: string, key: (word: Word) => string): void {
  const text = visibleText(phrase)
  const words = wordsOf(text)
  let here = root
  for (const word of words) {
    here = text[word.end] === '*' ? opened(here, word.key) : stepped(here, key(word))
  }
  if (here !== root) here.phrase ??= phrase
}

function stepped(from: Node, key: string): Node {
  const next = from.next.get(key) ?? node()
  from.next.set(key, next)
  return next
}

function opened(from: Node, beginning: string): Node {
  const known = from.open.find(([one]) => one === beginning)
  if (known !== undefined) return known[1]
  const next = node()
  from.open.push([beginning, next])
  return next
}

function longestAt(
  root: Node,
  words: readonly Word[],
  from: number,
  key: (word: Word) => string,
): { phrase: string; to: number } | undefined {
  let here: Node | undefined = root
  let best: { phrase: string; to: number } | undefined
  for (let at = from; at < words.length; at++) {
    here = followed(here, key(words[at] as Word))
    if (here === undefined) break
    if (here.phrase !== undefined) best = { phrase: here.phrase, to: at + 1 }
  }
  return best
}

function followed(from: Node, key: string): Node | undefined {
  const next = from.next.get(key)
  if (next !== undefined || from.open.length === 0) return next
  return from.open.find(([beginning]) => key.startsWith(beginning))?.[1]
}
