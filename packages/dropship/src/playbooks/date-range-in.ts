/** The time that a goal names, in a form that analytics.generate_report takes. Undefined: it names none. */
import { addDays, type Day, monthOf } from '../day.ts'

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const MONTH = new RegExp(String.raw`\b(?:in|of|for|on|during|last)\s+(${MONTHS})(?:\s+(\d{4}))?\b`, 'i')
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const BACK = new RegExp(
  String.raw`\b(?:last|past)\s+(\d{1,3}|${COUNTS.join('|')}|thirty|ninety)\s+(day|week|month)s?\b`,
  'i',
)
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
  const days = /\b(\d{4}-\d{2}-\d{2})(?:\s*(?:\.\.|to|until|-|–)\s*(\d{4}-\d{2}-\d{2}))?\b/.exec(goal)
  if (days !== null) return `${days[1]}..${days[2] ?? days[1]}`
  return /\b\d{4}-\d{2}\b/.exec(goal)?.[0]
}

function rangeBack(goal: string, today: Day): string | undefined {
  const [, count = '', unit = ''] = BACK.exec(goal) ?? []
  if (unit === '') return undefined
  const days = numberOf(count.toLowerCase()) * DAYS_OF[unit.toLowerCase() as keyof typeof DAYS_OF]
  return days < 1 ? undefined : (NAMED_SPANS[days] ?? `${addDays(today, -days)}..${addDays(today, -1)}`)
}

const numberOf = (word: string): number =>
  ({ thirty: 30, ninety: 90 })[word] ?? (COUNTS.includes(word) ? COUNTS.indexOf(word) + 1 : Number(word))

function namedRange(goal: string, today: Day): string | undefined {
  const yesterday = addDays(today, -1)
  if (/\byesterday\b/i.test(goal)) return `${yesterday}..${yesterday}`
  if (/\btoday\b/i.test(goal)) return `${today}..${today}`
  if (/\bthis year\b/i.test(goal)) return `${today.slice(0, 4)}-01-01..${today}`
  return NAMED.find(([pattern]) => pattern.test(goal))?.[1]
}

/** Without a year it is the newest one that has begun. */
function monthIn(goal: string, today: Day): string | undefined {
  const [, name, year] = MONTH.exec(goal) ?? []
  if (name === undefined) return undefined
  const number = String(MONTHS.split('|').indexOf(name.toLowerCase()) + 1).padStart(2, '0')
  const thisYear = today.slice(0, 4)
  if (year !== undefined) return `${year}-${number}`
  return `${thisYear}-${number}` <= monthOf(today) ? `${thisYear}-${number}` : `${Number(thisYear) - 1}-${number}`
}

/** The month that a goal looks ahead to, as analytics.predict_sales reads it. */
export function monthAhead(goal: string): string {
  const [, name, year] = MONTH.exec(goal) ?? []
  if (name !== undefined) return year === undefined ? name : `${name} ${year}`
  return /\bthis month\b/i.test(goal) ? 'this_month' : (/\b\d{4}-\d{2}\b/.exec(goal)?.[0] ?? 'next_month')
}
