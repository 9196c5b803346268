/** The three suites of the run, and running one of them against a URL: the official command line in a child process. */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readResults, type Scenario } from './results.ts'

export interface Suite {
  readonly name: string
  readonly entry: string
  readonly select: readonly string[]
  /** how many scenarios it has: a run of fewer is no run */
  readonly scenarios: number
}

export interface SuiteRun {
  readonly scenarios: readonly Scenario[]
  /** null: it was ended from outside */
  readonly exitCode: number | null
}

const OLD = import.meta.resolve('conformance-0.1/dist/index.js')
const NEW = import.meta.resolve('conformance-0.2/dist/index.js')

/** `--requirements` runs the tasks scenarios too; the suite does not score them, we do. */
export const SUITES: readonly Suite[] = [
  { name: '0.1.16 all', entry: OLD, select: ['--suite', 'all'], scenarios: 32 },
  { name: '0.2.0-alpha.12 2025-11-25', entry: NEW, select: ['--requirements', '2025-11-25'], scenarios: 33 },
  { name: '0.2.0-alpha.12 2026-07-28', entry: NEW, select: ['--requirements', '2026-07-28'], scenarios: 50 },
]

const MOST_MS = 120_000

/** Leaves the checks and what the suite printed in `folder`. */
export async function runSuite(suite: Suite, url: string, folder: string): Promise<SuiteRun> {
  mkdirSync(folder, { recursive: true })
  const printed = openSync(join(folder, 'printed.log'), 'w')
  const output = join(folder, 'checks')
  const args = [fileURLToPath(suite.entry), 'server', '--url', url, ...suite.select, '--output-dir', output]
  const child = spawn(process.execPath, args, { stdio: ['ignore', printed, printed], timeout: MOST_MS })
  closeSync(printed)
  const end = (): void => void child.kill()
  process.on('exit', end)
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  process.off('exit', end)
  return { scenarios: readResults(output), exitCode }
}
