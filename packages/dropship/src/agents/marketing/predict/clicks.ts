/**
 * Clicks per spend. Beside the product's own factor, two effects are not in the benchmark: better copy is clicked more, and each
 * further unit of daily spend brings less. Both are learnt from the shop's campaigns, with their uncertainty. Gamma-Poisson.
 */
import { softmax, sums } from '../../../figures.ts'
import type { Cents } from '../../../money.ts'
import type { Platform } from '../../../ports.ts'
import type { Evidence, PastCampaign } from './evidence.ts'
import { beliefs, type Group } from './hierarchy.ts'
import { logGammaPoisson } from './log-likelihood.ts'

/** Possible daily spends, in cents, at which the response is halved. */
const HALF_RESPONSE_SPENDS = [1200, 2000, 3500, 6000, 12_000, 30_000] as const
/** Possible effects of a score of 1 relative to 0, as logarithms of clicks. */
const SCORE_EFFECTS = [0, 0.4, 0.8, 1.2] as const
/** The score at which the benchmark holds. */
const AVERAGE_SCORE = 0.5

/** Clicks that the benchmark predicts for this spend, daily rate and score. */
export const benchmarkClicks = (
  { spend, daily, score }: Pick<PastCampaign, 'spend' | 'daily' | 'score'>,
  click_cost: Cents,
  half: Cents,
  words: number,
): number => (spend / click_cost) * Math.exp(words * (score - AVERAGE_SCORE)) * (half / (half + daily))

/** `count` and `expected` are the product's own results on the platform. */
export function clickBeliefs(
  { pastCampaigns, benchmarks }: Evidence,
  target: { sku: string; category: string; platform: Platform },
) {
  const settings = HALF_RESPONSE_SPENDS.flatMap((halfResponseSpend) =>
    SCORE_EFFECTS.map((scoreEffect) => ({ halfResponseSpend, scoreEffect })),
  )
  const each = settings.map(({ halfResponseSpend, scoreEffect }) => {
    const groups = groupByProductAndPlatform(pastCampaigns, (one) => {
      const click_cost = benchmarks.get(one.platform)?.click_cost ?? 1
      return { count: one.clicks, expected: benchmarkClicks(one, click_cost, halfResponseSpend, scoreEffect) }
    })
    const { list, evidence } = beliefs(groups, target, ({ count, expected }, centre, shape) =>
      expected === 0 ? 0 : logGammaPoisson(count, expected * centre, shape),
    )
    const own = groups.find(({ sku, platform }) => sku === target.sku && platform === target.platform)
    return { halfResponseSpend, scoreEffect, list, evidence, count: own?.count ?? 0, expected: own?.expected ?? 0 }
  })
  const weights = softmax(each.map(({ evidence }) => evidence))
  return each.flatMap(({ list, evidence: _, ...setting }, index) =>
    list.map((one) => ({ ...one, ...setting, weight: one.weight * (weights[index] ?? 0) })),
  )
}

/** Adds up all campaigns of a product on a platform. */
export function groupByProductAndPlatform(
  tried: readonly PastCampaign[],
  measure: (one: PastCampaign) => { count: number; expected: number },
): Group[] {
  const groups = Map.groupBy(tried, ({ sku, platform }) => `${sku}\n${platform}`)
  return [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map(({ sku, category, platform }) => {
      return { sku, category, platform, ...sums(own.map(measure), ['count', 'expected']), ...sums(own, ['clicks']) }
    }),
  )
}
