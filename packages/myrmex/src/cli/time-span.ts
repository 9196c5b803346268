/** Spans of time and expiry dates, as people write and read them. */
import { parseMoment } from '../ledger/journal/moment.ts'
import { ToolError } from '../protocol/errors.ts'

const UNITS: readonly [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** Rounded, in the largest unit with a count of at least two: 7 days, 36 hours, 3 minutes. */
export function formatSpan(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => milliseconds >= 2 * size) ?? ['second', 1000]
  const count = Math.max(0, Math.round(milliseconds / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const EXPIRY_FORMS = 'a date (2026-03-31), a date and time (2026-03-31T14:00), or how long (15m, 2h, 7d, 4w)'

/** When a grant expires. A date includes the whole day. */
export function parseExpiry(text: string, now: number = Date.now()): number {
  const isSpan = /^\d+\s*[smhdw]$/.test(text)
  if (!isSpan && !/^\d{4}-/.test(text))
    throw ToolError.of('ValidationError', `"${text}" is not a valid expiry. Use ${EXPIRY_FORMS}.`)
  const moment = parseMoment(text, 'end', now)
  const end = isSpan ? now + (now - moment) : moment
  if (!(end > now) || Number.isNaN(new Date(end).getTime())) {
    throw ToolError.of('ValidationError', `"${text}" is not in the future. Use ${EXPIRY_FORMS}.`)
  }
  return end
}
