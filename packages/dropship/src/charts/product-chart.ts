/** The products with the most revenue: a bar of revenue with the profit inside. A loss points the other way. */
import { wholeNumber } from '../figures.ts'
import { axisNumber, labelledBars, topBars } from './axes.ts'
import { type Chart, drawChart } from './drawing.ts'
import { hue, ink } from './palette.ts'

export interface ProductFigures {
  readonly product_name: string
  readonly revenue: number
  readonly profit: number
}

export function productChart(products: readonly ProductFigures[], currency: string): Promise<Chart> {
  const bars = topBars(
    products,
    ({ revenue }) => revenue,
    ({ product_name }) => product_name,
    30,
  )
  return drawChart({
    name: 'products',
    title: 'Products by revenue',
    description: `${currency}: ${bars.map(({ label, revenue, profit }) => `${label} ${wholeNumber(revenue)} with ${wholeNumber(profit)} profit`).join('; ')}.`,
    isEmpty: bars.length === 0,
    plot: (plot) => ({
      ...labelledBars(bars, 60),
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
