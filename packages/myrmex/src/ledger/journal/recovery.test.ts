/** What a process finds when it opens a journal: torn ends, missing pieces, other keys. Everything that was answered is kept. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLine, recordLine, wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder, readSegment } from '@myrmex/testing/ledger/journal-fixture'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { LONG } from '@myrmex/testing/long'
import { afterAll, describe, expect, test } from 'vitest'
import type { Ledger } from '../ledger.ts'
import { openLedger } from '../open.ts'
import { acceptBreak } from './accept-break.ts'
import { loadKey } from './key.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-recovery-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let folders = 0
const newFolder = (): LedgerFolder => new LedgerFolder(join(FOLDER, String(++folders)))

const record = async (ledger: Ledger, ...ids: string[]): Promise<void> => {
  for (const id of ids) await recordLine(ledger, auditLine(id))
}

/** A ledger whose process was killed: two records are in the mark, two came after it. */
async function killed(): Promise<LedgerFolder> {
  const folder = newFolder()
  const store = { address: folder.address, keyFile: join(folder.path, 'ledger.key') }
  const child = new LedgerProcess('die', store)
  expect(await child.word()).toBe('ready')
  await child.end()
  return folder
}

const opened = async (folder: LedgerFolder, notices: unknown[] = []): Promise<Ledger> =>
  openLedger(folder.address, { onFailure: (error) => notices.push(error) })

test('a process that was killed leaves an unsigned end, which the next one checks, keeps and links to', async () => {
  const folder = await killed()
  const ledger = await opened(folder)
  await record(ledger, 'after')
  const { callIds, chains } = await wholeJournal(ledger)
  expect(callIds).toEqual(['early-1', 'early-2', 'late-1', 'late-2', 'after'])
  expect(chains).toHaveLength(2)
  await ledger.close()
  const [, header = ''] = folder.segments().map((path) => readSegment(path).groups[0]?.[0])
  const end = readSegment(folder.segments()[0] ?? '').groups.length
  expect(Object.values(JSON.parse(header).links)).toEqual([[end, expect.any(String)]])
  expect(await folder.verify()).toMatchObject({ ok: true, records: 5 })
  // What was linked to cannot be cut off any more.
  const [first = ''] = folder.segments()
  truncateSync(first, readFileSync(first).lastIndexOf('\n', readFileSync(first).length - 2) + 1)
  expect((await folder.verify()).defect?.message).toMatch(/^the end of chain \w+ was cut off/)
})

test('a last write that was torn at any byte loses only what was not answered, and the log says what was cut', async () => {
  const folder = await killed()
  const [path = ''] = folder.segments()
  const bytes = readFileSync(path)
  const { groups } = readSegment(path)
  const last = (groups.at(-1) ?? []).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const start = bytes.length - last
  for (let cut = start; cut <= bytes.length; cut++) {
    // The short form tries the first and last bytes, and some between them.
    if (!LONG && cut > start + 2 && cut < bytes.length - 2 && (cut - start) % 23 !== 0) continue
    const torn = folder.copyTo(join(FOLDER, `torn-${cut}`))
    truncateSync(torn.segments()[0] ?? '', cut)
    const notices: Error[] = []
    const ledger = await opened(torn, notices)
    const left = cut - start
    const isWhole = cut === bytes.length
    if (left > 0 && !isWhole) expect(String(notices[0])).toContain(`${left} bytes at the end of chain`)
    else expect(notices).toEqual([])
    await record(ledger, 'after')
    await ledger.close()
    const report = await torn.verify()
    expect(report, `cut at ${cut}: ${report.defect?.message}`).toMatchObject({ ok: true, records: isWhole ? 5 : 4 })
    rmSync(torn.path, { recursive: true })
  }
})

