/** Gathers the figures of a report from the shop: reads what it needs, adds up, and changes nothing. */
import { ToolError } from 'myrmex'
import { addDays, type Day, daysBetween } from '../../../day.ts'
import { toAmount } from '../../../money.ts'
import type { CampaignDay, Shop } from '../../../ports.ts'
import { type DateRange, dateRange, daysBefore } from '../date-range.ts'
import { type CampaignTotal, campaignTotals } from './campaign-totals.ts'
import type { Figures, Report } from './report-schema.ts'
import { stockWarnings } from './stock-warnings.ts'
import { emptyTally, profitOf, ratio, type Tallies, type Tally, tally } from './tally.ts'

export interface ReportRequest {
  readonly date_range: string
  readonly campaign_id?: string | undefined
}

export interface ReportData {
  readonly figures: Figures
  readonly channelDays: readonly { readonly day: Day; readonly channel: string; readonly revenue: number }[]
}

const MOST_NAMED = 5

export async function gatherFigures(shop: Shop, { date_range, campaign_id }: ReportRequest): Promise<ReportData> {
  const [today, since] = await Promise.all([shop.clock.today(), shop.books.firstDay()])
  const range = dateRange(date_range, today, since)
  const before = daysBefore(range, since)
  const start = before?.from ?? range.from
  const [sales, results, campaigns, account, products, open] = await Promise.all([
    shop.books.sales({ from: start, to: range.to }),
    shop.ads.results({ from: start, to: range.to }),
    shop.ads.campaigns(),
    shop.ads.account(),
    shop.storefront.products(),
    openWork(shop, today),
  ])
  const isNow = ({ day }: { day: Day }): boolean => day >= range.from
  const now = tally(sales.filter(isNow), results.filter(isNow))
  const then =
    before &&
    tally(
      sales.filter((row) => !isNow(row)),
      results.filter((row) => !isNow(row)),
    )
  const chosen = campaign_id === undefined ? undefined : campaigns.find((one) => one.campaign_id === campaign_id)
  if (campaign_id !== undefined && chosen === undefined) throw unknownCampaign(campaign_id)

  const titles = new Map(products.map(({ sku, title }) => [sku, title]))
  const totals = campaignTotals(campaigns, results.filter(isNow))
  const stock = await stockWarnings(shop, products, now.byProduct, range.days)
  const { total } = now
  const named = productRows(now, titles)
  const figures: Figures = {
    date_range,
    from: range.from,
    to: range.to,
    days: range.days,
    currency: shop.currency,
    ...totalsOf(now),
    ads: {
      ...adsOf(results.filter(isNow).filter((row) => campaign_id === undefined || row.campaign_id === campaign_id)),
      campaign_id: campaign_id ?? null,
      committed_per_day: toAmount(account.daily_committed),
      daily_cap: toAmount(account.daily_cap),
    },
    before: before === undefined || then === undefined ? null : { ...before, ...changeSince(total, then.total) },
    by_channel: [...now.byChannel]
      .map(([channel, sum]) => ({ channel, ...figuresOf(sum) }))
      .sort((a, b) => b.revenue - a.revenue || (a.channel < b.channel ? -1 : 1)),
    by_product: named,
    by_day: dayRows(range, now),
    best: named.slice(0, MOST_NAMED),
    worst: named.slice(MOST_NAMED).slice(-MOST_NAMED).reverse(),
    campaigns: totals.map((one) => campaignRow(one, titles)),
    open,
    stock,
    notes: [...range.notes],
  }
  return {
    figures,
    channelDays: now.byDayAndChannel.map(({ day, channel, revenue }) => ({ day, channel, revenue: toAmount(revenue) })),
  }
}

