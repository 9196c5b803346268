/** The period that a goal names, as analytics.generate_report takes it. Undefined: it names none. */
import { namedMonthIn, timeBackIn, writtenRange } from 'myrmex/english'
import { addDays, type Day, daysInMonth, monthOf } from '../day.ts'

const DAYS_OF = { day: 1, week: 7, month: 30 } as const
const NAMED_SPANS: Readonly<Record<number, string>> = { 7: 'last_7_days', 30: 'last_30_days', 90: 'last_90_days' }
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(last|this|past) week\b/i, 'last_7_days'],
  [/\b(last|past) quarter\b/i, 'last_90_days'],
  [/\b(last|past) (365 days|year)\b/i, 'last_year'],
  [/\bthis month\b/i, 'this_month'],
  [/\b(last|past) month\b/i, 'last_month'],
]

export function dateRangeIn(goal: string, today: Day): string | undefined {
  return explicitRange(goal) ?? rangeBack(goal, today) ?? namedRange(goal, today) ?? monthIn(goal, today)
}

function explicitRange(goal: string): string | undefined {
  const { from, to } = writtenRange(goal) ?? {}
  if (from === undefined || to === undefined) return undefined
  const month = monthOf(from)
  const isWholeMonth = from === `${month}-01` && to === `${month}-${daysInMonth(month)}`
  return isWholeMonth ? month : `${from}..${to}`
}

function rangeBack(goal: string, today: Day): string | undefined {
  const back = timeBackIn(goal)
  const days = back === undefined ? 0 : back.count * DAYS_OF[back.unit]
  return days < 1 ? undefined : (NAMED_SPANS[days] ?? `${addDays(today, -days)}..${addDays(today, -1)}`)
}

function namedRange(goal: string, today: Day): string | undefined {
  const yesterday = addDays(today, -1)
  if (/\byesterday\b/i.test(goal)) return `${yesterday}..${yesterday}`
  if (/\btoday\b/i.test(goal)) return `${today}..${today}`
  if (/\bthis year\b/i.test(goal)) return `${today.slice(0, 4)}-01-01..${today}`
  return NAMED.find(([pattern]) => pattern.test(goal))?.[1]
}

/** Without a year, the latest month of that name that has started. */
function monthIn(goal: string, today: Day): string | undefined {
  const named = namedMonthIn(goal)
  if (named === undefined) return undefined
  const number = String(named.month).padStart(2, '0')
  const thisYear = Number(today.slice(0, 4))
  const newest = `${thisYear}-${number}` <= monthOf(today) ? thisYear : thisYear - 1
  return `${named.year ?? newest}-${number}`
}

/** The month that a goal asks a forecast for, as analytics.predict_sales takes it. */
export function monthAhead(goal: string): string {
  const { name, year } = namedMonthIn(goal) ?? {}
  if (name !== undefined) return year === undefined ? name : `${name} ${year}`
  return /\bthis month\b/i.test(goal) ? 'this_month' : (/\b\d{4}-\d{2}\b/.exec(goal)?.[0] ?? 'next_month')
}
