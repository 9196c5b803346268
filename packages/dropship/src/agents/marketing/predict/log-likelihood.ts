/** Logarithms of likelihoods that are based on the gamma function. */
import { gammaln } from 'simple-statistics'

/** Of `count` events whose mean is gamma distributed, without the terms that do not depend on mean and shape. */
export const logGammaPoisson = (count: number, mean: number, shape: number): number =>
  gammaln(shape + count) -
  gammaln(shape) +
  shape * Math.log(shape / (shape + mean)) +
  count * Math.log(mean / (shape + mean))

/** Of `hits` in `tries` whose probability is beta distributed, without the terms that do not depend on a and b. */
export const logBetaBinomial = (hits: number, tries: number, a: number, b: number): number =>
  gammaln(a + hits) + gammaln(b + tries - hits) - gammaln(a + b + tries) - gammaln(a) - gammaln(b) + gammaln(a + b)
