/** The products with the most revenue: a bar of revenue with the profit inside. A loss points the other way. */
import { wholeNumber } from '../figures.ts'
import { axisNumber, labelledBars } from './axes.ts'
import { type Chart, drawChart } from './drawing.ts'
import { distinctLabels } from './label.ts'
import { hue, ink } from './palette.ts'

export interface ProductFigures {
  readonly title: string
  readonly revenue: number
  readonly profit: number
}

const MOST_BARS = 10

export function productChart(products: readonly ProductFigures[], currency: string): Promise<Chart> {
  const top = [...products].sort((a, b) => b.revenue - a.revenue).slice(0, MOST_BARS)
  const labels = distinctLabels(
    top.map(({ title }) => title),
    30,
  )
  const bars = top.map((one, index) => ({ ...one, label: labels[index] }))
  return drawChart({
    name: 'products',
    title: 'Products by revenue',
    description: `${currency}: ${top.map(({ revenue, profit }, index) => `${labels[index]} ${wholeNumber(revenue)} with ${wholeNumber(profit)} profit`).join('; ')}.`,
    plot:
      top.length === 0
        ? undefined
        : (plot) => ({
            ...labelledBars(labels, 60),
            x: { label: `${currency}: revenue, and profit within it`, grid: true, tickFormat: axisNumber },
            marks: [
              plot.barX(bars, { x: 'revenue', y: 'label', fill: hue('blue'), fillOpacity: 0.35 }),
              plot.barX(bars, {
                x: 'profit',
                y: 'label',
                fill: ({ profit }: ProductFigures) => (profit < 0 ? hue('orange') : hue('blue')),
                insetTop: 4,
                insetBottom: 4,
              }),
              plot.text(bars, {
                x: ({ revenue, profit }: ProductFigures) => Math.max(revenue, profit),
                y: 'label',
                text: ({ revenue }: ProductFigures) => wholeNumber(revenue),
                textAnchor: 'start',
                dx: 5,
              }),
              plot.ruleX([0], { stroke: ink('quiet') }),
            ],
          }),
  })
}
