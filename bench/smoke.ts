// The smallest form of the benchmark, for the tests: it shows that the harness works and that every answer of our
// server under load is right. Its rates come from an instant of cold code and are no measure of anything.
import { measureStdio } from './measure/stdio.ts'
import { removeLedgers, targets } from './targets.ts'

/** One tiny round over stdio, us beside the bare loop, in calls a second. Throws on any wrong answer. */
export async function smoke(): Promise<{ ours: number; bare: number }> {
  const commands = new Map([
    ['ours', targets.ours.stdio],
    ['bare', targets.bare.stdio],
  ])
  const load = { era: 'legacy', work: 'add', inFlight: 64 } as const
  const pace = { rounds: 1, roundSeconds: 0.05, warmSeconds: 0.05, starts: 0 }
  try {
    const figures = await measureStdio(commands, load, pace)
    return { ours: figures.get('ours')?.median ?? 0, bare: figures.get('bare')?.median ?? 0 }
  } finally {
    // Not when the process ends, as for the bench: a test runner does not wait for that.
    removeLedgers()
  }
}
