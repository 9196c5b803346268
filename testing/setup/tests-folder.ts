/**
 * For the whole run: one temporary folder in which every test process has its own, removed at the end. Fails the run if a test printed
 * something, or left a ledger in the checkout: `npm start` would refuse a folder whose ledger the user did not make.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const PRINTED_OUTPUT = (): string => join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'printed-output')

const ROOT = join(import.meta.dirname, '..', '..')
const STATE = ['.', 'testing', 'packages/myrmex', 'packages/dropship'].map((folder) => join(ROOT, folder, '.myrmex'))

export default function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'myrmex-tests-'))
  process.env.MYRMEX_TESTS_FOLDER = folder
  const before = STATE.filter((path) => existsSync(path))
  return () => {
    const printed = existsSync(PRINTED_OUTPUT()) ? readFileSync(PRINTED_OUTPUT(), 'utf8') : ''
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    const left = STATE.filter((path) => !before.includes(path) && existsSync(path))
    if (left.length > 0) throw new Error(`A test left ${left.join(', ')}. Give its command a ledger of its own.`)
    if (printed !== '') throw new Error(`Tests printed this. Capture it in the test that provokes it.\n${printed}`)
  }
}
