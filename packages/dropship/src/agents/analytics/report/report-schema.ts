/** The report as callers see it. Amounts are in the shop's currency; rates are shares from 0 to 1; a ratio over 0 is 0. */
import * as z from 'zod'
import * as field from '../../field-types.ts'

const day = (what: string) => z.string().length(10).describe(what)
const sku = field.text(100, 'Stock-keeping unit of a product of the shop.')
const title = field.text(300, 'Title of the product.')

const figures = {
  visits: field.count('Visits to product pages.'),
  orders: field.count('Orders placed.'),
  units: field.count('Units sold.'),
  conversion: field.number('Orders per visit.'),
  revenue: field.number('Revenue at the prices paid.'),
  cost: field.number('Goods, shipping and payment fees of the sales.'),
  ad_spend: field.number('Spent on ads.'),
  refunds: field.number('Amount refunded.'),
  profit: field.number('Revenue minus cost, ad spend and refunds.'),
}

export const ChannelSchema = z.object({
  channel: field.text(60, 'organic, direct, or an ad platform.'),
  ...figures,
})
export const ProductSchema = z.object({ sku, product_name: title, ...figures })
export const DaySchema = z.object({ day: day('The day.'), ...figures })

export const CampaignSchema = z.object({
  campaign_id: field.text(60, 'Id of the campaign.'),
  platform: field.text(20, 'Ad platform.'),
  sku,
  product_name: title,
  status: z.enum(['running', 'stopped', 'ended']).describe('Current status.'),
  spend: field.number('Spent in these days.'),
  impressions: field.count('Impressions.'),
  clicks: field.count('Clicks.'),
  orders: field.count('Orders attributed to it.'),
  revenue: field.number('Revenue of those orders.'),
  return_on_ad_spend: field.number('Revenue per 1 spent; 0 if nothing was spent.'),
})

export const StockSchema = z.object({
  sku,
  product_name: title,
  available: field.integer('On hand and not reserved.'),
  incoming: field.count('On the way from the supplier.'),
  reorder_point: field.count('Stock level at which to reorder.'),
  days_of_cover: field.nullable(
    'Days until the available stock is sold at the current rate; null if none were sold.',
    z.number(),
  ),
})

export const FindingSchema = z.object({
  rule: field.text(60, 'Name of the rule.'),
  level: z.enum(['good', 'notice', 'warning']).describe('Severity.'),
  text: field.text(600, 'The finding, with its figures and the threshold of the rule.'),
})

export const BeforeSchema = z.object({
  from: day('First day of the previous period.'),
  to: day('Last day.'),
  revenue: field.number('Revenue of the previous period.'),
  profit: field.number('Profit of the previous period.'),
  orders: field.count('Orders of the previous period.'),
  visits: field.count('Visits of the previous period.'),
  ad_spend: field.number('Ad spend of the previous period.'),
  refunds: field.number('Refunds of the previous period.'),
  conversion: field.number('Orders per visit in the previous period.'),
  revenue_change: field.nullable(
    'Change of revenue as a share of the previous revenue; null if that was 0.',
    z.number(),
  ),
  profit_change: field.number('Change of profit, as an amount.'),
})

export const ReportSchema = z.object({
  date_range: field.text(60, 'The requested range.', 'date_range'),
  from: day('First day of the report.'),
  to: day('Last day.'),
  days: field.count('Number of days.'),
  currency: field.text(3, 'Currency of all amounts.'),
  revenue: figures.revenue,
  cost: field.object('Cost of the goods sold.', {
    total: figures.cost,
    goods: field.nullable('Goods and their shipping; null if the shop does not record fees separately.', z.number()),
    fees: field.nullable('Payment fees; null if the shop does not record them separately.', z.number()),
  }),
  ad_spend: figures.ad_spend,
  refunds: field.object('Refunds to customers.', {
    amount: figures.refunds,
    rate: field.number('Refunds per 1 of revenue; 0 if nothing was sold.'),
  }),
  profit: figures.profit,
  margin: field.number('Profit per 1 of revenue.'),
  orders: figures.orders,
  units: figures.units,
  average_order_value: field.number('Revenue per order.'),
  visits: figures.visits,
  conversion: figures.conversion,
  ads: field.object('The ads of these days.', {
    campaign_id: field.nullable('The campaign that these figures cover; null for all campaigns.', field.text(60)),
    spend: field.number('Spent in these days.'),
    revenue: field.number('Revenue attributed to the ads.'),
    orders: field.count('Orders attributed to the ads.'),
    clicks: field.count('Clicks.'),
    return_on_ad_spend: field.number('Revenue per 1 spent; 0 if nothing was spent.'),
    committed_per_day: field.number('Daily budget of all running campaigns.'),
    daily_cap: field.number('Daily limit of the ad account.'),
  }),
  before: field.nullable(
    'The same number of days directly before; null if the books do not go back that far.',
    BeforeSchema,
  ),
  by_channel: field.list(100, 'Figures by channel, the most revenue first. They add up to the total.', ChannelSchema),
  by_product: field.list(5000, 'Figures by product, the most profit first. They add up to the total.', ProductSchema),
  by_day: field.list(4000, 'Figures by day. They add up to the total.', DaySchema),
  best: field.list(5, 'The products with the most profit.', ProductSchema),
  worst: field.list(5, 'The products with the least profit among those seen, sold or advertised.', ProductSchema),
  campaigns: field.list(1000, 'Campaigns that ran in these days, the largest spend first.', CampaignSchema),
  open: field.object('Open work today.', {
    orders: field.count('Paid and not yet shipped.'),
    oldest_order_days: field.count('Age of the oldest such order in days.'),
    tickets: field.count('Unanswered tickets.'),
    with_a_human: field.count('Tickets waiting for a human.'),
  }),
  stock: field.list(1000, 'Products at or below their reorder point, the most urgent first.', StockSchema),
  findings: field.list(100, 'Notable facts, found by rules with thresholds.', FindingSchema),
  notes: field.list(20, 'Notes on the range.', field.text(300)),
  charts: field.list(
    8,
    'Charts; empty if charts is false.',
    z.object({
      name: field.text(60, 'Name; the file is shop://reports/{date_range}/{name}.svg'),
      title: field.text(120, 'What it shows.'),
      svg: field.text(500_000, 'The chart as self-contained SVG.'),
    }),
  ),
  text: field.text(100_000, 'The report as Markdown with text charts.', 'report'),
})

export type Report = z.infer<typeof ReportSchema>
export type Finding = z.infer<typeof FindingSchema>
/** The input of findings and text. */
export type Figures = Omit<Report, 'findings' | 'charts' | 'text'>
