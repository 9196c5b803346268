/**
 * Shrinks published shares: a supplier with three reviews and 100 % on time is not better than one with 900 and 97 %. Each share is
 * drawn towards the mean of all, the more the fewer reviews it has. The strength follows from how much suppliers truly differ (the
 * observed spread minus chance): empirical Bayes with a beta prior.
 */
import { mean as average, sum } from '../../../figures.ts'

export interface Share {
  /** 0 to 1 */
  readonly share: number
  readonly count: number
}

export interface Prior {
  readonly mean: number
  /** the mean counts as much as this many observations */
  readonly weight: number
}

/** With fewer suppliers, or no spread beyond chance, the prior counts as WEIGHT_UNKNOWN reviews. */
const FEWEST = 3
const WEIGHT_UNKNOWN = 50
const LARGEST = 1000

export function priorOf(all: readonly Share[]): Prior {
  const counted = all.filter(({ count }) => count > 0)
  const total = sum(counted, ({ count }) => count)
  if (total === 0)
    return { mean: all.length === 0 ? 0.5 : average(all.map(({ share }) => share)), weight: WEIGHT_UNKNOWN }
  const mean = sum(counted, ({ share, count }) => share * count) / total
  const chance = average(counted.map(({ count }) => (mean * (1 - mean)) / count))
  const spread = average(counted.map(({ share }) => (share - mean) ** 2)) - chance
  if (counted.length < FEWEST || spread <= 0) return { mean, weight: WEIGHT_UNKNOWN }
  return { mean, weight: Math.min(LARGEST, Math.max(1, (mean * (1 - mean)) / spread - 1)) }
}

export const shrink = ({ share, count }: Share, { mean, weight }: Prior): number =>
  (share * count + mean * weight) / (count + weight)
