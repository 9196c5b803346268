/** Retention: what is removed, what is left of it, and that nobody gets rid of evidence with it. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LedgerFolder, readSegment, writeSegment } from '@myrmex/testing/ledger/journal-fixture'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { recordGroup, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { LONG, longTest, propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ledger } from '../ledger.ts'
import { type LedgerOptions, openLedger } from '../open.ts'
import { acceptBreak } from './accept-break.ts'
import { loadKey } from './key.ts'
import type { SignedMark } from './mark.ts'
import { SELECT_MARK } from './mark.ts'
import { readRecords } from './read.ts'
import { prunable, prune } from './retention.ts'
import { parseStub, readStub } from './stub.ts'
import { type VerifyOptions, type VerifyReport, verifyLedger } from './verify.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
/** Everything. */
const ALWAYS = Date.UTC(2040, 0, 1)
const DEFINITION = { tool: 'shop.refund', version: '1.0.0', hash: 'a'.repeat(64) }

let number = 0
/** A group of so many records, made now. */
const record = (ledger: Ledger, count = 2, changes: object = {}): Promise<void> =>
  recordGroup(
    ledger,
    Array.from({ length: count }, () => sampleLine(++number, { time: Date.now(), ...changes })),
  )

/** One record a day, each in a segment of its own. */
async function days(ledger: Ledger, count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    await record(ledger, 1)
    await ledger.journal.flush()
    vi.setSystemTime(Date.now() + DAY + 1)
  }
}

const verdictOn = async (ledger: Ledger, options: VerifyOptions = {}): Promise<VerifyReport> => {
  await ledger.journal.flush()
  return verifyLedger(ledger, { key: ledger.key, ...options })
}

