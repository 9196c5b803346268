/** A copy of a ledger that nobody may write to, opened by somebody without its key. */
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordSample } from '@myrmex/testing/ledger/sample-audit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger } from './open.ts'
import { openExisting } from './open-existing.ts'
import { openSqlite } from './sqlite/db.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-existing-'))
const COPY = join(FOLDER, 'copy')

/** Everything in the copy. */
const names = (): string[] => readdirSync(COPY, { recursive: true, encoding: 'utf8' }).sort()

beforeAll(async () => {
  const ledger = await openLedger(join(FOLDER, 'ledger.db'))
  await recordSample(ledger, [{ lines: 3, sealed: true }])
  await ledger.close()
  mkdirSync(COPY)
  cpSync(join(FOLDER, 'ledger.db'), join(COPY, 'ledger.db'))
  cpSync(join(FOLDER, 'ledger.journal'), join(COPY, 'ledger.journal'), { recursive: true })
  for (const name of names()) chmodSync(join(COPY, name), name.endsWith('.journal') ? 0o555 : 0o444)
  chmodSync(COPY, 0o555)
  chmodSync(FOLDER, 0o755)
})
afterAll(() => {
  for (const folder of [COPY, join(COPY, 'ledger.journal')]) chmodSync(folder, 0o755)
  rmSync(FOLDER, { recursive: true, force: true })
})

test.each([true, false])(
  'read-only files in a read-only folder are verified and searched, and nothing is left beside them (readOnly: %s)',
  async (readOnly) => {
    const before = names()
    const script = `
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    const { openExisting } = await import(${moduleText('./open-existing.ts')})
    const { verifyLedger } = await import(${moduleText('./journal/verify.ts')})
    const ledger = await openExisting(${JSON.stringify(join(COPY, 'ledger.db'))}, { readOnly: ${readOnly} })
    const { ok, records, unsigned_records } = await verifyLedger(ledger)
    const found = await Array.fromAsync(ledger.index.search({ call_id: 'call-2' }))
    process.stdout.write(JSON.stringify({ ok, records, unsigned_records, found: found.map(({ data }) => data) }))
    await ledger.close()`
    const printed = await new Promise<string>((resolve, reject) =>
      execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr)),
      ),
    )
    expect(JSON.parse(printed)).toEqual({ ok: true, records: 3, unsigned_records: 0, found: [{ sum: 3 }] })
    expect(names()).toEqual(before)
  },
)

const moduleText = (path: string): string => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))

test('what is not there is an error, and is not made', async () => {
  const missing = join(FOLDER, 'nowhere', 'ledger.db')
  await expect(openExisting(missing)).rejects.toThrow(`There is no ledger at ${missing}`)
  expect(readdirSync(FOLDER)).not.toContain('nowhere')
})

test('a folder is no ledger, and a file that this user cannot reach is not called missing', async () => {
  await expect(openExisting(FOLDER)).rejects.toThrow(`${FOLDER} is not a file, so it is not a ledger.`)
  const path = join(FOLDER, 'x'.repeat(300), 'ledger.db')
  await expect(openExisting(path)).rejects.toThrow(/^The ledger cannot be opened at .*ENAMETOOLONG/)
})

test('a file that is something else is no ledger', async () => {
  const other = join(FOLDER, 'other.db')
  writeFileSync(other, 'x'.repeat(5000))
  await expect(openExisting(other, { readOnly: true })).rejects.toThrow(/the file is not a ledger/)
  writeFileSync(join(FOLDER, 'empty.db'), '')
  await expect(openExisting(join(FOLDER, 'empty.db'))).rejects.toThrow(/it has none of its tables/)
})

test('a ledger of a newer or an older Myrmex is left as it is', async () => {
  const db = openSqlite(join(FOLDER, 'newer.db'))
  db.database.exec('PRAGMA user_version = 4711')
  db.close()
  await expect(openExisting(join(FOLDER, 'newer.db'))).rejects.toThrow(/written by a newer Myrmex/)
})
