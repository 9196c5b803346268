/** Gathers the figures of a report from the shop: reads, adds up, and changes nothing. */
import { ToolError } from 'myrmex'
import { addDays, type Day, daysBetween } from '../../../day.ts'
import { ratio, rounded, sums } from '../../../figures.ts'
import { toAmount } from '../../../money.ts'
import type { Campaign, CampaignDay, Shop } from '../../../ports.ts'
import { type DateRange, dateRange, daysBefore } from '../date-range.ts'
import type { Figures, Report } from './report-schema.ts'
import { stockWarnings } from './stock-warnings.ts'
import { emptyTally, profitOf, type Tallies, type Tally, tally } from './tally.ts'

export interface ReportRequest {
  readonly date_range: string
  readonly campaign_id?: string | undefined
}

export interface ReportData {
  readonly figures: Figures
  readonly channelDays: readonly { readonly day: Day; readonly channel: string; readonly revenue: number }[]
}

const MAX_NAMED = 5

export async function gatherFigures(shop: Shop, { date_range, campaign_id }: ReportRequest): Promise<ReportData> {
  const [today, since] = await Promise.all([shop.clock.today(), shop.books.firstDay()])
  const range = dateRange(date_range, today, since)
  const before = daysBefore(range, since)
  const days = { from: before?.from ?? range.from, to: range.to }
  const [sales, results, campaigns, account, products, open] = await Promise.all([
    shop.books.sales(days),
    shop.ads.results(days),
    shop.ads.campaigns(),
    shop.ads.account(),
    shop.storefront.products(),
    openWork(shop, today),
  ])
  if (campaign_id !== undefined && !campaigns.some((one) => one.campaign_id === campaign_id))
    throw new ToolError(
      'UnknownCampaign',
      `There is no campaign ${JSON.stringify(campaign_id)}. shop://campaigns/ lists them.`,
      { campaign_id },
    )

  const isNow = ({ day }: { day: Day }): boolean => day >= range.from
  const isBefore = (row: { day: Day }): boolean => !isNow(row)
  const ads = results.filter(isNow)
  const now = tally(sales.filter(isNow), ads)
  const then = tally(sales.filter(isBefore), results.filter(isBefore))
  const titles = new Map(products.map(({ sku, title }) => [sku, title]))
  const { impressions: _, ...chosenAds } = adTotals(
    ads.filter((row) => campaign_id === undefined || row.campaign_id === campaign_id),
  )
  const byProduct = productRows(now, titles)
  const figures: Figures = {
    date_range,
    from: range.from,
    to: range.to,
    days: range.days,
    currency: shop.currency,
    ...totalsOf(now),
    ads: {
      ...chosenAds,
      campaign_id: campaign_id ?? null,
      committed_per_day: toAmount(account.daily_committed),
      daily_cap: toAmount(account.daily_cap),
    },
    before: before === undefined ? null : { ...before, ...changeSince(now.total, then.total) },
    by_channel: [...now.byChannel]
      .map(([channel, one]) => ({ channel, ...figuresOf(one) }))
      .sort((a, b) => b.revenue - a.revenue || (a.channel < b.channel ? -1 : 1)),
    by_product: byProduct,
    by_day: dayRows(range, now),
    best: byProduct.slice(0, MAX_NAMED),
    worst: byProduct.slice(MAX_NAMED).slice(-MAX_NAMED).reverse(),
    campaigns: campaignRows(campaigns, ads, titles),
    open,
    stock: await stockWarnings(shop, products, now.byProduct, range.days),
    notes: [...range.notes],
  }
  return {
    figures,
    channelDays: now.revenueByDayAndChannel.map((one) => ({ ...one, revenue: toAmount(one.revenue) })),
  }
}

const fourDigits = (value: number): number => rounded(value, 4)

const figuresOf = (one: Tally) => ({
  visits: one.visits,
  orders: one.orders,
  units: one.units,
  conversion: fourDigits(ratio(one.orders, one.visits)),
  revenue: toAmount(one.revenue),
  cost: toAmount(one.cost),
  ad_spend: toAmount(one.ad_spend),
  refunds: toAmount(one.refunds),
  profit: toAmount(profitOf(one)),
})

function totalsOf({ total, feesKnown }: Tallies) {
  const { cost, refunds, ...figures } = figuresOf(total)
  return {
    ...figures,
    cost: {
      total: cost,
      goods: feesKnown ? toAmount(total.cost - total.fees) : null,
      fees: feesKnown ? toAmount(total.fees) : null,
    },
    refunds: { amount: refunds, rate: fourDigits(ratio(total.refunds, total.revenue)) },
    margin: fourDigits(ratio(profitOf(total), total.revenue)),
    average_order_value: toAmount(ratio(total.revenue, total.orders)),
  }
}

function changeSince(now: Tally, then: Tally) {
  const { units: _units, cost: _cost, ...figures } = figuresOf(then)
  return {
    ...figures,
    revenue_change: then.revenue === 0 ? null : fourDigits(now.revenue / then.revenue - 1),
    profit_change: toAmount(profitOf(now) - profitOf(then)),
  }
}

/** Includes products that are no longer sold: their money is in the total. */
function productRows({ byProduct }: Tallies, titles: ReadonlyMap<string, string>): Report['by_product'] {
  return [...byProduct]
    .map(([sku, one]) => ({ sku, product_name: titles.get(sku) ?? sku, ...figuresOf(one) }))
    .sort((a, b) => b.profit - a.profit || b.revenue - a.revenue || (a.sku < b.sku ? -1 : 1))
}

/** Includes days on which nothing happened. */
function dayRows({ from, days }: DateRange, { byDay }: Tallies): Report['by_day'] {
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(from, index)
    return { day, ...figuresOf(byDay.get(day) ?? emptyTally()) }
  })
}

function adTotals(days: readonly CampaignDay[]) {
  const { spend, revenue, ...counts } = sums(days, ['spend', 'impressions', 'clicks', 'orders', 'revenue'])
  return {
    spend: toAmount(spend),
    ...counts,
    revenue: toAmount(revenue),
    return_on_ad_spend: fourDigits(ratio(revenue, spend)),
  }
}

/** The campaigns that ran in these days, the largest spend first. */
function campaignRows(
  campaigns: readonly Campaign[],
  results: readonly CampaignDay[],
  titles: ReadonlyMap<string, string>,
): Report['campaigns'] {
  const byCampaign = Map.groupBy(results, ({ campaign_id }) => campaign_id)
  return campaigns
    .flatMap(({ campaign_id, platform, sku, status }) => {
      const days = byCampaign.get(campaign_id)
      if (days === undefined) return []
      return [{ campaign_id, platform, sku, product_name: titles.get(sku) ?? sku, status, ...adTotals(days) }]
    })
    .sort((a, b) => b.spend - a.spend || (a.campaign_id < b.campaign_id ? -1 : 1))
}

async function openWork(shop: Shop, today: Day): Promise<Report['open']> {
  const [orders, tickets, human] = await Promise.all([
    shop.orders.orders({ status: 'paid' }),
    shop.helpdesk.tickets({ status: 'open' }),
    shop.helpdesk.tickets({ status: 'with a human' }),
  ])
  return {
    orders: orders.length,
    oldest_order_days: Math.max(0, ...orders.map(({ placed_on }) => daysBetween(placed_on, today))),
    tickets: tickets.length,
    with_a_human: human.length,
  }
}
