/** What a planned campaign is expected to bring, and what its owner should be warned of. */
import { addDays } from '../../day.ts'
import { type Cents, toAmount } from '../../money.ts'
import type { Platform, Product, Shop } from '../../ports.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import { type Channel, ROOM } from './copy/channels.ts'
import { type Evidence, readEvidence } from './predict/evidence.ts'
import { type Measure, type Prediction, predict, type Range } from './predict/predict.ts'

export interface Outlook {
  readonly predicted: Prediction
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
const FAR_BEYOND = 1.5
const IN_CENTS: ReadonlySet<Measure> = new Set(['spend', 'revenue', 'profit'])

export async function outlookOf(shop: Shop, plan: CampaignPlan, platform: Platform): Promise<Outlook> {
  const { creative, product, daily, days, present, own: started } = plan
  const [evidence, running, [listing]] = await Promise.all([
    readEvidence(shop, present),
    shop.ads.campaigns({ sku: product.sku, status: 'running' }),
    shop.marketplace.listings({ product_id: product.product_id }),
  ])
  const beside = running
    .filter((one) => one.platform === platform && ![present?.campaign_id, started].includes(one.campaign_id))
    .reduce((sum, one) => sum + one.daily, 0)
  const words = present === undefined ? creative : ((await shop.ads.creative(present.creative_id)) ?? creative)
  const { order, keeps } = earnings(product, evidence)
  const predicted = shown(
    predict(evidence, {
      sku: product.sku,
      category: listing?.category ?? '',
      platform,
      daily,
      from: await shop.clock.today(),
      days,
      score: words.score,
      beside,
      red: await redSoFar(shop, plan, keeps / order),
      order,
      keeps,
    }),
  )
  const there = evidence.tried.filter((one) => one.platform === platform)
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
function earnings({ price, unit, shipping }: Product, { pieces, fees }: Evidence): { order: Cents; keeps: Cents } {
  const order = price * pieces
  return { order, keeps: order * (1 - (fees ?? 0)) - (unit + shipping) * pieces }
}

async function redSoFar(shop: Shop, { present }: CampaignPlan, kept: number): Promise<Cents> {
  if (present === undefined) return 0
  const today = await shop.clock.today()
  const { started_on, campaign_id } = present
  const from = started_on < today ? started_on : addDays(today, -1)
  const days = await shop.ads.results({ from, to: today, campaign_id })
  return days.reduce((sum, { spend, revenue }) => sum + spend - revenue * kept, 0)
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

function shown(predicted: Prediction): Prediction {
  const range = (measure: Measure, { low, expected, high }: Range): Range => {
    const of = IN_CENTS.has(measure)
      ? toAmount
      : (value: number) => rounded(value, measure === 'return_on_ad_spend' ? 2 : measure === 'orders' ? 1 : 0)
    return { low: of(low), expected: of(expected), high: of(high) }
  }
  return Object.fromEntries(
    Object.entries(predicted).map(([name, values]) => [name, range(name as Measure, values)]),
  ) as unknown as Prediction
}

function warningsOf(
  { daily, creative }: CampaignPlan,
  platform: Platform,
  { return_on_ad_spend, profit, spend }: Prediction,
  most: Cents,
  kept: number,
  currency: string,
): string[] {
  const even = kept <= 0 ? undefined : 1 / kept
  const returns = return_on_ad_spend.expected
  const room = ROOM[platform as Channel]
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
      : daily > most * FAR_BEYOND
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
