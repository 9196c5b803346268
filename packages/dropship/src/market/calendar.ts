/** Days as numbers (0 is 1970-01-01), for arithmetic within the market. They are stored as texts. */
import { cached } from '../cached.ts'
import type { Day } from '../day.ts'

const MS = 86_400_000

/** Cached, because the same few hundred days are converted again and again. */
const dayNumbers = new Map<Day, number>()

export const dayNumber = (day: Day): number => cached(dayNumbers, day, () => Date.parse(`${day}T00:00:00Z`) / MS)
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
