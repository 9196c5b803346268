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

beforeAll(async () => {
  const ledger = await openLedger(join(FOLDER, 'ledger.db'))
  await recordSample(ledger, [{ lines: 3, sealed: true }])
  await ledger.close()
  mkdirSync(COPY)
  cpSync(join(FOLDER, 'ledger.db'), join(COPY, 'ledger.db'))
  chmodSync(join(COPY, 'ledger.db'), 0o444)
  chmodSync(COPY, 0o555)
  chmodSync(FOLDER, 0o755)
})
afterAll(() => {
  chmodSync(COPY, 0o755)
  rmSync(FOLDER, { recursive: true, force: true })
})

test('a read-only file in a read-only folder is read, and nothing is left beside it', async () => {
  const script = `
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    const { openExistingSqlite } = await import(${JSON.stringify(fileURLToPath(new URL('./sqlite/db.ts', import.meta.url)))})
    const db = openExistingSqlite(${JSON.stringify(join(COPY, 'ledger.db'))}, true)
    process.stdout.write(JSON.stringify(db.query('SELECT count(*) AS groups_in FROM audit_groups')))
    db.close()`
  const printed = await new Promise((resolve, reject) =>
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    ),
  )
  expect(printed).toBe('[{"groups_in":1}]')
  expect(readdirSync(COPY)).toEqual(['ledger.db'])
})

test('what is not there is an error, and is not made', async () => {
  const missing = join(FOLDER, 'nowhere', 'ledger.db')
  await expect(openExisting(missing)).rejects.toThrow(`There is no ledger at ${missing}`)
  expect(readdirSync(FOLDER)).not.toContain('nowhere')
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
