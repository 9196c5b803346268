/** Real ledgers in real files, tampered with in the database. Verification finds it, and names the place. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Tampering } from '@myrmex/testing/ledger/audit-tampering'
import { recordGroup, recordSample, type SampleGroup, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db, Value } from '../db.ts'
import { openLedger } from '../open.ts'
import { openExisting } from '../open-existing.ts'
import { temporaryKey } from './key.ts'
import { parseTrustedKey } from './keyring.ts'
import { prune } from './retention.ts'
import { type VerifyOptions, type VerifyReport, verifyJournal } from './verify.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-verify-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let files = 0
const newFile = (): string => join(FOLDER, `${++files}.db`)

async function written(groups: readonly SampleGroup[], apartMs?: number): Promise<string> {
  const file = newFile()
  const ledger = await openLedger(file)
  await recordSample(ledger, groups, apartMs)
  await ledger.close()
  return file
}

function changed(file: string, change: (database: DatabaseSync) => void): string {
  const copy = newFile()
  copyFileSync(file, copy)
  const database = new DatabaseSync(copy)
  change(database)
  database.close()
  return copy
}

async function verdictOn(file: string, options?: VerifyOptions): Promise<VerifyReport> {
  const ledger = await openExisting(file, { readOnly: true })
  try {
    return await verifyJournal(ledger.db, options)
  } finally {
    await ledger.close()
  }
}

const messageOn = async (file: string, options?: VerifyOptions): Promise<string | undefined> =>
  (await verdictOn(file, options)).defect?.message

const someGroups = fc.array(fc.record({ lines: fc.integer({ min: 1, max: 4 }), sealed: fc.boolean() }), {
  minLength: 3,
  maxLength: 12,
})

describe('an untouched ledger', () => {
  test('always verifies, signed to its end', async () => {
    await fc.assert(
      fc.asyncProperty(someGroups, async (groups) => {
        const verdict = await verdictOn(await written(groups))
        const lines = groups.reduce((sum, group) => sum + group.lines, 0)
        expect(verdict).toMatchObject({ ok: true, defect: null, notices: [], unsigned_lines: 0 })
        expect(verdict).toMatchObject({ groups: groups.length, lines, head: { seq: groups.length, line: lines } })
      }),
      { numRuns: 15 },
    )
  })

  test('is quick to verify, and empty it verifies too', async () => {
    expect(await verdictOn(await written([]))).toMatchObject({ ok: true, lines: 0, head: { seq: 0 } })
    const file = await written(Array.from({ length: 400 }, () => ({ lines: 50 })))
    expect(await withTimeLimit(4000, () => verdictOn(file))).toMatchObject({ ok: true, lines: 20_000 })
  })

  test('verifies while somebody prunes it', async () => {
    const ledger = await openLedger(newFile())
    await recordSample(
      ledger,
      Array.from({ length: 12 }, () => ({ lines: 1, sealed: true })),
    )
    let pruned = 0
    const db: Db = {
      ...ledger.db,
      async query<Row extends object>(sql: string, params?: readonly Value[]): Promise<Row[]> {
        // Between the stubs and the first page of groups, once.
        const isPage = sql.includes('FROM audit_groups WHERE seq >')
        if (isPage && pruned === 0) pruned = (await prune(ledger, Date.now(), { segmentGroups: 4 })).length
        return ledger.db.query<Row>(sql, params)
      },
    }
    expect(await verifyJournal(db)).toMatchObject({ ok: true, groups: 4, pruned_lines: 8 })
    expect(pruned).toBe(2)
    await ledger.close()
  })

  test('verifies while somebody writes to it', async () => {
    const file = newFile()
    const ledger = await openLedger(file)
    for (let round = 0; round < 20; round++) {
      await recordSample(ledger, [{ lines: 2 }, { lines: 1 }])
      void recordGroup(ledger, [sampleLine(round)])
      expect(await verdictOn(file)).toMatchObject({ ok: true })
    }
    await ledger.close()
  })
})

describe('tampering', () => {
  const ways = Object.getOwnPropertyNames(Tampering.prototype).filter((name) => name !== 'constructor') as Exclude<
    keyof Tampering,
    'groups' | 'sealed'
  >[]

  // Written once: each case works on a copy.
  let bases: string[] = []
  beforeAll(async () => {
    const patterns = fc.sample(someGroups, { numRuns: 8, seed: 7 })
    bases = []
    for (const pattern of patterns) bases.push(await written([{ lines: 3 }, ...pattern, { lines: 2, sealed: true }]))
  })

  test.each(ways)('%s is found and its place named', async (way) => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 7 }), fc.nat(), async (base, choice) => {
        let done: { seq: number; line?: number; exact: boolean } | undefined
        let sealed: number[] = []
        const file = changed(bases[base] as string, (database) => {
          const tampering = new Tampering(database, choice)
          sealed = tampering.sealed
          done = tampering[way]()
        })
        const { ok, defect, signed } = await verdictOn(file)
        const { seq, line, exact } = done as NonNullable<typeof done>
        expect({ ok, whole: signed.seq < Math.max(1, seq) || defect?.kind === 'signature' }).toEqual({
          ok: false,
          whole: true,
        })
        if (exact) expect([defect?.first_seq, defect?.last_seq]).toEqual([seq, seq])
        // What was rehashed looks right by itself: it is among those that the next signature should cover.
        const next = sealed.find((other) => other >= seq) ?? seq
        const signedBefore = sealed.findLast((other) => other < seq) ?? -1
        expect(defect?.first_seq).toBeGreaterThan(signedBefore)
        expect(defect?.first_seq).toBeLessThanOrEqual(next + 1)
        expect(defect?.last_seq).toBeGreaterThanOrEqual(seq)
        if (line !== undefined) {
          expect(defect?.first_line).toBeLessThanOrEqual(line)
          expect(defect?.last_line).toBeGreaterThanOrEqual(line)
        }
      }),
      { numRuns: 12 },
    )
  })
})

describe('what it says', () => {
  const groups = Array.from({ length: 6 }, () => ({ lines: 3, sealed: true }))
  let file = ''
  beforeAll(async () => {
    file = await written(groups)
  })

  test.each([
    [
      `UPDATE audit_groups SET lines = replace(lines, 'call-8', 'call-x') WHERE seq = 3`,
      'group 3 (lines 7 to 9) was altered: its hash does not fit its lines',
    ],
    [
      `UPDATE audit_groups SET lines = replace(lines, '"call-8"', 'call-8') WHERE seq = 3`,
      'line 8 (in group 3) was altered: it is not as a line is written, in canonical JSON',
    ],
    ['DELETE FROM audit_groups WHERE seq = 3', 'group 3 (lines 7 to 9) is missing'],
    ['DELETE FROM audit_groups WHERE seq IN (3, 4)', 'groups 3 to 4 (lines 7 to 12) are missing'],
    ['DELETE FROM audit_groups WHERE seq < 3', 'groups 1 to 2 (lines 1 to 6) are missing'],
    [
      'DELETE FROM audit_groups WHERE seq > 4',
      'the end was cut off: groups 5 to 6 are missing, and group 6 was signed',
    ],
    [
      `UPDATE audit_groups SET seq = CASE seq WHEN 3 THEN -4 ELSE -3 END WHERE seq IN (3, 4);
      UPDATE audit_groups SET seq = -seq WHERE seq < 0`,
      'group 4 is in the position of group 3: groups were moved, removed or inserted',
    ],
    [
      'UPDATE audit_groups SET last_time = 0 WHERE seq = 3',
      'group 3 (lines 7 to 9) was altered: the times in its columns are not those of its lines',
    ],
    [
      `UPDATE audit_groups SET lines = x'00' WHERE seq = 3`,
      'group 3 (lines 7 to 9) was altered: its numbers or its lines are not of the kind that is written there',
    ],
    [
      `UPDATE audit_groups SET first_time = 'noon' WHERE seq = 3`,
      'group 3 (lines 7 to 9) was altered: its numbers or its lines are not of the kind that is written there',
    ],
    [
      `UPDATE audit_seals SET signature = (SELECT signature FROM audit_seals WHERE seq = 2) WHERE seq = 3`,
      'the signature of group 3 was altered or forged; the lines are whole, that of group 4 covers them',
    ],
    [
      'INSERT INTO audit_seals SELECT 0, key_id, signature FROM audit_seals WHERE seq = 1',
      'a signature for group 0 was put in: there is no such group',
    ],
    [
      `UPDATE audit_seals SET signature = signature || ' ' WHERE seq = 6`,
      'the signature of group 6 is not written as signatures are: it or the group was altered',
    ],
    [
      `UPDATE audit_seals SET signature = 'none' WHERE seq = 6`,
      'the signature of group 6 does not fit: it or the group was altered',
    ],
    [`UPDATE keys SET public_key = '${temporaryKey().publicPem}'`, / cannot be checked: its key .* was altered/],
    [`UPDATE keys SET public_key = replace(public_key, 'MCow', 'MCov')`, / cannot be checked: its key .* was altered/],
    [
      'DELETE FROM keys',
      /^the signature of group 1 is by key \w{16}, which is not known: it or the group was altered$/,
    ],
  ])('%s', async (sql, message) => {
    const found = await messageOn(changed(file, (database) => database.exec(sql)))
    if (typeof message === 'string') expect(found).toBe(message)
    else expect(found).toMatch(message)
  })
})

describe('signatures', () => {
  test('the end that a killed process left unsigned is a notice', async () => {
    const file = await written([
      { lines: 2, sealed: true },
      { lines: 3, sealed: true },
    ])
    const verdict = await verdictOn(changed(file, (database) => database.exec('DELETE FROM audit_seals WHERE seq = 2')))
    expect(verdict).toMatchObject({ ok: true, unsigned_lines: 3, signed: { seq: 1, line: 2 } })
    expect(verdict.notices).toEqual([
      expect.stringMatching(/^the last 3 lines \(lines 3 to 5, group 2\) are not signed/),
    ])
  })

  test('a group that was left unsigned is covered by the next signature, though that came an hour later', async () => {
    const file = await written(
      Array.from({ length: 6 }, () => ({ lines: 1, sealed: true })),
      3_600_000,
    )
    const copy = changed(file, (database) => database.exec('DELETE FROM audit_seals WHERE seq < 6'))
    expect(await verdictOn(copy)).toMatchObject({ ok: true, unsigned_lines: 0, notices: [] })
  })

  test('many groups without one, at the end or in the middle, are none that a killed process left', async () => {
    const groups = Array.from({ length: 30 }, () => ({ lines: 1, sealed: true }))
    const file = await written(groups, 2000)
    expect(await verdictOn(file)).toMatchObject({ ok: true })
    for (const without of ['seq > 10', 'seq > 10 AND seq < 28']) {
      const copy = changed(file, (database) => database.exec(`DELETE FROM audit_seals WHERE ${without}`))
      expect(await verdictOn(copy)).toMatchObject({ ok: false, defect: { kind: 'signature', first_seq: 11 } })
    }
    // A few may be: each time one is killed a moment stays unsigned.
    const few = changed(file, (database) => database.exec('DELETE FROM audit_seals WHERE seq > 10 AND seq < 15'))
    expect(await verdictOn(few)).toMatchObject({ ok: true })
  })

  test('a key that was brought counts, and no other', async () => {
    const file = await written([{ lines: 2, sealed: true }])
    const [[id] = ['']] = Object.entries((await verdictOn(file)).seals)
    expect(await verdictOn(file, { trustedKeys: [parseTrustedKey(id)] })).toMatchObject({ ok: true })
    const other = parseTrustedKey(temporaryKey().publicPem)
    expect(await messageOn(file, { trustedKeys: [other] })).toBe(
      `the signature of group 1 is by key ${id}, not by ${other.id}: it or the group was altered`,
    )
  })

  test('a ledger that was rewritten and signed with another key is detected by a trusted key', async () => {
    const file = await written([{ lines: 2, sealed: true }])
    const forged = newFile()
    const ledger = await openLedger(forged, { keyFile: join(FOLDER, 'forger.key') })
    await recordSample(ledger, [{ lines: 1, sealed: true }])
    await ledger.close()
    const [[id] = ['']] = Object.entries((await verdictOn(file)).seals)
    expect(await verdictOn(forged)).toMatchObject({ ok: true })
    expect(await verdictOn(forged, { trustedKeys: [parseTrustedKey(id)] })).toMatchObject({ ok: false })
  })
})

describe('a head that was noted elsewhere', () => {
  test('shows that the end was cut off or rewritten', async () => {
    const file = await written(Array.from({ length: 5 }, () => ({ lines: 2, sealed: true })))
    const { head } = await verdictOn(file)
    expect(await verdictOn(file, { head })).toMatchObject({ ok: true })
    const cut = changed(file, (database) => {
      database.exec('DELETE FROM audit_groups WHERE seq > 3; DELETE FROM audit_seals WHERE seq > 3')
    })
    expect(await verdictOn(cut)).toMatchObject({ ok: true })
    expect(await messageOn(cut, { head })).toBe(
      'the end was cut off: the chain ends with group 3, and group 5 was noted as its head',
    )
    const other = await verdictOn(file, { head: { seq: 4, hash: head.hash } })
    expect(other.defect).toMatchObject({
      kind: 'head',
      last_seq: 4,
      message: expect.stringContaining('not the one that was noted'),
    })
  })
})
