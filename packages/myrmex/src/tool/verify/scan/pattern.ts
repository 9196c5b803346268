/**
 * Rules in a small language over groups of words, and a matcher that takes linear time.
 *
 * `IGNORE! ..4 PRIOR|YOU ..3 INSTRUCTION` means: an order to ignore, then within four words one of the two groups, then within three
 * words an instruction. Upper case: a group of the vocabulary, or a kind of word (URL, FOREIGN). Lower case: the word itself (`_` for a
 * space). `?`: may be missing. `^` before the first: it opens a clause or follows a modal verb; `^^`: likewise, but not as the first word
 * of the text, which says what the tool does ("Delete all items."). All within one sentence; `...n` may cross into the next ones.
 * `& A B C`: all of them in one sentence, in any order.
 *
 * For each place in a pattern only the latest partial match is kept. It is the one with the smallest distance to whatever follows,
 * so nothing is missed, and the work for a word does not depend on the length of the text.
 */
import { conceptId, literalConcept } from './concepts.ts'

export interface PatternMatch {
  readonly pattern: number
  /** indexes of tokens */
  readonly from: number
  readonly to: number
}

interface Place {
  readonly pattern: number
  /** index into the arrays of partial matches */
  readonly slot: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly gap: number
  readonly mayCross: boolean
  readonly mustOpen: Opening
}

type Opening = 'anywhere' | 'order' | 'later order'

/** A rule whose groups may come in any order: one bit per group. */
interface Bag {
  readonly pattern: number
  readonly slot: number
  readonly bit: number
  readonly whole: number
}

/** One occurrence of a group in a text. */
export interface ConceptSpan {
  readonly concept: number
  readonly from: number
  readonly to: number
}

/** All that the matcher reads of a token. */
export interface MatchedToken {
  readonly sentence: number
  /** counts words, not marks */
  readonly ordinal: number
  /** an order may begin here */
  readonly opensOrder: boolean
  /** the first word of the text */
  readonly opensText: boolean
}

const MAX_MATCHES = 200

export class PatternSet {
  readonly #places = new Map<number, Place[]>()
  readonly #bags = new Map<number, Bag[]>()
  #slots = 0
  #bagCount = 0

  /** Adds one rule under a number that its matches carry. */
  add(pattern: number, source: string): void {
    const [mark, ...groups] = source.trim().split(/\s+/)
    if (mark === '&') this.#addBag(pattern, groups)
    else for (const variant of variantsOf(source.trim().split(/\s+/))) this.#addVariant(pattern, variant)
  }

  #addBag(pattern: number, groups: readonly string[]): void {
    const slot = this.#bagCount++
    for (const [index, names] of groups.entries()) {
      const bag: Bag = { pattern, slot, bit: 1 << index, whole: (1 << groups.length) - 1 }
      for (const name of names.split('|')) push(this.#bags, conceptOf(name), bag)
    }
  }

  #addVariant(pattern: number, words: readonly string[]): void {
    const elements = elementsOf(words)
    for (const [index, { names, gap, mayCross, mustOpen }] of elements.entries()) {
      const place: Place = {
        pattern,
        slot: this.#slots++,
        isFirst: index === 0,
        isLast: index === elements.length - 1,
        gap,
        mayCross,
        mustOpen,
      }
      for (const name of names) push(this.#places, conceptOf(name), place)
    }
  }

