/** Reads times as people write them: a date, a date and time, or how long ago. */
import { ToolError } from '../../protocol/errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/**
 * Milliseconds since the epoch. A date without a time is a whole day: its start, or its end if `edge` says so. Without a
 * time zone it is local time.
 */
export function parseMoment(text: string, edge: 'start' | 'end' = 'start', now: number = Date.now()): number {
  const [, count, unit] = /^(\d+)\s*([smhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?$/.exec(text) ?? []
  const moment = date === undefined || !exists(date) ? Number.NaN : Date.parse(`${date}T${time ?? '00:00'}`)
  if (Number.isNaN(moment)) {
    const forms = 'a date (2026-03-31), a date and time (2026-03-31T14:00), or how long ago (90s, 15m, 2h, 3d, 1w)'
    throw ToolError.of('ValidationError', `Invalid time "${text}". Give ${forms}.`)
  }
  if (time !== undefined || edge === 'start') return moment
  const nextDay = new Date(moment)
  // Not 24 hours: some days are longer.
  nextDay.setDate(nextDay.getDate() + 1)
  return nextDay.getTime() - 1
}

/** Two times as texts. Throws if the first one is later: nothing would be found, and it looks as if there was nothing. */
export function parsePeriod({ since, until }: { since?: string | undefined; until?: string | undefined }): {
  since?: number
  until?: number
} {
  // Both are relative to the same moment.
  const now = Date.now()
  const from = since === undefined ? undefined : parseMoment(since, 'start', now)
  const to = until === undefined ? undefined : parseMoment(until, 'end', now)
  if (from !== undefined && to !== undefined && from > to)
    throw ToolError.of('ValidationError', `The period is empty: it begins (${since}) after it ends (${until}).`)
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) }
}

/** Date.parse reads February 31 as a day in March. */
const exists = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
}
