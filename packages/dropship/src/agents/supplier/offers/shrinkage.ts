/**
 * What a published share is worth: a supplier with three reviews and 100 % on time is not better than one with 900 and 97 %. Each
 * is drawn towards the mean of all, the more the fewer reviews stand behind it. How much follows from how far suppliers truly
 * differ (the spread there is, less what chance alone would give): empirical Bayes with a beta prior.
 */

export interface Share {
  /** 0 to 1 */
  readonly share: number
  readonly count: number
}

export interface Prior {
  readonly mean: number
  /** as many observations as the mean of all is worth */
  readonly weight: number
}

/** With fewer than this many to compare, or no spread beyond chance, the prior is worth this many reviews. */
const FEWEST = 3
const WEIGHT_UNKNOWN = 50
const LARGEST = 1000

export function priorOf(all: readonly Share[]): Prior {
  const counted = all.filter(({ count }) => count > 0)
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return { mean: average(all.map(({ share }) => share)), weight: WEIGHT_UNKNOWN }
  const mean = counted.reduce((sum, { share, count }) => sum + share * count, 0) / total
  const chance = average(counted.map(({ count }) => (mean * (1 - mean)) / count))
  const spread = average(counted.map(({ share }) => (share - mean) ** 2)) - chance
  if (counted.length < FEWEST || spread <= 0) return { mean, weight: WEIGHT_UNKNOWN }
  return { mean, weight: Math.min(LARGEST, Math.max(1, (mean * (1 - mean)) / spread - 1)) }
}

export const shrink = ({ share, count }: Share, { mean, weight }: Prior): number =>
  (share * count + mean * weight) / (count + weight)

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0.5 : values.reduce((sum, value) => sum + value, 0) / values.length
