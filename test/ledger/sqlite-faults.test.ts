/**
 * What can go wrong with a SQLite file, done to a real one. It has the mark of the journal, decisions, tasks and limits. Calls that
 * need none of these go on; nothing is lost, nothing is written twice, and the words are clear.
 */
import { chmod, chown, open, readFile, stat, writeFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { auditLine, recordLine, wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
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
  const healed = () => expect.poll(() => ledger.journal.failing?.()).toBe(false)
  const lastFailure = (): string => String(store.failures.at(-1))
  const trust = (tool: string) => ledger.trust.set({ tool, version: '1.0.0', hash: 'a' }, 'trusted', 'olga')
  const trusted = async () => (await ledger.trust.decisions()).map(({ tool }) => tool)

  /** Everything was recorded once, all of it is signed and in the mark, and the decisions are those in the tables. */
  const expectWhole = async (...callIds: string[]): Promise<void> => {
    await ledger.journal.flush()
    expect((await wholeJournal(ledger)).callIds).toEqual(callIds)
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true })
  }

  test('that is full refuses decisions and what else it cannot store, records calls, and is whole when there is room again', async () => {
    await recordLine(ledger, auditLine('early'))
    await trust('shop.early')
    // Without pages that a migration left free.
    database().exec('VACUUM')
    const { page_count } = database().prepare('PRAGMA page_count').get() as { page_count: number }
    database().exec(`PRAGMA max_page_count = ${page_count}`)
    // Decisions that still fit into the existing pages are kept.
    const fitting: string[] = ['shop.early']
    const filled = async (): Promise<unknown> => {
      for (let number = 0; ; number++) {
        const tool = `shop.fill_${number}_${'x'.repeat(1000)}`
        const failed = await trust(tool).catch((error: unknown) => error)
        if (failed !== undefined) return failed
        fitting.push(tool)
      }
    }
    expect(String(await filled())).toContain('The ledger could not be changed: the disk is full')
    await recordLine(ledger, auditLine('meanwhile'))
    expect(() => ledger.counters.take([{ id: 'x'.repeat(5000), calls: 1, per_ms: 1 }])).toThrow('the disk is full')
    await expect(ledger.tasks.save({ ...TASK, body: 'x'.repeat(5000) })).rejects.toThrow('the disk is full')
    expect((await trusted()).toSorted()).toEqual(fitting.toSorted())
    database().exec('PRAGMA max_page_count = 1000000')
    await trust('shop.after')
    await recordLine(ledger, auditLine('after'))
    expect((await trusted()).toSorted()).toEqual([...fitting, 'shop.after'].toSorted())
    await expectWhole('early', 'meanwhile', 'after')
  })

  test('that may not be written refuses decisions, records calls, and has everything once when it may', async () => {
    await recordLine(ledger, auditLine('early'))
    database().exec('PRAGMA query_only = ON')
    await expect(trust('shop.early')).rejects.toThrow('The ledger could not be changed: the file is read-only')
    await recordLine(ledger, auditLine('meanwhile'))
    await expect.poll(lastFailure).toContain('The ledger could not be signed: the file is read-only')
    expect(await ledger.journal.failing?.()).toBe(false)
    database().exec('PRAGMA query_only = OFF')
    await trust('shop.after')
    expect(await trusted()).toEqual(['shop.after'])
    await expectWhole('early', 'meanwhile')
  })

  test('that may not be written lets no chain begin: calls are refused, and recorded once when it may', async () => {
    database().exec('PRAGMA query_only = ON')
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('The ledger could not be signed: the file is read-only')
    expect(await ledger.journal.failing?.()).toBe(true)
    database().exec('PRAGMA query_only = OFF')
    await healed()
    await expectWhole('owed')
  })

  test('that fails as a decision is committed takes it back in the journal, which has it already', async () => {
    await trust('shop.early')
    database().exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER orphan AFTER INSERT ON trust BEGIN INSERT INTO children VALUES (1); END;
      CREATE TRIGGER other AFTER UPDATE ON trust BEGIN INSERT INTO children VALUES (1); END`)
    for (const tool of ['shop.late', 'shop.early'])
      await expect(trust(tool)).rejects.toThrow('The ledger could not be changed: FOREIGN KEY constraint failed')
    database().exec('DROP TRIGGER orphan; DROP TRIGGER other')
    // One that is opened now makes decisions again that it finds after the mark, and not this one.
    const next = await store.open()
    expect((await next.trust.decisions()).map(({ tool }) => tool)).toEqual(['shop.early'])
    await trust('shop.after')
    expect(await trusted()).toEqual(['shop.after', 'shop.early'])
    await expectWhole()
    const segments = await ledger.journal.store.segments()
    const text = (await Promise.all(segments.map((one) => Array.fromAsync(ledger.journal.store.read(one)))))
      .flat()
      .join('')
    expect(text).toContain('"shop.late"')
    expect(text).toContain('{"kind":"withdrawal","decisions":["d-')
    // A row is held against the decision before the one that was taken back.
    await ledger.db.query(`UPDATE trust SET level = 'verified' WHERE tool = 'shop.early'`)
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: false, defect: { kind: 'decision' } })
  })

  test('whose process is killed between journal and table is whole, and the next process makes the decision again', async () => {
    await trust('shop.early')
    const killed = new LedgerProcess('decide and die', store, { name: 'shop.late' })
    onTestFinished(() => killed.end())
    expect(await killed.word()).toBe('ready')
    killed.go()
    expect(await killed.word()).toBe('ended with null')
    expect(await trusted()).toEqual(['shop.early'])
    await expectWhole()
    await (await store.open()).close()
    expect(await trusted()).toEqual(['shop.early', 'shop.late'])
    await expectWhole()
    // From now on it may not be missing.
    await recordLine(await store.open(), auditLine('after'))
    await ledger.db.query(`DELETE FROM trust WHERE tool = 'shop.late'`)
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: false, defect: { kind: 'decision' } })
  })

  test('writes what it owes at the latest when it is closed', async () => {
    database().exec('PRAGMA query_only = ON')
    await refused(recordLine(ledger, auditLine('owed')))
    database().exec('PRAGMA query_only = OFF')
    await ledger.close()
    expect((await wholeJournal(await store.open())).callIds).toEqual(['owed'])
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

  test('waits for another process that holds the file, not for long, and has everything once after it', async () => {
    await recordLine(ledger, auditLine('early'))
    const late = await store.open()
    const holder = new LedgerProcess('hold', store)
    onTestFinished(() => holder.end())
    expect(await holder.word()).toBe('ready')
    await expect(trust('shop.early')).rejects.toThrow('could not be changed: another process holds the file locked')
    await recordLine(ledger, auditLine('meanwhile'))
    // One that has recorded nothing yet has to begin a chain, and so to change the mark.
    await refused(recordLine(late, auditLine('owed')))
    expect(lastFailure()).toContain('another process holds the file locked')
    expect(await late.journal.failing?.()).toBe(true)
    holder.go()
    expect(await holder.word()).toBe('done')
    await expect.poll(() => late.journal.failing?.()).toBe(false)
    await recordLine(ledger, auditLine('after'))
    await late.close()
    await trust('shop.after')
    expect(await trusted()).toEqual(['shop.after'])
    await expectWhole('early', 'meanwhile', 'after', 'owed')
  })

  /** Writes nonsense over the first page of a table of a closed ledger. Returns how to repair it. */
  const damage = async (table: string): Promise<() => Promise<void>> => {
    const find = `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`
    const { rootpage } = database().prepare(find).get() as { rootpage: number }
    const { page_size } = database().prepare('PRAGMA page_size').get() as { page_size: number }
    await ledger.close()
    const file = await open(store.address, 'r+')
    onTestFinished(() => file.close())
    const whole = Buffer.alloc(page_size)
    const place = (rootpage - 1) * page_size
    await file.read(whole, 0, page_size, place)
    await file.write(Buffer.alloc(page_size, 0xff), 0, page_size, place)
    return async () => void (await file.write(whole, 0, page_size, place))
  }

  test('with a damaged page of decisions refuses them, records calls, and has everything once when it is repaired', async () => {
    await recordLine(ledger, auditLine('early'))
    await trust('shop.early')
    const repair = await damage('trust')
    ledger = await store.open()
    await expect(trust('shop.late')).rejects.toThrow(
      'The ledger could not be changed: the file is damaged; restore it from a copy',
    )
    await recordLine(ledger, auditLine('meanwhile'))
    await ledger.close()
    await repair()
    ledger = await store.open()
    await trust('shop.after')
    expect(await trusted()).toEqual(['shop.after', 'shop.early'])
    await expectWhole('early', 'meanwhile')
  })

  test('with a damaged mark is not opened, and has everything once when it is repaired', async () => {
    await recordLine(ledger, auditLine('early'))
    const repair = await damage('journal_mark')
    await expect(store.open()).rejects.toThrow(
      'The ledger could not be used: the file is damaged; restore it from a copy',
    )
    await repair()
    ledger = await store.open()
    await recordLine(ledger, auditLine('after'))
    await expectWhole('early', 'after')
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
