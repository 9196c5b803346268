/** The analytics agent: says what the shop earned and what it will sell. */
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
    description: 'Reports what the shop earned, spent and kept, with charts, and predicts what it will sell.',
    tools: [generateReport(shop), predictSales(shop)],
    resources: [reports(shop), reportCharts(shop), days(shop)],
    prompts: [weeklyReview(shop)],
  })
