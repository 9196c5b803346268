/** Worlds: the same seed gives the same bytes, the default world has the specification's examples, and its figures are realistic. */

import type { DatabaseSync } from 'node:sqlite'
import { dumpOf, emptyFile, marketWorld, rows, SMALL_WORLD, value } from '@myrmex/testing/shop/market-world'
import { readHiddenWorld } from '@myrmex/testing/shop/oracle'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { median, sampleRankCorrelation } from 'simple-statistics'
import { beforeAll, describe, expect, test } from 'vitest'
import { refundRate } from '../after-sales/refund-rate.ts'
import { fillWorld } from './fill-world.ts'

describe('the default world', () => {
  let db: DatabaseSync
  beforeAll(async () => {
    db = await emptyFile()
    withTimeLimit(3000, () => fillWorld(db, { seed: 1 }))
  })

  test('has a year of history up to yesterday, and today is 2026-11-01', () => {
    expect(rows(db, "SELECT value FROM meta WHERE name = 'today'")).toEqual([{ value: '2026-11-01' }])
    expect(rows(db, 'SELECT min(day) AS a, max(day) AS b FROM visits')).toEqual([{ a: '2025-11-01', b: '2026-10-31' }])
    expect(value(db, "SELECT count(*) FROM listing_days WHERE product_id = '123'")).toBe(365)
  })

  test('sells sixty of some 180 listings in nine categories, and no Coffee', () => {
    expect(value(db, 'SELECT count(*) FROM listings')).toBe(180)
    expect(value(db, 'SELECT count(DISTINCT category) FROM listings')).toBe(9)
    expect(value(db, "SELECT count(DISTINCT niche) FROM listings WHERE category = 'Coffee'")).toBe(3)
    expect(value(db, 'SELECT count(*) FROM products')).toBe(60)
    const coffee =
      "SELECT count(*) FROM products p JOIN listings l ON l.product_id = p.product_id WHERE l.category = 'Coffee'"
    expect(value(db, coffee)).toBe(0)
  })

  test('has what the specification names: chairs, supplier, order, ticket, creative, page', () => {
    expect(rows(db, "SELECT title, niche FROM listings WHERE product_id = '123'")).toEqual([
      { title: 'Comfy Chair', niche: 'Ergonomic Chairs' },
    ])
    expect(value(db, "SELECT count(*) FROM offers WHERE product_id = '123' AND supplier_id = 'sup_99'")).toBe(1)
    expect(value(db, "SELECT rating FROM suppliers WHERE supplier_id = 'sup_99'")).toBeGreaterThanOrEqual(4.5)
    expect(rows(db, "SELECT title, on_hand, reserved FROM products WHERE sku = 'chair-red'")).toEqual([
      { title: 'Red Chair', on_hand: 50, reserved: 0 },
    ])
    expect(rows(db, 'SELECT status FROM orders WHERE order_id = 777')).toEqual([{ status: 'paid' }])
    expect(rows(db, "SELECT status FROM tickets WHERE ticket_id = 't_555'")).toEqual([{ status: 'open' }])
    expect(rows(db, "SELECT sku FROM creatives WHERE creative_id = 'c_1'")).toEqual([{ sku: 'chair-red' }])
    expect(rows(db, "SELECT sku FROM pages WHERE page_id = 'p_1'")).toEqual([{ sku: 'chair-red' }])
    expect(value(db, 'SELECT count(*) FROM orders WHERE order_id = 1042')).toBe(1)
  })

  test('writes plausible listings: chairs are found as chairs, and only dyed materials have all colours', () => {
    const listings = rows<{ title: string; facts: string; keywords: string }>(
      db,
      'SELECT title, facts, keywords FROM listings',
    )
    expect(new Set(listings.map(({ title }) => title)).size).toBe(listings.length)
    const chair = listings.find(({ title }) => title === 'Red Chair')
    expect(JSON.parse(chair?.keywords ?? '[]')).toEqual(expect.arrayContaining(['red chair', 'ergonomic chairs']))
    expect(chair?.keywords).not.toContain('stool')
    for (const { title, facts } of listings) {
      const { material, colour, power } = JSON.parse(facts) as Record<string, string>
      if (material === 'bamboo') expect(colour, title).toMatch(/natural|oiled/)
      if (/Stand$/.test(title)) expect(power, title).toBeUndefined()
    }
  })

  test('shows each listing as it stood on the last day, with its sellers', () => {
    const other = `SELECT count(*) FROM listings l JOIN listing_days d ON d.product_id = l.product_id AND d.day = '2026-10-31'
      WHERE d.price <> l.price OR d.sellers <> l.sellers`
    expect(value(db, other)).toBe(0)
    expect(value(db, 'SELECT count(DISTINCT product_id) FROM seller_shares')).toBe(180)
    expect(
      value(db, 'SELECT max(whole) FROM (SELECT sum(share) AS whole FROM seller_shares GROUP BY product_id)'),
    ).toBeLessThan(1.001)
  })

  test('has stock moves that add up to the stock, and counts that no id passes', () => {
    const sums =
      'SELECT count(*) FROM products p WHERE on_hand <> (SELECT coalesce(sum(change), 0) FROM stock_moves m WHERE m.sku = p.sku)'
    expect(value(db, sums)).toBe(0)
    const last = (name: string): number => value(db, 'SELECT last FROM numbers WHERE name = ?', name)
    expect(last('orders')).toBeGreaterThanOrEqual(value(db, 'SELECT max(order_id) FROM orders'))
    expect(last('tickets')).toBeGreaterThanOrEqual(
      value(db, 'SELECT max(CAST(substr(ticket_id, 3) AS INTEGER)) FROM tickets'),
    )
    expect(last('purchases')).toBe(value(db, 'SELECT count(*) FROM purchases'))
  })

  test('leaves today free: no campaign runs, sales are not paused, a few orders and letters wait', () => {
    expect(value(db, "SELECT count(*) FROM campaigns WHERE status = 'running'")).toBe(0)
    expect(refundRate(db, '2026-11-01').paused).toBe(false)
    expect(value(db, "SELECT count(*) FROM orders WHERE status = 'paid'")).toBeGreaterThan(0)
    expect(value(db, "SELECT min(placed_on) >= '2026-10-30' FROM orders WHERE status = 'paid'")).toBe(1)
  })

  test('never spent more on ads in a day than the account may', () => {
    expect(
      value(db, 'SELECT max(spend) FROM (SELECT sum(spend) AS spend FROM campaign_days GROUP BY day)'),
    ).toBeLessThanOrEqual(5000)
  })

  test('has the figures of a shop: visitors, conversion, refunds, cost of goods', () => {
    const organic =
      "SELECT avg(visits) FROM (SELECT sum(visits) AS visits FROM visits WHERE channel = 'organic' GROUP BY day)"
    expect(value(db, organic)).toBeGreaterThan(60)
    expect(value(db, organic)).toBeLessThan(120)
    const conversion = value(db, 'SELECT count(*) FROM orders') / value(db, 'SELECT sum(visits) FROM visits')
    expect(conversion).toBeGreaterThan(0.01)
    expect(conversion).toBeLessThan(0.05)
    const refunds = value(db, 'SELECT sum(refunded) * 1.0 / sum(total) FROM orders')
    expect(refunds).toBeGreaterThan(0.01)
    expect(refunds).toBeLessThan(0.04)
    const goods = rows<{ share: number }>(db, 'SELECT unit * 1.0 / price AS share FROM products').map(
      ({ share }) => share,
    )
    expect(median(goods)).toBeGreaterThan(0.2)
    expect(median(goods)).toBeLessThan(0.4)
  })

  test('sells more before Christmas than in summer, and more on Mondays than on Saturdays', () => {
    const sold = (where: string): number => value(db, `SELECT count(*) FROM orders WHERE ${where}`)
    expect(sold("placed_on BETWEEN '2025-11-20' AND '2025-12-20'")).toBeGreaterThan(
      1.1 * sold("placed_on BETWEEN '2026-07-01' AND '2026-07-31'"),
    )
    const visits = (weekday: number): number =>
      value(db, "SELECT sum(visits) FROM visits WHERE strftime('%w', day) = ?", String(weekday))
    expect(visits(1)).toBeGreaterThan(1.1 * visits(6))
  })
})

