/** What can go wrong with a SQLite file, done to a real one: nothing is lost, nothing is written twice, and the words are clear. */
import { chmod, chown, open, readFile, stat, writeFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { auditLine, recordLine, wholeChain } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { SqliteDb } from '../../packages/myrmex/src/ledger/sqlite/db.ts'

/** A user that owns nothing here; root may write to everything. */
const NOBODY = 65_534

describe('a ledger on SQLite', () => {
  let store: Store
  let ledger: Ledger

  beforeEach(async () => {
    store = await freshStore('sqlite')
    ledger = await store.open()
    return () => store.remove()
  })

  const database = (): DatabaseSync => (ledger.db as SqliteDb).database
  const refused = (recorded: Promise<void>) =>
    expect(recorded).rejects.toMatchObject({
      error_type: 'UnavailableError',
      message: expect.stringContaining('The ledger could not record the call'),
      error_details: { retry_after_ms: 1000 },
    })
  const healed = () => expect.poll(() => ledger.audit.failing?.()).toBe(false)
  const lastFailure = (): string => String(store.failures.at(-1))

  test('that is full refuses calls, and has every line once when there is room again', async () => {
    await recordLine(ledger, auditLine('early'))
    const { page_count } = database().prepare('PRAGMA page_count').get() as { page_count: number }
    database().exec(`PRAGMA max_page_count = ${page_count}`)
    // Records that still fit into the existing pages are kept.
    const fitting: string[] = []
    for (let number = 0; store.failures.length === 0; number++) {
      fitting.push(`fill-${number}`)
      await recordLine(ledger, auditLine(`fill-${number}`, { data: { text: 'x'.repeat(1000) } })).catch(() => {})
    }
    expect(lastFailure()).toContain('The ledger could not be written: the disk is full')
    expect(await ledger.audit.failing?.()).toBe(true)
    await refused(recordLine(ledger, auditLine('owed')))
    expect(() => ledger.counters.take([{ id: 'x'.repeat(5000), calls: 1, per_ms: 1 }])).toThrow('the disk is full')
    await expect(ledger.tasks.save({ ...TASK, body: 'x'.repeat(5000) })).rejects.toThrow('the disk is full')
    database().exec('PRAGMA max_page_count = 1000000')
    await healed()
    await recordLine(ledger, auditLine('after'))
    const { callIds } = await wholeChain(ledger)
    expect(callIds).toEqual(['early', ...fitting, 'owed', 'after'])
  })

  test('that may not be written refuses calls, and has every line once when it may', async () => {
    await recordLine(ledger, auditLine('early'))
    database().exec('PRAGMA query_only = ON')
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('The ledger could not be written: the file is read-only')
    expect(await ledger.audit.failing?.()).toBe(true)
    database().exec('PRAGMA query_only = OFF')
    await healed()
    expect((await wholeChain(ledger)).callIds).toEqual(['early', 'owed'])
  })

  test('writes what it owes at the latest when it is closed', async () => {
    database().exec('PRAGMA query_only = ON')
    await refused(recordLine(ledger, auditLine('owed')))
    database().exec('PRAGMA query_only = OFF')
    await ledger.close()
    expect((await wholeChain(await store.open())).callIds).toEqual(['owed'])
  })

  test('says so when it is closed and cannot write what it owes', async () => {
    database().exec('PRAGMA query_only = ON')
    await refused(recordLine(ledger, auditLine('owed')))
    await expect(ledger.close()).rejects.toThrow('The ledger could not record the call')
  })

  test('cannot be opened by one who may only read it, keeps its mode, and says so', async () => {
    await recordLine(ledger, auditLine('early'))
    await ledger.close()
    const isRoot = process.getuid?.() === 0
    await chmod(store.address, 0o444)
    await chmod(store.folder, isRoot ? 0o755 : 0o555)
    // This user may read the key, but may not write the file.
    if (isRoot) await chown(store.keyFile, NOBODY, NOBODY)
    if (isRoot) process.seteuid?.(NOBODY)
    // SQLite answers at once, so all of it happens as that user.
    const opening = store.open().then(String, String)
    if (isRoot) process.seteuid?.(0)
    const said = await opening
    await chmod(store.folder, 0o700)
    expect((await stat(store.address)).mode & 0o777).toBe(0o444)
    expect(said).toMatch(/The ledger cannot be opened at .*ledger\.db: the file (is read-only|cannot)/)
  })

  test('waits for another process that holds the file, not for long, and has every line once after it', async () => {
    await recordLine(ledger, auditLine('early'))
    const holder = new LedgerProcess('hold', store)
    onTestFinished(() => holder.end())
    expect(await holder.word()).toBe('ready')
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('The ledger could not be written: another process holds the file locked')
    expect(await ledger.audit.failing?.()).toBe(true)
    holder.go()
    expect(await holder.word()).toBe('done')
    await healed()
    await recordLine(ledger, auditLine('after'))
    expect((await wholeChain(ledger)).callIds).toEqual(['early', 'owed', 'after'])
  })

  test('with a damaged page refuses calls, and has every line once when the page is repaired', async () => {
    await recordLine(ledger, auditLine('early'))
    const { rootpage } = database().prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'audit_groups'`).get() as {
      rootpage: number
    }
    const { page_size } = database().prepare('PRAGMA page_size').get() as { page_size: number }
    await ledger.close()
    const file = await open(store.address, 'r+')
    onTestFinished(() => file.close())
    const whole = Buffer.alloc(page_size)
    const place = (rootpage - 1) * page_size
    await file.read(whole, 0, page_size, place)
    await file.write(Buffer.alloc(page_size, 0xff), 0, page_size, place)
    ledger = await store.open()
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('The ledger could not be written: the file is damaged; restore it from a copy')
    expect(await ledger.audit.failing?.()).toBe(true)
    await file.write(whole, 0, page_size, place)
    await healed()
    await recordLine(ledger, auditLine('after'))
    expect((await wholeChain(ledger)).callIds).toEqual(['early', 'owed', 'after'])
  })

  test('is not made of a file that is something else, and leaves that as it is', async () => {
    await ledger.close()
    const text = 'Dear diary, '.repeat(1000)
    await writeFile(store.address, text)
    await expect(store.open()).rejects.toThrow(/The ledger cannot be opened at .*ledger\.db: the file is not a ledger/)
    expect(await readFile(store.address, 'utf8')).toBe(text)
  })

  test('is not looked for where there can be none', async () => {
    const elsewhere = await freshStore('sqlite', `${store.address}/below.db`)
    onTestFinished(() => elsewhere.remove())
    await expect(elsewhere.open()).rejects.toThrow(/The ledger cannot be opened at .*below\.db: /)
  })
})

const TASK = {
  id: 'task-1',
  principal: 'ann',
  tool: 'shop.sell',
  call_id: 'call-1',
  status: 'working',
  created_at: 1,
  expires_at: 2,
}
