/** Revenue by channel: bars per day, week or month, with the channels stacked. */

import type { RectYOptions } from '@observablehq/plot'
import type { Day } from '../day.ts'
import { wholeNumber } from '../figures.ts'
import { axisNumber, barInterval, timeOf } from './axes.ts'
import { type Chart, drawChart } from './drawing.ts'
import { distinctLabels } from './label.ts'
import { legend } from './legend.ts'
import { channelColour, ink } from './palette.ts'

export interface ChannelDay {
  readonly day: Day
  readonly channel: string
  readonly revenue: number
}

export function channelChart(rows: readonly ChannelDay[], currency: string): Promise<Chart> {
  const totals = new Map<string, number>()
  for (const { channel, revenue } of rows) totals.set(channel, (totals.get(channel) ?? 0) + revenue)
  const channels = [...totals].sort(([, a], [, b]) => b - a).map(([channel]) => channel)
  const labels = distinctLabels(channels, 24)
  const interval = barInterval(new Set(rows.map(({ day }) => day)).size)
  const points = rows.map(({ day, channel, revenue }) => ({
    time: timeOf(day),
    channel: labels[channels.indexOf(channel)],
    revenue,
  }))
  return drawChart({
    name: 'channels',
    title: 'Revenue by channel',
    description: `${currency} by channel: ${channels.map((channel) => `${channel} ${wholeNumber(totals.get(channel) ?? 0)}`).join(', ')}. One bar a ${interval}.`,
    isEmpty: rows.length === 0,
    plot: (plot) => ({
      marginTop: 44,
      x: { label: null },
      y: { label: `${currency} a ${interval}`, grid: true, tickFormat: axisNumber, labelOffset: 40 },
      color: { domain: labels, range: channels.map(channelColour) },
      marks: [
        plot.rectY(
          points,
          plot.binX<RectYOptions>(
            { y: 'sum' },
            {
              x: 'time',
              y: 'revenue',
              fill: 'channel',
              order: labels,
              interval,
              insetLeft: 0.5,
              insetRight: 0.5,
            },
          ),
        ),
        plot.ruleY([0], { stroke: ink('quiet') }),
        ...legend(plot, labels, channels.map(channelColour)),
      ],
    }),
  })
}
