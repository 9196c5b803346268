/**
 * The appeal of a product: its conversion relative to the shop's average, from its own visitors and, while they are few, from its price
 * and category. Gamma-Poisson; the spread between products is measured in the shop.
 */
import { sum, sums } from '../../../figures.ts'
import type { Evidence, ProductVisits } from './evidence.ts'

export interface Appeal {
  /** of a gamma distribution with the mean shape / rate; 1 is the average of the shop */
  readonly shape: number
  readonly rate: number
}

/** Prior weight against a price slope, in orders. */
const SLOPE_DOUBT = 30
/** Smallest spread between products: they differ by at least 20 %. */
const LEAST_SPREAD = 0.04
/** Spread if too little was sold to measure it: a coefficient of variation of 0.5. */
const USUAL_SPREAD = 0.25
const ENOUGH_ORDERS = 30
/** Prior weight for an average category, in orders. */
const CATEGORY_DOUBT = 15

export function appealByProduct({ productVisits }: Pick<Evidence, 'productVisits'>): (sku: string) => Appeal {
  const { orders, visits } = sums(productVisits, ['orders', 'visits'])
  const average = visits === 0 ? 0 : orders / visits
  const expected = ({ visits }: ProductVisits): number => visits * average
  const level = sum(productVisits, (one) => one.visits * Math.log(one.price)) / (visits || 1)
  const slope = priceSlope(productVisits, expected, level)
  const byPrice = ({ price }: ProductVisits): number => Math.exp(slope * (visits === 0 ? 0 : Math.log(price) - level))
  const categories = Map.groupBy(productVisits, ({ category }) => category)
  const byCategory = new Map(
    [...categories].map(([category, members]) => {
      const should = sum(members, (one) => expected(one) * byPrice(one))
      return [category, (CATEGORY_DOUBT + sum(members, (one) => one.orders)) / (CATEGORY_DOUBT + should)]
    }),
  )
  const before = (one: ProductVisits): number => byPrice(one) * (byCategory.get(one.category) ?? 1)
  const shape = 1 / spreadBetweenProducts(productVisits, (one) => expected(one) * before(one))
  const bySku = new Map(productVisits.map((one) => [one.sku, one]))
  return (sku) => {
    const one = bySku.get(sku)
    if (one === undefined) return { shape, rate: shape }
    return { shape: shape + one.orders, rate: shape / before(one) + expected(one) }
  }
}

/** Change of conversion with the logarithm of the price, weighted by expected orders. */
function priceSlope(
  visited: readonly ProductVisits[],
  expected: (one: ProductVisits) => number,
  level: number,
): number {
  let [above, below] = [0, SLOPE_DOUBT]
  for (const one of visited) {
    const weight = expected(one)
    const far = Math.log(one.price) - level
    above += weight * far * Math.log((one.orders + 1) / (weight + 1))
    below += weight * far * far
  }
  return above / below
}

/** Squared coefficient of variation between products, by moments: the scatter without chance. */
function spreadBetweenProducts(visited: readonly ProductVisits[], should: (one: ProductVisits) => number): number {
  if (sum(visited, ({ orders }) => orders) < ENOUGH_ORDERS) return USUAL_SPREAD
  const scatter = sum(visited, (one) => (one.orders - should(one)) ** 2 - should(one))
  return Math.max(LEAST_SPREAD, scatter / sum(visited, (one) => should(one) ** 2))
}
