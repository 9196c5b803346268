/**
 * `npm run test:crash -- host`: crashes and hangs servers behind a host, `--kills N` times and a tenth of that, while it is called
 * without a pause; then kills the host itself. The last line is `host: N crashes, H hangs, L lost, O orphans`; exits 1 unless all
 * is well.
 */
import { crashHost, killHost } from './host.ts'
import { handlesOf, heldBytes, verdict } from './verdict.ts'

const PROGRESS_MS = 10_000
/** Each goes down about ten times: longer than that, and most of the time is spent waiting for it. */
const VICTIMS_PER_KILL = 1 / 10

export interface Wanted {
  readonly kills: number
  readonly seed: number
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export async function runHost({ kills, seed }: Wanted, print: (line: string) => void): Promise<boolean> {
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
  const found = await crashHost({ crashes: kills, hangs, victims, steady: 3, seed, onProgress })
  const { before, after } = found
  print(
    `${seconds()}: ${found.calls} calls of 3 servers that were well, the slowest took ${found.slowestMs.toFixed(0)} ms; ` +
      `${found.without} calls of the others were told that they are not there`,
  )
  print(
    `${seconds()}: well again after ${found.recoveryMs.toFixed(0)} ms in the median, ` +
      `${found.longestRecoveryMs.toFixed(0)} ms at the longest (the wait between starts grows to 30 s)`,
  )
  print(
    `${seconds()}: open files ${before.files} before and ${after.files} after, handles ${handlesOf(before)} and ` +
      `${handlesOf(after)}, memory ${megabytes(heldBytes(before))} and ${megabytes(heldBytes(after))}, ` +
      `resident ${megabytes(before.residentBytes)} and ${megabytes(after.residentBytes)}`,
  )
  const killed = await killHost(5, seed)
  print(`${seconds()}: the host was killed over ${killed.before} processes, and ${killed.orphans} are left`)
  const wrong = verdict(found)
  if (killed.orphans > 0) wrong.push(`${killed.orphans} processes outlive a host that was killed`)
  for (const what of wrong) print(`seed ${seed}: ${what}`)
  const orphans = found.orphans + killed.orphans
  print(`host: ${found.crashes} crashes, ${found.hangs} hangs, ${found.lost} lost, ${orphans} orphans`)
  return wrong.length === 0
}
