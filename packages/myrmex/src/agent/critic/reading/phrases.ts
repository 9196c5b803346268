/** Finds any of many phrases in a row of words, in one pass, the longest first. `guarant*` means all words that begin so. */

import { stem } from '../../../english/stem.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
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
  /** by the beginning of a word */
  open: Map<string, Node>
  phrase?: string
}

const node = (): Node => ({ next: new Map(), open: new Map() })

/** With `stems`, forms of the same word match each other. */
export function phraseFinder(
  list: Iterable<string>,
  { stems = false } = {},
): (words: readonly Word[]) => PhraseMatch[] {
  const root = node()
  const key = stems ? (word: Word) => stem(word.key) : (word: Word) => word.key
  for (const phrase of list) add(root, phrase, key)
  return (words) => {
    const found: PhraseMatch[] = []
    for (let from = 0; from < words.length; ) {
      const longest = longestAt(root, words, from, key)
      if (longest !== undefined) found.push(longest)
      from = longest?.to ?? from + 1
    }
    return found
  }
}

function add(root: Node, phrase: string, key: (word: Word) => string): void {
  const text = visibleText(phrase)
  const words = wordsOf(text)
  let here = root
  for (const word of words) {
    const isOpen = text[word.end] === '*'
    here = getOrMake(isOpen ? here.open : here.next, isOpen ? word.key : key(word), node)
  }
  if (here !== root) here.phrase ??= phrase
}

function longestAt(
  root: Node,
  words: readonly Word[],
  from: number,
  key: (word: Word) => string,
): PhraseMatch | undefined {
  let here: Node | undefined = root
  let best: PhraseMatch | undefined
  for (let at = from; at < words.length; at++) {
    here = followed(here, key(words[at] as Word))
    if (here === undefined) break
    if (here.phrase !== undefined) best = { phrase: here.phrase, from, to: at + 1 }
  }
  return best
}

function followed(from: Node, key: string): Node | undefined {
  const next = from.next.get(key)
  if (next !== undefined || from.open.size === 0) return next
  return [...from.open].find(([beginning]) => key.startsWith(beginning))?.[1]
}
