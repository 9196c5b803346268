/** Days: however they are counted out they are the same, an agent's doings throw nobody else's dice, and neglect has its price. */

import type { DatabaseSync } from 'node:sqlite'
import { dumpOf, marketWorld, rows, smallWorld as small, value } from '@myrmex/testing/shop/market-world'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { describe, expect, test } from 'vitest'
import { addDays } from '../day.ts'
import { refundRate } from './after-sales/refund-rate.ts'
import { simulateDays } from './day.ts'

const today = (db: DatabaseSync): string => String(rows(db, "SELECT value FROM meta WHERE name = 'today'")[0]?.value)

const startCampaign = (
  db: DatabaseSync,
  daily: number,
  id = 'cmp_900',
  sku = 'chair-red',
  platform = 'facebook',
): void => {
  db.prepare(
    "INSERT INTO campaigns SELECT ?, ?, creative_id, sku, ?, ?, ?, 'running', NULL, 0 FROM creatives WHERE sku = ? LIMIT 1",
  ).run(id, platform, daily, today(db), addDays(today(db), 89), sku)
}

describe('the same days', () => {
  test.each([true, false])('come out the same in one go and one by one (operate %s)', async (operate) => {
    const [one, other] = [await small(), await small()]
    const sum = simulateDays(one, 20, { operate })
    const each = Array.from({ length: 20 }, () => simulateDays(other, 1, { operate }))
    expect(dumpOf(other)).toBe(dumpOf(one))
    expect(each.reduce((orders, day) => orders + day.orders, 0)).toBe(sum.orders)
    expect(sum).toMatchObject({ from: '2026-11-01', to: '2026-11-20', days: 20 })
  })

  test('are not changed by a quote that somebody asked for', async () => {
    const [one, other] = [await small(), await small()]
    other.prepare("INSERT INTO quotes VALUES ('q_1', 'sup_99', '123', 1500, '2026-11-01', '2026-11-22', 0)").run()
    other.prepare("INSERT INTO talks VALUES (1, 'sup_99', '123', '2026-11-01', '[]', 'q_1')").run()
    simulateDays(one, 20)
    simulateDays(other, 20)
    expect(dumpOf(other, ['quotes', 'talks'])).toBe(dumpOf(one, ['quotes', 'talks']))
  })

  test('are the same for all other products when one is advertised', async () => {
    const [one, other] = [await small(), await small()]
    startCampaign(other, 2000)
    simulateDays(one, 20, { operate: true })
    simulateDays(other, 20, { operate: true })
    const figures = "SELECT day, sku, channel, visits FROM visits WHERE sku <> 'chair-red' ORDER BY 1, 2, 3"
    expect(rows(other, figures)).toEqual(rows(one, figures))
    const bought = `SELECT o.placed_on, o.email, o.total, o.channel, o.status, o.refunded FROM orders o JOIN order_lines l ON l.order_id = o.order_id
      WHERE l.sku <> 'chair-red' ORDER BY 1, 2`
    expect(rows(other, bought)).toEqual(rows(one, bought))
    const market = "SELECT * FROM listing_days WHERE product_id <> '124' ORDER BY 1, 2"
    expect(rows(other, market)).toEqual(rows(one, market))
    const clicks =
      "SELECT coalesce(sum(visits), 0) FROM visits WHERE sku = 'chair-red' AND channel = 'facebook' AND day >= '2026-11-01'"
    expect(value(one, clicks)).toBe(0)
    expect(value(other, clicks)).toBeGreaterThan(5)
  })
})

test('on a full disk the day is not lived, and it is said that the disk is full', async () => {
  const db = await small()
  const pages = value(db, 'PRAGMA page_count')
  db.exec(`PRAGMA max_page_count = ${pages + 2}`)
  expect(() => simulateDays(db, 60, { operate: true })).toThrow('database or disk is full')
  expect(db.isTransaction).toBe(false)
  const lived = today(db)
  db.exec(`PRAGMA max_page_count = ${pages * 10}`)
  expect(simulateDays(db, 1, { operate: true }).from).toBe(lived)
})

