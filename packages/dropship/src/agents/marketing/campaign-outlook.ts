/** What a planned campaign is expected to bring, and what its owner should be warned of. */
import { addDays } from '../../day.ts'
import { type Cents, toAmount } from '../../money.ts'
import type { Platform, Product, Shop } from '../../ports.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import { CHANNEL_LIMITS, type Channel } from './copy/channel-limits.ts'
import { type Evidence, readEvidence } from './predict/evidence.ts'
import { type CampaignPrediction, type Measure, predictCampaign, type Range } from './predict/predict.ts'

export interface Outlook {
  readonly predicted: CampaignPrediction
  readonly warnings: readonly string[]
  /** how much the prediction has to go by */
  readonly evidence: {
    readonly campaigns_of_product: number
    readonly campaigns_on_platform: number
    readonly clicks_of_product: number
    readonly clicks_on_platform: number
  }
}

/** A product that has shown what it does with this much a day says little about more than so many times as much. */
const FAR_ABOVE_TRIED = 1.5
const IN_CENTS: ReadonlySet<Measure> = new Set(['spend', 'revenue', 'profit'])

export async function campaignOutlook(shop: Shop, plan: CampaignPlan, platform: Platform): Promise<Outlook> {
  const { creative, product, daily, days, scaledCampaign, ownCampaignId: started } = plan
  const [evidence, running, [listing]] = await Promise.all([
    readEvidence(shop, scaledCampaign),
    shop.ads.campaigns({ sku: product.sku, status: 'running' }),
    shop.marketplace.listings({ product_id: product.product_id }),
  ])
  const beside = running
    .filter((one) => one.platform === platform && ![scaledCampaign?.campaign_id, started].includes(one.campaign_id))
    .reduce((sum, one) => sum + one.daily, 0)
  const words =
    scaledCampaign === undefined ? creative : ((await shop.ads.creative(scaledCampaign.creative_id)) ?? creative)
  const { order, keeps } = orderEarnings(product, evidence)
  const predicted = shown(
    predictCampaign(evidence, {
      sku: product.sku,
      category: listing?.category ?? '',
      platform,
      daily,
      from: await shop.clock.today(),
      days,
      score: words.score,
      otherDailySpend: beside,
      lossSoFar: await lossSoFar(shop, plan, keeps / order),
      orderRevenue: order,
      orderMargin: keeps,
    }),
  )
  const there = evidence.pastCampaigns.filter((one) => one.platform === platform)
  const own = there.filter((one) => one.sku === product.sku)
  return {
    predicted,
    warnings: warningsOf(
      plan,
      platform,
      predicted,
      Math.max(0, ...own.map((one) => one.daily)),
      keeps / order,
      shop.currency,
    ),
    evidence: {
      campaigns_of_product: own.length,
      campaigns_on_platform: there.length,
      clicks_of_product: own.reduce((sum, { clicks }) => sum + clicks, 0),
      clicks_on_platform: there.reduce((sum, { clicks }) => sum + clicks, 0),
    },
  }
}

/** What an order brings and leaves. Fees are what the books show; where they do not, they are left out and profit is that before fees. */
function orderEarnings(
  { price, unit, shipping }: Product,
  { unitsPerOrder, feeShare }: Evidence,
): { order: Cents; keeps: Cents } {
  const order = price * unitsPerOrder
  return { order, keeps: order * (1 - (feeShare ?? 0)) - (unit + shipping) * unitsPerOrder }
}

async function lossSoFar(shop: Shop, { scaledCampaign }: CampaignPlan, kept: number): Promise<Cents> {
  if (scaledCampaign === undefined) return 0
  const today = await shop.clock.today()
  const { started_on, campaign_id } = scaledCampaign
  const from = started_on < today ? started_on : addDays(today, -1)
  const days = await shop.ads.results({ from, to: today, campaign_id })
  return days.reduce((sum, { spend, revenue }) => sum + spend - revenue * kept, 0)
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

function shown(predicted: CampaignPrediction): CampaignPrediction {
  const range = (measure: Measure, { low, expected, high }: Range): Range => {
    const of = IN_CENTS.has(measure)
      ? toAmount
      : (value: number) => rounded(value, measure === 'return_on_ad_spend' ? 2 : measure === 'orders' ? 1 : 0)
    return { low: of(low), expected: of(expected), high: of(high) }
  }
  return Object.fromEntries(
    Object.entries(predicted).map(([name, values]) => [name, range(name as Measure, values)]),
  ) as unknown as CampaignPrediction
}

function warningsOf(
  { daily, creative }: CampaignPlan,
  platform: Platform,
  { return_on_ad_spend, profit, spend }: CampaignPrediction,
  most: Cents,
  kept: number,
  currency: string,
): string[] {
  const even = kept <= 0 ? undefined : 1 / kept
  const returns = return_on_ad_spend.expected
  const room = CHANNEL_LIMITS[platform as Channel]
  return [
    ...(even === undefined ? ['The product sells for less than it costs: no ad can earn anything.'] : []),
    ...(returns < 1 ? [`It will probably bring back ${returns.toFixed(2)} per 1 spent: less than it costs.`] : []),
    ...(returns >= 1 && even !== undefined && returns < even
      ? [
          `${returns.toFixed(2)} per 1 spent is expected, and goods and fees take so much that ${even.toFixed(2)} is needed.`,
        ]
      : []),
    ...(profit.low < 0
      ? [
          `A loss is possible: profit after ads is between ${profit.low.toFixed(2)} and ${profit.high.toFixed(2)} ${currency} in 8 of 10 cases (spend about ${spend.expected.toFixed(2)}).`,
        ]
      : []),
    ...(most === 0
      ? [`The product was never advertised on ${platform}; the prediction rests on other campaigns and the benchmark.`]
      : daily > most * FAR_ABOVE_TRIED
        ? [
            `The product has been tried with at most ${toAmount(most).toFixed(2)} a day on ${platform}; what more brings is less sure, and less for the money.`,
          ]
        : []),
    ...(creative.channel !== platform && (creative.body.length > room.body || creative.headline.length > room.headline)
      ? [
          `The words were written for ${creative.channel}; ${platform} shows ${room.headline} characters of a headline and ${room.body} of a text, and cuts the rest.`,
        ]
      : []),
  ]
}
