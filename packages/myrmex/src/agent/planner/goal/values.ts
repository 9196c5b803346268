/**
 * Values in the goal's text beside their name: "budget 5000", "order 1042", "sku RED-CHAIR-01", "in the category
 * coffee", "a rating of at least 4". The names are those of the tools' own inputs, so that a new tool brings its own.
 */

import { stem } from '../../../english/stem.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import type { KnownValue, Need } from '../types.ts'
import { isLabelAt, type Label, labelsOf } from './labels.ts'
import { isIdentifier, numberIn, type Token } from './tokens.ts'
import { isStopWord } from './words.ts'

export interface TextValues {
  readonly knownValues: readonly KnownValue[]
  /** positions of tokens that are values */
  readonly values: ReadonlySet<number>
  /** positions of tokens that name a value */
  readonly labels: ReadonlySet<number>
}

interface TextToRead {
  readonly tokens: readonly Token[]
  readonly isToolWord: (word: string) => boolean
}

interface PlacedValue {
  readonly value: unknown
  /** positions of its tokens */
  readonly positions: readonly number[]
}

export function valuesInText(text: TextToRead, needs: readonly Need[]): TextValues {
  const { tokens } = text
  const labels = labelsOf(needs, tokens)
  const known = new Map<string, KnownValue>()
  const used = { values: new Set<number>(), labels: new Set<number>() }
  const take = (label: Label, at: number): boolean => {
    const found = valueAfter(label, text, at) ?? valueBefore(label, text, at)
    if (found === undefined) return false
    if (!known.has(label.key)) known.set(label.key, { key: label.key, value: found.value, from: 'text' })
    for (const position of found.positions) used.values.add(position)
    for (let word = 0; word < label.words.length; word++) used.labels.add(at + word)
    return true
  }
  for (const [at, token] of tokens.entries()) {
    if (token.quoted || used.labels.has(at)) continue
    let length = 0
    for (const label of labels.get(stem(token.lower)) ?? []) {
      // "Target price 20" says nothing of a price.
      if (label.words.length >= length && isLabelAt(label, tokens, at) && take(label, at)) length = label.words.length
    }
  }
  return { knownValues: [...known.values()], ...used }
}

const JOINING = new Set('of is are equals named called number no id for with to about around'.split(' '))
const AT_LEAST = new Set('at least above over from minimum min'.split(' '))
const AT_MOST = new Set('most below under up maximum max'.split(' '))
const ARTICLES = new Set('the a an in our for my new'.split(' '))
const MAX_JOINING = 4

/** How many words join a name to its value, and whether they make it a bound. */
function joining(tokens: readonly Token[], from: number): { readonly next: number; readonly bound: Label['bound'] } {
  let next = from
  let bound: Label['bound']
  for (; next < from + MAX_JOINING; next++) {
    const token = tokens[next]
    if (token === undefined || token.quoted) break
    if (AT_MOST.has(token.lower)) bound = 'max'
    else if (AT_LEAST.has(token.lower)) bound = 'min'
    else if (!JOINING.has(token.lower)) break
  }
  return { next, bound }
}

function valueAfter(label: Label, { tokens, isToolWord }: TextToRead, at: number): PlacedValue | undefined {
  const start = at + label.words.length
  const { next, bound } = joining(tokens, start)
  const token = tokens[next]
  if (token === undefined || (token.afterPunctuation && !token.quoted)) return undefined
  if (label.bound !== undefined && label.bound !== bound) return undefined
  const isPlain = label.kind === 'any' && next === start && takesText(label) && isFree(token, isToolWord)
  // "Order 12 loaves" names a number of loaves, "order 12" an order.
  const isCount = numberIn(token) !== undefined && tokens[at]?.startsSentence === true && isThing(tokens[next + 1])
  if (label.kind === 'id' && isCount) return undefined
  const value = read(label, token) ?? (isPlain ? token.text : undefined)
  if (value === undefined) return undefined
  return label.isList ? listFrom(label, tokens, next, value) : { value, positions: [next] }
}

/** "coffee, tea and cocoa": what follows a comma belongs to it, and what follows the last `and` after one. */
function listFrom(label: Label, tokens: readonly Token[], at: number, first: unknown): PlacedValue {
  const values = [first]
  const positions = [at]
  for (let next = at + 1; next < tokens.length; next++) {
    const isLast = tokens[next]?.lower === 'and' && values.length > 1
    const position = isLast ? next + 1 : next
    const item = tokens[position]
    if (item === undefined || !(isLast || item.afterPunctuation)) break
    const value = read(label, item) ?? (isStopWord(item.lower) ? undefined : item.text)
    if (value === undefined) break
    values.push(value)
    positions.push(position)
    if (isLast) break
  }
  return { value: values, positions }
}

/** "5000 budget", "the coffee category". */
function valueBefore(label: Label, { tokens, isToolWord }: TextToRead, at: number): PlacedValue | undefined {
  const token = tokens[at - 1]
  if (token === undefined || label.bound !== undefined || label.kind !== 'any' || tokens[at]?.afterPunctuation)
    return undefined
  const number = numberIn(token)
  if (number !== undefined)
    return (label.jsonTypes & KIND.NUMBER) !== 0 ? { value: number, positions: [at - 1] } : undefined
  const isIntroduced = token.quoted || (isFree(token, isToolWord) && ARTICLES.has(tokens[at - 2]?.lower ?? ''))
  if (!takesText(label) || !isIntroduced) return undefined
  return { value: label.isList ? [token.text] : token.text, positions: [at - 1] }
}

const isThing = (token: Token | undefined): boolean =>
  token !== undefined &&
  !token.afterPunctuation &&
  !token.quoted &&
  !isStopWord(token.lower) &&
  /^\p{L}/u.test(token.lower)

const takesText = ({ jsonTypes }: Label): boolean => (jsonTypes & KIND.STRING) !== 0

/** A number, a code or a quoted text is a value beside any label. */
function read(label: Label, token: Token): unknown {
  const number = numberIn(token)
  if (number !== undefined && (label.jsonTypes & KIND.NUMBER) !== 0) return label.kind === 'name' ? undefined : number
  if (!takesText(label)) return undefined
  if (label.kind === 'name') return token.quoted ? token.text : undefined
  const looksLikeId = number !== undefined || isIdentifier({ ...token, quoted: false })
  return looksLikeId || (token.quoted && label.kind === 'any') ? token.text.replace(/^#/, '') : undefined
}

/** A plain word that may be a value: not a word of grammar or of a tool's name. */
const isFree = (token: Token, isToolWord: TextToRead['isToolWord']): boolean =>
  !token.quoted &&
  !token.afterPunctuation &&
  !isStopWord(token.lower) &&
  !JOINING.has(token.lower) &&
  !isToolWord(token.lower)
