/** Reading, following and searching the audit: the same on both engines. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BEGIN, recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { LONG } from '@myrmex/testing/long'
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { JournalCursor, readRecords } from '../../packages/myrmex/src/ledger/journal/read.ts'
import { type AuditFilter, cursorAfter } from '../../packages/myrmex/src/ledger/journal/record-index.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { journalFolder, openLedger } from '../../packages/myrmex/src/ledger/open.ts'
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

/** Sample calls are numbered from 1. */
const numberOf = ({ call_id }: { call_id: string }): number => Number(call_id.slice('call-'.length))
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const samples = (groups: number, lines: number) => Array.from({ length: groups }, () => ({ lines }))

let files = 0
const engines = [
  { engine: 'sqlite', freshAddress: async () => join(folder, `${++files}.db`) },
  { engine: 'postgres', freshAddress: () => server.freshDatabase() },
]

describe.each(LONG ? engines : engines.slice(0, 1))('on $engine', ({ engine, freshAddress }) => {
  let address: string
  let ledger: Ledger
  beforeEach(async () => {
    address = await freshAddress()
    ledger = await open()
  })
  afterEach(() => ledger.close())

  const open = (): Promise<Ledger> => openLedger(address, { keyFile: join(folder, 'ledger.key') })
  const store = () => ledger.journal.store
  const found = async (filter?: AuditFilter): Promise<AuditRecord[]> => Array.fromAsync(ledger.index.search(filter))
  const numbersOf = async (filter?: AuditFilter): Promise<number[]> => (await found(filter)).map(numberOf)
  const verified = () => verifyLedger(ledger, { key: ledger.key })

  /** Somebody who has the index in front of them. */
  const onIndex = async <Row extends object>(sql: string): Promise<Row[]> => {
    if (engine === 'postgres') return await ledger.db.query<Row>(sql)
    const database = new DatabaseSync(join(journalFolder(address), 'index.db'))
    try {
      return database.prepare(sql).all() as Row[]
    } finally {
      database.close()
    }
  }

  describe('reading', () => {
    test('gives every record in order, whole, with its place and the hash of its arguments', async () => {
      await recordGroup(ledger, [
        sampleLine(1, { args: { b: 1, a: 'x' }, duration_ms: 0 }),
        sampleLine(2, { args: undefined, outcome: 'failure', error_type: 'SchemaError', version: null }),
        sampleLine(3, { args: { pin: '[secret]' }, args_hash: 'f'.repeat(64) }),
      ])
      const [first, second, third] = await Array.fromAsync(readRecords(store()))
      expect(first).toMatchObject({ call_id: 'call-1', tool: 'math.add', duration_ms: 0, args: { a: 'x', b: 1 } })
      // SHA-256 of {"a":"x","b":1}
      expect(first?.args_hash).toBe('cdab067e9f3beb32d1252cfd63e492592fecbf591b0d08cadb24bb17f3864246')
      expect(second).toMatchObject({ principal: 'local', outcome: 'failure', error_type: 'SchemaError' })
      expect(second).not.toHaveProperty('args_hash')
      expect(third).toMatchObject({ args_hash: 'f'.repeat(64), tool: 'math.add', outcome: 'success' })
      const [group, ...others] = [first, second, third].map((record) => record?.record.replace(/\/\d$/, ''))
      expect(group).toMatch(/^\w{12}\/\d+$/)
      expect(others).toEqual([group, group])
      expect([first, second, third].map((record) => record?.record.at(-1))).toEqual(['0', '1', '2'])
    })

    test('goes through many groups in pages, and through a part by time', async () => {
      await recordSample(
        ledger,
        Array.from({ length: 150 }, (_, index) => ({ lines: 1 + (index % 3) })),
        1000,
      )
      const all = await Array.fromAsync(readRecords(store()))
      expect(all.map(numberOf)).toEqual(upTo(300))
      expect(new Set(all.map(({ record }) => record)).size).toBe(300)
      const part = await Array.fromAsync(readRecords(store(), { since: BEGIN + 3000, until: BEGIN + 5000 }))
      expect(part.map(numberOf)).toEqual([7, 8, 9, 10, 11, 12])
    })

    test('goes through the chains of several processes, one after the other', async () => {
      const other = await open()
      for (let number = 1; number <= 20; number++)
        await recordGroup(number % 2 === 0 ? other : ledger, [sampleLine(number)])
      await other.close()
      const all = await Array.fromAsync(readRecords(store()))
      const chains = Map.groupBy(all, ({ record }) => record.split('/')[0])
      expect([...chains.values()].map((records) => records.map(numberOf)).sort(([a = 0], [b = 0]) => a - b)).toEqual([
        [1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
        [2, 4, 6, 8, 10, 12, 14, 16, 18, 20],
      ])
    })
  })

  test('following gives what is recorded from then on, of chains that are there and of new ones, each once', async () => {
    await recordSample(ledger, samples(3, 2))
    const cursor = await new JournalCursor(store()).skipToEnd()
    const seen = async (): Promise<number[]> => {
      const groups = await Array.fromAsync(cursor.read())
      return groups.flatMap(({ group }) =>
        [...group.lines.matchAll(/"call-(\d+)"/g)].map(([, number]) => Number(number)),
      )
    }
    expect(await seen()).toEqual([])
    await recordGroup(ledger, [sampleLine(7), sampleLine(8)])
    expect(await seen()).toEqual([7, 8])
    const other = await open()
    await recordGroup(other, [sampleLine(9)])
    await recordGroup(ledger, [sampleLine(10)])
    expect((await seen()).toSorted((a, b) => a - b)).toEqual([9, 10])
    await other.close()
    expect(await seen()).toEqual([])
  })

  describe('searching', () => {
    let grant: string
    beforeEach(async () => {
      const definition = { tool: 'shop.refund', version: '1.0.0', hash: 'a' }
      grant = (await ledger.grants.give(definition, 'olga')).id
      await recordGroup(ledger, [
        sampleLine(1, { tool: 'shop.refund', approval: grant, run: 'run-1' }),
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
      [{ limit: 0 }, []],
      [{ tool: 'shop.refund' }, [1]],
      [{ tool: 'shop.*' }, [4, 1]],
      [{ tool: 'shop*' }, [4, 2, 1]],
      [{ principal: 'ada' }, [3, 2]],
      [{ outcome: 'failure' }, [2]],
      [{ error_type: 'TimeoutError' }, [2]],
      [{ run: 'run-1', order: 'oldest' }, [1, 4]],
      [{ call_id: 'call-3' }, [3]],
      [{ call_id: `'; DROP TABLE journal_records; --` }, []],
      [{ since: BEGIN + 2, until: BEGIN + 4 }, [4, 3, 2]],
      [{ principal: 'ada', outcome: 'success' }, [3]],
    ]

    test('finds records by whatever is given of them', async () => {
      for (const [filter, expected] of CASES) expect(await numbersOf(filter), JSON.stringify(filter)).toEqual(expected)
      expect(await numbersOf({ approval: grant })).toEqual([1])
    })

    test.each(['newest', 'oldest'] as const)('goes on after the last record of a page, %s first', async (order) => {
      const pages: number[][] = []
      for (let past: string | undefined; pages.length < 4; ) {
        const page = await found({ order, limit: 2, ...(past !== undefined && { past }) })
        pages.push(page.map(numberOf))
        const last = page.at(-1)
        if (last !== undefined) past = cursorAfter(last)
      }
      const all = order === 'newest' ? [5, 4, 3, 2, 1] : [1, 2, 3, 4, 5]
      expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4), []])
    })

    test('shows what the journal has, not what the index has', async () => {
      const [record] = await found({ call_id: 'call-1' })
      expect(record).toMatchObject({ args: { a: 1 }, data: { sum: 2 }, approval: grant })
      await onIndex(`UPDATE journal_records SET call_id = 'call-x' WHERE call_id = 'call-1'`)
      await expect(found({ call_id: 'call-x' })).rejects.toThrow(`index that does not match record ${record?.record}`)
    })

    test.each([
      ['a row is gone', `DELETE FROM journal_records WHERE call_id = 'call-2'`],
      ['a row says something else', `UPDATE journal_records SET principal = 'eve' WHERE call_id = 'call-2'`],
      [
        'a row is there twice',
        `INSERT INTO journal_records (chain, grp, place, segment, at_byte, time, call_id, tool, principal, outcome)
          SELECT chain, grp, place + 10, segment, at_byte, time, call_id, tool, principal, outcome
          FROM journal_records WHERE call_id = 'call-2'`,
      ],
    ])('is found out where %s, and right again when the index is made again', async (_what, sql) => {
      await ledger.index.update()
      expect(await verified()).toMatchObject({ ok: true, records: 5 })
      await onIndex(sql)
      expect(await verified()).toMatchObject({ ok: false, defect: { kind: 'index' } })
      expect(await ledger.index.rebuild()).toBe(5)
      expect(await verified()).toMatchObject({ ok: true, records: 5 })
      expect(await numbersOf()).toEqual([5, 4, 3, 2, 1])
    })

    test('needs no index that is there already', async () => {
      expect(await numbersOf()).toEqual([5, 4, 3, 2, 1])
      await ledger.close()
      if (engine === 'sqlite') await rm(join(journalFolder(address), 'index.db'))
      ledger = await open()
      if (engine === 'postgres') await onIndex('DELETE FROM journal_records')
      if (engine === 'postgres') await onIndex('DELETE FROM journal_chains')
      expect(await numbersOf()).toEqual([5, 4, 3, 2, 1])
    })

    test.skipIf(engine === 'postgres')('makes an index again that is no index', async () => {
      await ledger.close()
      await writeFile(join(journalFolder(address), 'index.db'), 'Dear diary, '.repeat(1000))
      ledger = await open()
      expect(await numbersOf()).toEqual([5, 4, 3, 2, 1])
    })
  })

  test('the newest records are found first, whichever chain they are in', async () => {
    const other = await open()
    for (let number = 1; number <= 300; number++)
      await recordGroup(number % 3 === 0 ? other : ledger, [sampleLine(number)])
    await other.close()
    expect(await numbersOf()).toEqual(upTo(300).reverse())
    expect(await numbersOf({ order: 'oldest' })).toEqual(upTo(300))
    expect(await numbersOf({ limit: 3 })).toEqual([300, 299, 298])
  })

  test('the index goes on from where it was, however many fill it at once', async () => {
    await recordSample(ledger, samples(40, 20))
    const other = await openExisting(address)
    await Promise.all([ledger.index.update(), other.index.update(), ledger.index.update()])
    expect(await other.index.update()).toBe(0)
    await recordGroup(ledger, [sampleLine(801)])
    expect(await other.index.update()).toBe(1)
    // Somebody was stopped after records had been indexed, and before that was noted.
    const [at] = await onIndex<{ grp: number; at_byte: number }>(
      `SELECT grp, at_byte FROM journal_records WHERE call_id = 'call-795'`,
    )
    await onIndex(`UPDATE journal_chains SET grp = ${at?.grp}, at_byte = ${at?.at_byte}`)
    await onIndex(`DELETE FROM journal_records WHERE call_id IN ('call-797', 'call-801')`)
    await other.index.update()
    await other.close()
    expect(await numbersOf({ limit: 900, order: 'oldest' })).toEqual(upTo(801))
    expect(await verified()).toMatchObject({ ok: true, records: 801 })
  })

  test('is read without its key, and nothing can be recorded or changed then', async () => {
    await recordSample(ledger, [{ lines: 2, sealed: true }])
    const reader = await openExisting(address, { readOnly: true })
    try {
      expect(await verifyLedger(reader)).toMatchObject({ ok: true, records: 2, unsigned_records: 0, keyed: false })
      expect(() => reader.journal.record(sampleLine(3))).toThrow(/without its key/)
      expect(() => reader.key.sign('anything')).toThrow(/without its key/)
      await expect((async () => reader.db.query('DELETE FROM journal_mark'))()).rejects.toThrow(/read-only/)
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
