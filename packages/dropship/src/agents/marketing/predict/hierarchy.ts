/**
 * How a product does on a platform beside what its benchmark says, learnt from all campaigns: each product has a factor of its own,
 * spread around that of its category, which is spread around that of the platform. Few data of its own and it is taken for an
 * average one; many, and only they count. What is unknown about the spread itself is carried along on a grid.
 */
import { normaliseLogWeights } from './log-likelihood.ts'

/** What one product has shown on one platform. */
export interface Group {
  readonly sku: string
  readonly category: string
  readonly platform: string
  /** what happened, and what the benchmark lets expect */
  readonly count: number
  readonly expected: number
}

/** Coefficients of variation between products that are thought possible, and how likely before anything was seen. */
export const SPREADS = [0.12, 0.2, 0.35, 0.5, 0.7] as const
/** Factors of a whole platform, and how likely: near 1, since the benchmark is public and honest. */
const LEVELS = [-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6].map((log) => ({
  factor: Math.exp(log),
  prior: -0.5 * (log / 0.3) ** 2,
}))

export interface Belief {
  readonly shape: number
  /** where the product's factor is centred */
  readonly centre: number
  readonly weight: number
}

/** Likelihood of a group, given the centre and the shape of the spread. */
export type LogLikelihood = (group: Group, centre: number, shape: number) => number

/** What to believe of a product on a platform before its own campaigns there, with weights that sum to 1 over the returned list. */
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
  const weights = normaliseLogWeights(points.map(({ log }) => log))
  return {
    list: points.map(({ shape, centre }, index) => ({ shape, centre, weight: weights[index] ?? 0 })),
    evidence: logMean(points.map(({ log }) => log)),
  }
}

const levelLog =
  (members: readonly Group[], shape: number, likelihood: LogLikelihood) =>
  ({ factor, prior }: (typeof LEVELS)[number]): number =>
    members.reduce((total, group) => total + likelihood(group, factor, shape), prior)

/** The category's factor: the mean of its members, each as far as it can be trusted, drawn to the platform's. */
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
