/**
 * `npm run test:crash -- runs`: kills leaders of runs until it has done so `--sqlite N` and `--postgres N` times. `--seed S`
 * repeats the decisions of an earlier time. The last line is `runs: N kills, L lost, D doubled`; exits 1 unless nothing was.
 */
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { crashRuns, type RunsResult, type RunsTally } from './crash-test.ts'

const PROGRESS_MS = 10_000

export interface RunsCrashOptions {
  readonly sqlite: number
  readonly postgres: number
  readonly seed: number
}

export async function runRuns(
  { sqlite, postgres, seed }: RunsCrashOptions,
  print: (line: string) => void,
): Promise<boolean> {
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
  let printed = started
  const onProgress = (kills: Pick<RunsCrashOptions, 'sqlite' | 'postgres'>): void => {
    if (performance.now() - printed < PROGRESS_MS) return
    printed = performance.now()
    print(`${seconds()}: ${kills.sqlite} kills on SQLite, ${kills.postgres} on PostgreSQL`)
  }
  const database = postgres > 0 ? await PostgresServer.create() : undefined
  const freshDatabase = async (): Promise<string> => (await database?.freshDatabase()) ?? ''
  const given = { sqlite, postgres, seed, killsPerLedger: 50, patient: 2, freshDatabase, onProgress }
  const result = await crashRuns(given)
  await database?.remove()
  for (const line of inWords(result)) print(`${seconds()}: ${line}`)
  if (result.problem !== undefined) print(`seed ${seed}: ${result.problem}`)
  print(`runs: ${result.kills} kills, ${result.lost} lost, ${result.doubled} doubled`)
  return result.problem === undefined
}

function inWords({ tally, takeovers, failures }: RunsResult): string[] {
  const of = (name: string, { kills, cut, runs, takenOver, failed, lines }: RunsTally): string =>
    `${name}: ${kills} kills cut into ${cut} of ${runs} runs; ${takenOver} had several leaders, ${failed} ended as failed with a ` +
    `step of unknown outcome; ${lines} audit lines`
  const longest = (['seen', 'asleep', 'lease'] as const).map((death) => `${takeovers[death] ?? 0} ms (${death})`)
  return [
    of('SQLite', tally.sqlite),
    of('PostgreSQL', tally.postgres),
    `longest takeover by the other worker: ${longest.join(', ')}`,
    ...new Set(failures.map((why) => `a leader said, and it was made good: ${why.split('\n')[0]}`)),
  ]
}
