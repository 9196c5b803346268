/** The resources of the analytics agent: reports of the usual ranges, their charts, and single days of the books. */
import { type Resource, resource, ToolError } from 'myrmex'
import { addDays, isDay } from '../../day.ts'
import type { ShopSource } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'
import { USUAL_RANGES } from './date-range.ts'
import { gatherFigures } from './report/gather-figures.ts'
import { CHART_NAMES, chartOf, makeReport } from './report/report.ts'

const REPORTS = 'shop://reports/'

/** A range that is invalid or before the books has no report. */
async function undefinedIfNoData<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof ToolError && ['InvalidDateRange', 'NoData'].includes(thrown.error_type)) return undefined
    throw thrown
  }
}

const pageAfter = <T extends { uri: string }>(all: readonly T[], after: string | undefined, limit: number): T[] => {
  const from = after === undefined ? 0 : all.findIndex(({ uri }) => uri === after) + 1
  return all.slice(from, from + limit)
}

export const reports = (source: ShopSource): Resource =>
  resource({
    uriTemplate: `${REPORTS}{date_range}`,
    name: 'reports',
    title: 'Reports',
    description:
      'The report on a range of days, as Markdown with text charts. Ranges are those of analytics.generate_report.',
    mimeType: 'text/markdown',
    list: (after, limit) =>
      pageAfter(
        USUAL_RANGES.map((range) => ({ uri: REPORTS + range, name: `Report: ${range.replaceAll('_', ' ')}` })),
        after,
        limit,
      ),
    complete: { date_range: (typed) => USUAL_RANGES.filter((range) => range.startsWith(typed)) },
    version: async () => (await source()).revision(),
    read: async (_uri, { date_range = '' }) =>
      (await undefinedIfNoData(makeReport(await source(), { date_range, charts: false })))?.text,
  })

export const reportCharts = (source: ShopSource): Resource =>
  resource({
    uriTemplate: `${REPORTS}{date_range}/{chart}.svg`,
    name: 'report_charts',
    title: 'Charts of reports',
    description: `A chart of a report as SVG: ${CHART_NAMES.join(', ')}.`,
    mimeType: 'image/svg+xml',
    list: (after, limit) =>
      pageAfter(
        USUAL_RANGES.flatMap((range) =>
          CHART_NAMES.map((chart) => ({
            uri: `${REPORTS}${range}/${chart}.svg`,
            name: `Chart: ${chart}, ${range.replaceAll('_', ' ')}`,
            mimeType: 'image/svg+xml',
          })),
        ),
        after,
        limit,
      ),
    complete: {
      date_range: (typed) => USUAL_RANGES.filter((range) => range.startsWith(typed)),
      chart: (typed) => CHART_NAMES.filter((name) => name.startsWith(typed)),
    },
    version: async () => (await source()).revision(),
    read: async (_uri, { date_range = '', chart = '' }) => {
      const name = CHART_NAMES.find((one) => one === chart)
      if (name === undefined) return undefined
      const gathered = await undefinedIfNoData(gatherFigures(await source(), { date_range }))
      return gathered && (await chartOf(name, gathered)).svg
    },
  })

/** Single days of the books, newest first. */
export const days = recordResource<{ readonly day: string; readonly shown: object }>({
  noun: 'days',
  title: 'Days of the books',
  description: 'Revenue, cost and profit of one day, by product and by channel, with orders and visits.',
  id: ({ day }) => day,
  name: ({ day }) => `The books of ${day}`,
  find: async (shop, day) => {
    if (!isDay(day)) return undefined
    const gathered = await undefinedIfNoData(gatherFigures(shop, { date_range: `${day}..${day}` }))
    if (gathered === undefined) return undefined
    const { currency, revenue, cost, ad_spend, refunds, profit, orders, visits, by_channel, by_product, campaigns } =
      gathered.figures
    const sold = by_product.filter((one) => one.visits + one.orders + one.ad_spend + one.refunds > 0)
    const shown = { currency, revenue, cost, ad_spend, refunds, profit, orders, visits, by_channel, campaigns }
    return { day, shown: { ...shown, by_product: sold } }
  },
  page: async (shop, after, limit) => {
    const [today, since] = await Promise.all([shop.clock.today(), shop.books.firstDay()])
    const first = after === undefined ? today : addDays(after, -1)
    return Array.from({ length: limit }, (_, index) => addDays(first, -index))
      .filter((day) => day >= since)
      .map((day) => ({ day, shown: {} }))
  },
  shown: ({ day, shown }) => ({ day, ...shown }),
})
