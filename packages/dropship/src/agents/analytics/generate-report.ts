/** analytics.generate_report: revenue, spending and profit of a range of days, from the books. Changes nothing. */

import { answer, type Tool, tool } from 'myrmex'
import { plural } from 'myrmex/text'
import * as z from 'zod'
import type { ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { makeReport } from './report/report.ts'
import { ReportSchema } from './report/report-schema.ts'

export const generateReport = (source: ShopSource): Tool =>
  tool({
    name: 'analytics.generate_report',
    version: '1.1.0',
    title: 'Report on the shop',
    description:
      'Reports on a range of days: revenue, cost, ad spend, refunds, profit, margin, visits and conversion by channel and product, return on ad spend, open work and notable facts, with charts.',
    input: z.object({
      date_range: field
        .filledText(
          60,
          'last_7_days, last_30_days, last_90_days or last_year (365 days), all of which end yesterday; this_month; last_month; a month such as 2026-10; or two days such as 2026-10-01..2026-10-15.',
          'date_range',
        )
        .default('last_30_days'),
      campaign_id: field
        .text(60, 'Limits the figures under `ads` to this campaign. All other figures cover the whole shop.')
        .optional(),
      charts: z.boolean().default(true).describe('Whether to draw charts.'),
    }),
    output: ReportSchema,
    errors: {
      InvalidDateRange: details.failure(
        'date_range has an unknown form, ends before it begins, or is entirely in the future.',
        { date_range: details.text('The range that was given.') },
      ),
      NoData: details.failure("The range ends before the shop's books begin.", {
        date_range: details.text('The range that was given.'),
        since: details.text('The first day of the books.'),
      }),
      UnknownCampaign: details.failure('There is no campaign with that campaign_id.', {
        campaign_id: details.text('The id that was given.'),
      }),
    },
    idempotent: true,
    destructive: false,
    security:
      'Reads the books and returns figures only, no customer data. Product titles are untrusted: they are escaped in the text and the charts, so that none becomes markup.',
    examples: [
      {
        title: 'The last 30 days in figures, without charts',
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
          `${from} to ${to}: ${plural(orders, 'order')}, revenue ${revenue.toFixed(2)} ${currency}, profit ${profit.toFixed(2)}. ${findings[0]?.text ?? ''}`.trim(),
        content: [{ type: 'text', text: report.text }],
      })
    },
  })
