/**
 * Shoppers who come without ads. A shop with many products draws 50 to 130 visitors a day; a small shop draws fewer. They spread
 * over the products by attraction, and the product's pull decides how many of them buy.
 */
import type { SQLInputValue } from 'node:sqlite'
import { dayNumber, weekdayOf } from '../calendar.ts'
import type { Market } from '../market.ts'
import { binomial, diceFor, hashText, negativeBinomial } from '../random.ts'
import { addVisits } from '../statements.ts'
import { mood, shopSeason } from './demand.ts'
import { placeOrders } from './place-orders.ts'
import type { ProductOnSale } from './shelf.ts'

/** Visitors a day for a shop with everything, before week and season. */
const WHOLE_CROWD = 120
/** The total attraction that draws half of them. */
const HALF_CROWD = 25
const WEEK = [1.08, 1.03, 1, 0.98, 0.94, 0.9, 1.07]
const SHOP_MOOD = hashText('the shop')

/** Direct visitors are past customers and people who heard of the shop: fewer, and more likely to buy. */
const CHANNELS = [
  { channel: 'organic', visitors: 1, buys: 0.031 },
  { channel: 'direct', visitors: 0.12, buys: 0.047 },
] as const
/** The highest possible conversion of a visit. */
export const MAX_CONVERSION = 0.15

export const expectedVisitors = (seed: number, day: number, attraction: number): number =>
  ((WHOLE_CROWD * attraction) / (HALF_CROWD + attraction)) *
  shopSeason(day) *
  (WEEK[weekdayOf(day)] ?? 1) *
  mood(seed, SHOP_MOOD, day, 0.05)

export const simulateShoppers = (
  market: Market,
  today: string,
  products: readonly ProductOnSale[],
  paused: boolean,
) => {
  const day = dayNumber(today)
  const whole = products.reduce((sum, product) => sum + product.attraction, 0)
  const visitors = expectedVisitors(market.seed, day, whole)
  const sum = { visits: 0, orders: 0, revenue: 0 }
  const counted: SQLInputValue[] = []
  for (const product of products) {
    for (const { channel, visitors: share, buys } of CHANNELS) {
      const dice = diceFor(market.seed, day, product.sku, channel)
      const visits = negativeBinomial(dice, (visitors * share * product.attraction) / whole, 10)
      if (visits === 0) continue
      const count = paused ? 0 : binomial(dice, visits, Math.min(MAX_CONVERSION, buys * product.pull))
      counted.push(today, product.sku, channel, visits)
      sum.visits += visits
      sum.orders += count
      sum.revenue += placeOrders(market, today, product, channel, count, '')
    }
  }
  addVisits(market.db, counted)
  return sum
}
