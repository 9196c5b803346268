/** The axes of charts: days as points in time, short numbers, bars per day, week or month, and labelled horizontal bars. */

import type { Day } from '../day.ts'
import { mean } from '../figures.ts'
import { distinctLabels } from './label.ts'

/** Midnight UTC, so that no time zone moves a day. */
export const timeOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const axisNumber = (value: number): string => compact.format(value)

/** The width of bars over this many days. */
export function barInterval(days: number): 'day' | 'week' | 'month' {
  if (days <= 45) return 'day'
  return days <= 200 ? 'week' : 'month'
}

/** The mean of each value and the six before it, which removes the rhythm of the week. */
export function weeklyMean(values: readonly number[]): number[] {
  return values.map((_, index) => mean(values.slice(Math.max(0, index - 6), index + 1)))
}

const MAX_BARS = 10

/** The items with the largest values, each with a label of its own. */
export function topBars<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
  text: (item: Item) => string,
  longest: number,
) {
  const top = [...items].sort((a, b) => value(b) - value(a)).slice(0, MAX_BARS)
  const labels = distinctLabels(top.map(text), longest)
  return top.map((item, index) => ({ ...item, label: labels[index] as string }))
}

/** Layout of a horizontal bar chart with one labelled bar a row. `space` is the height of everything but the bars. */
export const labelledBars = (bars: readonly { readonly label: string }[], space: number) => ({
  height: space + bars.length * 26,
  marginLeft: 200,
  marginRight: 60,
  y: { label: null, domain: bars.map(({ label }) => label), padding: 0.25, tickSize: 0 },
})
