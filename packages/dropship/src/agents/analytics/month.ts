/** Which month somebody means: December, dec, December 2026, 2026-12, this_month or next_month; the shop's own day decides. */
import { ToolError } from 'myrmex'
import { monthNumber } from 'myrmex/english'
import { addDays, type Day, monthOf } from '../../day.ts'
import { type Days, monthDays } from './date-range.ts'

/** A month farther ahead than this is another year's business, whatever the history. */
export const MAX_MONTHS = 12

/** A month such as `2026-12`, with its first and last day. */
export type Month = Days & { readonly month: string }

/** InvalidMonth, MonthInPast, TooFarAhead. */
export function readMonth(text: string, today: Day): Month {
  const month = monthMeant(text, today)
  if (month === undefined)
    throw new ToolError(
      'InvalidMonth',
      `Invalid month ${JSON.stringify(text)}. Give December, dec, December 2026, 2026-12, this_month or next_month.`,
      { month: text },
    )
  const ahead = monthCount(month) - monthCount(monthOf(today))
  if (ahead < 0)
    throw new ToolError(
      'MonthInPast',
      `${month} is over: today is ${today}. Ask for ${monthOf(today)} or later, or use generate_report for what was sold.`,
      { month, today },
    )
  if (ahead > MAX_MONTHS)
    throw new ToolError(
      'TooFarAhead',
      `${month} is ${ahead} months ahead; a forecast reaches at most ${MAX_MONTHS} months ahead.`,
      { month, today, months_ahead: ahead, most_months: MAX_MONTHS },
    )
  return { month, ...monthDays(month) }
}

function monthMeant(text: string, today: Day): string | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s_]+/)
  const spelled = words.join(' ')
  if (spelled === 'this month') return monthOf(today)
  if (spelled === 'next month') return monthOf(addDays(`${monthOf(today)}-28`, 4))
  if (/^\d{4}-\d{2}$/.test(spelled)) return /-(0[1-9]|1[0-2])$/.test(spelled) ? spelled : undefined
  const [name, year, ...more] = words
  const number = monthNumber(name ?? '')
  if (number === undefined || more.length > 0) return undefined
  if (year !== undefined) return /^\d{4}$/.test(year) ? inYear(year, number) : undefined
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number]
  return inYear(String(number < thisMonth ? thisYear + 1 : thisYear), number)
}

const inYear = (year: string, number: number): string => `${year}-${String(number).padStart(2, '0')}`

const monthCount = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
