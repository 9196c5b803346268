/**
 * For the whole run: one temporary folder in which every test process has its own, removed at the end. Fails the run if a test printed
 * something, or left a ledger in the checkout: `npm start` would refuse a folder whose ledger the user did not make.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const PRINTED_OUTPUT = (): string => join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'printed-output')

const LEFT = join(import.meta.dirname, '..', '..', '.myrmex')

export default function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'myrmex-tests-'))
  process.env.MYRMEX_TESTS_FOLDER = folder
  const wasThere = existsSync(LEFT)
  return () => {
    const printed = existsSync(PRINTED_OUTPUT()) ? readFileSync(PRINTED_OUTPUT(), 'utf8') : ''
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (!wasThere && existsSync(LEFT)) throw new Error(`A test left ${LEFT}. Give its command a ledger of its own.`)
    if (printed !== '') throw new Error(`Tests printed this. Capture it in the test that provokes it.\n${printed}`)
  }
}
