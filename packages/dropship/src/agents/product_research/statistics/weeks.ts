/**
 * The history of listings in whole weeks that end yesterday, oldest first: single days follow the rhythm of the week. Days before a
 * product was listed are left out instead of counting as 0.
 */

import { daysBetween } from '../../../day.ts'
import { mean, sum } from '../../../figures.ts'
import type { ListingDay } from '../../../ports.ts'
import type { Week } from './season.ts'

/** By product_id. A product with less than a week has an empty list. */
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
      units: sum(own, ({ units }) => units),
      price: mean(own.map(({ price }) => price)),
    }))
}
