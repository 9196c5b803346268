/** How hard it is to stand beside those who sell already: how many they are, how sales are shared, and whether they undercut. */
import { median } from 'simple-statistics'
import type { SellerShare } from '../../../ports.ts'
import type { Week } from './season.ts'

/** Herfindahl and Hirschman: the sum of squared shares, 0 to 10,000. Shares need not add up to 1. */
export function hhiOf(shares: readonly number[]): number {
  const all = shares.reduce((sum, share) => sum + share, 0)
  return all <= 0 ? 0 : shares.reduce((sum, share) => sum + ((share / all) * 100) ** 2, 0)
}

/** The limits above which the merger guidelines of the US agencies (2023) call a market concentrated. */
export const CONCENTRATED = { moderately: 1000, highly: 1800 }

/** Shares of each seller over several products, each weighted by its sales. */
export function sharesOf(sellers: readonly SellerShare[], units: (product_id: string) => number): number[] {
  const total = new Map<string, number>()
  for (const { seller, share, product_id } of sellers)
    total.set(seller, (total.get(seller) ?? 0) + share * units(product_id))
  return [...total.values()]
}

/** What the price did over the last eight weeks against the eight before, 0.1 for ten per cent up; 0 where that is not known. */
export function priceMove(weeks: readonly Week[]): number {
  const late = weeks.slice(-8).map(({ price }) => price)
  const early = weeks.slice(-16, -8).map(({ price }) => price)
  return late.length < 4 || early.length < 4 ? 0 : median(late) / median(early) - 1
}
