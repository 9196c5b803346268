/**
 * The other sellers of a product. Their price drifts towards the market's level and follows an undercutting shop down. Their number grows
 * with demand and with visible advertising. Also the shares by seller that the public sees.
 */

import type { Listing, SellerShare } from '../../ports.ts'
import type { TradedProduct } from '../market.ts'
import { chance, type Dice, diceFor, gamma, normal } from '../random.ts'
import { sellerName } from '../world/catalogue/traders.ts'
import { mood } from './demand.ts'

export type RivalState = Pick<Listing, 'price' | 'sellers'>

export interface ShopMove {
  /** the shop's price, if it sells the product */
  readonly price: number | undefined
  readonly advertised: boolean
}

/** The share of days on which the price changes. */
const REPRICED = 0.3
const UNDERCUT = 0.95
/** Rivals do not go below this share of the usual price, because of their own costs. */
const FLOOR = 0.7

/** `grown` is the product's growth up to the day (see demand.ts). */
export const nextRivalState = (
  seed: number,
  { hash, hidden, rivals: now }: TradedProduct,
  day: number,
  grown: number,
  ours: ShopMove,
): RivalState => {
  const dice = diceFor(seed, day, hash, 'rivals')
  const settles = hidden.anchor * (now.sellers / hidden.crowd) ** -0.12 * mood(seed, hash ^ 0x5bd1e995, day, 0.04)
  const undercut = ours.price !== undefined && ours.price < UNDERCUT * now.price
  const pull = undercut
    ? 0.1 * (Math.max(ours.price ?? 0, FLOOR * hidden.anchor) - now.price)
    : 0.13 * (settles - now.price)
  const moved = Math.max(100, Math.round(now.price + pull + now.price * 0.008 * normal(dice)))
  const price = chance(dice, REPRICED) ? moved : now.price

  const wanted = hidden.crowd * grown ** 0.5
  const entering = 0.01 + (wanted > now.sellers ? 0.05 : 0) + (ours.advertised ? 0.04 : 0)
  const leaving = 0.01 + (wanted < now.sellers ? 0.05 : 0)
  const change = (chance(dice, entering) ? 1 : 0) - (chance(dice, leaving) ? 1 : 0)
  return { price, sellers: Math.min(60, Math.max(1, now.sellers + change)) }
}

/** The sellers of a product in the order they appeared. They stay the same, so each is drawn once and cached. */
interface Roster {
  readonly seed: number
  readonly dice: Dice
  readonly taken: Set<string>
  readonly sellers: { readonly seller: string; readonly strength: number }[]
}
const rosters = new WeakMap<TradedProduct, Roster>()

const sellersOf = (seed: number, traded: TradedProduct): Roster['sellers'] => {
  let roster = rosters.get(traded)
  if (roster?.seed !== seed) {
    roster = { seed, dice: diceFor(seed, 0, traded.hash, 'sellers'), taken: new Set(), sellers: [] }
    rosters.set(traded, roster)
  }
  const { dice, taken, sellers } = roster
  while (sellers.length < traded.rivals.sellers)
    sellers.push({ seller: sellerName(dice, taken), strength: gamma(dice, traded.hidden.evenness, 1) })
  return sellers.slice(0, traded.rivals.sellers)
}

/** Only the largest sellers are shown; small ones have the rest of the market. */
const SHOWN = 10

export const sellerShares = (seed: number, traded: TradedProduct, day: number): Omit<SellerShare, 'product_id'>[] => {
  const dice = diceFor(seed, day, traded.hash, 'shares')
  const standing = sellersOf(seed, traded).map(({ seller, strength }) => ({
    seller,
    strength: strength * Math.exp(0.15 * normal(dice)) + 1e-6,
    price: Math.max(100, Math.round(traded.rivals.price * Math.exp(0.06 * normal(dice)))),
  }))
  const whole = standing.reduce((sum, one) => sum + one.strength, 0)
  return standing
    .map(({ seller, strength, price }) => ({ seller, price, share: Math.round((strength / whole) * 1e4) / 1e4 }))
    .sort((a, b) => b.share - a.share)
    .slice(0, SHOWN)
}
