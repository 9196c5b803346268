/** The journal on both engines: the same records, chains, decisions, checks and searches, whether in files or in tables. */
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditLine, recordLine, wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { recordGroup, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AuditRecord } from '../audit/call-record.ts'
import type { Ledger } from '../ledger.ts'
import { journalFolder } from '../open.ts'
import { openExisting } from '../open-existing.ts'
import { type Entry, entryLines, parseEntry } from './entry.ts'
import type { SignedMark } from './mark.ts'
import { parseMark, SELECT_MARK } from './mark.ts'
import { followRecords, JournalCursor, readRecords } from './read.ts'
import { readGroups } from './read-groups.ts'
import { type AuditFilter, cursorAfter } from './record-index.ts'
import { segmentName } from './segment.ts'
import { verifyLedger } from './verify.ts'

const TOOL = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64) }
const many = (count: number, name: string): string[] => Array.from({ length: count }, (_, index) => `${name}-${index}`)

const record = async (ledger: Ledger, ...ids: string[]): Promise<void> => {
  for (const id of ids) await recordLine(ledger, auditLine(id))
}

/** Every entry of every chain, with the chain and the group that it is in. */
async function entriesOf({ journal: { store } }: Ledger) {
  const entries: { chain: string; group: number; entry: Entry }[] = []
  for (const segment of await store.segments()) {
    for await (const { groups } of readGroups(store, segment)) {
      for (const { group, lines } of groups) {
        for (const line of entryLines(lines))
          entries.push({ chain: segment.chain, group, entry: parseEntry(line) as Entry })
      }
    }
  }
  return entries
}

const linksOf = async (ledger: Ledger) =>
  (await entriesOf(ledger)).flatMap(({ chain, entry }) =>
    entry.kind === 'segment' || entry.kind === 'seal'
      ? Object.entries(entry.links).map(([to, [group]]) => ({ kind: entry.kind, chain, to, group }))
      : [],
  )

