/** The charts of the shop: as SVG for pages and files, as text for terminals. */
export { type CampaignFigures, campaignChart } from './campaign-chart.ts'
export { type ChannelDay, channelChart } from './channel-chart.ts'
export type { Chart } from './drawing.ts'
export { type Expected, forecastChart, type Past } from './forecast-chart.ts'
export { type ProductFigures, productChart } from './product-chart.ts'
export { type DayFigures, revenueChart } from './revenue-chart.ts'
export { type Bar, sparkline, textChart } from './text-chart.ts'