test('the same seed gives the same bytes, another seed another world', async () => {
  const young = { ...SMALL_WORLD, history: 30 }
  const one = dumpOf(await marketWorld({ seed: 5, ...young }))
  expect(dumpOf(await marketWorld({ seed: 5, ...young }))).toBe(one)
  expect(dumpOf(await marketWorld({ seed: 6, ...young }))).not.toBe(one)
})

test('an empty shop has a market and nothing of its own', async () => {
  const db = await marketWorld({ seed: 2, products: 0, listings: 24, history: 30 })
  expect(value(db, 'SELECT count(*) FROM listing_days')).toBe(24 * 30)
  for (const table of ['products', 'pages', 'orders', 'tickets', 'campaigns', 'visits']) {
    expect(value(db, `SELECT count(*) FROM ${table}`), table).toBe(0)
  }
})

test('a small world has the ids of the specification too', async () => {
  const db = await marketWorld({ seed: 3, ...SMALL_WORLD, history: 30 })
  expect(value(db, 'SELECT count(*) FROM products')).toBe(8)
  expect(value(db, "SELECT on_hand FROM products WHERE sku = 'chair-red'")).toBe(50)
  expect(value(db, 'SELECT count(*) FROM orders WHERE order_id IN (777, 1042)')).toBe(2)
  expect(value(db, "SELECT count(*) FROM tickets WHERE ticket_id = 't_555'")).toBe(1)
})

