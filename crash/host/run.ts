/**
 * `npm run test:crash -- host`: crashes and hangs servers behind a host, `--kills N` times and a tenth of that, while it is called
 * without a pause, in rounds, after one to warm up; then kills the host itself. The last line is `host: N crashes, H hangs, L lost, O orphans`; exits 1 unless all
 * is well.
 */
import { crashHost, killHost } from './crash-test.ts'
import { findProblems } from './find-problems.ts'
import type { HeldResources } from './host-process.ts'

const PROGRESS_MS = 10_000
/** Each goes down about ten times: longer than that, and most of the time is spent waiting for it. */
const VICTIMS_PER_KILL = 1 / 10

const ROUNDS = 5
const STEADY = 3
const CALLS_EACH = 50

export interface HostCrashOptions {
  readonly kills: number
  readonly seed: number
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

const shown = ({ files, handles, heapBytes, outsideBytes, residentBytes, busyBytes }: HeldResources): string =>
  `${files} files, ${JSON.stringify(handles)}, heap ${megabytes(heapBytes)} MiB, outside ${megabytes(outsideBytes)} MiB, ` +
  `resident ${megabytes(residentBytes)} MiB (${megabytes(busyBytes)} MiB right after the calls)`

export async function runHost({ kills, seed }: HostCrashOptions, print: (line: string) => void): Promise<boolean> {
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
  let printed = started
  const onProgress = (done: number): void => {
    if (performance.now() - printed < PROGRESS_MS) return
    printed = performance.now()
    print(`${seconds()}: ${done} gone`)
  }
  const hangs = Math.ceil(kills / 10)
  const victims = Math.max(1, Math.ceil(kills * VICTIMS_PER_KILL))
  const warm = { crashes: Math.ceil(kills / ROUNDS), hangs: Math.ceil(hangs / ROUNDS) }
  const harm = { crashes: kills, hangs, warm, rounds: ROUNDS, victims, steady: STEADY, callsEach: CALLS_EACH }
  const found = await crashHost({ ...harm, seed, onProgress })
  print(
    `${seconds()}: ${found.calls} calls of ${STEADY} servers that were well, the slowest took ${found.slowestMs.toFixed(0)} ms; ` +
      `${found.without} calls of other servers got an error that their tool does not exist`,
  )
  print(
    `${seconds()}: well again after ${found.recoveryMs.toFixed(0)} ms in the median, ` +
      `${found.longestRecoveryMs.toFixed(0)} ms at the longest (one that goes down often is left alone for a second)`,
  )
  for (const [round, holding] of found.holdings.entries())
    print(`${seconds()}: ${round === 0 ? 'warm' : `after round ${round}`}: ${shown(holding)}`)
  const killed = await killHost(5, seed)
  print(`${seconds()}: the host was killed over ${killed.before} processes, and ${killed.orphans} are left`)
  const wrong = findProblems(found)
  if (killed.orphans > 0) wrong.push(`${killed.orphans} processes outlive a host that was killed`)
  for (const what of wrong) print(`seed ${seed}: ${what}`)
  const orphans = found.orphans + killed.orphans
  print(`host: ${found.crashes} crashes, ${found.hangs} hangs, ${found.lost} lost, ${orphans} orphans`)
  return wrong.length === 0
}
