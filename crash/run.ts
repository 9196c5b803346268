/**
 * `npm run test:crash`: kills servers until it has done so `--sqlite N` and `--postgres N` times. `--seed S` repeats the
 * decisions of an earlier run. The last line is `crash: N kills, L lost, D doubled`; exits 1 unless nothing was.
 * `npm run test:crash -- runs` does the same to the leaders of runs, `-- shop` to the process that runs the shop, `-- host` to servers
 * behind a host; see runs/run.ts, shop/run.ts and host/run.ts.
 */
import { parseArgs } from 'node:util'
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { runHost } from './host/run.ts'
import { runRuns } from './runs/run.ts'
import { type CrashResult, crash } from './server/crash-test.ts'
import { runShop } from './shop/run.ts'

const PROGRESS_MS = 10_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Default number of kills for each kind of test. */
const KILLS = {
  calls: { sqlite: 920, postgres: 80, kills: 0 },
  runs: { sqlite: 300, postgres: 50, kills: 0 },
  shop: { sqlite: 0, postgres: 0, kills: 150 },
  host: { sqlite: 0, postgres: 0, kills: 200 },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sqlite: { type: 'string' },
    postgres: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})

const [what = 'calls', ...more] = positionals
if ((what !== 'calls' && what !== 'runs' && what !== 'shop' && what !== 'host') || more.length > 0)
  throw new Error(
    `Unknown test ${JSON.stringify(positionals.join(' '))}. Use runs, shop or host, or none for the server.`,
  )

function number(name: keyof typeof values, usual = 0): number {
  const given = Number(values[name] ?? usual)
  if (!Number.isInteger(given) || given < 0) throw new Error(`--${name} must be a whole number, not ${values[name]}`)
  return given
}

// An exit, unlike the death by a signal, ends the servers too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const started = performance.now()
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
let printed = started
const onProgress = (kills: number): void => {
  if (performance.now() - printed < PROGRESS_MS) return
  printed = performance.now()
  print(`${seconds()}: ${kills} kills`)
}

/** What the clients had seen, over all ledgers. */
function tallied({ tallies }: CrashResult): string {
  const sum = (what: keyof CrashResult['tallies'][number]): number => tallies.reduce((all, one) => all + one[what], 0)
  return (
    `${sum('answers')} answers, ${sum('cutOff')} requests cut off, ${sum('lines')} audit lines on ${tallies.length} ledgers; ` +
    `${sum('keys')} keys (${sum('unknown')} of unknown outcome), ${sum('approvals')} approvals, ` +
    `${sum('tasks')} tasks (${sum('orphans')} ended with their server), ${sum('withheld')} answers withheld`
  )
}

async function killCalls(sqlite: number, postgres: number, seed: number): Promise<boolean> {
  const database = postgres > 0 ? await PostgresServer.create() : undefined
  const freshDatabase = async (): Promise<string> => (await database?.freshDatabase()) ?? ''
  const result = await crash({ sqlite, postgres, seed, killsPerLedger: 48, patient: true, freshDatabase, onProgress })
  await database?.remove()
  print(`${seconds()}: ${tallied(result)}`)
  for (const why of result.withheld) print(`withheld: ${why}`)
  if (result.problem !== undefined) print(`seed ${seed}: ${result.problem}`)
  print(`crash: ${result.kills} kills, ${result.lost} lost, ${result.doubled} doubled`)
  return result.problem === undefined
}

const usual = KILLS[what]
const seed = number('seed')
print(`seed ${seed}`)

async function killAll(): Promise<boolean> {
  if (what === 'host') return runHost({ kills: number('kills', usual.kills), seed }, print)
  if (what === 'shop') return runShop({ kills: number('kills', usual.kills), seed }, print)
  const [sqlite, postgres] = [number('sqlite', usual.sqlite), number('postgres', usual.postgres)]
  return what === 'runs' ? runRuns({ sqlite, postgres, seed }, print) : killCalls(sqlite, postgres, seed)
}

process.exitCode = (await killAll()) ? 0 : 1