test('a fortnight of 500 products is simulated', async () => {
  const db = await marketWorld({ seed: 1, listings: 720, products: 500, history: 1 })
  // 20 ms a day; the best of three fortnights counts.
  withTimeLimit(14 * 20, () => simulateDays(db, 14, { operate: true }), 3)
  expect(value(db, 'SELECT count(DISTINCT day) FROM visits')).toBeGreaterThan(14)
})

describe('left alone', () => {
  test('orders stay paid and letters open, customers ask, and after thirty days the money goes back', async () => {
    const db = await small()
    const placed = rows<{ order_id: number }>(db, "SELECT order_id FROM orders WHERE status = 'paid'").map(
      ({ order_id }) => order_id,
    )
    expect(placed.length).toBeGreaterThan(0)
    simulateDays(db, 12)
    expect(value(db, "SELECT count(*) FROM replies WHERE made_on >= '2026-11-01'")).toBe(0)
    const asked = `SELECT count(*) FROM tickets t JOIN hidden_tickets h ON h.ticket_id = t.ticket_id
      WHERE h.intent = 'where_is_my_order' AND t.order_id IN (${placed.join()})`
    expect(value(db, asked)).toBeGreaterThan(0)
    simulateDays(db, 20)
    const fate = rows(
      db,
      `SELECT DISTINCT status, total = refunded AS whole FROM orders WHERE order_id IN (${placed.join()})`,
    )
    expect(fate.map(({ status }) => status)).not.toContain('paid')
    for (const { whole } of fate) expect(whole).toBe(1)
  })

  test('a justified complaint becomes a chargeback after two weeks, one that was made good does not', async () => {
    const [neglected, answered] = [await small(), await small()]
    const order_id = value(
      neglected,
      "SELECT min(order_id) FROM orders WHERE status = 'delivered' AND refunded = 0 AND order_id > 900",
    )
    for (const db of [neglected, answered]) {
      db.prepare("INSERT INTO tickets VALUES ('t_9000', ?, 'x@example.com', ?, 'broken', 'it is broken', 'open')").run(
        today(db),
        order_id,
      )
      db.prepare("INSERT INTO hidden_tickets VALUES ('t_9000', 'damaged_item', 'unhappy')").run()
    }
    const actions = JSON.stringify([{ action: 'refund', detail: '' }])
    answered
      .prepare("INSERT INTO replies VALUES ('t_9000', ?, 'damaged_item', 'unhappy', 0.9, 'sorry', ?, 1)")
      .run(today(answered), actions)
    answered.prepare("UPDATE tickets SET status = 'answered' WHERE ticket_id = 't_9000'").run()
    simulateDays(neglected, 16)
    simulateDays(answered, 16)
    const reason = (db: DatabaseSync) => rows(db, 'SELECT day, reason FROM refunds WHERE order_id = ?', order_id)
    expect(reason(neglected)).toEqual([{ day: '2026-11-15', reason: 'chargeback: ticket t_9000 was not answered' }])
    expect(reason(answered)).toEqual([{ day: '2026-11-04', reason: 'refund: ticket t_9000' }])
  })
})

describe('where the shop works', () => {
  test('orders are shipped the next morning, letters answered, parcels arrive', async () => {
    const db = await small()
    simulateDays(db, 40, { operate: true })
    expect(
      value(db, "SELECT count(*) FROM orders WHERE status = 'paid' AND placed_on < ?", addDays(today(db), -1)),
    ).toBe(0)
    expect(
      value(db, "SELECT count(*) FROM tickets WHERE status = 'open' AND opened_on < ?", addDays(today(db), -1)),
    ).toBe(0)
    expect(
      value(db, "SELECT count(*) FROM orders WHERE status = 'delivered' AND placed_on >= '2026-11-01'"),
    ).toBeGreaterThan(10)
    expect(value(db, 'SELECT count(*) FROM products WHERE reserved > on_hand')).toBe(0)
  })

  test('an order is bought from its supplier at most once and shipped at most once', async () => {
    const db = await small()
    simulateDays(db, 30, { operate: true })
    expect(value(db, 'SELECT count(*) - count(DISTINCT order_id) FROM purchases WHERE order_id IS NOT NULL')).toBe(0)
  })
})

