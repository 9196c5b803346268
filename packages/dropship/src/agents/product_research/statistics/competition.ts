/** Competition among existing sellers: concentration of sales and price movement. */

import { median } from 'simple-statistics'
import { sum } from '../../../figures.ts'
import type { SellerShare } from '../../../ports.ts'
import type { Week } from './season.ts'

/** Herfindahl-Hirschman index: the sum of squared shares in percent, 0 to 10,000. Shares need not add up to 1. */
export function hhiOf(shares: readonly number[]): number {
  const all = sum(shares)
  return all <= 0 ? 0 : sum(shares, (share) => ((share / all) * 100) ** 2)
}

/** Above these the US merger guidelines (2023) call a market moderately or highly concentrated. */
export const CONCENTRATED = { moderately: 1000, highly: 1800 }

/** Each seller's share over several products, weighted by their sales. */
export function sharesOf(sellers: readonly SellerShare[], units: (product_id: string) => number): number[] {
  const total = new Map<string, number>()
  for (const { seller, share, product_id } of sellers)
    total.set(seller, (total.get(seller) ?? 0) + share * units(product_id))
  return [...total.values()]
}

/** Price change of the last eight weeks relative to the eight before, 0.1 for 10 % up; 0 if unknown. */
export function priceMove(weeks: readonly Week[]): number {
  const late = weeks.slice(-8).map(({ price }) => price)
  const early = weeks.slice(-16, -8).map(({ price }) => price)
  return late.length < 4 || early.length < 4 ? 0 : median(late) / median(early) - 1
}
