/** An export that proves itself, and what somebody may do to such a file. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BEGIN, recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ledger } from '../ledger.ts'
import { openLedger } from '../open.ts'
import { GENESIS, nextGroup } from './chain.ts'
import { GroupDraft } from './group.ts'
import { temporaryKey } from './key.ts'
import { parseTrustedKey } from './keyring.ts'
import { proofLines } from './proof.ts'
import { prune } from './retention.ts'
import { verifyFile } from './verify-file.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-proof-'))
let ledger: Ledger
let file: string[]

beforeAll(async () => {
  ledger = await openLedger(join(FOLDER, 'ledger.db'))
  await recordSample(
    ledger,
    Array.from({ length: 8 }, (_, index) => ({ lines: 1 + (index % 3), sealed: index % 2 === 1 })),
    1000,
  )
  file = await Array.fromAsync(proofLines(ledger.db))
})
afterAll(async () => {
  await ledger.close()
  rmSync(FOLDER, { recursive: true, force: true })
})

const verdictOn = (lines: readonly string[], options?: Parameters<typeof verifyFile>[1]) =>
  verifyFile(
    (async function* () {
      yield* lines
    })(),
    options,
  )

test('verifies without the ledger, by the key it names or by one that was brought', async () => {
  expect(await verdictOn(file)).toMatchObject({ ok: true, groups: 8, lines: 15, head: { seq: 8 }, notices: [] })
  expect(await verdictOn(file, { pins: [parseTrustedKey(ledger.key.publicPem)] })).toMatchObject({ ok: true })
  expect(await verdictOn(file, { pins: [parseTrustedKey(temporaryKey().publicPem)] })).toMatchObject({ ok: false })
})

test('a part of it verifies from where it begins to the signature that covers it, and says so', async () => {
  const part = await Array.fromAsync(proofLines(ledger.db, { since: BEGIN + 3000, until: BEGIN + 4000 }))
  expect(await verdictOn(part)).toMatchObject({
    ok: true,
    head: { seq: 6 },
    unsigned_lines: 0,
    notices: ['the file begins with group 4 (line 7); it says nothing of what came before'],
  })
})

test('a group that was written late, behind what could not be written before it, is proven too', async () => {
  const late = await openLedger(join(FOLDER, 'late.db'))
  const draft = new GroupDraft()
  const owed = new GroupDraft()
  for (const number of [1, 3]) owed.add(sampleLine(number, { time: BEGIN }))
  for (const number of [5, 7]) draft.add(sampleLine(number, { time: BEGIN }))
  draft.prepend(owed)
  const { seq, first_line, line_count, first_time, last_time, prev, hash, lines } = nextGroup(GENESIS, draft)
  await late.db.query('INSERT INTO audit_groups VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
    ...[seq, first_line, line_count, first_time, last_time],
    ...[prev, hash, lines],
  ])
  await recordGroup(late, [sampleLine(9)])
  await late.audit.flush()
  const proven = await Array.fromAsync(proofLines(late.db))
  expect(await verdictOn(proven)).toMatchObject({ ok: true, groups: 2, lines: 5 })
  await late.close()
})

test('goes on across what was pruned', async () => {
  const pruned = await openLedger(join(FOLDER, 'pruned.db'))
  await recordSample(
    pruned,
    Array.from({ length: 6 }, () => ({ lines: 2, sealed: true })),
  )
  await prune(pruned, Date.now(), { segmentGroups: 4 })
  const rest = await Array.fromAsync(proofLines(pruned.db))
  await pruned.close()
  expect(await verdictOn(rest)).toMatchObject({ ok: true, lines: 4, pruned_lines: 8, notices: [] })
  const without = rest.filter((line) => !line.includes('"proof":"stub"'))
  expect((await verdictOn(without)).notices).toEqual([expect.stringMatching(/^the file begins with group 5/)])
})

describe('what somebody does to the file', () => {
  test('any change of a line, and any line taken out, put in twice or moved, is found', async () => {
    const keyLines = file.filter((line) => line.includes('"proof":"key"')).length
    const somewhere = fc.integer({ min: keyLines, max: file.length - 2 })
    await fc.assert(
      fc.asyncProperty(
        somewhere,
        fc.nat(),
        fc.constantFrom('change', 'drop', 'double', 'move'),
        async (at, choice, how) => {
          const line = file[at] as string
          const digits = [...line.matchAll(/\d/g)].map(({ index }) => index)
          const digit = digits[choice % digits.length] as number
          const other = line.slice(0, digit) + ((Number(line[digit]) + 1) % 10) + line.slice(digit + 1)
          const changed = {
            change: file.with(at, other),
            drop: file.toSpliced(at, 1),
            double: file.toSpliced(at, 0, line),
            move: file.with(at, file[at + 1] as string).with(at + 1, line),
          }[how]
          const verdict = await verdictOn(changed)
          // Taking out the first groups whole leaves a file that begins later, and says so.
          expect(verdict.ok && verdict.notices.length === 0, changed.join('\n')).toBe(false)
        },
      ),
      { numRuns: propertyRuns(50, 150) },
    )
  })

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    ['a group less', (lines) => lines.toSpliced(1, 2), /says that there are 8 groups, and 7 are there/],
    [
      'wrong numbers',
      (lines) => lines.with(1, (lines[1] as string).replace('{"line":1,', '{"line":2,')),
      /ends group 1, whose lines are numbered wrongly/,
    ],
    ['cut off', (lines) => lines.slice(0, -4), /the end of the export is missing/],
    ['not JSON', (lines) => lines.with(3, 'oops'), /^line 4 of the file is not JSON$/],
    ['no object', (lines) => lines.with(3, '5'), /^line 4 of the file is no object$/],
    ['something after the end', (lines) => [...lines, lines[2] as string], /was added after the end/],
    ['an unknown kind', (lines) => lines.with(3, '{"proof":"x"}'), /of a kind that is not known/],
    ['a group without numbers', (lines) => lines.with(3, '{"proof":"group","whole":1}'), /has no numbers/],
    ['an empty file', () => [], /the end of the export is missing/],
    ['no key', (lines) => lines.filter((line) => !line.includes('"key"')), /is by key \w+, which is not known/],
  ])('%s', async (_, change, message) => {
    const { ok, defect } = await verdictOn(change(file))
    expect(ok).toBe(false)
    expect(defect?.message).toMatch(message)
  })
})
