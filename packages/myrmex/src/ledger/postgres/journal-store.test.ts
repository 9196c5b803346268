/** Segments as rows: pages stay small, and a segment ends where the next one begins, though it begins while somebody reads. */
import { freshDatabase } from '@myrmex/testing/postgres/fresh-database'
import { beforeEach, expect, test } from 'vitest'
import { groupText } from '../journal/chain.ts'
import { openPostgres, type PostgresDb } from './db.ts'
import { PostgresJournalStore } from './journal-store.ts'

let db: PostgresDb
let store: PostgresJournalStore

beforeEach(async () => {
  db = await openPostgres(await freshDatabase(), () => {})
  store = new PostgresJournalStore(db)
  return () => db.close()
})

const CHAIN = 'c0ffee000000'
const MAC = 'm'.repeat(43)
const segment = (number: number) => ({ chain: CHAIN, started: 1, number })

async function put(from: number, to: number, lines: string): Promise<void> {
  await db.query(
    `INSERT INTO journal_groups (chain, grp, at_byte, mac, lines) SELECT '${CHAIN}', grp, 0, '${MAC}', ?::text
     FROM generate_series(?::bigint, ?::bigint) AS grp`,
    [lines, from, to],
  )
}
const begin = (number: number, first: number) =>
  db.query('INSERT INTO journal_segments (chain, number, started, first_group) VALUES (?, ?, 1, ?)', [
    CHAIN,
    number,
    first,
  ])

const bytesOf = async (number: number, from?: number): Promise<string> => {
  const chunks = await Array.fromAsync(
    store.read(segment(number), from === undefined ? undefined : { group: from, offset: 0 }),
  )
  return Buffer.concat(chunks).toString()
}
const groups = (from: number, to: number, lines: string): string =>
  Array.from({ length: to - from + 1 }, (_, index) => groupText(from + index, lines, MAC)).join('')

test('many groups are read in pages, from any of them on', async () => {
  await begin(1, 1)
  await put(1, 5000, '{"a":"ä"}\n')
  expect(await bytesOf(1)).toBe(groups(1, 5000, '{"a":"ä"}\n'))
  expect(await bytesOf(1, 4711)).toBe(groups(4711, 5000, '{"a":"ä"}\n'))
  expect(await bytesOf(1, 5001)).toBe('')
})

test('large groups are read a few at a time', async () => {
  await begin(1, 1)
  const lines = `${'x'.repeat(300_000)}\n`
  await put(1, 20, lines)
  const chunks = await Array.fromAsync(store.read(segment(1)))
  expect(Buffer.concat(chunks).toString()).toBe(groups(1, 20, lines))
  for (const { length } of chunks) expect(length).toBeLessThan(1_600_000)
})

test('what comes after a gap is read too, so that a check can say what is missing', async () => {
  await begin(1, 1)
  await put(1, 3, 'a\n')
  await put(9000, 9002, 'b\n')
  expect(await bytesOf(1)).toBe(groups(1, 3, 'a\n') + groups(9000, 9002, 'b\n'))
})

test('a segment that begins during a reading is not read as part of the one before it', async () => {
  await begin(1, 1)
  await put(1, 2000, 'a\n')
  const chunks: Buffer[] = []
  for await (const chunk of store.read(segment(1))) {
    if (chunks.length === 0) {
      await put(2001, 2010, 'a\n')
      await begin(2, 2006)
    }
    chunks.push(chunk)
  }
  expect(Buffer.concat(chunks).toString()).toBe(groups(1, 2005, 'a\n'))
  expect(await bytesOf(2)).toBe(groups(2006, 2010, 'a\n'))
  expect(await store.segments()).toEqual([segment(1), segment(2)])
})

test('all groups of a segment are removed, and of no other', async () => {
  await begin(1, 1)
  await begin(2, 11)
  await begin(3, 21)
  await put(1, 30, 'a\n')
  await store.remove(segment(2))
  // Twice is as once: two processes may prune at the same time.
  await store.remove(segment(2))
  expect(await store.segments()).toEqual([segment(1), segment(3)])
  expect(await bytesOf(1)).toBe(groups(1, 10, 'a\n'))
  expect(await bytesOf(2)).toBe('')
  expect(await bytesOf(3)).toBe(groups(21, 30, 'a\n'))
  await store.remove(segment(3))
  expect(await db.query('SELECT max(grp) AS newest FROM journal_groups')).toEqual([{ newest: 10 }])
})