const unknownCampaign = (campaign_id: string): ToolError =>
  new ToolError(
    'UnknownCampaign',
    `There is no campaign ${JSON.stringify(campaign_id)}. shop://campaigns/ lists them.`,
    {
      campaign_id,
    },
  )

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const figuresOf = (sum: Tally) => ({
  visits: sum.visits,
  orders: sum.orders,
  units: sum.units,
  conversion: rounded(ratio(sum.orders, sum.visits)),
  revenue: toAmount(sum.revenue),
  cost: toAmount(sum.cost),
  ad_spend: toAmount(sum.ad_spend),
  refunds: toAmount(sum.refunds),
  profit: toAmount(profitOf(sum)),
})

function totalsOf({ total, feesKnown }: Tallies) {
  const { visits, orders, units, conversion, revenue, cost, ad_spend, refunds, profit } = figuresOf(total)
  return {
    revenue,
    cost: {
      total: cost,
      goods: feesKnown ? toAmount(total.cost - total.fees) : null,
      fees: feesKnown ? toAmount(total.fees) : null,
    },
    ad_spend,
    refunds: { amount: refunds, rate: rounded(ratio(total.refunds, total.revenue)) },
    profit,
    margin: rounded(ratio(profitOf(total), total.revenue)),
    orders,
    units,
    average_order_value: toAmount(ratio(total.revenue, total.orders)),
    visits,
    conversion,
  }
}

function adsOf(results: readonly CampaignDay[]) {
  const sum = (of: (row: CampaignDay) => number): number => results.reduce((total, row) => total + of(row), 0)
  const [spend, revenue] = [sum((row) => row.spend), sum((row) => row.revenue)]
  return {
    spend: toAmount(spend),
    revenue: toAmount(revenue),
    orders: sum((row) => row.orders),
    clicks: sum((row) => row.clicks),
    return_on_ad_spend: rounded(ratio(revenue, spend)),
  }
}

function changeSince(now: Tally, then: Tally) {
  const { revenue, profit, orders, visits, ad_spend, refunds, conversion } = figuresOf(then)
  return {
    revenue,
    profit,
    orders,
    visits,
    ad_spend,
    refunds,
    conversion,
    revenue_change: then.revenue === 0 ? null : rounded(now.revenue / then.revenue - 1),
    profit_change: toAmount(profitOf(now) - profitOf(then)),
  }
}

/** Also those that are no longer sold but were: their money is in the sum. */
function productRows({ byProduct }: Tallies, titles: ReadonlyMap<string, string>): Report['by_product'] {
  return [...byProduct]
    .map(([sku, sum]) => ({ sku, product_name: titles.get(sku) ?? sku, ...figuresOf(sum) }))
    .sort((a, b) => b.profit - a.profit || b.revenue - a.revenue || (a.sku < b.sku ? -1 : 1))
}

/** A day on which nothing happened is a day too. */
function dayRows({ from, days }: DateRange, { byDay }: Tallies): Report['by_day'] {
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(from, index)
    return { day, ...figuresOf(byDay.get(day) ?? emptyTally()) }
  })
}

function campaignRow(one: CampaignTotal, titles: ReadonlyMap<string, string>): Report['campaigns'][number] {
  const { campaign, spend, revenue, return_on_ad_spend, impressions, clicks, orders } = one
  const { campaign_id, platform, sku, status } = campaign
  return {
    campaign_id,
    platform,
    sku,
    product_name: titles.get(sku) ?? sku,
    status,
    spend: toAmount(spend),
    impressions,
    clicks,
    orders,
    revenue: toAmount(revenue),
    return_on_ad_spend: rounded(return_on_ad_spend),
  }
}

async function openWork(shop: Shop, today: Day): Promise<Report['open']> {
  const [orders, tickets, human] = await Promise.all([
    shop.orders.orders({ status: 'paid' }),
    shop.helpdesk.tickets({ status: 'open' }),
    shop.helpdesk.tickets({ status: 'with a human' }),
  ])
  const waits = orders.map(({ placed_on }) => daysBetween(placed_on, today))
  return {
    orders: orders.length,
    oldest_order_days: Math.max(0, ...waits),
    tickets: tickets.length,
    with_a_human: human.length,
  }
}
