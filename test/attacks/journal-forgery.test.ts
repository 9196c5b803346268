/**
 * Forging the journal, offline and while a server runs. The forger computes every hash that needs no key. Each attack succeeded on the
 * audit in SQLite, where `verify` called the forgery complete.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: rewrites records and removes signatures and marks, offline, or exports the forgery with proof.
 * Stopped by: every group has a MAC under the ledger's key, groups are chained, and chains link to each other: `audit verify` names the
 * first bad place.
 *
 * Attack: replaces the whole ledger by one that another key has signed.
 * Stopped by: `audit verify --key` accepts the pinned key only.
 *
 * Attack: rewrites or appends to the segment of a running server, takes its next number, or puts an old mark back.
 * Stopped by: a server continues only from what it wrote itself, overwrites what it finds, and stops recording when its segment or mark
 * is not its own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder, readSegment, writeSegment } from '@myrmex/testing/ledger/journal-fixture'
import { freshStore } from '@myrmex/testing/ledger/ledger-store'
import { CLI } from '@myrmex/testing/paths'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'

let folder: LedgerFolder
let ledger: Ledger
const failures: Error[] = []

beforeEach(async () => {
  const store = await freshStore('sqlite')
  folder = new LedgerFolder(store.folder)
  failures.length = 0
  ledger = await openLedger(folder.address, { onFailure: (error) => failures.push(error as Error) })
  for (let number = 0; number < 30; number++) await recordLine(ledger, auditLine(`original-${number}`))
  await ledger.journal.flush()
  return async () => {
    await ledger.close().catch(() => {})
    await store.remove()
  }
})

const myrmex = (...args: string[]): Promise<CommandEnd> =>
  runToEnd(args, { cwd: folder.path, env: { ...process.env, MYRMEX_LEDGER: folder.address, NO_COLOR: '1' } })

const segment = (): string => folder.segments()[0] ?? ''

/** What a forger writes: other calls, no signatures, and MACs that are not MACs. */
const forged = (groups: readonly string[][]): string[][] =>
  groups.map((lines) =>
    lines.filter((line) => !line.startsWith('{"kind":"seal"')).map((line) => line.replaceAll('original-', 'forged-')),
  )

describe('offline', () => {
  beforeEach(() => ledger.close())

  test('rewriting every record and removing every signature does not verify, however it is checked', async () => {
    const keyId = ledger.key.id
    writeSegment(segment(), forged(readSegment(segment()).groups))
    const expectFoundOut = async (...args: string[]): Promise<void> => {
      const { code, stdout } = await myrmex('audit', 'verify', ...args)
      expect(code, stdout).toBe(1)
      expect(stdout).toContain('The audit does not verify.')
    }
    await expectFoundOut()
    await expectFoundOut('--key', keyId)
    rmSync(join(folder.path, 'ledger.key'))
    await expectFoundOut()
  })

  test('an export with proof of the forgery does not verify either', async () => {
    writeSegment(segment(), forged(readSegment(segment()).groups))
    await myrmex('audit', 'export', '--proof', '--out', 'proof.jsonl')
    const { code, stdout } = await myrmex('audit', 'verify', '--file', 'proof.jsonl')
    expect(code, stdout).toBe(1)
  })

  test('removing the mark and the signatures as well does not help', async () => {
    writeSegment(segment(), forged(readSegment(segment()).groups))
    folder.sql('DELETE FROM journal_mark')
    folder.sql('DELETE FROM keys')
    expect((await myrmex('audit', 'verify')).code).toBe(1)
    expect((await myrmex('audit', 'verify', '--ledger-key', 'none')).code).toBe(1)
  })

  test('a ledger with a key of the forger is found with the pinned key', async () => {
    const keyId = ledger.key.id
    // Everything made again, with a new key, by the forger's own Myrmex.
    for (const name of readdirSync(folder.path))
      if (name !== 'anchors.jsonl') rmSync(join(folder.path, name), { recursive: true })
    const own = await openLedger(folder.address)
    await recordLine(own, auditLine('forged-1'))
    await own.close()
    expect((await myrmex('audit', 'verify')).code).toBe(0)
    const { code, stdout } = await myrmex('audit', 'verify', '--key', keyId)
    expect(code, stdout).toBe(1)
  })
})

