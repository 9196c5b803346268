/** Reading, searching and retaining the audit: the same on both engines. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BEGIN, recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuditRecord, newestRecords, readRecords } from '../../packages/myrmex/src/ledger/audit/read.ts'
import { prunable, prune } from '../../packages/myrmex/src/ledger/audit/retention.ts'
import { type AuditFilter, searchAudit, updateSearchIndex } from '../../packages/myrmex/src/ledger/audit/search.ts'
import { verifyJournal } from '../../packages/myrmex/src/ledger/audit/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'

let folder: string
let server: PostgresServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-audit-'))
  server = await PostgresServer.create()
})
afterAll(async () => {
  await server.remove()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
const engines = [
  { engine: 'sqlite', freshAddress: async () => join(folder, `${++files}.db`) },
  { engine: 'postgres', freshAddress: () => server.freshDatabase() },
]

describe.each(engines)('on $engine', ({ freshAddress }) => {
  let address: string
  let ledger: Ledger
  beforeEach(async () => {
    address = await freshAddress()
    ledger = await openLedger(address, { keyFile: join(folder, 'ledger.key') })
  })
  afterEach(() => ledger.close())

  const found = async (filter?: AuditFilter): Promise<AuditRecord[]> => Array.fromAsync(searchAudit(ledger.db, filter))
  const numbersOf = async (filter?: AuditFilter): Promise<number[]> => (await found(filter)).map(({ line }) => line)

  describe('reading', () => {
    test('gives every line in order, whole, with its number and the hash of its arguments', async () => {
      await recordGroup(ledger, [
        sampleLine(1, { args: { b: 1, a: 'x' }, duration_ms: 0 }),
        sampleLine(2, { args: undefined, outcome: 'failure', error_type: 'SchemaError', version: null }),
        sampleLine(3, { args: { pin: '[secret]' }, args_hash: 'f'.repeat(64) }),
      ])
      const [first, second, third] = await Array.fromAsync(readRecords(ledger.db))
      expect(first).toMatchObject({
        line: 1,
        call_id: 'call-1',
        tool: 'math.add',
        duration_ms: 0,
        args: { a: 'x', b: 1 },
      })
      // SHA-256 of {"a":"x","b":1}
      expect(first?.args_hash).toBe('cdab067e9f3beb32d1252cfd63e492592fecbf591b0d08cadb24bb17f3864246')
      expect(second).toMatchObject({ line: 2, principal: 'local', outcome: 'failure', error_type: 'SchemaError' })
      expect(second).not.toHaveProperty('args_hash')
      expect(third).toMatchObject({ line: 3, args_hash: 'f'.repeat(64), tool: 'math.add', outcome: 'success' })
    })

    test('goes through many groups in pages, and through a part by time', async () => {
      await recordSample(
        ledger,
        Array.from({ length: 150 }, (_, index) => ({ lines: 1 + (index % 3) })),
        1000,
      )
      const all = await Array.fromAsync(readRecords(ledger.db))
      expect(all.map(({ line }) => line)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
      const part = await Array.fromAsync(readRecords(ledger.db, { since: BEGIN + 3000, until: BEGIN + 5000 }))
      expect(part.map(({ line }) => line)).toEqual([7, 8, 9, 10, 11, 12])
    })

    test('gives the newest lines, oldest of them first', async () => {
      expect(await newestRecords(ledger.db, 3)).toEqual({ lines: [], seq: 0 })
      await recordSample(
        ledger,
        Array.from({ length: 20 }, () => ({ lines: 2 })),
      )
      for (const count of [0, 1, 5, 25, 40, 99]) {
        const tail = await newestRecords(ledger.db, count)
        const from = Math.max(1, 41 - count)
        expect(tail.lines.map(({ line }) => line)).toEqual(
          Array.from({ length: 41 - from }, (_, index) => from + index),
        )
        expect(tail.seq).toBe(20)
      }
    })
  })

  describe('searching', () => {
    beforeEach(async () => {
      await recordGroup(ledger, [
        sampleLine(1, { tool: 'shop.refund', approval: 'a-1', run: 'run-1' }),
        sampleLine(2, { tool: 'shop_old.refund', principal: 'ada', outcome: 'failure', error_type: 'TimeoutError' }),
        sampleLine(3, { tool: 'Shop.refund', principal: 'ada' }),
      ])
      await recordGroup(ledger, [
        sampleLine(4, { tool: 'shop.list', run: 'run-1' }),
        sampleLine(5, { tool: 'math.add' }),
      ])
    })

    const CASES: [AuditFilter, number[]][] = [
      [{}, [5, 4, 3, 2, 1]],
      [{ order: 'oldest' }, [1, 2, 3, 4, 5]],
      [{ limit: 2 }, [5, 4]],
      [{ tool: 'shop.refund' }, [1]],
      [{ tool: 'shop.*' }, [4, 1]],
      [{ tool: 'shop*' }, [4, 2, 1]],
      [{ principal: 'ada' }, [3, 2]],
      [{ outcome: 'failure' }, [2]],
      [{ error_type: 'TimeoutError' }, [2]],
      [{ run: 'run-1', order: 'oldest' }, [1, 4]],
      [{ approval: 'a-1' }, [1]],
      [{ call_id: 'call-3' }, [3]],
      [{ call_id: `'; DROP TABLE audit_lines; --` }, []],
      [{ since: BEGIN + 2, until: BEGIN + 4 }, [4, 3, 2]],
      [{ principal: 'ada', outcome: 'success' }, [3]],
    ]

    test('finds lines by whatever is given of them', async () => {
      for (const [filter, expected] of CASES) expect(await numbersOf(filter), JSON.stringify(filter)).toEqual(expected)
    })

    test('shows what the chain has, not what the index has', async () => {
      const [line] = await found({ call_id: 'call-1' })
      expect(line).toMatchObject({ args: { a: 1 }, data: { sum: 2 }, approval: 'a-1' })
      await ledger.db.query(`UPDATE audit_lines SET call_id = 'call-x' WHERE line = 1`)
      await expect(found({ call_id: 'call-x' })).rejects.toThrow(/index that does not fit line 1/)
    })
  })

  test('the index goes on from where it was, however many fill it at once', async () => {
    await recordSample(
      ledger,
      Array.from({ length: 40 }, () => ({ lines: 20 })),
    )
    const other = await openExisting(address)
    const counts = await Promise.all([
      updateSearchIndex(ledger.db),
      updateSearchIndex(other.db),
      updateSearchIndex(ledger.db),
    ])
    expect(counts.reduce((sum, count) => sum + count)).toBe(800)
    expect(await updateSearchIndex(other.db)).toBe(0)
    await recordGroup(ledger, [sampleLine(801)])
    // Somebody was stopped in the middle of a group.
    await other.db.query('DELETE FROM audit_lines WHERE line > 795')
    expect(await updateSearchIndex(other.db)).toBe(6)
    await other.close()
    expect(await numbersOf({ limit: 900, order: 'oldest' })).toEqual(
      Array.from({ length: 801 }, (_, index) => index + 1),
    )
  })

  describe('retention', () => {
    const sized = { segmentGroups: 4 }
    /** Ten groups of two lines, a second apart: two closed segments of four groups, and an open one. */
    beforeEach(() =>
      recordSample(
        ledger,
        Array.from({ length: 10 }, () => ({ lines: 2, sealed: true })),
        1000,
      ),
    )
    const later = (groups: number): number => BEGIN + groups * 1000

    test('takes closed segments whose newest line is old enough, oldest first, and the chain still verifies', async () => {
      await updateSearchIndex(ledger.db)
      expect(await prunable(ledger.db, later(3), sized)).toEqual([])
      expect(await prunable(ledger.db, later(4), sized)).toMatchObject([{ segment: 0, first_seq: 1, last_seq: 4 }])
      const before = await verifyJournal(ledger.db)
      expect(await prune(ledger, later(4), sized)).toMatchObject([
        { segment: 0, first_seq: 1, last_seq: 4, first_line: 1, last_line: 8, first_time: BEGIN, last_time: later(3) },
      ])
      expect(await verifyJournal(ledger.db)).toMatchObject({
        ok: true,
        head: before.head,
        groups: 6,
        lines: 12,
        pruned_lines: 8,
      })
      expect(await prune(ledger, later(99), sized)).toMatchObject([{ segment: 1, first_seq: 5, last_seq: 8 }])
      expect(await verifyJournal(ledger.db)).toMatchObject({ ok: true, head: before.head, groups: 2, pruned_lines: 16 })
      expect(await prune(ledger, later(99), sized)).toEqual([])
      expect(await numbersOf({ order: 'oldest' })).toEqual([17, 18, 19, 20])
      await recordGroup(ledger, [sampleLine(21)])
      await ledger.audit.flush()
      expect(await verifyJournal(ledger.db)).toMatchObject({ ok: true, head: { seq: 11, line: 21 } })
    })

    test('leaves a stub that cannot be changed or taken away unseen', async () => {
      await prune(ledger, later(99), sized)
      const noted = await verifyJournal(ledger.db, { head: { seq: 3, hash: 'whatever it was' } })
      expect(noted).toMatchObject({ ok: true, notices: ['the noted group 3 is in a segment that was pruned'] })
      await ledger.db.query(
        `UPDATE audit_stubs SET body = replace(body, '"last_line":8', '"last_line":7') WHERE segment = 0`,
      )
      expect((await verifyJournal(ledger.db)).defect?.message).toBe(
        'the stub of pruned segment 0 was altered or forged: its signature does not fit',
      )
      await ledger.db.query('DELETE FROM audit_stubs WHERE segment = 0')
      expect((await verifyJournal(ledger.db)).defect?.message).toMatch(/^the stub of pruned segment 0 is missing/)
      await ledger.db.query('DELETE FROM audit_stubs')
      expect((await verifyJournal(ledger.db)).defect?.message).toBe('groups 1 to 8 (lines 1 to 16) are missing')
    })

    test('keeps a segment that does not verify, and all that come after it', async () => {
      await ledger.db.query(`UPDATE audit_groups SET lines = replace(lines, 'call-9', 'call-8') WHERE seq = 5`)
      await expect(prune(ledger, later(99), sized)).rejects.toThrow(
        /^Segment 1 was kept, because it does not verify: group 5 \(lines 9 to 10\) was altered/,
      )
      expect(await prunable(ledger.db, later(99), sized)).toMatchObject([{ segment: 1 }])
      await expect(prune(ledger, later(99), sized)).rejects.toThrow(/Segment 1 was kept/)
    })

    test('takes a segment whose end was signed only later', async () => {
      await ledger.db.query('DELETE FROM audit_seals WHERE seq < 7')
      expect(await prune(ledger, later(4), sized)).toMatchObject([{ segment: 0, last_seq: 4, last_line: 8 }])
      expect(await verifyJournal(ledger.db)).toMatchObject({ ok: true, groups: 6 })
    })

    test('keeps a segment that nothing has signed', async () => {
      await ledger.db.query('DELETE FROM audit_seals')
      await expect(prune(ledger, later(99), sized)).rejects.toThrow(
        /Segment 0 was kept.*its newest groups are not signed yet/,
      )
    })

    test('is the same when two prune at once', async () => {
      const other = await openLedger(address, { keyFile: join(folder, 'ledger.key') })
      const pruned = await Promise.all([prune(ledger, later(99), sized), prune(other, later(99), sized)])
      await other.close()
      const segments = pruned.flat().map(({ segment }) => segment)
      expect(segments.toSorted()).toEqual([0, 1])
      expect(await verifyJournal(ledger.db)).toMatchObject({ ok: true, groups: 2, pruned_lines: 16 })
    })

    test('removes nothing when the stub cannot be written: both or neither', async () => {
      const seen = await verifyJournal(ledger.db)
      await ledger.db.query(`INSERT INTO audit_stubs (segment, body, key_id, signature) VALUES (0, '', '', '')`)
      // Another process was first: its stub has the place. Here it is a stub of nothing, so that all must be left.
      await expect(
        (async () =>
          ledger.db.transaction([
            { sql: 'DELETE FROM audit_groups WHERE seq <= ?', params: [4] },
            { sql: `INSERT INTO audit_stubs (segment, body, key_id, signature) VALUES (?, '', '', '')`, params: [0] },
          ]))(),
      ).rejects.toThrow(/could not be changed/)
      await ledger.db.query('DELETE FROM audit_stubs')
      expect(await verifyJournal(ledger.db)).toMatchObject({ ok: true, head: seen.head, groups: 10 })
    })
  })

  test('is read without its key, and nothing can be recorded or changed then', async () => {
    await recordSample(ledger, [{ lines: 2, sealed: true }])
    const reader = await openExisting(address, { readOnly: true })
    try {
      expect(await verifyJournal(reader.db)).toMatchObject({ ok: true, lines: 2 })
      expect(() => reader.audit.record(sampleLine(3))).toThrow(/without its key/)
      expect(() => reader.key.sign('anything')).toThrow(/without its key/)
      await expect((async () => reader.db.query('DELETE FROM audit_groups'))()).rejects.toThrow(/read-only/)
    } finally {
      await reader.close()
    }
  })

  test('a ledger that is not there is an error, and is not made', async () => {
    const missing = await freshAddress()
    for (const _ of [1, 2])
      await expect(openExisting(missing, { readOnly: true })).rejects.toThrow(/no ledger|is not in/)
  })
})
