/**
 * Files and databases that are not what they seem. They must neither hide something from verification nor make it wait or use up memory.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: puts a named pipe, a folder, a file of a terabyte or bytes that are not UTF-8 in the place of a segment.
 * Stopped by: segments are opened without waiting, must be regular files, and are read within limits; the first bad one is reported.
 *
 * Attack: puts triggers, views or misleading indexes into the database, or locks it so that the mark cannot move.
 * Stopped by: a server does not start on a foreign schema; `audit verify` reports it; calls are refused while the mark cannot move.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder } from '@myrmex/testing/ledger/journal-fixture'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { longTest } from '@myrmex/testing/long'
import { beforeEach, describe, expect, test } from 'vitest'

let store: Store
let folder: LedgerFolder
const DEFINITION = { tool: 'shop.refund', version: '1.0.0', hash: 'a' }

beforeEach(async () => {
  store = await freshStore('sqlite')
  folder = new LedgerFolder(store.folder)
  const ledger = await store.open()
  await recordLine(ledger, auditLine('sold \ufffd'))
  await recordLine(ledger, auditLine('refunded', { tool: 'shop.refund' }))
  await ledger.grants.give(DEFINITION, 'olga')
  await ledger.index.update()
  await ledger.close()
  return () => store.remove()
})

const segment = (): string => folder.segments()[0] ?? ''
const foundOut = async (): Promise<string> => (await folder.verify()).defect?.message ?? 'nothing'
const inTable = (statement: string): void => {
  const database = new DatabaseSync(folder.address)
  database.exec(statement)
  database.close()
}

describe('in place of a segment', () => {
  test('a named pipe does not make verification or a server wait', async () => {
    rmSync(segment())
    const path = join(folder.path, 'ledger.journal', '20260101T000000000Z-abcabcabcabc-0001.jsonl')
    execFileSync('mkfifo', [path])
    await expect(folder.verify()).rejects.toThrow(/abcabcabcabc-0001.jsonl: it is not a file/)
    rmSync(path)
  })

  test('a folder is reported', async () => {
    const path = segment()
    rmSync(path)
    mkdirSync(path)
    await expect(folder.verify()).rejects.toThrow(/it is not a file/)
    await expect(store.open()).rejects.toThrow(/it is not a file/)
  })

  longTest('a file of a terabyte takes neither time nor memory', async () => {
    const other = segment().replace(/-\w{12}-/, '-abcabcabcabc-')
    writeFileSync(other, '')
    truncateSync(other, 1024 ** 4)
    const ledger = await store.open()
    const [before] = [process.memoryUsage().rss]
    expect(await ledger.journal.store.end({ chain: 'abcabcabcabc', started: startOf(other), number: 1 })).toEqual({
      group: 0,
      offset: 0,
    })
    await ledger.close()
    expect(await foundOut()).toMatch(/^the last line of group 1 of segment \S+ was altered$/)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  const startOf = (path: string): number => {
    const [, year, month, day, hour, minute, second, ms] =
      /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(path) ?? []
    return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  }

  test('bytes that are not UTF-8 are found, also where their text has the same hash', async () => {
    const bytes = readFileSync(segment())
    const at = bytes.indexOf('\ufffd')
    writeFileSync(segment(), Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]))
    expect(await foundOut()).toMatch(/^the last line of group 2 of segment \S+ was altered$/)
  })
})

describe('in a database', () => {
  test('a trigger that sets denied requests to approved is found, and no server starts', async () => {
    inTable(`CREATE TRIGGER helpful AFTER UPDATE ON approvals WHEN NEW.status = 'denied'
      BEGIN UPDATE approvals SET status = 'approved' WHERE id = NEW.id; END`)
    expect(await foundOut()).toMatch(/^the database has a trigger "helpful" that is not part of it/)
    await expect(store.open()).rejects.toThrow(/has a trigger "helpful" that is not part of it/)
  })

  test('a view in place of a table is found', async () => {
    inTable(`ALTER TABLE grants RENAME TO real_grants; CREATE VIEW grants AS SELECT * FROM real_grants`)
    expect(await foundOut()).toMatch(/^the database has a view "grants" that is not part of it/)
  })

  /** SQLite then believes that the index has every row. */
  const hideFrom = (path: string, index: string, made: string, claimed: string): void => {
    const database = new DatabaseSync(path, { defensive: false } as object)
    database.exec(`DROP INDEX ${index}; ${made}; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = '${claimed}' WHERE name = '${index}'; PRAGMA writable_schema = RESET`)
    database.close()
  }

  test('an index of records that leaves out a tool is found', async () => {
    const claimed = 'CREATE INDEX journal_records_tool ON journal_records (tool, time)'
    const index = join(folder.path, 'ledger.journal', 'index.db')
    hideFrom(index, 'journal_records_tool', `${claimed} WHERE tool <> 'shop.refund'`, claimed)
    const ledger = await store.open()
    expect(await Array.fromAsync(ledger.index.search({ tool: 'shop.refund' }))).toEqual([])
    await ledger.close()
    expect(await foundOut()).toMatch(/^the index may hide records, because the database is damaged or was altered/)
  })

  test('an index of grants that has other rows than its table is found', async () => {
    const claimed = 'CREATE INDEX grants_tool ON grants (tool, version, hash)'
    hideFrom(folder.address, 'grants_tool', `${claimed} WHERE tool <> 'shop.refund'`, claimed)
    expect(await foundOut()).toMatch(/^the database is damaged or was altered/)
  })

  test('a lock that keeps the mark from moving makes the server refuse calls until it can move again', async () => {
    const ledger = await store.open()
    await recordLine(ledger, auditLine('before'))
    await ledger.journal.flush()
    const locked = new DatabaseSync(folder.address)
    locked.exec('BEGIN IMMEDIATE')
    await recordLine(ledger, auditLine('meanwhile'))
    expect(ledger.journal.failing?.()).toBe(false)
    await expect.poll(() => ledger.journal.failing?.(), { timeout: 10_000, interval: 300 }).toBe(true)
    locked.exec('ROLLBACK')
    locked.close()
    await expect.poll(() => ledger.journal.failing?.(), { timeout: 10_000, interval: 300 }).toBe(false)
    await ledger.close()
    expect(await foundOut()).toBe('nothing')
  })
})

test('a ledger from which everything was removed says that it has no journal', async () => {
  for (const path of folder.segments()) rmSync(path)
  for (const table of ['journal_mark', 'keys', 'grants']) inTable(`DELETE FROM ${table}`)
  rmSync(join(folder.path, 'ledger.journal', 'index.db'))
  expect((await folder.verify()).notices).toEqual([
    'the ledger has no journal: nothing was ever recorded in it, or all of it was removed',
  ])
})