  /** `spans` are in ascending order of `from`. */
  match(tokens: readonly MatchedToken[], spans: readonly ConceptSpan[]): PatternMatch[] {
    const state = new PartialMatches(this.#slots)
    const bags = new BagMatches(this.#bagCount)
    const found: PatternMatch[] = []
    for (const span of spans) {
      for (const place of this.#places.get(span.concept) ?? []) {
        const start = startOf(place, span, tokens, state)
        if (start === -1) continue
        state.put(place.slot, start, span.to)
        if (place.isLast) found.push({ pattern: place.pattern, from: start, to: span.to })
      }
      for (const bag of this.#bags.get(span.concept) ?? []) {
        const from = bags.put(bag, span, (tokens[span.from] as MatchedToken).sentence)
        if (from !== -1) found.push({ pattern: bag.pattern, from, to: span.to })
      }
      if (found.length >= MAX_MATCHES) return found
    }
    return found
  }
}

/** The latest partial match of each place, and the one before it: a word must not continue the match that it just began. */
class PartialMatches {
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(slots: number) {
    this.#starts = new Int32Array(slots * 2)
    this.#ends = new Int32Array(slots * 2).fill(-1)
  }

  put(slot: number, start: number, end: number): void {
    const at = slot * 2
    if (this.#ends[at] !== end) {
      this.#starts[at + 1] = this.#starts[at] as number
      this.#ends[at + 1] = this.#ends[at] as number
    }
    this.#starts[at] = start
    this.#ends[at] = end
  }

  /** The latest that ended before a token; undefined if none did. */
  before(slot: number, token: number): { readonly start: number; readonly end: number } | undefined {
    for (const at of [slot * 2, slot * 2 + 1]) {
      const end = this.#ends[at] as number
      if (end !== -1 && end < token) return { start: this.#starts[at] as number, end }
    }
    return undefined
  }
}

/** Which groups of each bag the current sentence has had. */
class BagMatches {
  readonly #sentences: Int32Array
  readonly #bits: Int32Array
  readonly #starts: Int32Array

  constructor(slots: number) {
    this.#sentences = new Int32Array(slots).fill(-1)
    this.#bits = new Int32Array(slots)
    this.#starts = new Int32Array(slots)
  }

  /** Where the match starts if the bag is full now; otherwise -1. */
  put({ slot, bit, whole }: Bag, { from }: ConceptSpan, sentence: number): number {
    if (this.#sentences[slot] !== sentence) {
      this.#sentences[slot] = sentence
      this.#bits[slot] = 0
      this.#starts[slot] = from
    }
    const before = this.#bits[slot] as number
    if (before === whole) return -1
    this.#bits[slot] = before | bit
    return this.#bits[slot] === whole ? (this.#starts[slot] as number) : -1
  }
}

const conceptOf = (name: string): number => (/^[^a-z]+$/.test(name) ? conceptId(name) : literalConcept(name))

function push<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Where a match that this span begins or continues starts; -1 if it does neither. */
function startOf(place: Place, { from }: ConceptSpan, tokens: readonly MatchedToken[], state: PartialMatches): number {
  const here = tokens[from] as MatchedToken
  if (place.isFirst) {
    if (place.mustOpen === 'anywhere') return from
    return here.opensOrder && !(place.mustOpen === 'later order' && here.opensText) ? from : -1
  }
  const known = state.before(place.slot - 1, from)
  if (known === undefined) return -1
  const before = tokens[known.end] as MatchedToken
  if (before.sentence !== here.sentence && !place.mayCross) return -1
  return here.ordinal - before.ordinal - 1 <= place.gap ? known.start : -1
}

interface Element {
  readonly names: readonly string[]
  readonly gap: number
  readonly mayCross: boolean
  readonly mustOpen: Opening
}

function elementsOf(words: readonly string[]): Element[] {
  const elements: Element[] = []
  let gap = 0
  let mayCross = false
  let mustOpen: Opening = 'anywhere'
  for (const word of words) {
    const distance = /^(\.{2,3})(\d+)$/.exec(word)
    if (word === '^' || word === '^^') mustOpen = word === '^' ? 'order' : 'later order'
    else if (distance !== null) {
      gap = Number(distance[2])
      mayCross = distance[1] === '...'
    } else {
      elements.push({ names: word.split('|'), gap, mayCross, mustOpen })
      gap = 0
      mayCross = false
      mustOpen = 'anywhere'
    }
  }
  return elements
}

/** With and without each word that may be missing. */
function variantsOf(words: readonly string[]): string[][] {
  const optional = words.findIndex((word) => word.endsWith('?'))
  if (optional === -1) return [[...words]]
  const without = [...words.slice(0, optional), ...words.slice(optional + 1)]
  const having = words.with(optional, (words[optional] as string).slice(0, -1))
  return [...variantsOf(having), ...variantsOf(without)]
}
