/** Every figure of a text: its possible values, its unit, its currency, how exactly it is given. `1,299` may be two numbers. */
import { NUMBER_WORDS } from '../../../../english/numbers.ts'
import { type Span, spanOf } from '../../reading/sentences.ts'
import { currencyOf, multiplierOf, type Unit, unitOf } from './units.ts'

export interface Value {
  readonly value: number
  /** one step of the last digit shown: 0.1 for 4.8 */
  readonly precision: number
}

/** The span has the sign and the unit too. */
export interface Quantity extends Span {
  readonly values: readonly Value[]
  readonly unit: Unit | undefined
  readonly currency: string | undefined
  /** `over 1,000`, `under 20`, `about 50` */
  readonly bound: 'exact' | 'over' | 'under' | 'about'
}

const NUMBER = /\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*/g
/** A number in letters is a figure only before a unit: `two of you` is none. */
const IN_LETTERS = new RegExp(String.raw`\b(${[...NUMBER_WORDS.keys()].join('|')})[ -]([a-z]{2,10})\b`, 'gi')

const OVER = /(?:\b(?:over|more than|at least|above|from|min(?:imum)?\.?)|>=?) ?[$€£¥₹]?$/i
const UNDER = /(?:\b(?:under|less than|up to|at most|below|max(?:imum)?\.?|within)|<=?) ?[$€£¥₹]?$/i
const ABOUT = /(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.)|~) ?[$€£¥₹]?$/i

/** In the order of the text. */
export function quantitiesIn(text: string): Quantity[] {
  const found: Quantity[] = []
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    // Part of a name such as B2B or v1.2: compared as a word.
    if (/[\p{L}_]/u.test(text.charAt(index - 1)) || isListMark(text, index, number)) continue
    const quantity = quantityAt(text, index, number)
    if (quantity !== undefined) found.push(quantity)
  }
  for (const match of text.matchAll(IN_LETTERS)) {
    const [, word = '', unitName = ''] = match
    const unit = unitOf(unitName)
    if (unit === undefined || unit.dimension === 'rating') continue
    const values = [{ value: NUMBER_WORDS.get(word.toLowerCase()) as number, precision: 1 }]
    found.push({ ...spanOf(match), values, unit, currency: undefined, bound: boundBefore(text, match.index) })
  }
  return found.sort((a, b) => a.start - b.start)
}

const isListMark = (text: string, index: number, number: string): boolean =>
  number.length < 3 &&
  /^[.)] /.test(text.slice(index + number.length, index + number.length + 2)) &&
  /(?:^|\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, index - 9), index))

function quantityAt(text: string, index: number, number: string): Quantity | undefined {
  const sign = SIGN.exec(text.slice(Math.max(0, index - 5), index))
  const tail = tailAt(text, index + number.length)
  // Letters grown together with it that are no unit: 4K, 7th, 3D. Compared as a word.
  if (tail.end === index + number.length && /\p{L}/u.test(text.charAt(tail.end))) return undefined
  const start = sign === null ? index : index - sign[0].length
  const values = valuesOf(number).map(({ value, precision }) => ({
    value: value * tail.factor,
    precision: precision * tail.factor,
  }))
  if (values.length === 0) return undefined
  return {
    text: text.slice(start, tail.end),
    start,
    end: tail.end,
    values,
    unit: sign === null ? tail.unit : unitOf('$'),
    currency: currencyOf(sign?.[1] ?? '') ?? tail.currency,
    bound: text.charAt(tail.end) === '+' ? 'over' : boundBefore(text, start),
  }
}

const SIGN = /([$€£¥₹]|\b(?:usd|eur|gbp|jpy|inr|chf)) ?$/i
const TAIL = /^[ \-‐‑]?(°[cf]|[%$€£¥₹]|[a-z]{1,12}(?![\p{L}\p{N}]))/iu

interface Tail {
  readonly end: number
  readonly factor: number
  readonly unit?: Unit
  readonly currency?: string | undefined
}

/** `k`, `million`, then a unit, as far as they follow. */
function tailAt(text: string, from: number): Tail {
  let end = from
  let factor = 1
  let next = TAIL.exec(text.slice(end, end + 16))
  const multiplier = multiplierOf(next?.[1] ?? '')
  if (next !== null && multiplier !== undefined) {
    end += next[0].length
    factor = multiplier
    next = TAIL.exec(text.slice(end, end + 16))
  }
  const unit = unitOf(next?.[1] ?? '')
  if (next === null || unit === undefined) return { end, factor }
  return { end: end + next[0].length, factor, unit, currency: currencyOf(next[1] as string) }
}

function boundBefore(text: string, start: number): Quantity['bound'] {
  const before = text.slice(Math.max(0, start - 16), start)
  if (OVER.test(before)) return 'over'
  if (UNDER.test(before)) return 'under'
  return ABOUT.test(before) ? 'about' : 'exact'
}

/** Points and commas part thousands in one country and decimals in the next; where both readings are possible, both are given. */
export function valuesOf(number: string): Value[] {
  const plain = number.replaceAll(' ', '')
  const marks = plain.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return read(plain, 0)
  const cut = plain.lastIndexOf(last)
  const tail = plain.length - cut - 1
  const isMixed = new Set(marks).size > 1
  const head = plain.slice(0, cut)
  const asDecimal = read(`${head.replace(/[.,]/g, '')}.${plain.slice(cut + 1)}`, tail)
  const asThousands = read(plain.replace(/[.,]/g, ''), 0)
  if (isMixed) return head.includes(last) ? [] : asDecimal
  if (marks.length > 1) return /^\d{1,3}(?:[.,]\d{3})+$/.test(plain) ? asThousands : []
  return tail === 3 && cut <= 3 && head !== '0' ? [...asThousands, ...asDecimal] : asDecimal
}

function read(plain: string, decimals: number): Value[] {
  const value = Number(plain)
  return Number.isFinite(value) ? [{ value, precision: 10 ** -decimals }] : []
}