describe('ads', () => {
  test('a campaign 50 in the red is stopped and says so', async () => {
    const db = await small()
    // at ten times its price nobody buys a chair
    db.prepare("UPDATE products SET price = price * 10 WHERE sku = 'chair-red'").run()
    startCampaign(db, 2000)
    simulateDays(db, 10, { operate: true })
    const [campaign] = rows(db, "SELECT status, stop_reason, spent FROM campaigns WHERE campaign_id = 'cmp_900'")
    expect(campaign?.status).toBe('stopped')
    expect(campaign?.stop_reason).toMatch(/in the red/)
    expect(campaign?.spent).toBeLessThan(7000)
  })

  test('all campaigns together stay below the account cap', async () => {
    const db = await small()
    for (const at of [1, 2, 3, 4]) startCampaign(db, 2500, `cmp_90${at}`)
    simulateDays(db, 1, { operate: true })
    expect(value(db, "SELECT sum(spend) FROM campaign_days WHERE day = '2026-11-01'")).toBeLessThanOrEqual(5000)
  })

  test('ten times the money brings far less than ten times the clicks', async () => {
    const [little, much] = [await small(), await small()]
    startCampaign(little, 500)
    startCampaign(much, 5000)
    const clicks = (db: DatabaseSync): number => {
      for (let at = 0; at < 20; at++) {
        simulateDays(db, 1, { operate: true })
        // this measures the response, not the stop
        db.prepare("UPDATE campaigns SET status = 'running', stop_reason = NULL WHERE campaign_id = 'cmp_900'").run()
      }
      return value(db, "SELECT sum(clicks) FROM campaign_days WHERE campaign_id = 'cmp_900'")
    }
    const ratio = clicks(much) / clicks(little)
    expect(ratio).toBeGreaterThan(1.5)
    expect(ratio).toBeLessThan(6)
  })
})

describe('too much paid back', () => {
  /** So many delivered orders are paid back today. */
  const payBack = (db: DatabaseSync, orders: number, amount: number): void => {
    const found = "SELECT order_id FROM orders WHERE status = 'delivered' ORDER BY order_id DESC LIMIT ?"
    for (const { order_id } of rows<{ order_id: number }>(db, found, orders))
      db.prepare("INSERT INTO refunds (order_id, day, amount, reason) VALUES (?, '2026-10-31', ?, 'test')").run(
        order_id,
        amount,
      )
  }

  test('pauses sales, and no ads are paid for', async () => {
    const db = await small()
    const { revenue, orders } = refundRate(db, today(db))
    const many = Math.ceil(orders / 4)
    payBack(db, many, Math.round(revenue / orders))
    startCampaign(db, 2000)
    const sum = simulateDays(db, 5, { operate: true })
    expect(sum).toMatchObject({ orders: 0, spend: 0, paused_days: 5 })
    expect(sum.visits).toBeGreaterThan(0)
  })

  test('is not known from one dear parcel', async () => {
    const db = await small()
    const before = refundRate(db, today(db))
    payBack(db, 1, Math.round(before.revenue / 2))
    const after = refundRate(db, today(db))
    expect(after.rate).toBeGreaterThan(0.4)
    expect([after.returned - before.returned, after.paused]).toEqual([1, false])
  })

  test('comes of bad goods, and not of good ones', async () => {
    const [bad, good] = [await small(), await small()]
    bad.exec("UPDATE hidden_offers SET parameters = json_set(parameters, '$.defect', 0.14, '$.late', 0.3)")
    expect(simulateDays(bad, 90, { operate: true }).paused_days).toBeGreaterThan(5)
    expect(simulateDays(good, 90, { operate: true }).paused_days).toBe(0)
  })
})

test('a number of days that is none is refused', async () => {
  const db = await small()
  expect(() => simulateDays(db, -1)).toThrow(/whole number of at least 0, not -1/)
})
