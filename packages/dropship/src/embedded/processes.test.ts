/** Several real processes on one file: killed in the middle, writing at once, seeing each other. */

import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { propertyRuns } from '@myrmex/testing/long'
import { beforeEvery, fulfil, place } from '@myrmex/testing/shop/shop-child'
import { ShopProcess } from '@myrmex/testing/shop/shop-process'
import { copyShopFile } from '@myrmex/testing/shop/test-shops'
import { expect, test } from 'vitest'
import { type EmbeddedShop, openShop } from './open.ts'

const AT_ONCE = 3
/** Orders of each of those that write at once. */
const EACH = 6
/** Each is a process to start, half a second of a core's time. */
const KILLS = propertyRuns(3, 20)
/** Statements of one order placed and shipped, with some to spare: those who draw a higher number die after the work. */
const STATEMENTS = 60

const rows = <Row>(shop: EmbeddedShop, sql: string): Row[] => shop.db.prepare(sql).all() as Row[]

/** Each effect with its key, or neither. */
function checkWhole(shop: EmbeddedShop): void {
  const ours = `SELECT order_id FROM orders WHERE email LIKE '%@crash.example'`
  const keyed = (method: string, field: string) =>
    rows<{ id: number }>(
      shop,
      `SELECT CAST(json_extract(result, '$.${field}') AS INTEGER) AS id FROM keys WHERE what LIKE '${method} %' ORDER BY id`,
    )
  expect(keyed('orders.place', 'order_id')).toEqual(rows(shop, `SELECT order_id AS id FROM (${ours}) ORDER BY id`))
  expect(keyed('orders.fulfil', 'order.order_id')).toEqual(
    rows(shop, `SELECT order_id AS id FROM shipments WHERE order_id IN (${ours}) ORDER BY id`),
  )
  const [sum] = rows<{ moved: number; sent: number; told: number }>(
    shop,
    `SELECT -coalesce((SELECT sum(change) FROM stock_moves WHERE why IN (SELECT 'order ' || order_id FROM (${ours}))), 0) AS moved,
      (SELECT count(*) FROM shipments WHERE order_id IN (${ours})) AS sent,
      (SELECT count(*) FROM messages WHERE about IN (SELECT CAST(order_id AS TEXT) FROM (${ours}))) AS told`,
  )
  expect(sum?.moved).toBe(sum?.sent)
  expect(sum?.told).toBe(sum?.sent)
  expect(rows<{ integrity_check: string }>(shop, 'PRAGMA integrity_check')[0]?.integrity_check).toBe('ok')
}

test('wherever it ends between two statements, each effect is there with its key, or neither is', async () => {
  const file = await copyShopFile('young')
  const shop = await openShop({ file })
  const copies = new Map<string, string>()
  let statements = 0
  // A killed process leaves its files as they are at that moment; SQLite rebuilds the shared memory beside them. Most statements
  // change no file, and files with the same bytes are checked once.
  const stop = beforeEvery(() => {
    const hash = createHash('sha256')
      .update(readFileSync(file))
      .update(readFileSync(`${file}-wal`))
      .digest('hex')
    const copy = `${file}-at-${++statements}`
    if (copies.has(hash)) return
    copyFileSync(file, copy)
    copyFileSync(`${file}-wal`, `${copy}-wal`)
    copies.set(hash, copy)
  })
  try {
    const { order_id } = await place(shop, 'once')
    await fulfil(shop, 'once', order_id)
  } finally {
    stop()
  }
  expect(statements).toBeGreaterThan(STATEMENTS / 2)
  expect(statements).toBeLessThan(STATEMENTS)
  const dump = shop.dump()
  const keys = new Set<number>()
  for (const copy of copies.values()) {
    const found = await openShop({ file: copy })
    found.db.exec('PRAGMA synchronous = OFF')
    checkWhole(found)
    keys.add(rows(found, 'SELECT key FROM keys').length)
    const { order_id } = await place(found, 'once')
    await fulfil(found, 'once', order_id)
    expect(found.dump()).toBe(dump)
    await found.close()
  }
  expect(keys).toEqual(new Set([0, 1]))
  await shop.close()
})

