/** The report as callers see it. Amounts are in the shop's currency; rates are shares from 0 to 1; a ratio with nothing below is 0. */
import * as z from 'zod'

const day = (what: string) => z.string().length(10).describe(what)
const amount = (what: string) => z.number().describe(what)
const count = (what: string) => z.number().int().min(0).describe(what)
const share = (what: string) => z.number().describe(what)
const sku = z.string().max(100).describe('Stock-keeping unit of a product of the shop.')
const title = z.string().max(300).describe('Title of the product.')

const figures = {
  visits: count('Visits of product pages.'),
  orders: count('Orders placed.'),
  units: count('Pieces sold.'),
  conversion: share('Orders for each visit.'),
  revenue: amount('What was sold, at its prices.'),
  cost: amount('Goods, shipping and payment fees of what was sold.'),
  ad_spend: amount('Spent on ads.'),
  refunds: amount('Paid back.'),
  profit: amount('Revenue less cost, ad spend and refunds.'),
}

export const ChannelSchema = z.object({
  channel: z.string().max(60).describe('organic, direct, or an ad platform.'),
  ...figures,
})
export const ProductSchema = z.object({ sku, product_name: title, ...figures })
export const DaySchema = z.object({ day: day('The day.'), ...figures })

export const CampaignSchema = z.object({
  campaign_id: z.string().max(60).describe('Id of the campaign.'),
  platform: z.string().max(20).describe('Where it runs.'),
  sku,
  product_name: title,
  status: z.enum(['running', 'stopped', 'ended']).describe('What it is today.'),
  spend: amount('Spent in these days.'),
  impressions: count('How often it was shown.'),
  clicks: count('Clicks.'),
  orders: count('Orders that came by it.'),
  revenue: amount('Revenue of those orders.'),
  return_on_ad_spend: z.number().describe('Revenue for each 1 spent; 0 where nothing was spent.'),
})

export const StockSchema = z.object({
  sku,
  product_name: title,
  available: z.number().int().describe('On hand and not promised to an order.'),
  incoming: count('Under way from the supplier.'),
  reorder_point: count('Where it should be ordered again.'),
  days_of_cover: z
    .number()
    .nullable()
    .describe('How long what is available lasts at the pace of these days; null where none was sold.'),
})

export const FindingSchema = z.object({
  rule: z.string().max(60).describe('The rule that found it.'),
  level: z.enum(['good', 'notice', 'warning']).describe('How much it matters.'),
  text: z.string().max(600).describe('What was found, with its figures and the threshold of the rule.'),
})

export const BeforeSchema = z.object({
  from: day('First day of the period before.'),
  to: day('Its last day.'),
  revenue: amount('Revenue then.'),
  profit: amount('Profit then.'),
  orders: count('Orders then.'),
  visits: count('Visits then.'),
  ad_spend: amount('Ad spend then.'),
  refunds: amount('Paid back then.'),
  conversion: share('Orders for each visit then.'),
  revenue_change: z.number().nullable().describe('Change of revenue as a share of that before; null where it was 0.'),
  profit_change: amount('Change of profit, as an amount.'),
})

export const ReportSchema = z.object({
  date_range: z.string().max(60).meta({ type_id: 'date_range' }).describe('As it was asked for.'),
  from: day('First day of the report.'),
  to: day('Its last day.'),
  days: count('How many days that are.'),
  currency: z.string().max(3).describe('Of all amounts.'),
  revenue: figures.revenue,
  cost: z
    .object({
      total: figures.cost,
      goods: z.number().nullable().describe('Goods and their shipping; null where the shop does not know them apart.'),
      fees: z.number().nullable().describe('Payment fees; null where the shop does not know them apart.'),
    })
    .describe('What the goods sold have cost.'),
  ad_spend: figures.ad_spend,
  refunds: z
    .object({
      amount: figures.refunds,
      rate: share('Paid back for each 1 of revenue; 0 where nothing was sold.'),
    })
    .describe('Paid back to customers.'),
  profit: figures.profit,
  margin: share('Profit for each 1 of revenue.'),
  orders: figures.orders,
  units: figures.units,
  average_order_value: amount('Revenue for each order.'),
  visits: figures.visits,
  conversion: figures.conversion,
  ads: z
    .object({
      campaign_id: z.string().max(60).nullable().describe('The one campaign these figures are of; null: all of them.'),
      spend: amount('Spent in these days.'),
      revenue: amount('Revenue of the orders that came by it.'),
      orders: count('Those orders.'),
      clicks: count('Clicks.'),
      return_on_ad_spend: z.number().describe('Revenue for each 1 spent; 0 where nothing was spent.'),
      committed_per_day: amount('What all running campaigns together may spend today.'),
      daily_cap: amount('Most that the account may spend a day.'),
    })
    .describe('The ads of these days.'),
  before: BeforeSchema.nullable().describe('As many days right before; null where the books do not reach back so far.'),
  by_channel: z
    .array(ChannelSchema)
    .max(100)
    .describe('The same by channel, the most revenue first. It adds up to the whole.'),
  by_product: z
    .array(ProductSchema)
    .max(5000)
    .describe('The same by product, the most profit first. It adds up to the whole.'),
  by_day: z.array(DaySchema).max(4000).describe('The same by day. It adds up to the whole.'),
  best: z.array(ProductSchema).max(5).describe('The products with the most profit.'),
  worst: z
    .array(ProductSchema)
    .max(5)
    .describe('The products with the least profit of those that were seen, sold or advertised.'),
  campaigns: z.array(CampaignSchema).max(1000).describe('Campaigns that ran in these days, the largest spend first.'),
  open: z
    .object({
      orders: count('Paid and not yet shipped.'),
      oldest_order_days: count('How long the oldest of them waits.'),
      tickets: count('Tickets that nobody has answered.'),
      with_a_human: count('Tickets that wait for a human.'),
    })
    .describe('What waits today.'),
  stock: z.array(StockSchema).max(1000).describe('Products at or below their reorder point, the most urgent first.'),
  findings: z.array(FindingSchema).max(100).describe('What stands out, by rules with thresholds.'),
  notes: z.array(z.string().max(300)).max(20).describe('What the reader should know about the range.'),
  charts: z
    .array(
      z.object({
        name: z.string().max(60).describe('Also the file: shop://reports/{date_range}/{name}.svg'),
        title: z.string().max(120).describe('What it shows.'),
        svg: z.string().max(500_000).describe('The picture, as SVG that stands by itself.'),
      }),
    )
    .max(8)
    .describe('Charts; none where charts is false.'),
  text: z
    .string()
    .max(100_000)
    .meta({ type_id: 'report' })
    .describe('The report for people, as Markdown with charts of text.'),
})

export type Report = z.infer<typeof ReportSchema>
export type Finding = z.infer<typeof FindingSchema>
/** All that findings and words are made from. */
export type Figures = Omit<Report, 'findings' | 'charts' | 'text'>
