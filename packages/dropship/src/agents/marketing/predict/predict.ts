/**
 * Predicts the results of a campaign: simulates many futures day by day from the beliefs about clicks and conversion, including the
 * shop's stop-loss rule. The dice are seeded, so the same shop gives the same prediction. The intervals contain 80 % of the futures.
 */

import type { Day } from '../../../day.ts'
import { mean, type Range, sum } from '../../../figures.ts'
import { beta, between, binomial, type Dice, diceFor, gamma, normal, poisson } from '../../../market/random.ts'
import type { Cents } from '../../../money.ts'
import type { Platform } from '../../../ports.ts'
import { averageViewsPerCent, viewsPerCent } from './ad-prices.ts'
import { benchmarkClicks, clickBeliefs } from './clicks.ts'
import { betaDistribution, conversionBeliefs } from './conversion.ts'
import type { Evidence } from './evidence.ts'
import type { Belief } from './hierarchy.ts'

export interface PlannedCampaign {
  readonly sku: string
  readonly category: string
  readonly platform: Platform
  readonly daily: Cents
  /** first predicted day, and the number of days */
  readonly from: Day
  readonly days: number
  readonly score: number
  /** daily spend of other campaigns of the product on the platform */
  readonly otherDailySpend: Cents
  /** loss of a running campaign so far */
  readonly lossSoFar: Cents
  /** revenue of an order, and the margin after goods, shipping and fees */
  readonly orderRevenue: Cents
  readonly orderMargin: Cents
}

export const MEASURES = ['spend', 'reach', 'clicks', 'orders', 'revenue', 'profit', 'return_on_ad_spend'] as const
export type Measure = (typeof MEASURES)[number]
export type CampaignPrediction = Readonly<Record<Measure, Range>>

const FUTURES = 1000
/** Share of the futures inside an interval. */
const INTERVAL_SHARE = 0.8
/** The shop stops a campaign at a loss of 50. */
const STOP_LOSS: Cents = 5000
/** Unpredictable changes of ad prices and conversion from month to month, as standard deviations of logarithms. */
const DRIFT = { prices: 0.06, buyers: 0.1 }

export function predictCampaign(evidence: Evidence, planned: PlannedCampaign): CampaignPrediction {
  const benchmark = evidence.benchmarks.get(planned.platform)
  if (benchmark === undefined) throw new Error(`There is no benchmark for ${planned.platform}.`)
  const dice = diceFor(1, 0, `${planned.sku} ${planned.platform}`, 'predict')
  const clicks = clickBeliefs(evidence, planned)
  const buyers = conversionBeliefs(evidence, planned)
  const { low, high } = evidence.delivery
  const spend = (planned.daily * (low + high)) / 2
  const views = viewsPerCent(evidence, planned.platform, planned.from, planned.days)
  const season = views / averageViewsPerCent(evidence, planned.platform)
  const chooseClicks = chooser(clicks)
  const chooseBuyers = chooser(buyers.list)
  const futures = Array.from({ length: FUTURES }, () => {
    const c = chooseClicks(dice)
    const factor = gamma(dice, c.shape + c.count, 1 / (c.shape / c.centre + c.expected))
    const a_day = { spend, daily: spend + planned.otherDailySpend, score: planned.score }
    const expected = benchmarkClicks(a_day, benchmark.click_cost, c.halfResponseSpend, c.scoreEffect)
    const b = chooseBuyers(dice)
    const pull = gamma(dice, buyers.appeal.shape, 1 / buyers.appeal.rate)
    const prior = betaDistribution(buyers.conversion * pull * b.centre, b.shape)
    const rate = beta(dice, prior.a + buyers.orders, prior.b + buyers.clicks - buyers.orders)
    const prices = Math.exp(DRIFT.prices * normal(dice))
    return simulateFuture(dice, planned, {
      spend: { low: planned.daily * low, high: planned.daily * high },
      views: views * prices,
      clicks: (expected * factor * season * prices) / spend,
      rate: Math.min(0.15, rate * Math.exp(DRIFT.buyers * normal(dice))),
    })
  })
  return Object.fromEntries(
    MEASURES.map((measure) => [measure, shortestInterval(futures.map((one) => one[measure]))]),
  ) as unknown as CampaignPrediction
}

function chooser<T extends Pick<Belief, 'weight'>>(list: readonly T[]): (dice: Dice) => T {
  const likely = list.filter(({ weight }) => weight > 1e-6)
  const total = sum(likely, ({ weight }) => weight)
  return (dice) => {
    let left = dice() * total
    for (const one of likely) {
      left -= one.weight
      if (left < 0) return one
    }
    return likely.at(-1) as T
  }
}

interface DailyMeans {
  readonly spend: { readonly low: Cents; readonly high: Cents }
  /** per cent spent */
  readonly views: number
  readonly clicks: number
  /** orders per click */
  readonly rate: number
}

function simulateFuture(
  dice: Dice,
  { days, lossSoFar, orderRevenue, orderMargin }: PlannedCampaign,
  means: DailyMeans,
): Record<Measure, number> {
  let [run, spend, clicks, orders] = [0, 0, 0, 0]
  while (run < days && spend + lossSoFar - orders * orderMargin < STOP_LOSS) {
    const today = between(dice, means.spend.low, means.spend.high)
    const clicked = poisson(dice, means.clicks * today)
    spend += today
    clicks += clicked
    orders += binomial(dice, clicked, means.rate)
    run++
  }
  const revenue = orders * orderRevenue
  return {
    spend,
    reach: poisson(dice, means.views * spend),
    clicks,
    orders,
    revenue,
    profit: orders * orderMargin - spend,
    return_on_ad_spend: spend === 0 ? 0 : revenue / spend,
  }
}

/** The shortest interval that contains its share: for few orders the central one would contain far more. */
function shortestInterval(values: readonly number[]): Range {
  const sorted = [...values].sort((a, b) => a - b)
  const inside = Math.ceil(INTERVAL_SHARE * sorted.length)
  let best = { low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 }
  for (let at = 0; at + inside <= sorted.length; at++) {
    const [low = 0, high = 0] = [sorted[at], sorted[at + inside - 1]]
    if (high - low < best.high - best.low) best = { low, high }
  }
  return { ...best, expected: mean(values) }
}