describe.each(EMBEDDED_FIRST)('the journal on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeEach(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return async () => {
      await Promise.allSettled([store.close()])
      await store.remove()
    }
  })

  const child = (job: string, options = {}): LedgerProcess => {
    const started = new LedgerProcess(job, store, options)
    onTestFinished(() => started.end())
    return started
  }
  const storedMark = async (): Promise<SignedMark> => (await ledger.db.query<SignedMark>(SELECT_MARK))[0] as SignedMark
  const whole = () => wholeJournal(ledger)
  const verified = async (options = {}) => verifyLedger(ledger, { key: ledger.key, ...options })

  describe('recording', () => {
    test('keeps all records of one turn as one group, and gives them back as they were', async () => {
      const [first, second] = [many(500, 'first'), many(3, 'second')]
      await Promise.all(first.map((id) => recordLine(ledger, auditLine(id))))
      await Promise.all(second.map((id) => recordLine(ledger, auditLine(id))))
      const { callIds, groups, chains } = await whole()
      expect(callIds).toEqual([...first, ...second])
      expect(groups.map(({ lines }) => lines.length)).toEqual([500, 3])
      expect(chains).toHaveLength(1)
      const records = await Array.fromAsync(readRecords(ledger.journal.store))
      expect(records.map(({ call_id }) => call_id)).toEqual(callIds)
      expect(records[2]).toMatchObject({ ...auditLineOf('first-2'), record: `${chains[0]}/${groups[0]?.group}/2` })
    })

    test('has a record in the store before it says so', async () => {
      const other = await store.open()
      for (const id of many(5, 'call')) {
        await record(ledger, id)
        expect((await wholeJournal(other)).callIds).toContain(id)
      }
    })

    test('writes records that nobody waits for', async () => {
      for (const id of many(20, 'call')) ledger.journal.record(auditLine(id))
      await expect.poll(async () => (await whole()).callIds.length).toBe(20)
    })

    test('keeps every character', async () => {
      const args = { z: 1, a: { c: 'NUL \0, a lone \ud800 surrogate, \u2028, 🐜', b: [3, 1e21, 0.1] } }
      await recordLine(ledger, auditLine('odd', { args, run: 'line\nbreak' }))
      expect((await whole()).lines[0]).toMatchObject({ args, run: 'line\nbreak' })
      expect(await verified()).toMatchObject({ ok: true, records: 1 })
    })

    test('splits what is too large for one group', async () => {
      const data = { text: 'x'.repeat(60_000) }
      await Promise.all(many(160, 'call').map((id) => recordLine(ledger, auditLine(id, { data }))))
      const { callIds, groups } = await whole()
      expect(callIds).toEqual(many(160, 'call'))
      expect(groups.length).toBe(3)
    })

    test('signs by itself, a moment later, and then the mark has the head of the chain', async () => {
      await record(ledger, 'one')
      await expect.poll(async () => (await whole()).sealed).toHaveLength(1)
      const [chain = ''] = (await whole()).chains
      const head = async () => parseMark((await storedMark()).body)?.chains[chain]?.group
      await expect.poll(head).toBe(3)
      // Nothing more is written while there is nothing to sign.
      await ledger.journal.flush()
      expect(await head()).toBe(3)
    })

    test('begins a new segment when one is full, and all of them are one chain', async () => {
      await ledger.close()
      ledger = await store.open({ segments: { segmentBytes: 3000 } })
      await record(ledger, ...many(40, 'call'))
      await ledger.journal.flush()
      const segments = await ledger.journal.store.segments()
      expect(segments.length).toBeGreaterThan(3)
      expect(segments.map(({ number }) => number)).toEqual(segments.map((_, index) => index + 1))
      for (const segment of segments) {
        const bytes = Buffer.concat(await Array.fromAsync(ledger.journal.store.read(segment)))
        expect(bytes.length).toBeLessThan(3600)
        const { group, offset } = await ledger.journal.store.end(segment)
        expect(offset).toBe(bytes.length)
        expect(bytes.toString()).toMatch(new RegExp(`\\{"group":${group - 1},"mac":"[\\w-]{43}"\\}\n$`))
      }
      expect((await whole()).callIds).toEqual(many(40, 'call'))
      expect(await verified()).toMatchObject({ ok: true, records: 40, segments: segments.length, chains: 1 })
    })

    test('reads a segment from any of its groups on', async () => {
      await record(ledger, ...many(5, 'call'))
      // A seal would be written meanwhile.
      await ledger.journal.flush()
      const { store: segments } = ledger.journal
      const [segment] = await segments.segments()
      if (segment === undefined) throw new Error('there is no segment')
      const bytes = Buffer.concat(await Array.fromAsync(segments.read(segment)))
      for await (const { groups } of readGroups(segments, segment)) {
        for (const { group, offset } of groups) {
          const rest = await Array.fromAsync(segments.read(segment, { group, offset }))
          expect(Buffer.concat(rest).equals(bytes.subarray(offset))).toBe(true)
        }
      }
      expect(await Array.fromAsync(segments.read({ ...segment, number: 2 }))).toEqual([])
      expect(await segments.end({ ...segment, number: 2 })).toEqual({ group: 0, offset: 0 })
    })

    test('removes one segment, and leaves the others', async () => {
      await ledger.close()
      ledger = await store.open({ segments: { segmentBytes: 1500 } })
      await record(ledger, ...many(20, 'call'))
      await ledger.journal.flush()
      const { store: segments } = ledger.journal
      const [first, ...others] = await segments.segments()
      if (first === undefined) throw new Error('there is no segment')
      const rest = async () =>
        Promise.all(others.map(async (one) => Buffer.concat(await Array.fromAsync(segments.read(one))).toString()))
      const before = await rest()
      await segments.remove(first)
      expect((await segments.segments()).map(segmentName)).toEqual(others.map(segmentName))
      expect(await Array.fromAsync(segments.read(first))).toEqual([])
      expect(await rest()).toEqual(before)
    })
  })

  describe('several processes', () => {
    test('each write their own chain, and link to the others', async () => {
      const processes = ['a', 'b'].map((name) => child('write', { name, count: 300 }))
      for (const one of processes) expect(await one.word()).toBe('ready')
      for (const one of processes) one.go()
      for (const one of processes) expect(await one.word()).toBe('done')
      const { callIds, chains, sealed } = await whole()
      for (const name of ['a', 'b']) expect(callIds.filter((id) => id.startsWith(`${name}-`))).toEqual(many(300, name))
      expect(callIds).toHaveLength(600)
      expect(chains).toHaveLength(2)
      expect(sealed).toEqual(chains)
      // Whichever began later links to the other one, whose process was alive or has left its head in the mark.
      expect((await linksOf(ledger)).some(({ chain, to }) => chain !== to && chains.includes(to))).toBe(true)
      expect(await verified()).toMatchObject({ ok: true, records: 600, chains: 2 })
    })

    test('link to what the others have reached at every seal, and to nothing twice', async () => {
      const other = await store.open()
      await record(ledger, 'one')
      await ledger.journal.flush()
      await record(other, 'two')
      await other.journal.flush()
      await record(ledger, 'three')
      await ledger.journal.flush()
      await record(ledger, 'four')
      await ledger.journal.flush()
      await record(ledger, 'five')
      await ledger.journal.flush()
      const { chains } = await whole()
      const [first = '', second = ''] = chains
      const links = await linksOf(ledger)
      expect(links.filter(({ kind }) => kind === 'segment')).toEqual([
        { kind: 'segment', chain: second, to: first, group: 3 },
      ])
      // The mark is read when it is changed, so the seal after that has the link.
      expect(links.filter(({ chain }) => chain === first)).toEqual([
        { kind: 'seal', chain: first, to: second, group: 3 },
      ])
    })

    test('can all begin the journal at the same moment', async () => {
      const processes = many(4, 'p').map((name) => child('begin', { name }))
      for (const one of processes) expect(await one.word()).toBe('ready')
      for (const one of processes) one.go()
      expect(await Promise.all(processes.map((one) => one.word()))).toEqual(many(4, 'p').map(() => 'done'))
      expect((await whole()).chains).toHaveLength(4)
      expect(await verified()).toMatchObject({ ok: true, records: 4 })
    })

    test('continue after one of them was killed: its unsigned end is checked, kept and linked to', async () => {
      const victim = child('die')
      expect(await victim.word()).toBe('ready')
      await victim.end()
      const next = await store.open()
      await record(next, 'after')
      await next.journal.flush()
      const { callIds, chains } = await wholeJournal(next)
      expect(callIds).toEqual(['early-1', 'early-2', 'late-1', 'late-2', 'after'])
      const groups = (await entriesOf(next)).filter(({ chain }) => chain === chains[0]).map(({ group }) => group)
      const [link] = await linksOf(next)
      // The two groups after the last seal have no entry.
      expect(link).toMatchObject({ kind: 'segment', chain: chains[1], to: chains[0], group: Math.max(...groups) + 2 })
      expect(Object.keys(parseMark((await storedMark()).body)?.chains ?? {})).toEqual([chains[1]])
      expect(await verified()).toMatchObject({ ok: true, records: 5, chains: 2, unsigned_records: 0 })
    })
  })

  describe('decisions', () => {
    const rows = async () => ledger.trust.decisions()
    const decisions = async () => (await entriesOf(ledger)).filter(({ entry }) => entry.kind === 'decision')

    test('are entries with their rows, in the order of the records', async () => {
      await record(ledger, 'before')
      await ledger.trust.set(TOOL, 'trusted', { name: 'ann', from: 'cli' })
      await record(ledger, 'after')
      expect(await decisions()).toMatchObject([
        {
          group: 3,
          entry: { what: 'trust', by: 'ann', from: 'cli', table: 'trust', rows: [{ ...TOOL, level: 'trusted' }] },
        },
      ])
      expect((await whole()).groups.map(({ group }) => group)).toEqual([2, 4])
      expect(await rows()).toHaveLength(1)
      expect(await verified()).toMatchObject({ ok: true })
    })

    test('and many records at once keep the order of the chain', async () => {
      const grant = async (number: number) => {
        await record(ledger, `before-${number}`)
        await ledger.grants.give({ ...TOOL, tool: `tool.${number}` }, 'ann')
        await record(ledger, `after-${number}`)
      }
      await Promise.all(Array.from({ length: 20 }, (_, number) => grant(number)))
      const { callIds } = await whole()
      for (let number = 0; number < 20; number++)
        expect(callIds.indexOf(`before-${number}`)).toBeLessThan(callIds.indexOf(`after-${number}`))
      expect(await decisions()).toHaveLength(20)
      expect(await verified()).toMatchObject({ ok: true, records: 40 })
    })

    test('leave no entry if a statement fails, and the chain goes on', async () => {
      await record(ledger, 'before')
      const failed = ledger.journal.decide(
        [
          { sql: `INSERT INTO budgets (id, spent) VALUES ('half', 1) RETURNING id` },
          { sql: 'INSERT INTO no_such_table VALUES (1)' },
        ],
        () => [{ what: 'trust', by: 'ann', table: 'trust', rows: [] }],
      )
      await expect(failed).rejects.toThrow(/The ledger could not be changed/)
      await record(ledger, 'after')
      expect(await decisions()).toEqual([])
      expect(await ledger.db.query('SELECT id FROM budgets')).toEqual([])
      expect((await whole()).callIds).toEqual(['before', 'after'])
      expect(await verified()).toMatchObject({ ok: true })
    })

    test('leave no row if the journal cannot be written, and are made when it can', async () => {
      const unblock = await block(store, ledger)
      await expect(ledger.trust.set(TOOL, 'trusted', 'ann')).rejects.toMatchObject({ error_type: 'UnavailableError' })
      expect(await rows()).toEqual([])
      await unblock()
      await expect.poll(async () => ledger.trust.set(TOOL, 'trusted', 'ann').then(() => 'made', String)).toBe('made')
      expect(await rows()).toHaveLength(1)
      expect(await decisions()).toHaveLength(1)
      expect(await verified()).toMatchObject({ ok: true })
    })
  })

  describe('stops recording, and says why,', () => {
    const stopped = async (why: RegExp): Promise<void> => {
      await expect.poll(() => store.failures.map(String).join()).toMatch(why)
      await expect(record(ledger, 'refused')).rejects.toMatchObject({ error_type: 'UnavailableError' })
      expect(await ledger.journal.failing?.()).toBe(true)
      await expect(ledger.trust.set(TOOL, 'trusted', 'ann')).rejects.toThrow()
      expect(await ledger.trust.decisions()).toEqual([])
      await expect(ledger.close()).rejects.toThrow()
      expect(
        store.failures.filter((error) => String(error).includes('was changed from outside')).length,
      ).toBeGreaterThan(0)
    }

    test('when somebody else has changed the end of its chain', async () => {
      await record(ledger, 'one', 'two')
      await ledger.journal.flush()
      await takeEnd(store, ledger)
      await record(ledger, 'three').catch(() => {})
      await stopped(/The journal was changed from outside: (group 5 of chain \w+|segment \S+) was (over)?written/)
    })

    test('when the mark goes back to an older one', async () => {
      await record(ledger, 'one')
      await ledger.journal.flush()
      const { body, key_id, signature } = await storedMark()
      await record(ledger, 'two')
      await ledger.journal.flush()
      await ledger.db.query('UPDATE journal_mark SET body = ?, key_id = ?, signature = ?', [body, key_id, signature])
      await record(ledger, 'three')
      await stopped(/its mark was replaced by an older one \(version \d+, \d+ was seen\)/)
    })

    test('when the mark is removed', async () => {
      await record(ledger, 'one')
      await ledger.journal.flush()
      await ledger.db.query('DELETE FROM journal_mark')
      await record(ledger, 'two')
      await stopped(/its mark was removed/)
    })
  })

  describe('verifying', () => {
    test('needs no key for what is signed, and the key for the rest', async () => {
      await record(ledger, ...many(10, 'call'))
      await ledger.journal.flush()
      expect(await verified()).toMatchObject({ ok: true, keyed: true, records: 10, unsigned_records: 0 })
      expect(await verified({ key: undefined })).toMatchObject({ ok: true, keyed: false, records: 10 })
    })

    test('finds what was altered, by somebody who may only read', async () => {
      await record(ledger, ...many(10, 'call'))
      await ledger.close()
      const reader = await openExisting(store.address, { readOnly: true })
      onTestFinished(() => reader.close())
      expect(await verifyLedger(reader, { key: ledger.key })).toMatchObject({ ok: true, records: 10 })
      await alter(store, 'call-5', 'call-6')
      for (const key of [ledger.key, undefined])
        expect(await verifyLedger(reader, { key })).toMatchObject({ ok: false, defect: { kind: 'altered' } })
      // The index in memory is that of what is there now.
      expect((await Array.fromAsync(reader.index.search({ call_id: 'call-6' }))).length).toBe(2)
    })
  })

  describe('the index', () => {
    const found = async (filter?: AuditFilter, from = ledger): Promise<AuditRecord[]> =>
      Array.fromAsync(from.index.search(filter))
    const idsOf = async (filter?: AuditFilter): Promise<string[]> => (await found(filter)).map(({ call_id }) => call_id)

    test('finds calls by their fields, newest first', async () => {
      await recordGroup(ledger, [
        sampleLine(1, { tool: 'shop.refund', approval: 'a-1', run: 'run-1' }),
        sampleLine(2, { tool: 'shop_old.refund', principal: 'ada', outcome: 'failure', error_type: 'TimeoutError' }),
        sampleLine(3, { tool: 'Shop.refund', principal: 'ada' }),
      ])
      await recordGroup(ledger, [
        sampleLine(4, { tool: 'shop.list', run: 'run-1' }),
        sampleLine(5, { tool: 'math.add' }),
      ])
      const cases: [AuditFilter, number[]][] = [
        [{}, [5, 4, 3, 2, 1]],
        [{ order: 'oldest' }, [1, 2, 3, 4, 5]],
        [{ limit: 2 }, [5, 4]],
        [{ tool: 'shop.*' }, [4, 1]],
        [{ principal: 'ada' }, [3, 2]],
        [{ error_type: 'TimeoutError' }, [2]],
        [{ run: 'run-1', order: 'oldest' }, [1, 4]],
        [{ approval: 'a-1' }, [1]],
        [{ call_id: `'; DROP TABLE journal_records; --` }, []],
      ]
      for (const [filter, expected] of cases)
        expect(await idsOf(filter), JSON.stringify(filter)).toEqual(expected.map((number) => `call-${number}`))
      expect((await found({ call_id: 'call-1' }))[0]).toMatchObject({ args: { a: 1 }, data: { sum: 2 } })
    })

    test('gives pages that continue where the last one ended, though all calls have the same time', async () => {
      await Promise.all(many(700, 'call').map((id) => recordLine(ledger, auditLine(id))))
      const seen: string[] = []
      for (let past: string | undefined; ; ) {
        const page = await found({ limit: 123, ...(past !== undefined && { past }) })
        seen.push(...page.map(({ call_id }) => call_id))
        const last = page.at(-1)
        if (last === undefined) break
        past = cursorAfter(last)
      }
      expect(seen).toEqual(many(700, 'call').reverse())
    })

    test('continues where it was, however many fill it at once, and can be made again', async () => {
      for (let group = 0; group < 30; group++)
        await recordGroup(
          ledger,
          Array.from({ length: 20 }, (_, place) => sampleLine(group * 20 + place)),
        )
      const other = await store.open()
      await Promise.all([ledger.index.update(), other.index.update()])
      expect(await ledger.index.update()).toBe(0)
      await recordGroup(other, [sampleLine(600)])
      expect(await ledger.index.update()).toBe(1)
      const all = many(601, 'call').reverse()
      expect(await idsOf()).toEqual(all)
      expect(await ledger.index.rebuild()).toBe(601)
      expect(await idsOf()).toEqual(all)
      expect(await verified()).toMatchObject({ ok: true, records: 601 })
    })
  })

  test('can be followed: every record once, of all chains, from now on', async () => {
    await record(ledger, 'before')
    const cursor = await new JournalCursor(ledger.journal.store).skipToEnd()
    const abort = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const records of followRecords(cursor, abort.signal))
        seen.push(...records.map(({ call_id }) => call_id))
    })()
    const other = await store.open({ segments: { segmentBytes: 1000 } })
    await Promise.all([record(ledger, ...many(10, 'one')), record(other, ...many(10, 'two'))])
    await expect.poll(() => seen.length).toBe(20)
    abort.abort()
    await following
    for (const name of ['one', 'two']) expect(seen.filter((id) => id.startsWith(name))).toEqual(many(10, name))
  })
})

