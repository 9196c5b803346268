/** The report as callers see it. Amounts are in the shop's currency; rates are shares from 0 to 1; a ratio over 0 is 0. */
import * as z from 'zod'

const day = (what: string) => z.string().length(10).describe(what)
const amount = (what: string) => z.number().describe(what)
const count = (what: string) => z.number().int().min(0).describe(what)
const share = (what: string) => z.number().describe(what)
const sku = z.string().max(100).describe('Stock-keeping unit of a product of the shop.')
const title = z.string().max(300).describe('Title of the product.')

const figures = {
  visits: count('Visits to product pages.'),
  orders: count('Orders placed.'),
  units: count('Units sold.'),
  conversion: share('Orders per visit.'),
  revenue: amount('Revenue at the prices paid.'),
  cost: amount('Goods, shipping and payment fees of the sales.'),
  ad_spend: amount('Spent on ads.'),
  refunds: amount('Amount refunded.'),
  profit: amount('Revenue minus cost, ad spend and refunds.'),
}

export const ChannelSchema = z.object({
  channel: z.string().max(60).describe('organic, direct, or an ad platform.'),
  ...figures,
})
export const ProductSchema = z.object({ sku, product_name: title, ...figures })
export const DaySchema = z.object({ day: day('The day.'), ...figures })

export const CampaignSchema = z.object({
  campaign_id: z.string().max(60).describe('Id of the campaign.'),
  platform: z.string().max(20).describe('Ad platform.'),
  sku,
  product_name: title,
  status: z.enum(['running', 'stopped', 'ended']).describe('Current status.'),
  spend: amount('Spent in these days.'),
  impressions: count('Impressions.'),
  clicks: count('Clicks.'),
  orders: count('Orders attributed to it.'),
  revenue: amount('Revenue of those orders.'),
  return_on_ad_spend: z.number().describe('Revenue per 1 spent; 0 if nothing was spent.'),
})

export const StockSchema = z.object({
  sku,
  product_name: title,
  available: z.number().int().describe('On hand and not reserved.'),
  incoming: count('On the way from the supplier.'),
  reorder_point: count('Stock level at which to reorder.'),
  days_of_cover: z
    .number()
    .nullable()
    .describe('Days until the available stock is sold at the current rate; null if none were sold.'),
})

export const FindingSchema = z.object({
  rule: z.string().max(60).describe('Name of the rule.'),
  level: z.enum(['good', 'notice', 'warning']).describe('Severity.'),
  text: z.string().max(600).describe('The finding, with its figures and the threshold of the rule.'),
})

export const BeforeSchema = z.object({
  from: day('First day of the previous period.'),
  to: day('Last day.'),
  revenue: amount('Revenue of the previous period.'),
  profit: amount('Profit of the previous period.'),
  orders: count('Orders of the previous period.'),
  visits: count('Visits of the previous period.'),
  ad_spend: amount('Ad spend of the previous period.'),
  refunds: amount('Refunds of the previous period.'),
  conversion: share('Orders per visit in the previous period.'),
  revenue_change: z
    .number()
    .nullable()
    .describe('Change of revenue as a share of the previous revenue; null if that was 0.'),
  profit_change: amount('Change of profit, as an amount.'),
})

export const ReportSchema = z.object({
  date_range: z.string().max(60).meta({ type_id: 'date_range' }).describe('The requested range.'),
  from: day('First day of the report.'),
  to: day('Last day.'),
  days: count('Number of days.'),
  currency: z.string().max(3).describe('Currency of all amounts.'),
  revenue: figures.revenue,
  cost: z
    .object({
      total: figures.cost,
      goods: z
        .number()
        .nullable()
        .describe('Goods and their shipping; null if the shop does not record fees separately.'),
      fees: z.number().nullable().describe('Payment fees; null if the shop does not record them separately.'),
    })
    .describe('Cost of the goods sold.'),
  ad_spend: figures.ad_spend,
  refunds: z
    .object({
      amount: figures.refunds,
      rate: share('Refunds per 1 of revenue; 0 if nothing was sold.'),
    })
    .describe('Refunds to customers.'),
  profit: figures.profit,
  margin: share('Profit per 1 of revenue.'),
  orders: figures.orders,
  units: figures.units,
  average_order_value: amount('Revenue per order.'),
  visits: figures.visits,
  conversion: figures.conversion,
  ads: z
    .object({
      campaign_id: z
        .string()
        .max(60)
        .nullable()
        .describe('The campaign that these figures cover; null for all campaigns.'),
      spend: amount('Spent in these days.'),
      revenue: amount('Revenue attributed to the ads.'),
      orders: count('Orders attributed to the ads.'),
      clicks: count('Clicks.'),
      return_on_ad_spend: z.number().describe('Revenue per 1 spent; 0 if nothing was spent.'),
      committed_per_day: amount('Daily budget of all running campaigns.'),
      daily_cap: amount('Daily limit of the ad account.'),
    })
    .describe('The ads of these days.'),
  before: BeforeSchema.nullable().describe(
    'The same number of days directly before; null if the books do not go back that far.',
  ),
  by_channel: z
    .array(ChannelSchema)
    .max(100)
    .describe('Figures by channel, the most revenue first. They add up to the total.'),
  by_product: z
    .array(ProductSchema)
    .max(5000)
    .describe('Figures by product, the most profit first. They add up to the total.'),
  by_day: z.array(DaySchema).max(4000).describe('Figures by day. They add up to the total.'),
  best: z.array(ProductSchema).max(5).describe('The products with the most profit.'),
  worst: z
    .array(ProductSchema)
    .max(5)
    .describe('The products with the least profit among those seen, sold or advertised.'),
  campaigns: z.array(CampaignSchema).max(1000).describe('Campaigns that ran in these days, the largest spend first.'),
  open: z
    .object({
      orders: count('Paid and not yet shipped.'),
      oldest_order_days: count('Age of the oldest such order in days.'),
      tickets: count('Unanswered tickets.'),
      with_a_human: count('Tickets waiting for a human.'),
    })
    .describe('Open work today.'),
  stock: z.array(StockSchema).max(1000).describe('Products at or below their reorder point, the most urgent first.'),
  findings: z.array(FindingSchema).max(100).describe('Notable facts, found by rules with thresholds.'),
  notes: z.array(z.string().max(300)).max(20).describe('Notes on the range.'),
  charts: z
    .array(
      z.object({
        name: z.string().max(60).describe('Name; the file is shop://reports/{date_range}/{name}.svg'),
        title: z.string().max(120).describe('What it shows.'),
        svg: z.string().max(500_000).describe('The chart as self-contained SVG.'),
      }),
    )
    .max(8)
    .describe('Charts; empty if charts is false.'),
  text: z.string().max(100_000).meta({ type_id: 'report' }).describe('The report as Markdown with text charts.'),
})

export type Report = z.infer<typeof ReportSchema>
export type Finding = z.infer<typeof FindingSchema>
/** The input of findings and text. */
export type Figures = Omit<Report, 'findings' | 'charts' | 'text'>
