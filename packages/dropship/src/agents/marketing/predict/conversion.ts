/**
 * Orders per click: the benchmark's conversion, times the product's appeal to all visitors, times a factor of this product on this
 * platform. Beta-Binomial.
 */
import type { Platform } from '../../../ports.ts'
import { appealByProduct } from './appeal.ts'
import { groupByProductAndPlatform } from './clicks.ts'
import type { Evidence } from './evidence.ts'
import { beliefs } from './hierarchy.ts'
import { logBetaBinomial } from './log-likelihood.ts'

/** Highest plausible conversion of a page. */
const HIGHEST_CONVERSION = 0.15

export function conversionBeliefs(evidence: Evidence, target: { sku: string; category: string; platform: Platform }) {
  const pullOf = appealByProduct(evidence)
  const { pastCampaigns, benchmarks } = evidence
  const rateOf = (sku: string, platform: Platform): number => {
    const { shape, rate } = pullOf(sku)
    return (benchmarks.get(platform)?.conversion ?? 0) * (shape / rate)
  }
  const groups = groupByProductAndPlatform(pastCampaigns, (one) => ({
    count: one.orders,
    expected: one.clicks * rateOf(one.sku, one.platform),
  }))
  const { list } = beliefs(groups, target, ({ clicks, count, expected }, centre, shape) => {
    if (clicks === 0) return 0
    const { a, b } = betaDistribution((expected / clicks) * centre, shape)
    return logBetaBinomial(count, clicks, a, b)
  })
  const own = groups.find(({ sku, platform }) => sku === target.sku && platform === target.platform)
  return {
    list,
    appeal: pullOf(target.sku),
    conversion: benchmarks.get(target.platform)?.conversion ?? 0,
    // the product's own results on the platform
    clicks: own?.clicks ?? 0,
    orders: own?.count ?? 0,
  }
}

/** The beta distribution with this mean and, for small means, the spread of a gamma distribution of this shape. */
export function betaDistribution(mean: number, shape: number): { a: number; b: number } {
  const bounded = Math.min(HIGHEST_CONVERSION, Math.max(1e-6, mean))
  return { a: shape, b: (shape * (1 - bounded)) / bounded }
}
