/**
 * Clicks for the money. Beside the product's own factor two things matter that the benchmark does not know: good words are clicked
 * more, and the more is spent on a product in a day, the less each further coin brings. Both are learnt from the shop's campaigns;
 * what they leave open stays open. Gamma-Poisson.
 */
import type { Cents } from '../../../money.ts'
import type { Platform } from '../../../ports.ts'
import type { Evidence, PastCampaign } from './evidence.ts'
import { type Belief, beliefs, type Group } from './hierarchy.ts'
import { logGammaPoisson, normaliseLogWeights } from './log-likelihood.ts'

/** Daily spends, in cents, at which money brings half as much, that are thought possible. */
const HALF_RESPONSE_SPENDS = [1200, 2000, 3500, 6000, 12_000, 30_000] as const
/** How much a score of 1 is clicked more than one of 0, as logarithms, that are thought possible. */
const SCORE_EFFECTS = [0, 0.4, 0.8, 1.2] as const
/** The score at which the benchmark holds: an average ad is no masterpiece. */
const AVERAGE_SCORE = 0.5

export interface ClickBelief extends Belief {
  readonly halfResponseSpend: Cents
  readonly scoreEffect: number
  /** what the product itself has shown there */
  readonly count: number
  readonly expected: number
}

/** Expected clicks of the benchmark, for so much money spent so fast on such words. */
export const benchmarkClicks = (
  { spend, daily, score }: Pick<PastCampaign, 'spend' | 'daily' | 'score'>,
  click_cost: Cents,
  half: Cents,
  words: number,
): number => (spend / click_cost) * Math.exp(words * (score - AVERAGE_SCORE)) * (half / (half + daily))

export function clickBeliefs(
  { pastCampaigns, benchmarks }: Evidence,
  target: { sku: string; category: string; platform: Platform },
): ClickBelief[] {
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
  const weights = normaliseLogWeights(each.map(({ evidence }) => evidence))
  return each.flatMap(({ list, evidence: _, ...setting }, index) =>
    list.map((one) => ({ ...one, ...setting, weight: one.weight * (weights[index] ?? 0) })),
  )
}

/** All campaigns of a product on a platform as one. */
export function groupByProductAndPlatform(
  tried: readonly PastCampaign[],
  measure: (one: PastCampaign) => { count: number; expected: number },
): Group[] {
  const groups = new Map<string, { -readonly [Name in keyof Group]: Group[Name] }>()
  for (const one of tried) {
    const { sku, category, platform } = one
    const key = `${sku}\n${platform}`
    const group = groups.get(key) ?? { sku, category, platform, count: 0, expected: 0 }
    const { count, expected } = measure(one)
    group.count += count
    group.expected += expected
    groups.set(key, group)
  }
  return [...groups.values()]
}
