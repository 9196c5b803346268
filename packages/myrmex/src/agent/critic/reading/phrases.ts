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
  const keyOf = stems ? (word: Word) => stem(word.key) : (word: Word) => word.key
  for (const phrase of list) add(root, phrase, keyOf)
  return (words) => {
    const keys = words.map(keyOf)
    const found: PhraseMatch[] = []
    for (let from = 0; from < keys.length; ) {
      const longest = longestAt(root, keys, from)
      if (longest !== undefined) found.push(longest)
      from = longest?.to ?? from + 1
    }
    return found
  }
}

function add(root: Node, phrase: string, keyOf: (word: Word) => string): void {
  const text = visibleText(phrase)
  let here = root
  for (const word of wordsOf(text)) {
    const isOpen = text[word.end] === '*'
    here = getOrMake(isOpen ? here.open : here.next, isOpen ? word.key : keyOf(word), node)
  }
  if (here !== root) here.phrase ??= phrase
}

function longestAt(root: Node, keys: readonly string[], from: number): PhraseMatch | undefined {
  let here: Node | undefined = root
  let best: PhraseMatch | undefined
  for (let at = from; at < keys.length; at++) {
    here = followed(here, keys[at] as string)
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
