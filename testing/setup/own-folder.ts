/**
 * Before each test file: its process, and every child that names no folder, works in a temporary folder. So no test reads what
 * `npm start` keeps in the checkout, nor leaves a ledger there.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

process.chdir(mkdtempSync(join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'file-')))

// A developer's own settings are no part of a test.
for (const name of Object.keys(process.env)) {
  if (/^MYRMEX_(?!TESTS_FOLDER$|TIME_LIMITS$|LONG$)/.test(name)) delete process.env[name]
}

// Folders that tests make are believed, and none of them is recorded for the developer. `test/attacks/foreign-folder.test.ts` has the
// tests of what is not believed.
process.env.MYRMEX_TRUSTED_FOLDERS = [tmpdir(), join(import.meta.dirname, '..', '..')].join(delimiter)
process.env.XDG_CONFIG_HOME = join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'config')
process.env.XDG_DATA_HOME = join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'data')

// The tools of most tests are in the checkout, which is a project, so commands about them would keep their ledger there.
process.env.MYRMEX_LEDGER = join('.myrmex', 'ledger.db')
