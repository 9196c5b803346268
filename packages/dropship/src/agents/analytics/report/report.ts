/** A whole report: figures, findings, text, and charts if requested. */
import { type Chart, campaignChart, channelChart, productChart, revenueChart } from '../../../charts/index.ts'
import type { Shop } from '../../../ports.ts'
import { findings } from './findings.ts'
import { gatherFigures, type ReportData, type ReportRequest } from './gather-figures.ts'
import { reportMarkdown } from './report-markdown.ts'
import type { Report } from './report-schema.ts'

/** The charts of every report, in this order. */
export const CHART_NAMES = ['revenue', 'channels', 'products', 'campaigns'] as const
export type ChartName = (typeof CHART_NAMES)[number]

export async function makeReport(shop: Shop, asked: ReportRequest & { readonly charts: boolean }): Promise<Report> {
  const gathered = await gatherFigures(shop, asked)
  const { figures } = gathered
  const found = findings(figures)
  return {
    ...figures,
    findings: found,
    charts: asked.charts ? await Promise.all(CHART_NAMES.map((name) => chartOf(name, gathered))) : [],
    text: reportMarkdown(figures, found),
  }
}

/** One chart without the others. */
export function chartOf(name: ChartName, { figures, channelDays }: ReportData): Promise<Chart> {
  const { currency } = figures
  const drawn: Readonly<Record<ChartName, () => Promise<Chart>>> = {
    revenue: () => revenueChart(figures.by_day, currency),
    channels: () => channelChart(channelDays, currency),
    products: () =>
      productChart(
        figures.by_product.map(({ product_name, revenue, profit }) => ({ title: product_name, revenue, profit })),
        currency,
      ),
    campaigns: () =>
      campaignChart(
        figures.campaigns.map(({ product_name, ...one }) => ({ ...one, title: product_name })),
        currency,
      ),
  }
  return drawn[name]()
}