beforeEach(() => {
  number = 0
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(EMBEDDED_FIRST)('on %s', (engine) => {
  let store: Store
  const open = (options: LedgerOptions = {}): Promise<Ledger> =>
    openLedger(store.address, { keyFile: store.keyFile, segments: { segmentMs: DAY }, ...options })

  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  /** A chain of its own, that has ended. */
  const session = async (work: (ledger: Ledger) => Promise<void> = record): Promise<void> => {
    const ledger = await open()
    try {
      await work(ledger)
    } finally {
      await ledger.close()
    }
  }

  test('removes the full segments of a server that runs, and everything that is left verifies', async () => {
    const ledger = await open()
    await days(ledger, 5)
    await ledger.index.update()
    const before = START + 3 * DAY
    expect(await prunable(ledger, before)).toMatchObject([
      { number: 1, records: 1, first_time: START },
      { number: 2, records: 1 },
      { number: 3, records: 1 },
    ])
    const { removed, kept } = await prune(ledger, before)
    expect([removed.map((one) => one.number), kept]).toEqual([[1, 2, 3], []])
    expect(await prunable(ledger, before)).toEqual([])
    for (const key of [ledger.key, undefined])
      expect(await verdictOn(ledger, { key })).toMatchObject({ ok: true, records: 2, pruned_records: 3, notices: [] })
    expect((await Array.fromAsync(ledger.index.search())).map((one) => one.call_id)).toEqual(['call-5', 'call-4'])
    expect((await Array.fromAsync(readRecords(ledger.journal.store))).map((one) => one.call_id)).toEqual([
      'call-4',
      'call-5',
    ])
    // The rest follows later; the segment that is being written stays, however old it is.
    await record(ledger, 1)
    // A process that opens the journal reads on from the mark, which is in segment 5 until this one was signed.
    expect((await prune(ledger, ALWAYS)).removed).toMatchObject([{ number: 4 }])
    await ledger.journal.flush()
    expect((await prune(ledger, ALWAYS)).removed).toMatchObject([{ number: 5 }])
    expect(await verdictOn(ledger)).toMatchObject({ ok: true, records: 1, pruned_records: 5 })
    await ledger.close()
    const next = await open()
    await record(next)
    expect(await verdictOn(next)).toMatchObject({ ok: true, records: 3, pruned_records: 5, chains: 2 })
    await next.close()
  })

  test('removes nothing that has a record of the time that is kept, also if the clock was set back', async () => {
    const ledger = await open()
    await days(ledger, 1)
    await record(ledger, 1, { time: START + 30 * DAY })
    await record(ledger, 1)
    await days(ledger, 2)
    const { removed } = await prune(ledger, START + 20 * DAY)
    expect(removed).toMatchObject([{ number: 1, records: 1 }])
    expect(await prune(ledger, START + 31 * DAY)).toMatchObject({ removed: [{ number: 2, records: 3 }] })
    await ledger.close()
  })

  test('of thousands of commands nothing is left but a line each', async () => {
    for (let command = 0; command < 30; command++) await session()
    vi.setSystemTime(START + 10 * DAY)
    const ledger = await open()
    await record(ledger)
    expect((await prune(ledger, START + 5 * DAY)).removed).toHaveLength(30)
    expect(await ledger.journal.store.segments()).toHaveLength(1)
    const stub = parseStub((await readStub(ledger.db))?.body ?? '')
    expect(stub).toMatchObject({ records: 60, chains: {}, links: {}, lines: { count: 30 } })
    for (const key of [ledger.key, undefined])
      expect(await verdictOn(ledger, { key })).toMatchObject({ ok: true, chains: 1, records: 2, pruned_records: 60 })
    await ledger.close()
  })

  test('a long chain is removed piece by piece, and in the end as a whole', async () => {
    await session((ledger) => days(ledger, 6))
    const other = await open()
    await record(other)
    for (let day = 1; day <= 6; day++) {
      const { removed } = await prune(other, START + day * DAY)
      expect(removed.map((one) => one.records)).toEqual(day < 6 ? [1] : [1, 0])
      expect(await verdictOn(other)).toMatchObject({ ok: true, records: 8 - day, pruned_records: day })
    }
    expect(parseStub((await readStub(other.db))?.body ?? '')).toMatchObject({ chains: {}, lines: { count: 1 } })
    await other.close()
  })

  test('an ended chain is removed only after another one links to it', async () => {
    await session()
    await session()
    vi.setSystemTime(START + 10 * DAY)
    const ledger = await open()
    expect((await prune(ledger, ALWAYS)).removed).toHaveLength(1)
    await record(ledger)
    expect((await prune(ledger, ALWAYS)).removed).toHaveLength(1)
    expect(await verdictOn(ledger)).toMatchObject({ ok: true, records: 2, pruned_records: 4 })
    await ledger.close()
  })

  test('decisions outlive their segments: the tables are still compared with them and can be made again', async () => {
    await session(async (ledger) => {
      await ledger.trust.set(DEFINITION, 'trusted', { name: 'ann', from: 'cli' })
      await ledger.grants.give(DEFINITION, { name: 'ann', from: 'cli' })
      await days(ledger, 2)
      await ledger.grants.revoke(DEFINITION.tool, { name: 'eve', from: 'api' })
      await days(ledger, 2)
    })
    const ledger = await open()
    await record(ledger)
    for (const before of [START + 2 * DAY, ALWAYS]) {
      await prune(ledger, before)
      expect(await verdictOn(ledger)).toMatchObject({ ok: true })
    }
    expect((await ledger.journal.store.segments()).length).toBe(1)
    await ledger.db.query(`UPDATE trust SET set_by = 'mallory'`)
    expect((await verdictOn(ledger)).defect?.message).toMatch(/^the row of trust shop.refund 1.0.0 was altered/)
    await ledger.close()
  })

  test('noted heads and anchors of removed chains are compared with their ends, or the report says that they cannot be', async () => {
    let anchors: SignedMark[] = []
    await session(async (ledger) => {
      await record(ledger)
      await ledger.journal.flush()
      anchors = [...(await ledger.db.query<SignedMark>(SELECT_MARK))]
      await record(ledger)
    })
    const ledger = await open()
    anchors.push(...(await ledger.db.query<SignedMark>(SELECT_MARK)))
    const { heads } = await verdictOn(ledger)
    await record(ledger)
    expect(await verdictOn(ledger, { anchors, heads })).toMatchObject({ ok: true, notices: [] })
    await prune(ledger, ALWAYS)
    const report = await verdictOn(ledger, { anchors, heads })
    expect(report).toMatchObject({ ok: true, pruned_records: 4 })
    expect(report.notices).toEqual([
      expect.stringMatching(/^1 anchor, the newest of \S+, could not be compared: retention has removed what/),
    ])
    const [head] = heads
    const other = { chain: head?.chain ?? '', group: head?.group ?? 0, hash: 'A'.repeat(43) }
    expect(await verdictOn(ledger, { heads: [other] })).toMatchObject({ ok: false, defect: { kind: 'head' } })
    await ledger.close()
  })

  test('several at once, in other processes too, leave one stub that has everything', async () => {
    for (let command = 0; command < 8; command++) await session()
    const ledgers = [await open(), await open(), await open()]
    for (const ledger of ledgers) await record(ledger)
    const reports = await Promise.all(ledgers.map((ledger) => prune(ledger, ALWAYS)))
    expect(new Set(reports.flatMap(({ removed }) => removed.map(({ chain }) => chain))).size).toBe(8)
    for (const ledger of ledgers) expect(await verdictOn(ledger)).toMatchObject({ ok: true, pruned_records: 16 })
    for (const ledger of ledgers) await ledger.close()
  })

  test('a journal verifies while it is pruned and written to', async () => {
    const ledger = await open({ segments: { segmentBytes: 600 } })
    const defects: unknown[] = []
    const busy = (async () => {
      while (defects.length < 12) {
        for (let group = 0; group < 3; group++) await record(ledger)
        await session()
        await prune(ledger, ALWAYS)
      }
    })()
    while (defects.length < 12) defects.push((await verdictOn(ledger)).defect)
    await busy
    expect(defects.filter((defect) => defect !== null)).toEqual([])
    await ledger.close()
  })

  test('after a crash before the segments are gone the journal verifies, and the next one finishes', async () => {
    await session((ledger) => days(ledger, 3))
    await session()
    const ledger = await open()
    await record(ledger)
    const { store: segments } = ledger.journal
    const remove = vi.spyOn(segments, 'remove').mockRejectedValue(new Error('killed'))
    await expect(prune(ledger, ALWAYS)).rejects.toThrow('killed')
    remove.mockRestore()
    expect((await segments.segments()).length).toBeGreaterThan(1)
    const records = { ok: true, records: 2, pruned_records: 5 }
    for (const key of [ledger.key, undefined]) expect(await verdictOn(ledger, { key })).toMatchObject(records)
    expect(await prune(ledger, ALWAYS)).toEqual({ removed: [], kept: [] })
    expect(await segments.segments()).toHaveLength(1)
    expect(await verdictOn(ledger)).toMatchObject(records)
    await ledger.close()
  })

  test('whatever was recorded, ended and pruned, the rest verifies and every record is there or counted', async () => {
    let opened: (Ledger | undefined)[] = []
    const at = async (index: number): Promise<Ledger> => {
      opened[index] ??= await open()
      return opened[index]
    }
    const STEPS: Readonly<Record<string, (of: number) => Promise<unknown>>> = {
      record: async (of) => record(await at(of)),
      decide: async (of) => (await at(of)).trust.set({ ...DEFINITION, tool: `t${of}` }, 'trusted', 'ann'),
      end: async (of) => {
        await opened[of]?.close()
        opened[of] = undefined
      },
      wait: async (of) => vi.setSystemTime(Date.now() + of * DAY),
      prune: async (of) => expect((await prune(await at(0), Date.now() - of * DAY)).kept).toEqual([]),
    }
    const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat({ max: 2 }))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        opened = []
        number = 0
        store = await freshStore(engine)
        for (const [what, of] of steps) {
          await STEPS[what]?.(of)
          // Decisions are compared in the order of their times.
          vi.setSystemTime(Date.now() + 1)
        }
        const ledger = await at(0)
        await Promise.all(opened.map((one) => one?.journal.flush()))
        for (const key of [ledger.key, undefined]) {
          const report = await verdictOn(ledger, { key })
          expect(report.defect).toBe(null)
          expect(report.records + report.pruned_records).toBe(number)
        }
        await Promise.all(opened.map((one) => one?.close()))
        await store.remove()
      }),
      // A fresh database takes a second.
      { numRuns: engine === 'postgres' ? propertyRuns(4, 50) : propertyRuns(8, 200) },
    )
  })
})