describe('while a server runs', () => {
  /** Whatever the forger did, the server must not have signed it: either recording stopped, or the forgery is found. */
  const go = async (): Promise<void> => {
    await recordLine(ledger, auditLine('next'))
    await ledger.journal.flush()
  }

  test('rewriting history and taking the next number is overwritten or found, and is never signed', async () => {
    const { groups } = readSegment(segment())
    const last = groups.length
    writeSegment(segment(), forged(groups))
    appendFileSync(segment(), `{"call_id":"forged-31"}\n{"group":${last + 1},"mac":"${'A'.repeat(43)}"}\n`)
    await go().catch(() => {})
    const { ok, defect } = await folder.verify()
    expect(ok).toBe(false)
    expect(defect?.message).toMatch(/was altered|is missing|inserted/)
  })

  test('records that were appended to the file of a server are overwritten by its own', async () => {
    const { groups } = readSegment(segment())
    appendFileSync(segment(), `{"call_id":"forged-31"}\n{"group":${groups.length + 1},"mac":"${'A'.repeat(43)}"}\n`)
    await go()
    await ledger.close()
    expect(await folder.verify()).toMatchObject({ ok: true, records: 31 })
    expect(readFileSync(segment(), 'utf8')).not.toContain('forged')
  })

  const BREAKS: readonly (readonly [string, () => void, RegExp])[] = [
    ['removing its segment', () => rmSync(segment()), /was removed while it was being written/],
    ['replacing its segment', replaceSegment, /was replaced by another file while it was being written/],
    ['cutting its segment', () => writeFileSync(segment(), ''), /was overwritten while it was being written/],
    ['removing the mark', () => folder.sql('DELETE FROM journal_mark'), /its mark was removed/],
    [
      'altering the mark',
      () => folder.sql(`UPDATE journal_mark SET body = replace(body, '1', '2')`),
      /its mark was altered/,
    ],
  ]

  test.each(BREAKS)('%s stops recording, and says so', async (_what, attack, message) => {
    attack()
    await expect(go()).rejects.toThrow(message)
    expect(ledger.journal.failing?.()).toBe(true)
    await expect(recordLine(ledger, auditLine('later'))).rejects.toThrow(/could not record the call/)
  })

  test('putting an old mark back stops recording', async () => {
    const old = folder.copyTo(`${folder.path}-old`)
    onTestFinished(() => rmSync(old.path, { recursive: true }))
    await go()
    const mark = await (await openLedger(old.address)).db.query<{ body: string; signature: string }>(
      'SELECT body, signature FROM journal_mark',
    )
    folder.sql('UPDATE journal_mark SET body = ?, signature = ?', mark[0]?.body ?? '', mark[0]?.signature ?? '')
    await recordLine(ledger, auditLine('more'))
    await expect(ledger.journal.flush()).rejects.toThrow(/its mark was replaced by an older one/)
  })

  test('a second real process that writes to the same folder makes a chain of its own, and both verify', async () => {
    const child = fork(join(dirname(CLI), '../../../testing/ledger/ledger-child.ts'), [
      'write',
      folder.address,
      join(folder.path, 'ledger.key'),
      'other',
      '40',
    ])
    await once(child, 'message')
    child.send('go')
    for (let number = 0; number < 40; number++) await recordLine(ledger, auditLine(`more-${number}`))
    await once(child, 'exit')
    await ledger.close()
    expect(await folder.verify()).toMatchObject({ ok: true, chains: 2, records: 110 })
  })
})

function replaceSegment(): void {
  const copy = `${segment()}.copy`
  writeFileSync(copy, readFileSync(segment()))
  renameSync(copy, segment())
}

test('the name of a segment cannot be changed', async () => {
  await ledger.close()
  const path = segment()
  renameSync(path, join(dirname(path), basename(path).replace(/^\d{4}/, '2031')))
  expect((await folder.verify()).ok).toBe(false)
})
