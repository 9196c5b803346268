/** The day or month of a time, in the owner's time zone. */

import { getOrMake } from '../../../protocol/get-or-make.ts'

export type Period = 'day' | 'month' | 'ever'

const formats = new Map<string, Intl.DateTimeFormat>()
const ISO_DAY = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
} as const
const dayFormat = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, ...ISO_DAY })

/** 2026-07-28, 2026-07, or empty for `ever`. */
export function periodAt(time: number, per: Period, timeZone: string): string {
  if (per === 'ever') return ''
  const day = timeZone === 'UTC' ? new Date(time).toISOString().slice(0, 10) : dayIn(time, timeZone)
  return per === 'day' ? day : day.slice(0, 7)
}

function dayIn(time: number, timeZone: string): string {
  const format = getOrMake(formats, timeZone, dayFormat)
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
}
