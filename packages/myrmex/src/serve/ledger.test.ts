/** The ledger of a command. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withLedger } from './ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'myrmex-chosen-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['power', 2],
  ['process', 1],
  [undefined, 1],
] as const)('durability %s reaches SQLite', async (durability, synchronous) => {
  const choice = { ledger: join(folder, `${durability}.db`) }
  const read = withLedger(choice, 'create', async ({ db }) => db.query('PRAGMA synchronous'), durability)
  expect(await read).toEqual([{ synchronous }])
})
