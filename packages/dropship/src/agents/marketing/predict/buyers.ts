/**
 * Orders for the clicks. The benchmark's conversion, times the product's pull with all visitors, times what is particular to this
 * product on this platform. Beta-Binomial.
 */
import type { Platform } from '../../../ports.ts'
import { grouped } from './clicks.ts'
import type { Evidence } from './evidence.ts'
import { type Believed, believed } from './hierarchy.ts'
import { logBetaBinomial } from './logarithms.ts'
import { type Pull, pulls } from './pull.ts'

export interface BuyerBelief {
  readonly list: readonly Believed[]
  readonly pull: Pull
  readonly conversion: number
  /** what the product itself has shown there */
  readonly clicks: number
  readonly orders: number
}

/** No page sells to more than this share of its visitors for long. */
const MOST = 0.15

export function buyerBeliefs(
  evidence: Evidence,
  target: { sku: string; category: string; platform: Platform },
): BuyerBelief {
  const pullOf = pulls(evidence)
  const { tried, benchmarks } = evidence
  const rates = new Map<string, number>()
  const rateOf = (sku: string, platform: Platform): number => {
    const key = `${sku}\n${platform}`
    const { shape, rate } = pullOf(sku)
    const known = rates.get(key) ?? (benchmarks.get(platform)?.conversion ?? 0) * (shape / rate)
    rates.set(key, known)
    return known
  }
  const clicks = new Map<string, number>()
  for (const one of tried) {
    const key = `${one.sku}\n${one.platform}`
    clicks.set(key, (clicks.get(key) ?? 0) + one.clicks)
  }
  const groups = grouped(tried, (one) => ({
    count: one.orders,
    expected: one.clicks * rateOf(one.sku, one.platform),
  }))
  const { list } = believed(groups, target, ({ sku, platform, count, expected }, centre, shape) => {
    const tries = clicks.get(`${sku}\n${platform}`) ?? 0
    if (tries === 0) return 0
    const { a, b } = betaOf((expected / tries) * centre, shape)
    return logBetaBinomial(count, tries, a, b)
  })
  const own = groups.find(({ sku, platform }) => sku === target.sku && platform === target.platform)
  return {
    list,
    pull: pullOf(target.sku),
    conversion: benchmarks.get(target.platform)?.conversion ?? 0,
    clicks: clicks.get(`${target.sku}\n${target.platform}`) ?? 0,
    orders: own?.count ?? 0,
  }
}

/** The beta distribution with this mean and, as long as the mean is small, the spread of a gamma of this shape. */
export function betaOf(mean: number, shape: number): { a: number; b: number } {
  const bounded = Math.min(MOST, Math.max(1e-6, mean))
  return { a: shape, b: (shape * (1 - bounded)) / bounded }
}
