/**
 * Days and months that an English text names: "the last 30 days", "from 2026-01-01 to 2026-01-31", "next month", "December 2026".
 * Dates are ISO texts (`2026-11-16`) and both ends of a range belong to it.
 */
import { NUMBER_WORDS } from './numbers.ts'

export interface DayRange {
  readonly from: string
  readonly to: string
  /** the words of the text that say so */
  readonly phrase: string
}

const DAY_MS = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** Sources of regular expressions. */
export const MONTH_NAME = MONTHS.join('|')
export const SHORT_OR_FULL_MONTH = String.raw`(?:${MONTHS.map((name) => name.replace(/^(...)(.+)$/, '$1(?:$2)?')).join('|')}|sept)\.?`

/** 1 to 12. At least three letters of the name are needed; `dec`, `Dec.` and `December` are 12. */
export function monthNumber(name: string): number | undefined {
  const start = name.toLowerCase().replace(/\.$/, '')
  const index = start.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(start))
  return index < 0 ? undefined : index + 1
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(timeOf(value)) &&
  isoDay(timeOf(value)) === value

const rangeOf = (from: number, to: number, phrase: string): DayRange => ({ from: isoDay(from), to: isoDay(to), phrase })

/** `month` counts from 1 and may be in another year: 0 is the December before. */
const monthRange = (year: number, month: number, phrase: string, months = 1): DayRange =>
  rangeOf(Date.UTC(year, month - 1, 1), Date.UTC(year, month - 1 + months, 0), phrase)

/** A written range first, then one counted from today. Without `today` nothing relative is read. */
export function dayRangesIn(text: string, today: unknown): DayRange[] {
  const lower = text.toLowerCase()
  const found = [writtenRange(lower), isDay(today) ? relativeRange(lower, timeOf(today)) : undefined]
  return found.filter((range) => range !== undefined)
}

const NTH = '(?:st|nd|rd|th)?'
const DATE = `\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}${NTH}\\.?(?: of)? (?:${MONTH_NAME}),? \\d{4}\\b|\\b(?:${MONTH_NAME}) \\d{1,2}${NTH},? \\d{4}\\b`
const DATES = new RegExp(DATE, 'gi')
const TWO_DATES = new RegExp(
  `(?:from |between )?(${DATE})\\s*(?:to|until|till|and|through|–|/|-|\\.\\.)\\s*(${DATE})`,
  'i',
)
/** A month and a year. After a day it is part of a date. */
const MONTH_OF_YEAR = new RegExp(`(?<!\\d${NTH}\\.?(?: of)? )\\b(${MONTH_NAME}),? (\\d{4})\\b`, 'i')

/** "4 December 2026" and "December 4th, 2026" as ISO; undefined for a day that does not exist. */
function dayOf(phrase: string | undefined): string | undefined {
  if (phrase === undefined) return undefined
  if (/^\d{4}-/.test(phrase)) return isDay(phrase) ? phrase : undefined
  const month = monthNumber(new RegExp(MONTH_NAME, 'i').exec(phrase)?.[0] ?? '')
  const [first = '', second = ''] = phrase.match(/\d+/g) ?? []
  const day = `${second}-${String(month).padStart(2, '0')}-${first.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

/** One day, two days or a month with its year. Undefined for several days: the text alone does not tell which is meant. */
export function writtenRange(text: string): DayRange | undefined {
  const both = TWO_DATES.exec(text)
  const [first, second] = [dayOf(both?.[1]), dayOf(both?.[2])]
  if (both !== null && first !== undefined && second !== undefined) return { from: first, to: second, phrase: both[0] }
  const all = new Set(text.match(DATES))
  const [phrase] = all
  const day = dayOf(phrase)
  if (phrase !== undefined) return day !== undefined && all.size === 1 ? { from: day, to: day, phrase } : undefined
  const month = /\b(\d{4})-(0[1-9]|1[0-2])\b(?!-)/.exec(text)
  if (month !== null) return monthRange(Number(month[1]), Number(month[2]), month[0])
  const named = MONTH_OF_YEAR.exec(text)
  return named === null ? undefined : monthRange(Number(named[2]), monthNumber(named[1] ?? '') ?? 0, named[0])
}

export interface TimeBack {
  readonly count: number
  readonly unit: 'day' | 'week' | 'month'
  readonly phrase: string
}

const TIME_BACK = new RegExp(
  String.raw`\b(?:last|past|previous)\s+(\d{1,4}|${[...NUMBER_WORDS.keys()].join('|')})\s+(day|week|month)s?\b`,
  'i',
)

/** "the last 30 days", "the past two weeks". */
export function timeBackIn(text: string): TimeBack | undefined {
  const [phrase, count = '', unit = ''] = TIME_BACK.exec(text) ?? []
  if (phrase === undefined) return undefined
  const number = NUMBER_WORDS.get(count.toLowerCase()) ?? Number(count)
  return { count: number, unit: unit.toLowerCase() as TimeBack['unit'], phrase }
}

export interface NamedMonth {
  /** 1 to 12 */
  readonly month: number
  /** as it is written */
  readonly name: string
  readonly year: number | undefined
  /** "last December" */
  readonly isPast: boolean
  readonly phrase: string
}

const NAMED_MONTH = new RegExp(
  String.raw`(?<!\d${NTH} )\b(in|of|for|on|during|last|next|this)\s+(${MONTH_NAME})(?:\s+(\d{4}))?\b`,
  'i',
)

/** "in December", "for March 2026". A month without a preposition may be a person's name or a verb. */
export function namedMonthIn(text: string): NamedMonth | undefined {
  const [phrase, word = '', name = '', year] = NAMED_MONTH.exec(text) ?? []
  const month = monthNumber(name)
  if (phrase === undefined || month === undefined) return undefined
  const isPast = word.toLowerCase() === 'last'
  return { month, name, year: year === undefined ? undefined : Number(year), isPast, phrase }
}

const DAYS_IN: Readonly<Record<string, number>> = { day: 1, week: 7 }
const MONTHS_IN: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

function relativeRange(text: string, today: number): DayRange | undefined {
  const now = new Date(today)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  const back = timeBackIn(text)
  if (back !== undefined) {
    const { count, unit, phrase } = back
    const days = DAYS_IN[unit]
    const from =
      days === undefined ? Date.UTC(year, month - 1 - count, now.getUTCDate() + 1) : today - (count * days - 1) * DAY_MS
    return rangeOf(from, today, phrase)
  }
  const period = /\b(today|yesterday|(?:last|past|previous|this|next) (?:week|month|quarter|year))\b/.exec(text)?.[0]
  if (period !== undefined) return periodRange(period, today, year, month)
  const named = namedMonthIn(text)
  if (named === undefined) return undefined
  // Without a year it is the next month of that name. The current month counts.
  const next = named.month < month ? year + 1 : year
  return monthRange(named.isPast ? (named.month < month ? year : year - 1) : next, named.month, named.phrase)
}

function periodRange(phrase: string, today: number, year: number, month: number): DayRange {
  if (phrase === 'today') return rangeOf(today, today, phrase)
  if (phrase === 'yesterday') return rangeOf(today - DAY_MS, today - DAY_MS, phrase)
  const [which, unit = ''] = phrase.split(' ')
  const shift = which === 'this' ? 0 : which === 'next' ? 1 : -1
  const months = MONTHS_IN[unit]
  if (months !== undefined) {
    const periods = Math.floor((month - 1) / months) + shift
    return monthRange(year, periods * months + 1, phrase, months)
  }
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS + shift * 7 * DAY_MS
  return rangeOf(monday, monday + 6 * DAY_MS, phrase)
}
