/**
 * Fills the migrated, empty file of a shop with a world and its history. The same seed and sizes give the same bytes. The default world
 * has everything that the specification's examples name: listing 123, supplier sup_99, order 777, ticket t_555, fifty red chairs in stock.
 */
import type { DatabaseSync } from 'node:sqlite'
import { addDays, type Day } from '../../day.ts'
import { writeTicket } from '../after-sales/letters/write-letter.ts'
import { dayNumber, dayText } from '../calendar.ts'
import { emptySummary, simulateDay } from '../day.ts'
import { type Market, readMarket } from '../market.ts'
import { diceFor } from '../random.ts'
import { drawCustomer } from '../sales/customers.ts'
import { updateReserved, writeOrder } from '../sales/place-orders.ts'
import {
  byProduct,
  type ListingDays,
  SHARES_COUNTED_DAYS,
  showListings,
  writeListingDays,
  writeShares,
} from '../sales/rivals.ts'
import { SHELF_DAYS, shipOrders, writePurchase } from '../staff/staff.ts'
import { all, allArrays, EXAMPLE_ORDER, EXAMPLE_TICKET, first, insert, inTransaction, run } from '../statements.ts'
import {
  type DrawnListing,
  type DrawnOffer,
  type DrawnSupplier,
  drawListings,
  drawOffers,
  drawSuppliers,
} from './draw-world.ts'
import { saveHiddenOffer, saveHiddenProduct } from './hidden-parameters.ts'
import { POLICIES } from './policies.ts'
import { CHAIR_SKU, type SoldProduct, setUpShop } from './set-up-shop.ts'

export interface WorldOptions {
  readonly seed: number
  /** products that the shop sells; 0 for an empty shop */
  readonly products?: number
  /** products that the market trades */
  readonly listings?: number
  /** recorded days before today */
  readonly history?: number
  readonly today?: Day
}

/** The smallest world with the listings that the specification's examples name. */
const MIN_LISTINGS = 24
const MAX_LISTINGS = 5000
/** Rows are collected up to this many values and written in key order, which is far faster than in the order of days. */
const MAX_COLLECTED = 500_000

export const fillWorld = (db: DatabaseSync, size: WorldOptions): void => {
  const { seed, products = 60, listings = 180, history = 365, today = '2026-11-01' } = size
  checkSize(seed, products, listings, history)
  const since = dayNumber(today) - history
  inTransaction(db, () => {
    writeMeta(db, seed, dayText(since), products)
    const drawn = drawListings(seed, listings, since)
    const suppliers = drawSuppliers(seed, listings)
    const offers = drawOffers(seed, drawn, suppliers)
    writeWorld(db, drawn, suppliers, offers)
    const sold = products === 0 ? [] : setUpShop(db, { seed, since, history }, drawn, offers, suppliers, products)
    // The shop took orders before its recorded history begins.
    insert(db, 'numbers', { name: 'orders', last: history >= 300 ? 300 : 1030 })
    const market = readMarket(db)
    const sum = emptySummary(dayText(since))
    let seen: ListingDays = []
    for (let at = 0; at < history; at++) {
      simulateDay(market, sum, seen, { operate: true, show: at >= history - SHARES_COUNTED_DAYS })
      if (seen.length < MAX_COLLECTED && at < history - 1) continue
      writeListingDays(market, byProduct(seen))
      seen = []
    }
    showRivals(market, dayNumber(today) - 1)
    if (sold.length > 0) writeExampleRecords(market, today, sold)
  })
}

/** Publishes the current prices and shares of all sellers. */
const showRivals = (market: Market, day: number): void => {
  const { db } = market
  const counted = new Set(
    allArrays<[string]>(db, 'SELECT DISTINCT product_id FROM seller_shares').map(([product_id]) => product_id),
  )
  showListings(market, market.traded)
  writeShares(
    market,
    market.traded.filter(({ product_id }) => !counted.has(product_id)),
    day,
  )
}

const checkSize = (seed: number, products: number, listings: number, history: number): void => {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`A seed must be a whole number, not ${seed}.`)
  if (!Number.isInteger(listings) || listings < MIN_LISTINGS || listings > MAX_LISTINGS)
    throw new RangeError(`A world has ${MIN_LISTINGS} to ${MAX_LISTINGS} listings, not ${listings}.`)
  if (!Number.isInteger(products) || products < 0 || products > listings * 0.7)
    throw new RangeError(`A shop sells 0 to ${Math.floor(listings * 0.7)} of ${listings} listings, not ${products}.`)
  if (!Number.isInteger(history) || history < 1 || history > 3650)
    throw new RangeError(`A history has 1 to 3650 days, not ${history}.`)
}

const writeMeta = (db: DatabaseSync, seed: number, since: Day, products: number): void => {
  const meta: Record<string, string> = {
    seed: String(seed),
    today: since,
    since,
    currency: 'EUR',
    ads_daily_cap: '5000',
    pause_sales_above: '0.05',
    name: products === 0 ? 'New Shop' : 'Formica Home',
  }
  for (const [name, value] of Object.entries(meta)) insert(db, 'meta', { name, value })
  for (const policy of POLICIES) insert(db, 'policies', { ...policy, figures: JSON.stringify(policy.figures) })
}

