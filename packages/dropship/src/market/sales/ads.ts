/**
 * The results of ads on a day. Money buys views at the platform's price. The share of views that become clicks depends on the platform,
 * on how the product fits it and on the quality of the creative, and falls with the spend on the product there. All campaigns together
 * stay below the account's limit, and a campaign with a loss of 50 is stopped.
 */
import { paymentFee } from '../../money.ts'
import type { Campaign } from '../../ports.ts'
import { dayNumber, dayOfYear } from '../calendar.ts'
import type { Market } from '../market.ts'
import { between, binomial, diceFor, poisson } from '../random.ts'
import { addVisits, all, first, insert, readMeta, run } from '../statements.ts'
import { placeOrders } from './place-orders.ts'
import { PLATFORM_FIGURES } from './platforms.ts'
import type { ProductOnSale } from './shelf.ts'
import { MAX_CONVERSION } from './shoppers.ts'

type RunningCampaign = Pick<Campaign, 'campaign_id' | 'platform' | 'sku' | 'daily'> & { score: number | null }

/** A campaign with this loss, in cents, is stopped. */
export const STOP_LOSS = 5000

/** Before Christmas many advertisers bid: views cost up to a fifth more at the end of November. */
export const auctionFactor = (day: number): number => 1 + 0.2 * Math.exp(-(((dayOfYear(day) - 335) / 18) ** 2))

/** 1 without any spend, one half at the product's saturation. */
export const saturationLeft = (spend: number, saturation: number): number => saturation / (saturation + spend)

export const clickAppeal = (score: number): number => 0.65 + 0.7 * score

const RUNNING = `SELECT c.campaign_id, c.platform, c.sku, c.daily, w.score FROM campaigns c
  LEFT JOIN creatives w ON w.creative_id = c.creative_id
  WHERE c.status = 'running' AND c.started_on <= ? ORDER BY length(c.campaign_id), c.campaign_id`

/** The platform spends nearly the whole budget of each campaign, in the order of their ids, up to the account's limit. */
const spends = (market: Market, day: number, running: readonly RunningCampaign[]): Map<string, number> => {
  let left = Number(readMeta(market.db, 'ads_daily_cap'))
  return new Map(
    running.map((campaign) => {
      const dice = diceFor(market.seed, day, campaign.campaign_id, 'spend')
      const spend = Math.floor(Math.min(campaign.daily * between(dice, 0.93, 1), left))
      left -= spend
      return [campaign.campaign_id, spend]
    }),
  )
}

export const simulateAds = (market: Market, today: string, products: readonly ProductOnSale[], paused: boolean) => {
  const day = dayNumber(today)
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const running = all<RunningCampaign>(market.db, RUNNING, today)
  const active = running.filter((campaign) => bySku.has(campaign.sku) && !paused)
  const spent = spends(market, day, active)
  const together = new Map<string, number>()
  for (const { campaign_id, sku, platform } of active) {
    const audience = `${sku} ${platform}`
    together.set(audience, (together.get(audience) ?? 0) + (spent.get(campaign_id) ?? 0))
  }
  const sum = { spend: 0, visits: 0, orders: 0, revenue: 0 }
  for (const campaign of active) {
    const product = bySku.get(campaign.sku) as ProductOnSale
    const spend = spent.get(campaign.campaign_id) ?? 0
    const audienceSpend = together.get(`${campaign.sku} ${campaign.platform}`) ?? spend
    const result = campaignDay(market, today, campaign, product, spend, audienceSpend)
    sum.spend += spend
    sum.visits += result.clicks
    sum.orders += result.orders
    sum.revenue += result.revenue
    stopAtLoss(market, campaign.campaign_id, product)
  }
  run(market.db, "UPDATE campaigns SET status = 'ended' WHERE status = 'running' AND ends_on <= ?", today)
  return sum
}

const campaignDay = (
  market: Market,
  today: string,
  campaign: RunningCampaign,
  product: ProductOnSale,
  spend: number,
  audienceSpend: number,
): { clicks: number; orders: number; revenue: number } => {
  const { db, seed } = market
  const { platform, campaign_id } = campaign
  const { hidden } = product
  const figures = PLATFORM_FIGURES[platform]
  const day = dayNumber(today)
  const dice = diceFor(seed, day, `${campaign.sku} ${campaign_id}`, 'ads')
  const views = poisson(dice, spend / (figures.click_cost * figures.click_rate * auctionFactor(day)))
  const rate =
    figures.click_rate *
    hidden.click_fit[platform] *
    clickAppeal(campaign.score ?? 0) *
    saturationLeft(audienceSpend, hidden.saturation[platform])
  const clicks = Math.min(views, poisson(dice, views * rate))
  const buying = Math.min(MAX_CONVERSION, figures.conversion * hidden.buy_fit[platform] * product.pull)
  const count = binomial(dice, clicks, buying)
  const revenue = placeOrders(market, today, product, platform, count, campaign_id)
  insert(db, 'campaign_days', { campaign_id, day: today, spend, impressions: views, clicks, orders: count, revenue })
  run(db, 'UPDATE campaigns SET spent = spent + ? WHERE campaign_id = ?', spend, campaign_id)
  if (clicks > 0) addVisits(db, [today, product.sku, platform, clicks])
  return { clicks, orders: count, revenue }
}

/** The loss is the spend less what the sales earned after goods, shipping and fees. */
const stopAtLoss = (market: Market, campaign_id: string, product: ProductOnSale): void => {
  const sum = first<{ spend: number; orders: number; revenue: number }>(
    market.db,
    'SELECT sum(spend) AS spend, sum(orders) AS orders, sum(revenue) AS revenue FROM campaign_days WHERE campaign_id = ?',
    campaign_id,
  )
  if (sum === undefined) return
  const keeps = (product.price - product.unit - product.shipping - paymentFee(product.price)) / product.price
  const loss = Math.round(sum.spend - sum.revenue * keeps)
  if (loss < STOP_LOSS) return
  run(
    market.db,
    "UPDATE campaigns SET status = 'stopped', stop_reason = ? WHERE campaign_id = ?",
    `${(loss / 100).toFixed(2)} in the red after goods and fees; the limit is ${(STOP_LOSS / 100).toFixed(2)}`,
    campaign_id,
  )
}
