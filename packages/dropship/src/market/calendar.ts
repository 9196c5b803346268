/** Days as numbers (0 is 1970-01-01), for arithmetic inside the market. Texts stay the form in which days are kept. */
import type { Day } from '../day.ts'

const MS = 86_400_000

/** The same few hundred days are asked for over and over. */
const known = new Map<Day, number>()

export const dayNumber = (day: Day): number => {
  const found = known.get(day)
  if (found !== undefined) return found
  const number = Date.parse(`${day}T00:00:00Z`) / MS
  known.set(day, number)
  return number
}
export const dayText = (number: number): Day => new Date(number * MS).toISOString().slice(0, 10)
/** 0 is Monday. */
export const weekdayOf = (number: number): number => (number + 3) % 7

let lastYear = { from: 0, to: 0 }

/** 1 to 366. */
export const dayOfYear = (number: number): number => {
  if (number < lastYear.from || number >= lastYear.to) {
    const year = new Date(number * MS).getUTCFullYear()
    lastYear = { from: Date.UTC(year, 0, 1) / MS, to: Date.UTC(year + 1, 0, 1) / MS }
  }
  return number - lastYear.from + 1
}