const writeWorld = (
  db: DatabaseSync,
  listings: readonly DrawnListing[],
  suppliers: readonly DrawnSupplier[],
  offers: readonly DrawnOffer[],
): void => {
  for (const { niche, facts, keywords, hidden, cost: _, ...listing } of listings) {
    const texts = { facts: JSON.stringify(facts), keywords: JSON.stringify(keywords) }
    insert(db, 'listings', { ...listing, category: niche.category, niche: niche.niche, ...texts })
    saveHiddenProduct(db, listing.product_id, hidden)
  }
  for (const { origin, quality: _, ...supplier } of suppliers)
    insert(db, 'suppliers', { ...supplier, country: origin.country })
  for (const drawn of offers) {
    const { hidden: _, ...offer } = drawn
    insert(db, 'offers', offer)
    saveHiddenOffer(db, drawn)
  }
}

/** The records that the specification's examples name: an order to ship, an angry ticket, fifty red chairs. */
const writeExampleRecords = (market: Market, today: Day, sold: readonly SoldProduct[]): void => {
  const { db, seed } = market
  const yesterday = dayText(dayNumber(today) - 1)
  shipOrders(market, yesterday, CHAIR_SKU)
  const chairs = first<{ on_hand: number }>(db, 'SELECT on_hand FROM products WHERE sku = ?', CHAIR_SKU)?.on_hand ?? 0
  const chair = sold.find(({ sku }) => sku === CHAIR_SKU)
  if (chair !== undefined && chairs !== 50) topUpChairs(market, yesterday, chair, 50 - chairs)

  const one = orderable(market, sold)
  const { email, address } = drawCustomer(diceFor(seed, 0, EXAMPLE_ORDER, 'customer'))
  const { sku, listing, price, offer } = one
  const head = { order_id: EXAMPLE_ORDER, today: yesterday, email, address, channel: 'direct', total: price }
  writeOrder(market.db, head, [{ sku, title: listing.title, price, quantity: 1, cost: offer.unit + offer.shipping }])
  updateReserved(db)
  writeAngryLetter(market, yesterday)
  run(db, "UPDATE numbers SET last = max(last, ?) WHERE name = 'tickets'", EXAMPLE_TICKET)
}

const topUpChairs = (market: Market, day: Day, { offer }: SoldProduct, change: number): void => {
  const { db } = market
  if (change > 0) {
    const placed_on = addDays(day, -offer.lead_days)
    writePurchase(db, placed_on, { ...offer, sku: CHAIR_SKU, quantity: change }, null, 'arrived')
  }
  const why = change > 0 ? 'delivery for the new season' : 'stock taking'
  insert(db, 'stock_moves', { sku: CHAIR_SKU, day, change, why })
  run(db, 'UPDATE products SET on_hand = on_hand + ? WHERE sku = ?', change, CHAIR_SKU)
}

/** A product that its supplier has in stock and that is cheap enough to buy without the owner's approval. */
const orderable = (market: Market, sold: readonly SoldProduct[]): SoldProduct => {
  const others = sold.filter(({ sku, offer }) => sku !== CHAIR_SKU && offer.unit + offer.shipping < 10_000)
  const found = others.find(({ offer }) => {
    const row = first<{ stock: number }>(
      market.db,
      'SELECT stock FROM offers WHERE supplier_id = ? AND product_id = ?',
      offer.supplier_id,
      offer.product_id,
    )
    return (row?.stock ?? 0) > 10
  })
  const one = found ?? others[0] ?? sold[0]
  if (one === undefined) throw new Error('The shop sells nothing that could be ordered.')
  return one
}

const writeAngryLetter = (market: Market, day: Day): void => {
  const late = all<{ order_id: number; email: string; name: string; title: string; placed_on: string }>(
    market.db,
    `SELECT o.order_id, o.email, o.name, l.title, o.placed_on FROM orders o
     JOIN order_lines l ON l.order_id = o.order_id AND l.line = 1 JOIN shipments s ON s.order_id = o.order_id
     WHERE s.delivered_on IS NULL AND s.shipped_on <= ? ORDER BY s.arrives_on, o.order_id LIMIT 1`,
    dayText(dayNumber(day) - SHELF_DAYS),
  )[0]
  const days = late === undefined ? 3 : dayNumber(day) - dayNumber(late.placed_on)
  const { order_id, email, name, title } = late ?? { order_id: undefined, ...strangerOf(market) }
  const about = {
    intent: 'where_is_my_order',
    sentiment: 'angry',
    days,
    email,
    name,
    order_id,
    product: title,
  } as const
  writeTicket(market, day, `t_${EXAMPLE_TICKET}`, about)
}

const strangerOf = (market: Market): { email: string; name: string; title: string } => {
  const { email, address } = drawCustomer(diceFor(market.seed, 0, EXAMPLE_TICKET, 'customer'))
  return { email, name: address.name, title: 'Red Chair' }
}
