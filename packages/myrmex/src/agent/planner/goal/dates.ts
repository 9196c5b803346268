/**
 * Days that the goal's text speaks of: "the last 30 days", "from 2026-01-01 to 2026-01-31", "next month", "December 2026".
 * What is relative is counted from a day that the context gives; without one nothing is guessed.
 */
import { isObject } from '../../../protocol/json.ts'
import { valueFits } from '../matching/fits.ts'
import { shapeOf } from '../matching/schema-shape.ts'
import { normalizedName } from '../names.ts'
import type { ChosenValue, Need } from '../types.ts'

/** Both days belong to it. ISO dates. */
export interface DayRange {
  readonly from: string
  readonly to: string
  /** how the text says it */
  readonly phrase: string
}

const DAY = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const monthDays = (year: number, month: number, said: string): DayRange => ({
  from: iso(Date.UTC(year, month, 1)),
  to: iso(Date.UTC(year, month + 1, 0)),
  phrase: said,
})

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(timeOf(value)) &&
  iso(timeOf(value)) === value

/** What is written out first, then what is counted from today. */
export function dayRangesIn(goal: string, today: unknown): DayRange[] {
  const text = goal.toLowerCase()
  const found = [written(text), isDay(today) ? relative(text, timeOf(today)) : undefined]
  return found.filter((days) => days !== undefined)
}

const MONTH = MONTHS.join('|')
const NTH = '(?:st|nd|rd|th)?'
const DATE = `\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}${NTH}\\.?(?: of)? (?:${MONTH}),? \\d{4}\\b|\\b(?:${MONTH}) \\d{1,2}${NTH},? \\d{4}\\b`
const DATES = new RegExp(DATE, 'g')
const BOTH = new RegExp(`(?:from |between )?(${DATE})\\s*(?:to|until|till|and|through|–|/|-)\\s*(${DATE})`)
/** Behind a day it is no month. */
const MONTH_OF_YEAR = new RegExp(`(?<!\\d${NTH}\\.?(?: of)? )\\b(${MONTH}),? (\\d{4})\\b`)