test('a ledger in memory is pruned too', async () => {
  const ledger = await openLedger(':memory:')
  await record(ledger)
  vi.setSystemTime(START + 2 * DAY)
  await record(ledger)
  await ledger.journal.flush()
  expect((await prune(ledger, ALWAYS)).removed).toMatchObject([{ records: 2 }])
  expect(await verdictOn(ledger)).toMatchObject({ ok: true, records: 2, pruned_records: 2 })
  await ledger.close()
})

describe('what somebody with the files and without the key does', () => {
  const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-retention-'))
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))
  let folders = 0
  let folder: LedgerFolder
  const open = (): Promise<Ledger> => openLedger(folder.address, { segments: { segmentMs: DAY } })

  /** A chain of three segments that has ended, one that was killed, and one that goes on. */
  beforeEach(async () => {
    folder = new LedgerFolder(join(FOLDER, String(++folders)))
    const first = await open()
    await first.trust.set(DEFINITION, 'trusted', { name: 'ann', from: 'cli' })
    await days(first, 3)
    await first.close()
    const child = new LedgerProcess('die', { address: folder.address, keyFile: join(folder.path, 'ledger.key') })
    await child.word()
    await child.end()
    vi.setSystemTime(START + 10 * DAY)
    const last = await open()
    await record(last)
    await last.close()
  })

  const pruned = async (before = ALWAYS) => {
    const ledger = await open()
    try {
      return await prune(ledger, before)
    } finally {
      await ledger.close()
    }
  }

  test('nothing: the chain that was killed is removed as well, because its end is linked to', async () => {
    expect(await folder.verify({ withoutKey: true })).toMatchObject({ ok: true, records: 9, unsigned_records: 0 })
    const { removed, kept } = await pruned()
    expect([removed.length, kept]).toEqual([5, []])
    for (const withoutKey of [false, true])
      expect(await folder.verify({ withoutKey })).toMatchObject({ ok: true, records: 2, pruned_records: 7 })
  })

  const edited = (groups: string[][], edit: (text: string) => string): string[][] =>
    groups.map((lines) => lines.map(edit))
  const segment = (chain: number, index: number): string => folder.chains()[chain]?.at(index) ?? ''
  const change = (path: string, edit: (groups: string[][]) => string[][]): void =>
    writeSegment(path, edit(readSegment(path).groups))

  const CASES: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'alters a record',
      () => change(segment(0, 1), (groups) => edited(groups, (text) => text.replace('stdio', 'stdin'))),
      /its MAC does not match|was altered/,
    ],
    [
      'cuts the end of a segment off',
      () => change(segment(0, 1), (groups) => groups.slice(0, -1)),
      /is missing before/,
    ],
    [
      'leaves half a group',
      () => truncateSync(segment(0, 1), readFileSync(segment(0, 1)).length - 5),
      /are not a group/,
    ],
    ['removes a segment', () => rmSync(segment(0, 1)), /groups 5 to 6 of chain \w+ are missing/],
    [
      'cuts the end of a chain off',
      () => change(segment(0, -1), (groups) => groups.slice(0, -1)),
      /no other chain links to/,
    ],
    [
      'cuts off what was not signed',
      () => change(segment(2, 0), (groups) => groups.slice(0, -1)),
      /no other chain links to/,
    ],
    [
      'removes a signature',
      () =>
        change(segment(0, 0), (groups) => edited(groups, (text) => text.replace(/"signature":"../, '"signature":"..'))),
      /MAC does not match/,
    ],
  ]

  test.each(LONG ? CASES : CASES.slice(0, 2))(
    '%s: the chain is kept, and the report says why',
    async (_what, tamper, why) => {
      tamper()
      const segments = folder.segments()
      const { removed, kept } = await pruned()
      expect(kept).toMatchObject([{ why: expect.stringMatching(why) }])
      // The other chain is removed all the same.
      expect(removed.length).toBeGreaterThan(0)
      expect(folder.segments().length).toBe(segments.length - removed.length)
      expect(await folder.verify()).toMatchObject({ ok: false })
    },
  )

  const STUBS: readonly (readonly [string, (folder: LedgerFolder) => void, RegExp])[] = [
    [
      'alters the stub',
      (it) => it.sql(`UPDATE journal_stub SET body = replace(body, '"records":7', '"records":6')`),
      /^the stub/,
    ],
    [
      'alters its signature',
      (it) => it.sql(`UPDATE journal_stub SET signature = iif(signature LIKE 'A%', 'B', 'A') || substr(signature, 2)`),
      /^the stub/,
    ],
    ['replaces it by nonsense', (it) => it.sql(`UPDATE journal_stub SET body = '{}'`), /^the stub .* was altered/],
    ['removes the stub', (it) => it.sql('DELETE FROM journal_stub'), /is missing: a link in chain/],
    [
      'removes a line that was kept',
      (it) => it.sql('DELETE FROM journal_kept WHERE number = 1'),
      /^the lines that outlived/,
    ],
    [
      'alters one',
      (it) => it.sql(`UPDATE journal_kept SET line = replace(line, 'ann', 'eve')`),
      /^the lines that outlived/,
    ],
    [
      'swaps two',
      (it) =>
        it.sql(`UPDATE journal_kept SET line = (SELECT line FROM journal_kept AS other WHERE other.number = 3 - journal_kept.number)
          WHERE number < 3`),
      /^the lines that outlived/,
    ],
  ]

  test.each(LONG ? STUBS : STUBS.slice(0, 1))(
    '%s: verification finds it, and nothing more is pruned',
    async (_what, tamper, found) => {
      await pruned()
      tamper(folder)
      for (const withoutKey of [false, true])
        expect((await folder.verify({ withoutKey })).defect?.message).toMatch(found)
      if (String(found) !== String(/is missing: a link in chain/))
        await expect(pruned()).rejects.toThrow('Nothing was pruned, because the stub')
    },
  )

  test('puts a removed segment back, or something in its place: it is found', async () => {
    const [path = ''] = folder.segments()
    const bytes = readFileSync(path)
    await pruned(START + DAY)
    expect(await folder.verify()).toMatchObject({ ok: true, pruned_records: 1 })
    writeFileSync(path, bytes)
    // As a crash would have left it.
    expect(await folder.verify()).toMatchObject({ ok: true, pruned_records: 1 })
    writeFileSync(path, bytes.toString().replace('stdio', 'stdin'))
    expect((await folder.verify()).defect).toMatchObject({ kind: 'inserted' })
    await pruned(START + DAY)
    expect((await folder.verify()).defect?.message).toMatch(
      /^segment \S+ was removed by retention, and is there again$/,
    )
    writeFileSync(path, bytes)
    await pruned(START + 2 * DAY)
    expect(folder.segments()).not.toContain(path)
    writeFileSync(path, bytes)
    expect((await folder.verify()).defect).toMatchObject({ kind: 'inserted' })
  })

  longTest('puts an old stub back: what was removed since is missing', async () => {
    await pruned(START + DAY)
    const old = folder.copyTo(`${folder.path}-old`)
    await pruned()
    copyFileSync(old.address, folder.address)
    for (const name of readdirSync(folder.path)) if (name.startsWith('ledger.db-')) rmSync(join(folder.path, name))
    expect((await folder.verify()).defect).toMatchObject({ kind: 'missing' })
  })

  const BY = { name: 'ann', from: 'cli' } as const
  async function accepted(as: 'same key' | 'new key' = 'same key') {
    const ledger = await openLedger(folder.address, { acceptBreak: as })
    try {
      return await acceptBreak(ledger, BY, 'it was a test')
    } finally {
      await ledger.close()
    }
  }

  longTest(
    'a chain that an operator accepted as broken stays as it is, and the statement outlives its segment',
    async () => {
      change(segment(2, 0), (groups) => groups.slice(0, -1))
      await accepted()
      vi.setSystemTime(START + 12 * DAY)
      for (let round = 0; round < 2; round++) {
        const ledger = await open()
        await record(ledger)
        await ledger.close()
      }
      const { removed, kept } = await pruned()
      expect([removed.length, kept]).toEqual([7, []])
      const report = await folder.verify()
      expect(report).toMatchObject({ ok: true, records: 2 })
      expect(report.notices).toEqual([expect.stringMatching(/ann accepted that on \S+: it was a test$/)])
    },
  )

  test('with a new key old chains are removed as a whole, and the stub goes on', async () => {
    await pruned(START + DAY)
    rmSync(join(folder.path, 'ledger.key'))
    await accepted('new key')
    expect(await folder.verify()).toMatchObject({ ok: true, pruned_records: 1 })
    const { removed, kept } = await pruned()
    expect([removed.length, kept]).toEqual([5, []])
    expect(await folder.verify()).toMatchObject({ ok: true, pruned_records: 9 })
    expect(loadKey(join(folder.path, 'ledger.key')).id).toBe((await sql(folder))[0]?.key_id)
  })

  longTest('an altered stub can be accepted: the chains that it was about are stated as broken', async () => {
    await pruned(START + DAY)
    folder.sql(`UPDATE journal_stub SET body = replace(body, '"records":1', '"records":0')`)
    const { stub, broken } = await accepted()
    expect(stub).toMatch(/^the stub of what retention removed was altered or forged/)
    expect(broken).toMatchObject([{ defect: expect.stringMatching(/^groups 1 to 4 of chain \w+ are missing/) }])
    expect(await folder.verify()).toMatchObject({ defect: { kind: 'decision' } })
  })

  async function sql(of: LedgerFolder) {
    const ledger = await openLedger(of.address)
    const rows = await ledger.db.query<{ key_id: string }>('SELECT key_id FROM journal_stub')
    await ledger.close()
    return rows
  }
})
