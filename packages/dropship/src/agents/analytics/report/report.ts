/** A whole report: figures, findings, text, and charts if requested. */
import { type Chart, campaignChart, channelChart, productChart, revenueChart } from '../../../charts/index.ts'
import type { Shop } from '../../../ports.ts'
import { findings } from './findings.ts'
import { gatherFigures, type ReportData, type ReportRequest } from './gather-figures.ts'
import { reportMarkdown } from './report-markdown.ts'
import type { Report } from './report-schema.ts'

/** The charts of every report, in this order. */
const CHARTS = {
  revenue: ({ figures }: ReportData) => revenueChart(figures.by_day, figures.currency),
  channels: ({ figures, channelDays }: ReportData) => channelChart(channelDays, figures.currency),
  products: ({ figures }: ReportData) => productChart(figures.by_product, figures.currency),
  campaigns: ({ figures }: ReportData) => campaignChart(figures.campaigns, figures.currency),
}
type ChartName = keyof typeof CHARTS
export const CHART_NAMES = Object.keys(CHARTS) as ChartName[]

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
export const chartOf = (name: ChartName, gathered: ReportData): Promise<Chart> => CHARTS[name](gathered)
