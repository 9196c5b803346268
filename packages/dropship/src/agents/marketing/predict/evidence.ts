/** Past ads and visits of the shop: the evidence behind a prediction. */

import { addDays } from '../../../day.ts'
import { ratio, sum, sums } from '../../../figures.ts'
import type { Cents } from '../../../money.ts'
import type { Campaign, CampaignDay, Platform, PlatformBenchmark, Product, SalesDay, Shop } from '../../../ports.ts'

/** The totals of one past campaign. */
export interface PastCampaign {
  readonly sku: string
  readonly category: string
  readonly platform: Platform
  /** mean daily spend on this product and platform, over all its campaigns */
  readonly daily: Cents
  /** score of its copy, 0 to 1 */
  readonly score: number
  readonly spend: Cents
  readonly clicks: number
  readonly orders: number
}

/** Visits and orders of a product without ads. */
export interface ProductVisits {
  readonly sku: string
  readonly category: string
  readonly price: Cents
  readonly visits: number
  readonly orders: number
}

export interface Evidence {
  readonly benchmarks: ReadonlyMap<Platform, PlatformBenchmark>
  readonly pastCampaigns: readonly PastCampaign[]
  readonly productVisits: readonly ProductVisits[]
  /** every day of every campaign, for the change of ad prices over the year */
  readonly adDays: readonly Pick<CampaignDay, 'day' | 'platform' | 'spend' | 'impressions'>[]
  /** range of the share of a daily budget that platforms really spend; uniform in between */
  readonly delivery: { readonly low: number; readonly high: number }
  /** pieces in an order */
  readonly unitsPerOrder: number
  /** payment fees as a share of revenue; undefined if the books do not record them separately */
  readonly feeShare: number | undefined
}

const CAMPAIGN_DAYS = 365
/** Appeal changes with season and price, so older visits say less. */
const VISIT_DAYS = 90

/** `present`: the campaign to scale, as it was before scaling. */
export async function readEvidence(shop: Shop, present?: Campaign): Promise<Evidence> {
  const today = await shop.clock.today()
  const [benchmarks, known, results, creatives, products, listings, sales] = await Promise.all([
    shop.ads.benchmarks(),
    shop.ads.campaigns(),
    shop.ads.results({ from: addDays(today, -CAMPAIGN_DAYS), to: today }),
    shop.ads.creatives(),
    shop.storefront.products(),
    shop.marketplace.listings(),
    shop.books.sales({ from: addDays(today, -VISIT_DAYS), to: today }),
  ])
  const campaigns = known.map((one) => (one.campaign_id === present?.campaign_id ? present : one))
  const categories = new Map(listings.map(({ product_id, category }) => [product_id, category]))
  const categoryOf = new Map(products.map(({ sku, product_id }) => [sku, categories.get(product_id) ?? '']))
  const scores = new Map(creatives.map(({ creative_id, score }) => [creative_id, score]))
  const byCampaign = Map.groupBy(results, ({ campaign_id }) => campaign_id)
  const together = spendByDay(results)
  const { units, orders, revenue } = sums(sales, ['units', 'orders', 'revenue'])
  const fees = sum(sales, (day) => day.fees ?? 0)
  return {
    benchmarks: new Map(benchmarks.map((one) => [one.platform, one])),
    pastCampaigns: campaigns.flatMap(({ campaign_id, creative_id, sku, platform }) => {
      const days = byCampaign.get(campaign_id)
      if (days === undefined) return []
      const daily = sum(days, (row) => together.get(dayKey(row)) ?? row.spend) / days.length
      const totals = sums(days, ['spend', 'clicks', 'orders'])
      const category = categoryOf.get(sku) ?? ''
      return [{ sku, category, platform, daily, score: scores.get(creative_id) ?? 0, ...totals }]
    }),
    productVisits: visitsByProduct(products, sales, categoryOf),
    adDays: results,
    delivery: deliveryRange(campaigns, byCampaign),
    unitsPerOrder: ratio(units, orders) || 1,
    feeShare: sales.some(({ fees, cost }) => fees === undefined && cost > 0) ? undefined : ratio(fees, revenue),
  }
}

const dayKey = ({ sku, platform, day }: CampaignDay): string => `${sku}\n${platform}\n${day}`

/** Campaigns of one product on one platform compete for the same audience. */
function spendByDay(results: readonly CampaignDay[]): ReadonlyMap<string, Cents> {
  const spent = new Map<string, Cents>()
  for (const row of results) spent.set(dayKey(row), (spent.get(dayKey(row)) ?? 0) + row.spend)
  return spent
}

function visitsByProduct(
  products: readonly Product[],
  sales: readonly SalesDay[],
  categoryOf: ReadonlyMap<string, string>,
): ProductVisits[] {
  const own = sales.filter(({ channel }) => channel === 'organic' || channel === 'direct')
  const bySku = Map.groupBy(own, ({ sku }) => sku)
  return products.map(({ sku, price }) => {
    const totals = sums(bySku.get(sku) ?? [], ['visits', 'orders'])
    return { sku, category: categoryOf.get(sku) ?? '', price, ...totals }
  })
}

/** The middle 90 %: campaigns that were scaled or capped say nothing about the platform. */
function deliveryRange(
  campaigns: readonly Campaign[],
  byCampaign: ReadonlyMap<string, readonly CampaignDay[]>,
): Evidence['delivery'] {
  const shares = campaigns
    .flatMap(({ campaign_id, daily }) => (byCampaign.get(campaign_id) ?? []).map(({ spend }) => spend / daily))
    .filter((share) => share > 0 && share <= 1)
    .sort((a, b) => a - b)
  const at = (share: number): number => shares[Math.floor(shares.length * share)] ?? 1
  return { low: at(0.05), high: at(0.95) }
}
