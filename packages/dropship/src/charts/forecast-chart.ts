/** Past and expected sales: history as a line, the forecast as a line with its interval as a band. */

import type { Day } from '../day.ts'
import { percent, type Range, sum, wholeNumber } from '../figures.ts'
import { axisNumber, timeOf } from './axes.ts'
import { type Chart, drawChart } from './drawing.ts'
import { hue, ink } from './palette.ts'

export interface HistoryPoint {
  readonly day: Day
  readonly value: number
}
export interface ForecastPoint extends Range {
  readonly day: Day
}

/** `level` is the share of the days that the band contains. */
export function forecastChart(
  history: readonly HistoryPoint[],
  forecast: readonly ForecastPoint[],
  title: string,
  level: number,
): Promise<Chart> {
  const total = sum(forecast, ({ expected }) => expected)
  const [first, last] = [forecast[0]?.day, forecast.at(-1)?.day]
  const description =
    first === undefined
      ? `${history.length} days of units and no forecast.`
      : `${history.length} days of history, then ${first} to ${last}: ${wholeNumber(total)} units expected in all, with the band that contains ${percent(level)} of the days.`
  const past = history.map(({ day, value }) => ({ time: timeOf(day), value }))
  const ahead = forecast.map(({ day, ...figures }) => ({ time: timeOf(day), ...figures }))
  // The forecast line starts where the history ends: a gap would look like a day without sales.
  const joint = past.at(-1)
  if (joint !== undefined && ahead.length > 0)
    ahead.unshift({ time: joint.time, expected: joint.value, low: joint.value, high: joint.value })
  return drawChart({
    name: 'forecast',
    title,
    description,
    isEmpty: history.length + forecast.length === 0,
    plot: (plot) => ({
      marginRight: 70,
      x: { type: 'utc', label: null },
      y: { label: 'units a day', grid: true, tickFormat: axisNumber, zero: true, nice: true },
      marks: [
        plot.ruleY([0], { stroke: ink('quiet') }),
        plot.areaY(ahead, { x: 'time', y1: 'low', y2: 'high', fill: hue('orange'), fillOpacity: 0.25 }),
        plot.lineY(past, { x: 'time', y: 'value', stroke: hue('blue'), strokeWidth: 1.25 }),
        plot.lineY(ahead, { x: 'time', y: 'expected', stroke: hue('orange'), strokeWidth: 2.25 }),
        plot.text(ahead.slice(-1), {
          x: 'time',
          y: 'expected',
          text: () => 'expected',
          fill: hue('orange'),
          textAnchor: 'start',
          dx: 6,
        }),
      ],
    }),
  })
}
