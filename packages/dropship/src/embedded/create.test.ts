/** Shops made, made at once, made by somebody who is killed; and files that are none. */

import { existsSync, readdirSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { copyFile, mkdtemp, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ShopProcess } from '@myrmex/testing/shop/shop-process'
import { smallShop, testFolder } from '@myrmex/testing/shop/test-shops'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { fillWorld } from '../market/world/fill-world.ts'
import { createShop, createShopFile } from './create.ts'
import { openShop } from './open.ts'

const SMALL = { seed: 1, products: 8, listings: 24, history: 14 }
const newFile = async () => join(await mkdtemp(join(await testFolder(), 'made-')), 'shop.db')
const beside = (file: string) => readdirSync(dirname(file)).filter((name) => name !== basename(file))

async function dumpOf(file: string): Promise<string> {
  const shop = await openShop({ file })
  const dump = shop.dump()
  await shop.close()
  return dump
}

test('a shop is made once, whole, in one file, and the same for the same seed', async () => {
  const [one, two, other] = [await newFile(), await newFile(), await newFile()]
  expect(await createShop({ file: one, ...SMALL })).toBe(true)
  expect(beside(one)).toEqual([])
  await createShop({ file: two, ...SMALL })
  await createShop({ file: other, ...SMALL, seed: 2 })
  expect(await dumpOf(two)).toBe(await dumpOf(one))
  expect(await dumpOf(other)).not.toBe(await dumpOf(one))
  expect(beside(one)).toEqual([])
  expect(await createShop({ file: one, ...SMALL, seed: 2 })).toBe(false)
  expect(await dumpOf(one)).toBe(await dumpOf(two))
})

test.skipIf(process.platform === 'win32')('what customers told the shop is readable to its owner only', async () => {
  const file = await newFile()
  await createShop({ file, ...SMALL })
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('what somebody who was killed left behind goes away although another made the shop since', async () => {
  const file = await newFile()
  await createShop({ file, ...SMALL, products: 0, history: 1 })
  writeFileSync(`${file}.making-old`, 'half a shop')
  utimesSync(`${file}.making-old`, 0, 0)
  expect(await createShop({ file, ...SMALL })).toBe(false)
  expect(beside(file)).toEqual([])
})

test('an empty shop sells nothing yet', async () => {
  const file = await newFile()
  await createShop({ file, ...SMALL, products: 0 })
  const shop = await openShop({ file })
  expect(await shop.storefront.products()).toEqual([])
  expect(await shop.orders.orders()).toEqual([])
  expect((await shop.marketplace.listings()).length).toBe(24)
  await shop.close()
})

test('of several processes that make the same file at once one does, and all find a whole shop', async () => {
  const file = await newFile()
  const makers = ['a', 'b'].map((name) => new ShopProcess('create', file, name, SMALL.history))
  await Promise.all(makers.map((maker) => maker.until(/^ready/)))
  for (const maker of makers) maker.go()
  const here = createShop({ file, ...SMALL })
  const said = await Promise.all(makers.map((maker) => maker.until(/^true|^false/)))
  expect([...said, String(await here)].sort()).toEqual(['false', 'false', 'true'])
  await Promise.all(makers.map((maker) => maker.ended()))
  const whole = await newFile()
  await createShop({ file: whole, ...SMALL })
  expect(await dumpOf(file)).toBe(await dumpOf(whole))
  expect(beside(file)).toEqual([])
}, 60_000)

test('who is killed while making a shop leaves none, and what is left of it goes with the next', async () => {
  const file = await newFile()
  const maker = new ShopProcess('create', file, '', 365)
  await maker.until(/^ready/)
  const begun = new Promise<void>((resolve) => {
    const watcher = watch(dirname(file), () => {
      watcher.close()
      resolve()
    })
  })
  maker.go()
  await begun
  maker.kill()
  await maker.ended()
  expect(existsSync(file)).toBe(false)
  const left = beside(file)
  expect(left.length).toBeGreaterThan(0)
  const longAgo = Date.now() / 1000 - 7200
  for (const name of left) utimesSync(join(dirname(file), name), longAgo, longAgo)
  expect(await createShop({ file, ...SMALL })).toBe(true)
  expect(beside(file)).toEqual([])
}, 60_000)

test('a filling that fails leaves nothing', async () => {
  const file = await newFile()
  const failing = createShopFile(file, (db) => {
    db.exec(`INSERT INTO meta VALUES ('today', '2026-11-01')`)
    throw new Error('no more listings')
  })
  await expect(failing).rejects.toThrow('no more listings')
  expect(readdirSync(dirname(file))).toEqual([])
})

test('on a full disk no shop is made, and the owner reads why', async () => {
  const file = await newFile()
  const making = createShopFile(file, (db) => {
    const { page_count } = db.prepare('PRAGMA page_count').get() as { page_count: number }
    db.exec(`PRAGMA max_page_count = ${page_count + 5}`)
    fillWorld(db, SMALL)
  })
  await expect(making).rejects.toMatchObject({
    error_type: 'UnavailableError',
    message: `The shop at ${file} cannot be created: the disk is full.`,
  })
  expect(readdirSync(dirname(file))).toEqual([])
})

test('a shop that can only be read is not opened as if all were well', async () => {
  const file = await newFile()
  await createShop({ file, ...SMALL, products: 0, history: 1 })
  // The byte that says which SQLite may write the file. One of the future may; ours reads it, as it reads a file it has no right to.
  const handle = await open(file, 'r+')
  await handle.write(new Uint8Array([3]), 0, 1, 18)
  await handle.close()
  await expect(openShop({ file })).rejects.toMatchObject({
    error_type: 'UnavailableError',
    message: expect.stringMatching(
      /^The shop at .*shop\.db cannot be used: it is read-only; this user must be allowed/,
    ),
  })
})

test('a shop that somebody writes to just now is opened, and not waited for', async () => {
  const file = await newFile()
  await createShop({ file, ...SMALL, products: 0, history: 1 })
  const writer = new DatabaseSync(file)
  writer.exec('BEGIN IMMEDIATE')
  const shop = await withTimeLimit(4000, () => openShop({ file }))
  expect(shop.db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5000 })
  writer.close()
  await shop.close()
})

test('what is no shop is said to be none, with what to do', async () => {
  const file = await newFile()
  await expect(openShop({ file })).rejects.toMatchObject({ error_type: 'FileNotFoundError' })
  writeFileSync(file, 'Dear diary, today I wrote a file that is no database at all, only words and words and words.')
  await expect(openShop({ file })).rejects.toMatchObject({
    error_type: 'UnavailableError',
    message: /not an SQLite file/,
  })
  const other = await newFile()
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE something (id)')
  db.close()
  await expect(openShop({ file: other })).rejects.toMatchObject({
    error_type: 'ValidationError',
    message: /is not a shop/,
  })
})

test('a shop of a newer Myrmex is refused', async () => {
  const shop = await smallShop()
  const file = await newFile()
  shop.db.exec(`INSERT INTO kysely_migration VALUES ('9999-later', '2030'); PRAGMA wal_checkpoint(TRUNCATE)`)
  await copyFile(shop.db.location() as string, file)
  await shop.close()
  await expect(openShop({ file })).rejects.toMatchObject({ error_type: 'ValidationError', message: /newer Myrmex/ })
})

test('Kysely asks single questions of the file, and begins nothing', async () => {
  const shop = await smallShop()
  const row = await shop.kysely
    .selectFrom('products')
    .select('on_hand')
    .where('sku', '=', 'chair-red')
    .executeTakeFirst()
  expect(row?.on_hand).toBe(50)
  await expect(shop.kysely.transaction().execute(async () => 1)).rejects.toThrow(/must not start a transaction/)
  await shop.close()
})
