/**
 * The days a report is about, from the words it was asked with. `last_N_days` end yesterday, since today is not over; what
 * reaches past today or before the books began is cut there, and the report says so.
 */
import { ToolError } from 'myrmex'
import { addDays, type Day, daysBetween, daysInMonth, isDay, monthOf } from '../../day.ts'

/** Ranges of so many days, the last of which is yesterday. */
const ENDING_YESTERDAY: Readonly<Record<string, number>> = {
  last_7_days: 7,
  last_30_days: 30,
  last_90_days: 90,
  last_year: 365,
}

export const USUAL_RANGES = [...Object.keys(ENDING_YESTERDAY), 'this_month', 'last_month']

export interface Days {
  readonly from: Day
  readonly to: Day
}

export interface DateRange extends Days {
  readonly days: number
  /** what of the range asked for is not in it, and why */
  readonly notes: readonly string[]
}

const FORMS = `${USUAL_RANGES.join(', ')}, a month such as 2026-10, or two days such as 2026-10-01..2026-10-15`

export function dateRange(text: string, today: Day, since: Day): DateRange {
  const asked = daysOf(text.trim(), today)
  if (asked === undefined) throw invalid(text, `is not a range of days. Give ${FORMS}.`)
  if (asked.from > asked.to) throw invalid(text, `ends before it begins. Write ${asked.to}..${asked.from}.`)
  if (asked.from > today)
    throw invalid(text, `is in the future: today is ${today}. Use analytics.predict_sales to predict sales.`)
  if (asked.to < since)
    throw new ToolError('NoData', `The books begin on ${since}; ${asked.from} to ${asked.to} is before them.`, {
      date_range: text.slice(0, 60),
      since,
    })
  const from = asked.from < since ? since : asked.from
  const to = asked.to > today ? today : asked.to
  const notes = [
    ...(from === asked.from ? [] : [`The books begin on ${since}, so the days from ${asked.from} are not in it.`]),
    ...(to === asked.to ? [] : [`Today is ${today}, so the days to ${asked.to} are not in it.`]),
    ...(to === today ? ['Today is not over; its figures are those so far.'] : []),
  ]
  return { from, to, days: daysBetween(from, to) + 1, notes }
}

function daysOf(text: string, today: Day): Days | undefined {
  const count = Object.hasOwn(ENDING_YESTERDAY, text) ? ENDING_YESTERDAY[text] : undefined
  if (count !== undefined) return { from: addDays(today, -count), to: addDays(today, -1) }
  if (text === 'this_month') return { from: `${monthOf(today)}-01`, to: today }
  if (text === 'last_month') return monthDays(monthOf(addDays(`${monthOf(today)}-01`, -1)))
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return monthDays(text)
  const [from = '', to = '', ...more] = text.split('..')
  return more.length === 0 && isDay(from) && isDay(to) ? { from, to } : undefined
}

export const monthDays = (month: string): Days => ({ from: `${month}-01`, to: `${month}-${daysInMonth(month)}` })

const invalid = (text: string, why: string): ToolError =>
  new ToolError('InvalidDateRange', `${JSON.stringify(text.slice(0, 60))} ${why}`, { date_range: text.slice(0, 60) })

/** As many days right before, or undefined where the books do not reach back so far. */
export function daysBefore({ from, days }: DateRange, since: Day): Days | undefined {
  const start = addDays(from, -days)
  return start < since ? undefined : { from: start, to: addDays(from, -1) }
}
