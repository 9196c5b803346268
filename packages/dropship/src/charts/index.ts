/** The charts of the shop: as SVG for pages and files, as text for terminals. */
export { campaignChart } from './campaign-chart.ts'
export { channelChart } from './channel-chart.ts'
export type { Chart } from './drawing.ts'
export { forecastChart } from './forecast-chart.ts'
export { productChart } from './product-chart.ts'
export { revenueChart } from './revenue-chart.ts'
export { sparkline, textChart } from './text-chart.ts'
