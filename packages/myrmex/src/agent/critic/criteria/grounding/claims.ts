/** Words that claim something about a product (free, organic, waterproof), and whether the text says or denies it. */

import { stem } from '../../../../english/stem.ts'
import { phraseFinder } from '../../reading/phrases.ts'
import { stemsOf, type Word } from '../../reading/sentences.ts'
import { CLAIMS } from '../wordlists.ts'

export interface Claim {
  /** the same for all forms of it */
  readonly claim: string
  readonly text: string
  readonly isDenied: boolean
}

const findClaims = phraseFinder(CLAIMS, { stems: true })
const NOT = new Set(
  "no not never non without isn't aren't wasn't doesn't don't won't cannot can't nor neither hardly".split(' '),
)
const BUT = new Set(['only', 'just', 'merely'])
/** `not` reaches this far. */
const REACH = 3
/** Words after which, or before which, the claim is none: feel free to, best regards. */
const NONE_BEFORE: Readonly<Record<string, readonly string[]>> = { free: ['feel'] }
const NONE_AFTER: Readonly<Record<string, readonly string[]>> = {
  free: ['to', 'time', 'up'],
  best: ['regards', 'wishes', 'before'],
}

export function claimsIn(text: string, words: readonly Word[]): Claim[] {
  return findClaims(words).flatMap(({ phrase, from, to }) => {
    const before = words[from - 1]?.key ?? ''
    const after = words[to]?.key ?? ''
    if (NONE_BEFORE[phrase]?.includes(before) || NONE_AFTER[phrase]?.includes(after)) return []
    const start = (words[from] as Word).start
    const isDenied = deniedBefore(text, words, from)
    // Sugar-free and free of sugar say the same, and something else than free.
    if (phrase === 'free' && before !== '' && text[start - 1] === '-') {
      return [{ claim: `${stem(before)} free`, text: `${before}-free`, isDenied: false }]
    }
    if (phrase === 'free' && after === 'of') {
      const of = words[to + 1]?.key ?? ''
      return [{ claim: `${stem(of)} free`, text: `free of ${of}`, isDenied }]
    }
    return [{ claim: stemsOf(phrase).join(' '), text: text.slice(start, (words[to - 1] as Word).end), isDenied }]
  })
}

function deniedBefore(text: string, words: readonly Word[], from: number): boolean {
  for (let at = from - 1; at >= Math.max(0, from - REACH); at--) {
    const word = words[at] as Word
    if (/[.!?;:\n]/.test(text.slice(word.end, (words[at + 1] as Word).start))) return false
    if (NOT.has(word.key)) return !BUT.has(words[at + 1]?.key ?? '')
  }
  return false
}
