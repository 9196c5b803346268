/** Logarithms of the gamma function and of likelihoods based on it. */

/** Lanczos (1964): accurate to 14 digits for positive numbers. */
const TERMS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

export function logGamma(x: number): number {
  let series = 0.99999999999980993
  for (const [index, term] of TERMS.entries()) series += term / (x + index)
  const t = x + TERMS.length - 1.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series)
}

/** Of `count` events whose mean is gamma distributed, without the terms that do not depend on mean and shape. */
export const logGammaPoisson = (count: number, mean: number, shape: number): number =>
  logGamma(shape + count) -
  logGamma(shape) +
  shape * Math.log(shape / (shape + mean)) +
  count * Math.log(mean / (shape + mean))

/** Of `hits` in `tries` whose probability is beta distributed, without the terms that do not depend on a and b. */
export const logBetaBinomial = (hits: number, tries: number, a: number, b: number): number =>
  logGamma(a + hits) +
  logGamma(b + tries - hits) -
  logGamma(a + b + tries) -
  logGamma(a) -
  logGamma(b) +
  logGamma(a + b)

/** Weights that sum to 1, from their logarithms. */
export function normaliseLogWeights(logs: readonly number[]): number[] {
  const top = Math.max(...logs)
  const raw = logs.map((log) => Math.exp(log - top))
  const total = raw.reduce((sum, weight) => sum + weight, 0)
  return raw.map((weight) => weight / total)
}
