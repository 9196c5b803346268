/** Simulates a day of the other sellers: they change prices, sell, and publish estimates of it. */
import type { SQLInputValue } from 'node:sqlite'
import type { Day } from '../../day.ts'
import { dayNumber } from '../calendar.ts'
import type { Market, TradedProduct } from '../market.ts'
import { diceFor, negativeBinomial } from '../random.ts'
import { all, insertRows, run } from '../statements.ts'
import { nextRivalState, type ShopMove, sellerShares } from './competition.ts'
import { growth, marketDemand } from './demand.ts'
import type { ShelvedProduct } from './shelf.ts'

/** Columns of rows of listing_days that are not written yet, five per row. */
export type ListingDays = SQLInputValue[]

const UNKNOWN_MOVE: ShopMove = { price: undefined, advertised: false }

/** Each product's seller shares are updated once in this many days. */
export const SHARES_COUNTED_DAYS = 14

/** The evenness of the public estimate of sales around its mean. */
const ESTIMATE_EVENNESS = 8

export const moveRivals = (
  market: Market,
  today: Day,
  shelf: readonly ShelvedProduct[],
  seen: ListingDays,
  show: boolean,
): void => {
  const { seed } = market
  const day = dayNumber(today)
  const ours = ourMoves(market, today, shelf)
  const moved: TradedProduct[] = []
  const counted: TradedProduct[] = []
  for (const one of market.traded) {
    if (one.listed_on > today) continue
    const { product_id, hash, hidden, rivals: before } = one
    const grown = growth(hidden, day)
    const next = nextRivalState(seed, one, day, grown, ours.get(one) ?? UNKNOWN_MOVE)
    one.rivals = next
    one.demand = marketDemand(seed, hash, hidden, day, next.price, grown)
    const units = negativeBinomial(diceFor(seed, day, hash, 'sales'), one.demand * hidden.bias, ESTIMATE_EVENNESS)
    seen.push(product_id, today, units, next.price, next.sellers)
    if (next.price !== before.price || next.sellers !== before.sellers) moved.push(one)
    // The updates of different products fall on different days.
    if ((day + (hash >>> 0)) % SHARES_COUNTED_DAYS === 0) counted.push(one)
  }
  if (!show) return
  showListings(market, moved)
  writeShares(market, counted, day)
}

/** What rivals see of the shop, by product: its price, and whether it advertises. */
const ourMoves = (market: Market, today: Day, shelf: readonly ShelvedProduct[]): Map<TradedProduct, ShopMove> => {
  const running = "SELECT DISTINCT sku FROM campaigns WHERE status = 'running' AND started_on <= ?"
  const advertised = new Set(all<{ sku: string }>(market.db, running, today).map(({ sku }) => sku))
  const moves = new Map<TradedProduct, ShopMove>()
  for (const { sku, traded, price } of shelf) {
    const other = moves.get(traded)
    moves.set(traded, {
      price: Math.min(price, other?.price ?? price),
      advertised: advertised.has(sku) || other?.advertised === true,
    })
  }
  return moves
}

const COLUMNS = 5

/** Writes the rows and empties the list. */
export const writeListingDays = (market: Market, seen: ListingDays): void => {
  insertRows(market.db, 'listing_days', COLUMNS, seen)
  seen.length = 0
}

/** Sorts the rows of several days by product. That is their order in the file, and the fastest to write. */
export const byProduct = (seen: ListingDays): ListingDays => {
  const rows = Array.from({ length: seen.length / COLUMNS }, (_, row) => row * COLUMNS)
  return [...Map.groupBy(rows, (at) => seen[at]).values()].flat().flatMap((at) => seen.slice(at, at + COLUMNS))
}

export const showListings = (market: Market, listings: readonly TradedProduct[]): void => {
  const shown = 'UPDATE listings SET price = ?, sellers = ? WHERE product_id = ?'
  for (const { product_id, rivals } of listings) run(market.db, shown, rivals.price, rivals.sellers, product_id)
}

export const writeShares = (market: Market, listings: readonly TradedProduct[], day: number): void => {
  const values: SQLInputValue[] = []
  const ids = JSON.stringify(listings.map(({ product_id }) => product_id))
  run(market.db, 'DELETE FROM seller_shares WHERE product_id IN (SELECT value FROM json_each(?))', ids)
  for (const one of listings) {
    for (const { seller, price, share } of sellerShares(market.seed, one, day))
      values.push(one.product_id, seller, price, share)
  }
  insertRows(market.db, 'seller_shares', 4, values)
}