describe('opening is refused, and nothing is written,', () => {
  const CASES: readonly (readonly [string, (folder: LedgerFolder) => void, RegExp])[] = [
    [
      'if the end was cut off below the mark',
      (folder) => truncateSync(folder.segments()[0] ?? '', 300),
      /ends before group \d+, which its mark has/,
    ],
    ['if the segment is gone', (folder) => rmSync(folder.segments()[0] ?? ''), /ends before group \d+/],
    ['if the end was altered', alterEnd, /group \d+ in segment \S+ is not what was written there/],
    ['if the mark is gone', (folder) => folder.sql('DELETE FROM journal_mark'), /its mark was removed/],
    [
      'if the mark was altered',
      (folder) => folder.sql(`UPDATE journal_mark SET body = replace(body, '"group":4', '"group":3')`),
      /its mark was altered/,
    ],
    [
      'if the key is that of another ledger',
      otherKey,
      /The key \S+ has the id \w+, but the journal of this ledger is signed with key \w+\. Name the file/,
    ],
    [
      'if the key file is missing',
      (folder) => rmSync(join(folder.path, 'ledger.key')),
      /The ledger's key .*ledger\.key does not exist\. Restore it/,
    ],
  ]

  test.each(CASES)('%s', async (_name, tamper, message) => {
    const folder = await killed()
    tamper(folder)
    const before = folder.segments().map((path) => readFileSync(path, 'utf8'))
    await expect(opened(folder)).rejects.toThrow(message)
    expect(folder.segments().map((path) => readFileSync(path, 'utf8'))).toEqual(before)
  })
})

function alterEnd(folder: LedgerFolder): void {
  const [path = ''] = folder.segments()
  writeFileSync(path, readFileSync(path, 'utf8').replace('late-2', 'late-9'))
}

function otherKey(folder: LedgerFolder): void {
  const path = join(folder.path, 'ledger.key')
  rmSync(path)
  loadKey(path)
}

describe('a break that an operator has accepted', () => {
  const BY = { name: 'ann', from: 'cli' } as const

  async function accepted(folder: LedgerFolder, acceptBreakAs: 'same key' | 'new key' = 'same key') {
    const ledger = await openLedger(folder.address, { acceptBreak: acceptBreakAs })
    try {
      return await acceptBreak(ledger, BY, 'the disk was restored from a backup')
    } finally {
      await ledger.close()
    }
  }

  test('is stated in a new chain, reported by every check, and calls are recorded again', async () => {
    const folder = await killed()
    alterEnd(folder)
    const { broken } = await accepted(folder)
    expect(broken).toMatchObject([{ defect: expect.stringMatching(/was altered/) }])
    const ledger = await opened(folder)
    await record(ledger, 'after')
    await ledger.close()
    const report = await folder.verify()
    expect(report).toMatchObject({ ok: true, defect: null })
    expect(report.notices.join()).toMatch(
      /^chain \w+ does not verify \(group \d+ of .* was altered.*\); ann accepted that on \S+: the disk was restored from a backup$/,
    )
  })

  test('is a defect again if the accepted chain is changed once more', async () => {
    const folder = await killed()
    alterEnd(folder)
    await accepted(folder)
    const [path = ''] = folder.segments()
    writeFileSync(path, readFileSync(path, 'utf8').replace('late-1', 'late-7'))
    expect(await folder.verify()).toMatchObject({ ok: false, defect: { kind: 'altered' } })
  })

  test('may be a chain or a mark that is gone', async () => {
    for (const tamper of [
      (folder: LedgerFolder) => rmSync(folder.segments()[0] ?? ''),
      (folder: LedgerFolder) => folder.sql('DELETE FROM journal_mark'),
    ]) {
      const folder = await killed()
      tamper(folder)
      await accepted(folder)
      const ledger = await opened(folder)
      await record(ledger, 'after')
      await ledger.close()
      const { ok, accepted_breaks, notices } = await folder.verify()
      expect({ ok, accepted_breaks }).toEqual({ ok: true, accepted_breaks: 1 })
      expect(notices.join()).toMatch(/ is missing.*; ann accepted that on \S+: the disk was restored from a backup/)
    }
  })

  test('may be a lost key: what the old key signed still verifies by its signatures', async () => {
    const folder = newFolder()
    const first = await openLedger(folder.address)
    await record(first, 'early-1')
    await first.close()
    rmSync(join(folder.path, 'ledger.key'))
    await accepted(folder, 'new key')
    const ledger = await opened(folder)
    await record(ledger, 'after')
    await ledger.close()
    expect(await folder.verify()).toMatchObject({ ok: true, records: 2, keyed: false })
  })

  test('is not accepted where there is nothing wrong', async () => {
    const folder = await killed()
    expect(await accepted(folder)).toEqual({ mark: undefined, broken: [] })
    expect(folder.segments()).toHaveLength(1)
  })
})