test('of processes killed in the middle each effect is there with its key, or neither is', async () => {
  const file = await copyShopFile('young')
  const points = Array.from({ length: KILLS }, () => 1 + Math.floor(Math.random() * STATEMENTS))
  const answered: string[] = []
  for (let from = 0; from < points.length; from += AT_ONCE) {
    const dying = points
      .slice(from, from + AT_ONCE - 1)
      .map((point, at) => new ShopProcess('die', file, `die-${from + at}`, point))
    // Besides those that die of themselves between two statements one is killed from outside, wherever it is.
    const killed = new ShopProcess('sell', file, `kill-${from}`, 1000)
    await killed.until(/^ready/)
    killed.go()
    for (let words = Math.floor(Math.random() * 8); words >= 0; words--) answered.push(await killed.word())
    killed.kill()
    await Promise.all([killed.ended(), ...dying.map((child) => child.until(/^ended|^failed/))])
    for (const child of dying) expect(child.said.join(), `killed at ${points}`).not.toMatch(/failed/)
  }
  const shop = await openShop({ file })
  try {
    checkWhole(shop)
    const keys = new Set(rows<{ key: string }>(shop, 'SELECT key FROM keys').map(({ key }) => key))
    for (const key of answered) expect(keys, `${key} was answered`).toContain(key)
    // Whoever comes again with the same keys has each order once in the end.
    for (const at of points.keys()) {
      const { order_id } = await place(shop, `die-${at}`)
      await fulfil(shop, `die-${at}`, order_id)
    }
    checkWhole(shop)
    const sent = rows(shop, `SELECT s.order_id FROM shipments s JOIN orders USING (order_id) WHERE email LIKE 'die-%'`)
    expect(sent).toHaveLength(points.length)
  } finally {
    await shop.close()
  }
}, 180_000)

test('processes that write at once get along, and each sees that the others wrote', async () => {
  const file = await copyShopFile('young')
  const shop = await openShop({ file })
  const others = ['a', 'b'].map((name) => new ShopProcess('sell', file, name, EACH))
  try {
    await Promise.all(others.map((other) => other.until(/^ready/)))
    const before = shop.revision()
    expect(shop.revision()).toBe(before)
    for (const other of others) other.go()
    await others[0]?.until(/^place/)
    expect(shop.revision()).toBeGreaterThan(before)
    for (let at = 0; at < EACH; at++) await place(shop, `here-${at}`)
    await Promise.all(others.map((other) => other.until(/^done/)))
    expect(rows(shop, `SELECT order_id FROM orders WHERE email LIKE '%@crash.example'`)).toHaveLength(3 * EACH)
    checkWhole(shop)
    expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50 - 2 * EACH, reserved: EACH })
    await Promise.all(others.map((other) => other.ended()))
    const after = shop.revision()
    expect(shop.revision()).toBe(after)
  } finally {
    for (const other of others) other.kill()
    await shop.close()
  }
}, 60_000)

test('a file that somebody else holds is said to be busy, and can be used after', async () => {
  const file = await copyShopFile('young')
  const shop = await openShop({ file })
  const other = new DatabaseSync(file)
  try {
    shop.db.exec('PRAGMA busy_timeout = 20')
    other.exec('BEGIN IMMEDIATE')
    await expect(place(shop, 'x')).rejects.toMatchObject({
      error_type: 'UnavailableError',
      error_details: { retry_after_ms: 1000 },
    })
    // Who only reads is not held up.
    expect(await shop.orders.stock('chair-red')).toMatchObject({ reserved: 0 })
    other.exec('ROLLBACK')
    await expect(place(shop, 'x')).resolves.toMatchObject({ status: 'paid' })
  } finally {
    other.close()
    await shop.close()
  }
})

test('what another has begun and not finished cannot be seen', async () => {
  const file = await copyShopFile('young')
  const shop = await openShop({ file })
  const other = new DatabaseSync(file)
  try {
    other.exec(`BEGIN IMMEDIATE; UPDATE products SET on_hand = 1 WHERE sku = 'chair-red'`)
    expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 50 })
    other.exec('COMMIT')
    expect(await shop.orders.stock('chair-red')).toMatchObject({ on_hand: 1 })
  } finally {
    other.close()
    await shop.close()
  }
})
