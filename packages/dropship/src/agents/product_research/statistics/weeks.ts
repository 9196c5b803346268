/**
 * The history of listings in whole weeks that end with yesterday, oldest first. Weeks, because single days follow the rhythm of
 * the week. Days that are missing (a product listed later) make no week of zeros: what was not observed is left out at the start.
 */
import { daysBetween } from '../../../day.ts'
import type { ListingDay } from '../../../ports.ts'
import type { Week } from './season.ts'

/** By product_id. A product with less than a whole week has an empty list. */
export function weeksOf(days: readonly ListingDay[]): ReadonlyMap<string, readonly Week[]> {
  const calendar = [...new Set(days.map(({ day }) => day))].sort()
  const last = calendar.at(-1) ?? ''
  // Counted back from the last day: 0 is the last week.
  const weekOf = new Map(calendar.map((day) => [day, Math.floor(daysBetween(day, last) / 7)]))
  const byProduct = Map.groupBy(days, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([product_id, own]) => [product_id, weeks(own, weekOf)]))
}

function weeks(days: readonly ListingDay[], weekOf: ReadonlyMap<string, number>): readonly Week[] {
  const byWeek = Map.groupBy(days, ({ day }) => weekOf.get(day) ?? 0)
  return [...byWeek]
    .filter(([, own]) => own.length === 7)
    .sort(([a], [b]) => b - a)
    .map(([, own]) => ({
      from: own.map(({ day }) => day).sort()[0] ?? '',
      units: own.reduce((sum, { units }) => sum + units, 0),
      price: own.reduce((sum, { price }) => sum + price, 0) / own.length,
    }))
}
