/** Calendar days as text, `2026-11-01`: they sort, compare and print as they are, independent of time zones. */

export type Day = string

const MS = 86_400_000

const time = (day: Day): number => Date.parse(`${day}T00:00:00Z`)

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time(text)) && dayOf(time(text)) === text

const dayOf = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day => dayOf(time(day) + count * MS)

/** Days from one to the other; negative if the second is earlier. */
export const daysBetween = (from: Day, to: Day): number => Math.round((time(to) - time(from)) / MS)

/** 0 is Monday. */
export const weekday = (day: Day): number => (new Date(time(day)).getUTCDay() + 6) % 7

export const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `2026-11`. */
export const monthOf = (day: Day): string => day.slice(0, 7)

export const daysInMonth = (month: string): number => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}
