/** analytics.generate_report: what the shop earned, spent and kept in a range of days, from its books. Reads only. */
import { answer, type Tool, tool } from 'myrmex'
import * as z from 'zod'
import type { ShopSource } from '../../ports.ts'
import { makeReport } from './report/report.ts'
import { ReportSchema } from './report/report-schema.ts'

export const generateReport = (source: ShopSource): Tool =>
  tool({
    name: 'analytics.generate_report',
    version: '1.0.0',
    title: 'Report on the shop',
    description:
      'Reports on a range of days: revenue, cost, ad spend, refunds, profit, margin, visits and conversion by channel and product, return on ad spend, what waits, and what stands out, with charts.',
    input: z.object({
      date_range: z
        .string()
        .min(1)
        .max(60)
        .default('last_30_days')
        .meta({ type_id: 'date_range' })
        .describe(
          'last_7_days, last_30_days, last_90_days or last_year (365 days), all of which end yesterday; this_month; last_month; a month such as 2026-10; or two days such as 2026-10-01..2026-10-15.',
        ),
      campaign_id: z
        .string()
        .max(60)
        .optional()
        .describe(
          'Makes the figures under `ads` those of this campaign alone. Everything else stays of the whole shop.',
        ),
      charts: z.boolean().default(true).describe('Whether charts are drawn.'),
    }),
    output: ReportSchema,
    errors: {
      InvalidDateRange: 'date_range is none of the known forms, ends before it begins, or lies wholly in the future.',
      NoData: 'The range ends before the books of the shop begin.',
      UnknownCampaign: 'There is no campaign with that campaign_id.',
    },
    idempotent: true,
    destructive: false,
    security:
      'Reads the books and shows no customer: figures only. Titles of products come from outside; in the text and the charts they are escaped, so that none becomes markup.',
    examples: [
      {
        title: 'The last month in figures, without pictures',
        arguments: { date_range: 'last_30_days', charts: false },
      },
      {
        title: 'A range that ends before it begins',
        arguments: { date_range: '2026-10-15..2026-10-01', charts: false },
        error: 'InvalidDateRange',
      },
    ],
    run: async (input) => {
      const report = await makeReport(await source(), input)
      const { revenue, profit, orders, currency, from, to, findings } = report
      return answer(report, {
        explanation:
          `${from} to ${to}: ${orders} orders, revenue ${revenue.toFixed(2)} ${currency}, profit ${profit.toFixed(2)}. ${findings[0]?.text ?? ''}`.trim(),
        content: [{ type: 'text', text: report.text }],
      })
    },
  })
