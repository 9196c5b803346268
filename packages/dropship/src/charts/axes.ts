/** What all charts over days share: days as points in time, money on the axis, weeks or months where days would crowd. */
import type { Day } from '../day.ts'

/** Plot places points in time; noon would move with a zone, midnight of UTC does not. */
export const timeOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export const axisNumber = (value: number): string => compact.format(value)
export const wholeNumber = (value: number): string => whole.format(value)

/** How wide the bars of this many days should be. */
export function barInterval(days: number): 'day' | 'week' | 'month' {
  if (days <= 45) return 'day'
  return days <= 200 ? 'week' : 'month'
}

/** The mean of a value and the six before it: what is left when the week is taken out. */
export function weeklyMean(values: readonly number[]): number[] {
  return values.map((_, index) => {
    const part = values.slice(Math.max(0, index - 6), index + 1)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
