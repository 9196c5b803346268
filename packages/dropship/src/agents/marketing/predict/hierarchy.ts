/**
 * The factor of a product on a platform relative to the benchmark, learnt from all campaigns: each product's factor is spread around
 * that of its category, which is spread around that of the platform. With few data a product is taken as average; with many, its
 * own data decide. The uncertainty of the spread itself is carried on a grid.
 */
import { softmax } from '../../../figures.ts'

/** The results of one product on one platform. */
export interface Group {
  readonly sku: string
  readonly category: string
  readonly platform: string
  /** observed count, and the count that the benchmark predicts */
  readonly count: number
  readonly expected: number
  readonly clicks: number
}

/** Possible coefficients of variation between products, equally likely a priori. */
export const SPREADS = [0.12, 0.2, 0.35, 0.5, 0.7] as const
/** Possible factors of a platform with their log priors: near 1, because the benchmark is public. */
const LEVELS = [-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6].map((log) => ({
  factor: Math.exp(log),
  prior: -0.5 * (log / 0.3) ** 2,
}))

export interface Belief {
  readonly shape: number
  /** centre of the product's factor */
  readonly centre: number
  readonly weight: number
}

/** Likelihood of a group, given the centre and the shape of the spread. */
export type LogLikelihood = (group: Group, centre: number, shape: number) => number

/** Beliefs about a product on a platform before its own campaigns there. The weights sum to 1. */
export function beliefs(
  groups: readonly Group[],
  target: Pick<Group, 'sku' | 'category' | 'platform'>,
  likelihood: LogLikelihood,
): { readonly list: readonly Belief[]; readonly evidence: number } {
  const others = groups.filter(({ sku, platform }) => sku !== target.sku || platform !== target.platform)
  const own = groups.filter(({ sku, platform }) => sku === target.sku && platform === target.platform)
  const platforms = Map.groupBy(others, ({ platform }) => platform)
  const points = SPREADS.flatMap((spread) => {
    const shape = 1 / spread ** 2
    const elsewhere = [...platforms]
      .filter(([platform]) => platform !== target.platform)
      .reduce((total, [, members]) => total + logMean(LEVELS.map(levelLog(members, shape, likelihood))), 0)
    const members = platforms.get(target.platform) ?? []
    return LEVELS.map((level) => {
      const centre = categoryCentre(members, target.category, level.factor, shape)
      const mine = own.reduce((total, group) => total + likelihood(group, centre, shape), 0)
      return { shape, centre, log: elsewhere + levelLog(members, shape, likelihood)(level) + mine }
    })
  })
  const weights = softmax(points.map(({ log }) => log))
  return {
    list: points.map(({ shape, centre }, index) => ({ shape, centre, weight: weights[index] ?? 0 })),
    evidence: logMean(points.map(({ log }) => log)),
  }
}

const levelLog =
  (members: readonly Group[], shape: number, likelihood: LogLikelihood) =>
  ({ factor, prior }: (typeof LEVELS)[number]): number =>
    members.reduce((total, group) => total + likelihood(group, factor, shape), prior)

/** The category's factor: the mean of its members weighted by their reliability, shrunk towards the platform's factor. */
function categoryCentre(members: readonly Group[], category: string, level: number, shape: number): number {
  let [above, below] = [shape, shape]
  for (const group of members) {
    if (group.category !== category || group.expected === 0) continue
    const should = group.expected * level
    const trust = 1 / (1 / shape + 1 / should)
    above += trust * (group.count / should)
    below += trust
  }
  return (level * above) / below
}

function logMean(logs: readonly number[]): number {
  const top = Math.max(...logs)
  return top + Math.log(logs.reduce((total, log) => total + Math.exp(log - top), 0) / logs.length)
}
