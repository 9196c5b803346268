/** The predicted results of a planned campaign, and warnings for the owner. */

import { addDays } from '../../day.ts'
import { mapRange, rounded, sum } from '../../figures.ts'
import { type Cents, toAmount } from '../../money.ts'
import type { Platform, Shop } from '../../ports.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import { CHANNEL_LIMITS, type Channel } from './copy/channel-limits.ts'
import { readEvidence } from './predict/evidence.ts'
import { type CampaignPrediction, type Measure, predictCampaign } from './predict/predict.ts'

/** Results at one budget tell little about more than this many times as much. */
const FAR_ABOVE_TRIED = 1.5
const IN_CENTS: ReadonlySet<Measure> = new Set(['spend', 'revenue', 'profit'])

export async function campaignOutlook(shop: Shop, plan: CampaignPlan, platform: Platform) {
  const { creative, product, daily, days, scaledCampaign, ownCampaignId: started } = plan
  const [evidence, running, [listing]] = await Promise.all([
    readEvidence(shop, scaledCampaign),
    shop.ads.campaigns({ sku: product.sku, status: 'running' }),
    shop.marketplace.listings({ product_id: product.product_id }),
  ])
  const competing = running.filter(
    (one) => one.platform === platform && ![scaledCampaign?.campaign_id, started].includes(one.campaign_id),
  )
  const copy =
    scaledCampaign === undefined ? creative : ((await shop.ads.creative(scaledCampaign.creative_id)) ?? creative)
  const { unitsPerOrder, feeShare = 0 } = evidence
  const order = product.price * unitsPerOrder
  // Without fees in the books, the margin of an order is before fees.
  const keeps = order * (1 - feeShare) - (product.unit + product.shipping) * unitsPerOrder
  const predicted = shown(
    predictCampaign(evidence, {
      sku: product.sku,
      category: listing?.category ?? '',
      platform,
      daily,
      from: await shop.clock.today(),
      days,
      score: copy.score,
      otherDailySpend: sum(competing, (one) => one.daily),
      lossSoFar: await lossSoFar(shop, plan, keeps / order),
      orderRevenue: order,
      orderMargin: keeps,
    }),
  )
  const there = evidence.pastCampaigns.filter((one) => one.platform === platform)
  const own = there.filter((one) => one.sku === product.sku)
  const highestTried = Math.max(0, ...own.map((one) => one.daily))
  return {
    predicted,
    warnings: [...warningsOf(plan, platform, predicted, highestTried, keeps / order, shop.currency)],
    /** the data behind the prediction */
    evidence: {
      campaigns_of_product: own.length,
      campaigns_on_platform: there.length,
      clicks_of_product: sum(own, ({ clicks }) => clicks),
      clicks_on_platform: sum(there, ({ clicks }) => clicks),
    },
  }
}

async function lossSoFar(shop: Shop, { scaledCampaign }: CampaignPlan, kept: number): Promise<Cents> {
  if (scaledCampaign === undefined) return 0
  const today = await shop.clock.today()
  const { started_on, campaign_id } = scaledCampaign
  const from = started_on < today ? started_on : addDays(today, -1)
  const days = await shop.ads.results({ from, to: today, campaign_id })
  return sum(days, ({ spend, revenue }) => spend - revenue * kept)
}

const shown = (predicted: CampaignPrediction): CampaignPrediction =>
  Object.fromEntries(
    Object.entries(predicted).map(([measure, range]) => [measure, mapRange(range, roundingOf(measure as Measure))]),
  ) as unknown as CampaignPrediction

function roundingOf(measure: Measure): (value: number) => number {
  if (IN_CENTS.has(measure)) return toAmount
  const digits = measure === 'return_on_ad_spend' ? 2 : measure === 'orders' ? 1 : 0
  return (value) => rounded(value, digits)
}

function* warningsOf(
  { daily, creative }: CampaignPlan,
  platform: Platform,
  { return_on_ad_spend, profit, spend }: CampaignPrediction,
  highestTried: Cents,
  kept: number,
  currency: string,
): Generator<string> {
  const returns = return_on_ad_spend.expected
  const expected = `The expected return is ${returns.toFixed(2)} per 1 spent`
  const room = CHANNEL_LIMITS[platform as Channel]
  if (kept <= 0) yield 'The product sells for less than it costs: no ad can be profitable.'
  if (returns < 1) yield `${expected}: less than it costs.`
  else if (kept > 0 && returns < 1 / kept)
    yield `${expected}, and ${(1 / kept).toFixed(2)} is needed to cover goods and fees.`
  if (profit.low < 0)
    yield `A loss is possible: profit after ads is between ${profit.low.toFixed(2)} and ${profit.high.toFixed(2)} ${currency} in 8 of 10 cases (spend about ${spend.expected.toFixed(2)}).`
  if (highestTried === 0)
    yield `The product was never advertised on ${platform}; the prediction is based on other campaigns and the benchmark.`
  else if (daily > highestTried * FAR_ABOVE_TRIED)
    yield `The product was advertised with at most ${toAmount(highestTried).toFixed(2)} a day on ${platform}; a larger budget returns less per 1 spent and is harder to predict.`
  if (creative.channel !== platform && (creative.body.length > room.body || creative.headline.length > room.headline))
    yield `The copy was written for ${creative.channel}; ${platform} shows ${room.headline} characters of a headline and ${room.body} of a text, and cuts the rest.`
}
