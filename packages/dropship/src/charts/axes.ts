/** The axes of charts: days as points in time, short numbers, bars per day, week or month, and labelled horizontal bars. */

import type { Day } from '../day.ts'
import { mean } from '../figures.ts'

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

/** Layout of a horizontal bar chart with one labelled bar a row. `space` is the height of everything but the bars. */
export const labelledBars = (labels: readonly string[], space: number) => ({
  height: space + labels.length * 26,
  marginLeft: 200,
  marginRight: 60,
  y: { label: null, domain: labels, padding: 0.25, tickSize: 0 },
})
