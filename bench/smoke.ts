// The smallest form of the benchmark, for the tests: it shows that the harness works and that every answer of our
// server under load is right. Its rates come from an instant of cold code and are no measure of anything.
import { measureStdio } from './measure/stdio.ts'
import { targets } from './targets.ts'

/** One tiny round over stdio, us beside the bare loop, in calls a second. Throws on any wrong answer. */
export async function smoke(): Promise<{ ours: number; bare: number }> {
  const commands = new Map([
    ['ours', targets.ours.stdio],
    ['bare', targets.bare.stdio],
  ])
  const load = { era: 'legacy', work: 'add', inFlight: 64 } as const
  const figures = await measureStdio(commands, load, { rounds: 1, roundSeconds: 0.05, warmSeconds: 0.05, starts: 0 })
  return { ours: figures.get('ours')?.value ?? 0, bare: figures.get('bare')?.value ?? 0 }
}
