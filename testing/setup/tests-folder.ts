/**
 * For the whole run: one temporary folder in which every test process has its own, removed at the end. Fails the run if a test printed
 * something.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const PRINTED_OUTPUT = (): string => join(process.env.MYRMEX_TESTS_FOLDER ?? '', 'printed-output')

export default function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'myrmex-tests-'))
  process.env.MYRMEX_TESTS_FOLDER = folder
  return () => {
    const printed = existsSync(PRINTED_OUTPUT()) ? readFileSync(PRINTED_OUTPUT(), 'utf8') : ''
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (printed !== '') throw new Error(`Tests printed this. Capture it in the test that provokes it.\n${printed}`)
  }
}
