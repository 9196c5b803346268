/** Revenue and profit by day: days as faint lines, the seven-day mean as strong lines, because the week hides the trend. */

import type { Markish } from '@observablehq/plot'
import type { Day } from '../day.ts'
import { sum, wholeNumber } from '../figures.ts'
import { axisNumber, timeOf, weeklyMean } from './axes.ts'
import { type Chart, drawChart, type Plot } from './drawing.ts'
import { hue, ink } from './palette.ts'

export interface DayFigures {
  readonly day: Day
  readonly revenue: number
  readonly profit: number
}

export function revenueChart(days: readonly DayFigures[], currency: string): Promise<Chart> {
  const lines = (['revenue', 'profit'] as const).map((key) => {
    const values = days.map((one) => one[key])
    const means = weeklyMean(values)
    const points = days.map(({ day }, index) => ({ time: timeOf(day), value: values[index], mean: means[index] }))
    return { key, points, total: sum(values), colour: hue(key === 'revenue' ? 'blue' : 'green') }
  })
  const description = `${days[0]?.day} to ${days.at(-1)?.day}: ${lines
    .map(({ key, total }) => `${key} ${wholeNumber(total)} ${currency}`)
    .join(', ')}. Faint lines are days, strong lines the mean of seven days.`
  return drawChart({
    name: 'revenue',
    title: 'Revenue and profit by day',
    description,
    isEmpty: days.length === 0,
    plot: (plot) => ({
      marginRight: 60,
      x: { type: 'utc', label: null },
      y: { label: `${currency} a day`, grid: true, tickFormat: axisNumber, nice: true },
      marks: [
        plot.ruleY([0], { stroke: ink('quiet') }),
        ...lines.flatMap(({ points, colour }): Markish[] => [
          plot.lineY(points, { x: 'time', y: 'value', stroke: colour, strokeOpacity: 0.35 }),
          plot.lineY(points, { x: 'time', y: 'mean', stroke: colour, strokeWidth: 2.25 }),
        ]),
        ...atLineEnds(plot, lines),
      ],
    }),
  })
}

/** The names at the right end of their lines, kept one line of text apart where the lines meet. */
function atLineEnds(
  plot: Plot,
  lines: readonly { key: string; colour: string; points: readonly { time: Date; mean: number | undefined }[] }[],
): Markish[] {
  const ends = lines.map(({ key, colour, points }) => ({ key, colour, end: points.at(-1) }))
  const means = lines.flatMap(({ points }) => points.map(({ mean }) => mean ?? 0))
  const span = Math.max(...means, 0) - Math.min(...means, 0) || 1
  const [upper, lower] = ends.map(({ end }) => end?.mean ?? 0)
  const gap = (Math.abs((upper ?? 0) - (lower ?? 0)) / span) * 240
  const shift = Math.max(0, (14 - gap) / 2)
  const isFirstAbove = (upper ?? 0) >= (lower ?? 0)
  return ends.map(({ key, colour, end }, index) =>
    plot.text([end], {
      x: 'time',
      y: 'mean',
      text: () => key,
      fill: colour,
      textAnchor: 'start',
      dx: 6,
      dy: (index === 0) === isFirstAbove ? -shift : shift,
    }),
  )
}
