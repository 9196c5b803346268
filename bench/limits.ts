// `npm run bench -- limits`: the tests that have a time limit, one at a time, with the limits enforced. `npm test` runs the same tests
// without them, because on a busy machine a limit fails at random.
import { execFileSync, spawnSync } from 'node:child_process'
import process from 'node:process'

const root = new URL('..', import.meta.url).pathname

/** Exits as Vitest does: 1 when one took longer than its limit. */
export function benchLimits(): boolean {
  const found = execFileSync('git', ['grep', '-l', '@myrmex/testing/time-limit', '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
  const args = [vitest, 'run', '--no-file-parallelism', ...found.trim().split('\n')]
  const env = { ...process.env, MYRMEX_TIME_LIMITS: '1' }
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status === 0
}
