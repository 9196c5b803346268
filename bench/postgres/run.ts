// `npm run bench -- postgres`: what a second process costs on one PostgreSQL. One server with its driver, two of each on one database,
// and two of each on a database each, in turns. Processor time a call is that of the servers and of all processes of PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { type AtMost, postgresAim } from '../aims.ts'
import { childrenNamed, familyCpu } from '../measure/cpu.ts'
import { OrderedChild } from '../measure/ordered-child.ts'
import { interleave, type Pace } from '../measure/rounds.ts'
import { ratioSpread, type Spread, spreadOf } from '../measure/spread.ts'
import { atMostTable, table, withQuartiles } from '../report.ts'

/** Drivers that work at the same time, each with its own server. */
interface Crew {
  readonly drivers: readonly OrderedChild[]
  /** of each driver in a round */
  calls: number
}

/** Of one round, a call each in microseconds. */
interface CrewRound {
  readonly rate: number
  readonly servers: number
  readonly database: number
  readonly both: number
  /** processors that were busy, the drivers' share included */
  readonly busy: number
}

const ONE = 'one process'
const SHARED = 'two, one database'
const APART = 'two, a database each'

/** The system counts CPU time in hundredths of a second, so rounds are long. */
const ROUND_SECONDS = 1

const driverFile = new URL('driver-child.ts', import.meta.url).pathname

export async function benchPostgres(pace: Pace, log: (text: string) => void): Promise<AtMost[]> {
  log(`add over stdio, 64 in flight a process, all gates and the audit in PostgreSQL`)
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-postgres-'))
  const postgres = await PostgresServer.create()
  try {
    const rounds = await measureCrews(postgres, join(folder, 'ledger.key'), pace)
    log(roundsTable(rounds))
    const both = (crew: string) => valuesOf(rounds, crew, 'both')
    const aims = [{ id: 'postgres_two_over_one', measured: ratioSpread(both(SHARED), both(ONE)), atMost: postgresAim }]
    log(`\n${atMostTable(aims)}`)
    return aims
  } finally {
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureCrews(
  postgres: PostgresServer,
  keyFile: string,
  pace: Pace,
): Promise<ReadonlyMap<string, readonly CrewRound[]>> {
  await using children = new AsyncDisposableStack()
  const [postmaster] = childrenNamed(process.pid, 'postgres')
  if (postmaster === undefined) throw new Error('PostgreSQL is not among the processes that /proc lists')
  const crewOn = async (...addresses: readonly string[]): Promise<Crew> => {
    const drivers: OrderedChild[] = []
    // One after the other: the first creates the tables.
    for (const address of addresses)
      drivers.push(children.use(await OrderedChild.start('a driver', driverFile, [address, keyFile])))
    return { drivers, calls: 0 }
  }
  const shared = await postgres.freshDatabase()
  const crews = new Map([
    [ONE, await crewOn(await postgres.freshDatabase())],
    [SHARED, await crewOn(shared, shared)],
    [APART, await crewOn(await postgres.freshDatabase(), await postgres.freshDatabase())],
  ])
  for (const crew of crews.values()) {
    const longer = { ...pace, roundSeconds: ROUND_SECONDS }
    crew.calls = Math.min(...(await Promise.all(crew.drivers.map((driver) => driver.warmUp(longer)))))
  }
  // Awaited here: what returns a promise ends the drivers before it is kept.
  return await interleave(crews, pace.rounds, (crew) => crewRound(crew, postmaster))
}

async function crewRound({ drivers, calls }: Crew, postmaster: number): Promise<CrewRound> {
  const before = familyCpu(postmaster)
  const start = performance.now()
  const rounds = await Promise.all(drivers.map((driver) => driver.round(calls)))
  const seconds = (performance.now() - start) / 1000
  const total = calls * drivers.length
  const micros = (cpuSeconds: number): number => (cpuSeconds * 1e6) / total
  const servers = micros(rounds.reduce((sum, { serverCpu }) => sum + (serverCpu ?? Number.NaN), 0))
  const database = micros(familyCpu(postmaster) - before)
  const driver = micros(rounds.reduce((sum, { driverCpu }) => sum + driverCpu, 0))
  const both = servers + database
  return { rate: total / seconds, servers, database, both, busy: ((both + driver) * total) / 1e6 / seconds }
}

const valuesOf = (rounds: ReadonlyMap<string, readonly CrewRound[]>, crew: string, part: keyof CrewRound): number[] =>
  (rounds.get(crew) ?? []).map((round) => round[part])

function roundsTable(rounds: ReadonlyMap<string, readonly CrewRound[]>): string {
  const rows = [...rounds.keys()].map((crew) => {
    const values = (part: keyof CrewRound) => valuesOf(rounds, crew, part)
    const over = (base: string, part: keyof CrewRound): string =>
      crew === base ? '' : withQuartiles(ratioSpread(values(part), valuesOf(rounds, base, part)), twoDigits)
    return [
      crew,
      withQuartiles(spreadOf(values('rate')), (value) => Math.round(value).toLocaleString('en-US')),
      over(ONE, 'rate'),
      micros(spreadOf(values('servers'))),
      micros(spreadOf(values('database'))),
      micros(spreadOf(values('both'))),
      over(ONE, 'both'),
      crew === SHARED ? over(APART, 'both') : '',
      spreadOf(values('busy')).median.toFixed(2),
    ]
  })
  const head = [
    'processes',
    'calls/s',
    'over one',
    'CPU µs a call, servers',
    'database',
    'together',
    'over one',
    'over a database each',
    'cores busy',
  ]
  return table(head, rows)
}

const twoDigits = (value: number): string => value.toFixed(2)
const micros = (spread: Spread): string => withQuartiles(spread, (value) => value.toFixed(1))