const auditLineOf = (id: string) => {
  const { args_hash: _, error: __, ...line } = auditLine(id)
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))
}

/** Makes writing to the journal fail. Returns a function that undoes it. */
async function block({ engine, address }: Store, { db }: Ledger): Promise<() => Promise<unknown>> {
  if (engine === 'sqlite') {
    const folder = journalFolder(address)
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, 'a file where the folder should be')
    return async () => {
      rmSync(folder)
      mkdirSync(folder)
    }
  }
  await db.query(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
  await db.query('CREATE TRIGGER no_room BEFORE INSERT ON journal_groups FOR EACH ROW EXECUTE FUNCTION no_room()')
  return async () => db.query('DROP TRIGGER no_room ON journal_groups')
}

/** As somebody does who can write to the store and has no key. */
async function takeEnd({ engine, address }: Store, { db, journal }: Ledger): Promise<void> {
  const [segment] = await journal.store.segments()
  if (segment === undefined) throw new Error('there is no segment')
  if (engine === 'sqlite') truncateSync(join(journalFolder(address), segmentName(segment)), 400)
  else
    await db.query(`INSERT INTO journal_groups SELECT chain, grp + 1, at_byte, mac, lines FROM journal_groups
      ORDER BY grp DESC LIMIT 1`)
}

async function alter({ engine, address }: Store, from: string, to: string): Promise<void> {
  const { Client } = await import('pg')
  if (engine === 'postgres') {
    const client = new Client({ connectionString: address })
    await client.connect()
    await client.query('UPDATE myrmex.journal_groups SET lines = replace(lines, $1, $2)', [from, to])
    await client.end()
    return
  }
  const { readdirSync, readFileSync } = await import('node:fs')
  for (const name of readdirSync(journalFolder(address)).filter((each) => each.endsWith('.jsonl'))) {
    const path = join(journalFolder(address), name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
  }
}