test('what is public says something of what is hidden, and not all', async () => {
  const correlations: Record<'demand' | 'quality' | 'punctual', number[]> = { demand: [], quality: [], punctual: [] }
  for (const seed of [1, 2, 3]) {
    const db = await marketWorld({ seed, products: 0, history: 14 })
    const known = readHiddenWorld(db)
    const units = new Map(
      rows<{ product_id: string; units: number }>(
        db,
        'SELECT product_id, avg(units) AS units FROM listing_days GROUP BY product_id',
      ).map((row) => [row.product_id, row.units]),
    )
    const seen = known.map((one) => units.get(one.product_id) ?? 0)
    correlations.demand.push(
      sampleRankCorrelation(
        seen,
        known.map((one) => one.hidden.demand),
      ),
    )
    const offers = rows<{ rating: number; on_time: number; parameters: string }>(
      db,
      'SELECT s.rating, s.on_time, h.parameters FROM hidden_offers h JOIN suppliers s ON s.supplier_id = h.supplier_id',
    ).map(({ parameters, ...rest }) => ({ ...rest, ...(JSON.parse(parameters) as { defect: number; late: number }) }))
    correlations.quality.push(
      sampleRankCorrelation(
        offers.map((one) => one.rating),
        offers.map((one) => -one.defect),
      ),
    )
    correlations.punctual.push(
      sampleRankCorrelation(
        offers.map((one) => one.on_time),
        offers.map((one) => -one.late),
      ),
    )
  }
  for (const [what, found] of Object.entries(correlations)) {
    expect(median(found), what).toBeGreaterThan(0.7)
    expect(median(found), what).toBeLessThan(0.95)
  }
  expect(median(correlations.demand)).toBeLessThan(0.87)
})

test('the cheapest supplier of a product is worse than the usual one, in defects and in delays', async () => {
  const known = readHiddenWorld(await marketWorld({ seed: 4, products: 0, history: 1 }))
  const cheapest = known.map((one) => [...one.offers].sort((a, b) => a.ask + a.shipping - b.ask - b.shipping)[0])
  const average = (
    offers: readonly ({ defect: number; late: number } | undefined)[],
    name: 'defect' | 'late',
  ): number => offers.reduce((sum, offer) => sum + (offer?.[name] ?? 0), 0) / offers.length
  const every = known.flatMap((one) => one.offers)
  expect(average(cheapest, 'defect')).toBeGreaterThan(1.15 * average(every, 'defect'))
  expect(average(cheapest, 'late')).toBeGreaterThan(1.1 * average(every, 'late'))
})

test.each([
  [{ seed: 1.5 }, /seed must be a whole number, not 1.5/],
  [{ seed: 1, listings: 10 }, /24 to 5000 listings, not 10/],
  [{ seed: 1, listings: 30, products: 25 }, /0 to 21 of 30 listings, not 25/],
  [{ seed: 1, history: 0 }, /1 to 3650 days, not 0/],
])('a world of the wrong size is refused and nothing is written: %o', async (size, message) => {
  const db = await emptyFile()
  expect(() => fillWorld(db, size)).toThrow(message)
  expect(value(db, 'SELECT count(*) FROM meta')).toBe(0)
})
