import { expect, test } from 'vitest'
import type { Offer, Supplier } from '../../../ports.ts'
import { type PriceLimit, parityPrice, priceLimit, spreadOf, targetPrice } from '../negotiation/price-limits.ts'
import { landedCost, priorsOf } from './landed-cost.ts'
import { breakEven, netOfSale, waitingShare } from './sale.ts'
import type { WeighedOffer } from './weigh-offers.ts'

const by = (supplier_id: string, changes: Partial<Supplier> = {}): Supplier => ({
  supplier_id,
  name: supplier_id,
  country: 'PL',
  rating: 4.7,
  reviews: 1_000_000,
  on_time: 0.9,
  ...changes,
})
const offer = (supplier: Supplier, changes: Partial<Offer> = {}): Offer => ({
  supplier,
  product_id: '1',
  unit: 1000,
  shipping: 200,
  lead_days: 5,
  stock: 9,
  ...changes,
})
const PRICE = 4000

test('landed cost is unit, shipping and what must be expected of broken and late pieces', () => {
  const supplier = by('a')
  const landed = landedCost(offer(supplier), PRICE, priorsOf([supplier]))
  // by hand: 4.7 stars are 1 % broken, a tenth is late and one of ten of those is refunded: 4000 · (0.01 + 0.01) = 80
  expect(landed.defects).toBeCloseTo(0.01, 4)
  expect(landed.late).toBeCloseTo(0.1, 4)
  expect(landed.risk).toBe(80)
  expect(landed.landed).toBe(1280)
  expect(landed.reliability).toBeCloseTo(0.99 * 0.9, 4)
})

test('few reviews make a supplier look like the others', () => {
  const others = ['b', 'c', 'd'].map((id) => by(id, { rating: 4, on_time: 0.8 }))
  const praised = by('a', { rating: 5, on_time: 1, reviews: 2 })
  const { late, defects } = landedCost(offer(praised), PRICE, priorsOf([praised, ...others]))
  expect(late).toBeGreaterThan(0.15)
  expect(defects).toBeGreaterThan(0.025)
})

test('a price that covers a cost leaves nothing and loses nothing', () => {
  expect(netOfSale(breakEven(1000))).toBeGreaterThanOrEqual(1000)
  expect(netOfSale(breakEven(1000) - 1)).toBeLessThan(1000)
})

const weighed = (id: string, unit: number, changes: Partial<Offer> = {}): WeighedOffer => {
  const supplier = by(id)
  const landed = landedCost(offer(supplier, { unit, ...changes }), PRICE, priorsOf([supplier]))
  const margin = Math.round(netOfSale(PRICE) - landed.landed)
  return { ...landed, quote: undefined, list: unit, margin, worth: margin * waitingShare(landed.lead_days) }
}

test('parity is the unit price at which two suppliers bring the same', () => {
  const [dear, cheap] = [weighed('dear', 1200), weighed('cheap', 1000, { shipping: 250 })]
  // same risk and lead: 1000 + 250 - 200
  expect(parityPrice(dear, [dear, cheap], PRICE)).toBe(1050)
  expect(parityPrice(dear, [dear], PRICE)).toBeUndefined()
  const slow = weighed('slow', 1000, { lead_days: 25 })
  expect(parityPrice(dear, [dear, slow], PRICE) ?? 0).toBeGreaterThan(1200)
})

test.each<[string, WeighedOffer, WeighedOffer[], number, PriceLimit]>([
  [
    'the list price',
    weighed('a', 1000),
    [weighed('b', 1100)],
    PRICE,
    { price: 1000, because: 'that is the published price' },
  ],
  [
    'the other supplier',
    weighed('a', 1000),
    [weighed('b', 900)],
    PRICE,
    { price: 900, because: 'another supplier is better above that' },
  ],
  [
    'the margin',
    weighed('a', 1000),
    [],
    1000,
    { price: 661, because: 'nothing is earned at the market price above that' },
  ],
])('the limit is set by %s', (_what, own, others, price, limit) => {
  expect(priceLimit(own, [own, ...others], price)).toEqual(limit)
})

test('the target lies two spreads below the offers, within bounds', () => {
  const all = [weighed('a', 1000), weighed('b', 1100), weighed('c', 1200), weighed('d', 1050)]
  // by hand: median 1075, deviations 75 25 125 25, their median 50, times 1.4826 over 1075
  const spread = (50 * 1.4826) / 1075
  expect(spreadOf(all.map((one) => one.list))).toBeCloseTo(spread, 10)
  const [first] = all as [WeighedOffer]
  expect(targetPrice(first, all, PRICE)).toBe(Math.round(1000 * (1 - 2 * spread)))
  const wild = [weighed('a', 1000), weighed('b', 5000), weighed('c', 300)]
  expect(targetPrice(wild[0] as WeighedOffer, wild, PRICE)).toBe(650)
})
