/** Fills an input with the days that the goal's text names: a range, one of its ends, a day or a month. */
import type { DayRange } from '../../../english/dates.ts'
import { valueFits } from '../matching/fits.ts'
import { shapeOf } from '../matching/schema-shape.ts'
import { normalizedName } from '../names.ts'
import type { ChosenValue, Need } from '../types.ts'

const STARTS = new Set(['from', 'start', 'start_date', 'from_date', 'date_from', 'since', 'begin', 'after'])
const ENDS = new Set(['to', 'end', 'end_date', 'to_date', 'date_to', 'until', 'till', 'before'])
const RANGES = new Set(['date_range', 'range', 'period', 'dates', 'timeframe', 'time_range', 'interval', 'window'])

/** The days in the form that a need takes them: a range, one of its ends, a day, or a month. */
export function valueFromDates(need: Need, found: readonly DayRange[]): ChosenValue | undefined {
  const names = new Set([normalizedName(need.typeId ?? need.property), normalizedName(need.property)])
  // If the text names several ranges, a `month` is the one whose phrase says month.
  const isCalled = ({ phrase }: DayRange): boolean => [...names].some((name) => phrase.includes(name))
  for (const days of found.toSorted((one, other) => Number(isCalled(other)) - Number(isCalled(one)))) {
    for (const value of [...names].flatMap((name) => forms(name, need, days))) {
      const note = `Took ${need.property} = ${JSON.stringify(value)} from "${days.phrase}" in the goal.`
      if (valueFits(need, value)) return { value, note }
    }
  }
  return undefined
}

function forms(name: string, need: Need, { from, to }: DayRange): unknown[] {
  if (STARTS.has(name)) return [from, `${from}T00:00:00Z`]
  if (ENDS.has(name)) return [to, `${to}T23:59:59Z`]
  if (name === 'month') return from.slice(0, 7) === to.slice(0, 7) ? [from.slice(0, 7), from] : []
  if (name === 'year') return from.slice(0, 4) === to.slice(0, 4) ? [Number(from.slice(0, 4)), from.slice(0, 4)] : []
  if (name === 'day' || name === 'date') return from === to ? [from] : []
  if (!RANGES.has(name)) return []
  const parts = [...shapeOf(need.schema, need.rootSchema).properties.keys()]
  const start = parts.find((part) => STARTS.has(normalizedName(part)))
  const end = parts.find((part) => ENDS.has(normalizedName(part)))
  const interval = `${from}/${to}`
  return start !== undefined && end !== undefined ? [{ [start]: from, [end]: to }, interval] : [interval]
}
