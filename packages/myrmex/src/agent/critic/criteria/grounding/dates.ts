/** Dates in a text, as far as they are given: `4 March` has no year. A date of the facts grounds one that says no more. */
import { monthNumber, SHORT_OR_FULL_MONTH } from '../../../../english/dates.ts'
import { type Span, spanOf } from '../../reading/sentences.ts'

export interface DateMention extends Span {
  /** possible readings: 03/04/2026 has two */
  readonly readings: readonly PartialDate[]
}

interface PartialDate {
  readonly year?: number | undefined
  readonly month?: number
  readonly day?: number | undefined
}

const MONTH = `(${SHORT_OR_FULL_MONTH})`
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`

const PATTERNS: readonly (readonly [pattern: RegExp, read: (groups: string[]) => PartialDate[]])[] = [
  [/\b(\d{4})-(\d\d)-(\d\d)(?!\d)/g, ([y, m, d]) => [dateOf(y, m, d)]],
  [new RegExp(String.raw`\b${DAY}(?: of)? ${MONTH}(?:,? (\d{4}))?\b`, 'gi'), ([d, m, y]) => [dateOf(y, m, d)]],
  [new RegExp(String.raw`\b${MONTH} ${DAY}(?!\d)(?:,? (\d{4}))?\b`, 'gi'), ([m, d, y]) => [dateOf(y, m, d)]],
  [new RegExp(String.raw`\b${MONTH},? (\d{4})\b`, 'gi'), ([m, y]) => [dateOf(y, m)]],
  [/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g, ([a, b, y]) => [dateOf(y, b, a), dateOf(y, a, b)]],
]

/** The month as a number or a name. Missing parts are left out. */
function dateOf(year: string | undefined, month = '', day?: string): PartialDate {
  return {
    year: year === undefined ? undefined : Number(year),
    month: /^\d/.test(month) ? Number(month) : (monthNumber(month) ?? 0),
    day: day === undefined ? undefined : Number(day),
  }
}

const isDay = ({ month, day }: PartialDate): boolean =>
  (month ?? 1) >= 1 && (month ?? 1) <= 12 && (day ?? 1) >= 1 && (day ?? 1) <= 31

/** In order. Where two patterns fit, the one that begins earlier or says more has the place. */
export function datesIn(text: string): DateMention[] {
  if (!/\d/.test(text)) return []
  const found = PATTERNS.flatMap(([pattern, read]) =>
    Array.from(text.matchAll(pattern), (match): DateMention => {
      const [, ...groups] = match
      return { ...spanOf(match), readings: read(groups).filter(isDay) }
    }),
  )
  const inOrder = found.filter(({ readings }) => readings.length > 0).sort((a, b) => a.start - b.start || b.end - a.end)
  let free = 0
  return inOrder.filter(({ start, end }) => {
    const isFree = start >= free
    if (isFree) free = end
    return isFree
  })
}

export const dateKey = ({ year, month, day }: PartialDate): string => `${year ?? ''}-${month ?? ''}-${day ?? ''}`

/** A day and all that says less than it: with the year or without, with the day or without. */
export const lessPreciseDates = ({ year, month, day }: PartialDate): PartialDate[] => [
  { year, month, day },
  { month, day },
  { year, month },
  { year },
]
