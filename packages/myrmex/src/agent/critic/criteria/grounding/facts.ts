/** The facts, indexed once: their figures, dates, words and claims. A field that is false denies what its name says. */

import { stem } from '../../../../english/stem.ts'
import { isEmpty, type Leaf, leavesOf } from '../../reading/passages.ts'
import { type Word, wordsOf } from '../../reading/sentences.ts'
import { visibleText } from '../../reading/visible-text.ts'
import { claimsIn } from './claims.ts'
import { dateKey, datesIn, lessPreciseDates } from './dates.ts'
import { Figures } from './figures.ts'
import { quantitiesIn } from './quantities.ts'
import { currencyOf, unitOfKey } from './units.ts'

export type FactIndex = ReturnType<typeof emptyIndex>

const emptyIndex = () => ({
  figures: new Figures(),
  /** dates by key, each also with less precision */
  days: new Set<string>(),
  /** stems of every word, in values and in names of fields that hold something */
  words: new Set<string>(),
  claims: new Set<string>(),
  deniedClaims: new Set<string>(),
  currencies: new Set<string>(),
})

const NO = /^(?:no|none|false|never|n\/a|not? available|0)$/i

export function indexFacts(facts: unknown): FactIndex {
  const index = emptyIndex()
  for (const leaf of leavesOf(facts)) {
    const { value } = leaf
    const key = leaf.isKey ? '' : nameOf(leaf)
    if (typeof value === 'number') index.figures.add(value, unitOfKey(key))
    if (typeof value === 'string') addText(index, value, key)
    addKey(index, key, value)
  }
  return index
}

function addText(index: FactIndex, value: string, key: string): void {
  const text = visibleText(value)
  const words = wordsOf(text)
  for (const { key: word } of words) index.words.add(stem(word))
  addCurrencies(index, words)
  for (const { readings } of datesIn(text))
    for (const day of readings.flatMap(lessPreciseDates)) index.days.add(dateKey(day))
  for (const { values, unit, currency } of quantitiesIn(text)) {
    for (const { value } of values) index.figures.add(value, unit ?? unitOfKey(key))
    if (currency !== undefined) index.currencies.add(currency)
  }
  for (const { claim, isDenied } of claimsIn(text, words)) (isDenied ? index.deniedClaims : index.claims).add(claim)
}

/** `waterproof: true` says it, `waterproof: false` denies it, `warranty_months: 24` says that there is one. */
function addKey(index: FactIndex, key: string, value: unknown): void {
  const text = key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  const words = wordsOf(visibleText(text))
  const isNo = value === false || value === 0 || isEmpty(value) || (typeof value === 'string' && NO.test(value.trim()))
  if (!isNo) for (const { key: word } of words) index.words.add(stem(word))
  addCurrencies(index, words)
  // In a name `sugar_free` there is no hyphen to see that it is one claim.
  const joined = /^(.+)[ _-]free$/i.exec(text)?.[1]
  const claims =
    joined === undefined ? claimsIn(text, words).map(({ claim }) => claim) : [`${stem(joined.toLowerCase())} free`]
  for (const claim of claims) (isNo ? index.deniedClaims : index.claims).add(claim)
}

function addCurrencies({ currencies }: FactIndex, words: readonly Word[]): void {
  for (const currency of words.map(({ key }) => currencyOf(key))) if (currency !== undefined) currencies.add(currency)
}

/** The nearest name above a value that is no place in a list. */
function nameOf(leaf: Leaf): string {
  let here = leaf
  for (let up = 0; up < 3 && here.above !== undefined && /^\d+$/.test(here.key); up++) here = here.above
  return here.key
}
