/** Spend and revenue of campaigns: the bar is revenue, the mark across it spend. A bar shorter than its mark lost money. */
import { wholeNumber } from '../figures.ts'
import { axisNumber, labelledBars, topBars } from './axes.ts'
import { type Chart, drawChart } from './drawing.ts'
import { legend } from './legend.ts'
import { channelColour, ink } from './palette.ts'

export interface CampaignFigures {
  readonly campaign_id: string
  readonly product_name: string
  readonly platform: string
  readonly spend: number
  readonly revenue: number
}

export function campaignChart(campaigns: readonly CampaignFigures[], currency: string): Promise<Chart> {
  const bars = topBars(
    campaigns,
    ({ spend }) => spend,
    ({ campaign_id, product_name }) => `${campaign_id} ${product_name}`,
    27,
  )
  const platforms = [...new Set(bars.map(({ platform }) => platform))].sort()
  return drawChart({
    name: 'campaigns',
    title: 'Ad spend and the revenue it brought',
    description: `${currency}: ${bars.map(({ label, spend, revenue }) => `${label} spent ${wholeNumber(spend)} and brought ${wholeNumber(revenue)}`).join('; ')}.`,
    isEmpty: bars.length === 0,
    plot: (plot) => ({
      ...labelledBars(bars, 84),
      marginTop: 44,
      x: {
        axis: 'bottom',
        label: `${currency}: bar is revenue, mark is spend`,
        grid: true,
        tickFormat: axisNumber,
      },
      marks: [
        plot.barX(bars, {
          x: 'revenue',
          y: 'label',
          fill: ({ platform }: CampaignFigures) => channelColour(platform),
          fillOpacity: 0.8,
        }),
        plot.tickX(bars, { x: 'spend', y: 'label', stroke: ink('ink'), strokeWidth: 3 }),
        plot.text(bars, {
          x: ({ revenue, spend }: CampaignFigures) => Math.max(revenue, spend),
          y: 'label',
          text: ({ revenue, spend }: CampaignFigures) => (spend > 0 ? `× ${(revenue / spend).toFixed(1)}` : ''),
          textAnchor: 'start',
          dx: 6,
        }),
        plot.ruleX([0], { stroke: ink('quiet') }),
        ...legend(plot, platforms, platforms.map(channelColour)),
      ],
    }),
  })
}