/** "4 December 2026" and "December 4th, 2026" as ISO; undefined for a day that does not exist. */
function dayOf(said: string | undefined): string | undefined {
  if (said === undefined) return undefined
  if (/^\d{4}-/.test(said)) return isDay(said) ? said : undefined
  const month = MONTHS.findIndex((name) => said.includes(name)) + 1
  const [first = '', second = ''] = said.match(/\d+/g) ?? []
  const day = `${second}-${String(month).padStart(2, '0')}-${first.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

function written(text: string): DayRange | undefined {
  const both = BOTH.exec(text)
  const [first, second] = [dayOf(both?.[1]), dayOf(both?.[2])]
  if (both !== null && first !== undefined && second !== undefined) return { from: first, to: second, phrase: both[0] }
  const all = new Set(text.match(DATES))
  const [said] = all
  const day = dayOf(said)
  // Which of several days is meant for what, the text alone does not tell.
  if (said !== undefined) return day !== undefined && all.size === 1 ? { from: day, to: day, phrase: said } : undefined
  const month = /\b(\d{4})-(0[1-9]|1[0-2])\b(?!-)/.exec(text)
  if (month !== null) return monthDays(Number(month[1]), Number(month[2]) - 1, month[0])
  const named = MONTH_OF_YEAR.exec(text)
  return named === null ? undefined : monthDays(Number(named[2]), MONTHS.indexOf(named[1] ?? ''), named[0])
}

const UNITS: Readonly<Record<string, number>> = { day: 1, week: 7 }

function relative(text: string, today: number): DayRange | undefined {
  const now = new Date(today)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const counted = /\b(?:last|past|previous) (\d{1,4}) (day|week|month)s?\b/.exec(text)
  if (counted !== null) {
    const count = Number(counted[1])
    const unit = UNITS[counted[2] ?? '']
    const from =
      unit === undefined ? Date.UTC(year, month - count, now.getUTCDate() + 1) : today - (count * unit - 1) * DAY
    return { from: iso(from), to: iso(today), phrase: counted[0] }
  }
  const one = /\b(today|yesterday|(?:last|past|previous|this|next) (?:week|month|quarter|year))\b/.exec(text)?.[0]
  if (one !== undefined) return period(one, today, year, month)
  const named = new RegExp(`(?<!\\d${NTH} )\\b(?:in|for|of|next|this) (${MONTH})\\b`).exec(text)
  if (named === null) return undefined
  // A month without a year is the next one of that name; the running one counts.
  const wanted = MONTHS.indexOf(named[1] ?? '')
  return monthDays(wanted < month ? year + 1 : year, wanted, named[0])
}

function period(said: string, today: number, year: number, month: number): DayRange | undefined {
  if (said === 'today') return { from: iso(today), to: iso(today), phrase: said }
  if (said === 'yesterday') return { from: iso(today - DAY), to: iso(today - DAY), phrase: said }
  const [which, unit] = said.split(' ')
  const shift = which === 'this' ? 0 : which === 'next' ? 1 : -1
  if (unit === 'month') return monthDays(year, month + shift, said)
  if (unit === 'year') return { from: `${year + shift}-01-01`, to: `${year + shift}-12-31`, phrase: said }
  if (unit === 'quarter') {
    const first = (Math.floor(month / 3) + shift) * 3
    return { from: iso(Date.UTC(year, first, 1)), to: iso(Date.UTC(year, first + 3, 0)), phrase: said }
  }
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY + shift * 7 * DAY
  return { from: iso(monday), to: iso(monday + 6 * DAY), phrase: said }
}

const STARTS = new Set(['from', 'start', 'start_date', 'from_date', 'date_from', 'since', 'begin', 'after'])
const ENDS = new Set(['to', 'end', 'end_date', 'to_date', 'date_to', 'until', 'till', 'before'])
const RANGES = new Set(['date_range', 'range', 'period', 'dates', 'timeframe', 'time_range', 'interval', 'window'])

/** The days in the form that a need takes them: a range, one of its ends, a day, or a month. */
export function valueFromDates(need: Need, found: readonly DayRange[]): ChosenValue | undefined {
  const names = new Set([normalizedName(need.typeId ?? need.property), normalizedName(need.property)])
  // Where the text speaks of several times, a month is the one that it calls so.
  const isCalled = ({ phrase }: DayRange): boolean => [...names].some((name) => phrase.includes(name))
  for (const days of found.toSorted((one, other) => Number(isCalled(other)) - Number(isCalled(one)))) {
    for (const value of [...names].flatMap((name) => forms(name, need, days))) {
      const note = `Took ${need.property} = ${JSON.stringify(value)} from "${days.phrase}" in the goal.`
      if (valueFits(need, value)) return { value, note }
    }
  }
  return undefined
}

function forms(name: string, need: Need, { from, to }: DayRange): unknown[] {
  if (STARTS.has(name)) return [from, `${from}T00:00:00Z`]
  if (ENDS.has(name)) return [to, `${to}T23:59:59Z`]
  if (name === 'month') return from.slice(0, 7) === to.slice(0, 7) ? [from.slice(0, 7), from] : []
  if (name === 'year') return from.slice(0, 4) === to.slice(0, 4) ? [Number(from.slice(0, 4)), from.slice(0, 4)] : []
  if (name === 'day' || name === 'date') return from === to ? [from] : []
  if (!RANGES.has(name) && name !== 'date_range') return []
  const parts = [...shapeOf(need.schema, need.rootSchema).properties.keys()]
  const start = parts.find((part) => STARTS.has(normalizedName(part)))
  const end = parts.find((part) => ENDS.has(normalizedName(part)))
  const whole = start !== undefined && end !== undefined ? [{ [start]: from, [end]: to }] : []
  return [...whole, `${from}/${to}`].filter((value) => isObject(value) || typeof value === 'string')
}
