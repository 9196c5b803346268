/** For the whole run: one temporary folder in which every test process has its own, removed at the end. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'myrmex-tests-'))
  process.env.MYRMEX_TESTS_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
