/** What can go wrong with the files of a journal, done to real ones: nothing is lost, nothing is written twice, and the words are clear. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { auditLine, recordLine, wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PendingWrite } from '../../packages/myrmex/src/ledger/journal/group.ts'
import { readRecords } from '../../packages/myrmex/src/ledger/journal/read.ts'
import { type SegmentId, segmentName } from '../../packages/myrmex/src/ledger/journal/segment.ts'
import { verifyJournal, verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { journalFolder } from '../../packages/myrmex/src/ledger/open.ts'

/** A user that owns nothing here; root may write to everything. */
const NOBODY = 65_534

describe('a journal of files', () => {
  let store: Store
  let ledger: Ledger

  beforeEach(async () => {
    store = await freshStore('sqlite')
    ledger = await store.open()
    return () => store.remove()
  })

  test('that is closed twice leaves alone what others have opened since', async () => {
    await recordLine(ledger, auditLine('early'))
    await ledger.close()
    // They get the file descriptors that the ledger had.
    const paths = Array.from({ length: 16 }, (_, number) => join(store.folder, `other-${number}`))
    const files = paths.map((path) => openSync(path, 'wx'))
    onTestFinished(() => files.forEach(closeSync))
    await ledger.close()
    for (const file of files) expect(writeSync(file, 'theirs')).toBe(6)
    for (const path of paths) expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect((await wholeJournal(await store.open())).callIds).toEqual(['early'])
  })

  const refused = (recorded: Promise<void>) =>
    expect(recorded).rejects.toMatchObject({
      error_type: 'UnavailableError',
      message: expect.stringContaining('The ledger could not record the call'),
      error_details: { retry_after_ms: 1000 },
    })
  const healed = () => expect.poll(() => ledger.journal.failing?.()).toBe(false)
  const lastFailure = (): string => String(store.failures.at(-1))
  const verified = async () => verifyLedger(ledger, { key: ledger.key })

  test.each(['INSERT', 'UPDATE'])(
    'whose mark cannot be written (%s) refuses calls, leaves nothing behind that stops others, and goes on when it can',
    async (how) => {
      await ledger.db.query(
        `CREATE TEMP TRIGGER no_mark BEFORE ${how} ON journal_mark BEGIN SELECT RAISE(ABORT, 'no room'); END`,
      )
      await refused(recordLine(ledger, auditLine('owed')))
      expect(lastFailure()).toContain('The ledger could not be signed: no room')
      // As if the process had died now: the next one finds no more than it left.
      const next = await store.open()
      expect(await verifyLedger(next, { key: next.key })).toMatchObject({ ok: true, records: 0 })
      // Every call asks whether it can write again.
      await expect.poll(() => ledger.journal.failing?.() && store.failures.length).toBeGreaterThan(2)
      await ledger.db.query('DROP TRIGGER no_mark')
      await healed()
      await recordLine(ledger, auditLine('after'))
      await ledger.journal.flush()
      expect((await wholeJournal(ledger)).callIds).toEqual(['owed', 'after'])
      // However often it was tried, it is one chain.
      expect(await verified()).toMatchObject({ ok: true, chains: 1, records: 2, unsigned_records: 0 })
    },
  )

  test('whose mark cannot be moved on is recorded to, signs it once, and moves it when it can', async () => {
    await recordLine(ledger, auditLine('early'))
    await ledger.journal.flush()
    await ledger.db.query(
      `CREATE TEMP TRIGGER no_mark BEFORE UPDATE ON journal_mark BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    )
    await recordLine(ledger, auditLine('late'))
    await expect.poll(() => store.failures.length).toBeGreaterThan(2)
    expect(lastFailure()).toContain('The ledger could not be signed: no room')
    expect(ledger.journal.failing?.()).toBe(false)
    const { groups } = await verified()
    await ledger.db.query('DROP TRIGGER no_mark')
    await ledger.journal.flush()
    // The segment, two records, and a signature after each.
    expect(groups).toBe(5)
    expect(await verified()).toMatchObject({ ok: true, groups: 5, records: 2, unsigned_records: 0 })
    const [mark] = await ledger.db.query<{ body: string }>('SELECT body FROM journal_mark')
    expect(Object.values(JSON.parse(mark?.body ?? '').chains)).toMatchObject([{ group: 5 }])
  })

  /** The outcome of a child that records until no file may grow any more. Its journal then ends in the middle of a group. */
  const fillUp = async () => {
    await ledger.close()
    const writer = new LedgerProcess('fill', store)
    onTestFinished(() => writer.end())
    expect(await writer.word()).toBe('ready')
    writer.limitFiles(1_000_000)
    writer.go()
    const said = JSON.parse(await writer.word()) as {
      tried: number
      refused: string[]
      failure: string
      failing: boolean
    }
    const filled = Array.from({ length: said.tried }, (_, number) => `fill-${number}`)
    return { writer, said, filled }
  }

  test('that is full refuses calls, and has every line once when there is room again', async () => {
    const { writer, said, filled } = await fillUp()
    expect(said).toMatchObject({
      refused: [expect.stringContaining('The ledger could not record the call')],
      failure: expect.stringContaining('The ledger could not be written: the file may not become larger'),
      failing: true,
    })
    writer.limitFiles('unlimited')
    writer.go()
    expect(await writer.word()).toBe('done')
    ledger = await store.open()
    expect((await wholeJournal(ledger)).callIds).toEqual(['early', ...filled, 'after'])
    expect(await verified()).toMatchObject({ ok: true, unsigned_records: 0, notices: [] })
  })

  test('whose process is killed in the middle of a group has every line that was answered, and says what is cut off', async () => {
    const { writer, filled } = await fillUp()
    await writer.end()
    ledger = await store.open()
    expect(lastFailure()).toMatch(
      /\d+ bytes at the end of chain \w+ are an unfinished group: .* nobody was answered for them/,
    )
    await recordLine(ledger, auditLine('after'))
    await ledger.journal.flush()
    const callIds = (await Array.fromAsync(readRecords(ledger.journal.store))).map(({ call_id }) => call_id)
    expect(callIds).toEqual(['early', ...filled.slice(0, -1), 'after'])
    expect(await verified()).toMatchObject({
      ok: true,
      records: callIds.length,
      notices: [expect.stringMatching(/bytes at the end of chain \w+ are an unfinished group/)],
    })
    // What the dead process had not signed, its successor vouches for: somebody without the key can verify it.
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true, defect: null, unsigned_records: 0, keyed: false })
  })

  test('with a segment of which nothing was written yet is whole: its process died before that', async () => {
    await recordLine(ledger, auditLine('early'))
    const [segment] = await ledger.journal.store.segments()
    const empty = segmentName({ ...(segment as SegmentId), chain: '0123456789ab' })
    writeFileSync(join(journalFolder(store.address), empty), '')
    await ledger.journal.flush()
    expect(await verified()).toMatchObject({ ok: true, records: 1, keyed: true })
  })

  test('in a folder that this user may not write to refuses calls, and has every line once when it may', async () => {
    const isRoot = process.getuid?.() === 0
    const folder = journalFolder(store.address)
    await mkdir(folder)
    await chmod(folder, isRoot ? 0o755 : 0o555)
    // SQLite and the journal are written at once, so all of it happens as that user.
    const asNobody = (work: () => void): void => {
      if (isRoot) process.seteuid?.(NOBODY)
      try {
        work()
      } finally {
        if (isRoot) process.seteuid?.(0)
      }
    }
    asNobody(() => {
      const kept = ledger.journal.record(auditLine('owed')) as PendingWrite
      expect(() => kept.commit()).toThrow('The ledger could not record the call')
    })
    expect(lastFailure()).toContain(
      'The ledger could not be written: this user may not write to the folder of the journal',
    )
    asNobody(() => expect(ledger.journal.failing?.()).toBe(true))
    await chmod(folder, 0o700)
    await healed()
    await ledger.journal.flush()
    expect((await wholeJournal(ledger)).callIds).toEqual(['owed'])
    expect(await verified()).toMatchObject({ ok: true, unsigned_records: 0 })
  })

  test('is not looked for in a file, and leaves that as it is', async () => {
    const folder = journalFolder(store.address)
    writeFileSync(folder, 'Dear diary')
    await expect(store.open()).rejects.toThrow(/The ledger cannot list its journal .*ledger\.journal: ENOTDIR/)
    await refused(recordLine(ledger, auditLine('owed')))
    expect(readFileSync(folder, 'utf8')).toBe('Dear diary')
    await rm(folder)
    await healed()
    expect((await wholeJournal(ledger)).callIds).toEqual(['owed'])
  })

  /** What others do to the segment that a server writes. */
  const ATTACKS: Record<string, { change: (path: string) => Promise<void>; says: RegExp }> = {
    removed: { change: (path) => rm(path), says: /was removed while it was being written/ },
    'replaced by a copy': {
      change: async (path) => {
        await copyFile(path, `${path}.copy`)
        await rename(`${path}.copy`, path)
      },
      says: /was replaced by another file while it was being written/,
    },
    'cut short': {
      change: (path) => truncate(path, 100),
      says: /was overwritten while it was being written/,
    },
  }

  test.each(Object.entries(ATTACKS))('whose segment is %s under it stops recording, for good', async (_how, attack) => {
    await recordLine(ledger, auditLine('early'))
    await ledger.journal.flush()
    const [segment] = await ledger.journal.store.segments()
    await attack.change(join(journalFolder(store.address), segmentName(segment as SegmentId)))
    // It is seen when the next records are signed.
    await recordLine(ledger, auditLine('late'))
    await expect.poll(() => ledger.journal.failing?.()).toBe(true)
    expect(lastFailure()).toMatch(attack.says)
    expect(lastFailure()).toContain('`myrmex audit accept-break` starts a new chain that states it')
    await refused(recordLine(ledger, auditLine('refused')))
    await expect(ledger.trust.set({ tool: 'a', version: '1.0.0', hash: 'a' }, 'trusted', 'olga')).rejects.toThrow(
      attack.says,
    )
    await expect(ledger.close()).rejects.toThrow()
  })

  test.each(['removed', 'cut short'])('whose segment was %s is not opened by the next process either', async (how) => {
    await recordLine(ledger, auditLine('early'))
    await ledger.close()
    const [segment] = await ledger.journal.store.segments()
    await ATTACKS[how]?.change(join(journalFolder(store.address), segmentName(segment as SegmentId)))
    await expect(store.open()).rejects.toThrow(
      /The journal was changed from outside: segment .* ends before group \d+, which its mark has/,
    )
  })

  test('is whole for somebody who looks while a chain begins', async () => {
    const { store: files } = ledger.journal
    let begins = async (): Promise<void> => recordLine(ledger, auditLine('early'))
    const seen = Object.create(files, {
      segments: {
        value: async () => {
          await begins()
          begins = async () => {}
          return files.segments()
        },
      },
    })
    expect(await verifyJournal({ store: seen, db: ledger.db }, { key: ledger.key })).toMatchObject({
      ok: true,
      records: 1,
    })
  })
})
