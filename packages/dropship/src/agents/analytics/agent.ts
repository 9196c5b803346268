/** The analytics agent: reports the shop's earnings and predicts its sales. */
import { type Agent, agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { generateReport } from './generate-report.ts'
import { predictSales } from './predict-sales.ts'
import { days, reportCharts, reports } from './resources.ts'
import { weeklyReview } from './weekly-review.ts'

export const analytics = (shop: ShopSource): Agent =>
  agent({
    name: 'analytics',
    version: '1.0.0',
    description: 'Reports revenue, spending and profit with charts, and predicts sales.',
    tools: [generateReport(shop), predictSales(shop)],
    resources: [reports(shop), reportCharts(shop), days(shop)],
    prompts: [weeklyReview(shop)],
  })
