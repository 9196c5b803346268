/**
 * The crash test of runs: leaders of ten-step runs on real ledgers, killed at random moments and started again, until every run
 * is over; then what the ledger says of them is compared with what became of the world. It stops at the first thing that is wrong.
 */
import { keepTables } from '../dump-tables.ts'
import { Problems } from '../problems.ts'
import type { LedgerHome } from '../server/server-process.ts'
import { RunSite } from './run-site.ts'
import { SingleWorker } from './single-worker.ts'
import { type Takeovers, TwoWorkers } from './two-workers.ts'

export interface RunsOptions {
  /** how many kills on each engine */
  readonly sqlite: number
  readonly postgres: number
  /** the same seed gives the same decisions; how far a leader gets in the meantime is up to the machine */
  readonly seed: number
  /** after so many kills a new ledger is begun */
  readonly killsPerLedger: number
  /** so many times on each engine the lease of a dead leader has to run out */
  readonly patient: number
  /** the address of a new, empty database */
  readonly freshDatabase: () => Promise<string>
  readonly onProgress?: (kills: Readonly<Record<LedgerHome['engine'], number>>) => void
}

export interface RunsTally {
  readonly kills: number
  /** that are over, and how many of them were being led as their leader was killed */
  readonly runs: number
  readonly cut: number
  /** led by more than one leader */
  readonly takenOver: number
  /** ended as failed, because a step that may be begun only once was cut off */
  readonly failed: number
  readonly lines: number
}

export interface RunsResult {
  readonly kills: number
  readonly lost: number
  readonly doubled: number
  readonly tally: { readonly [engine in LedgerHome['engine']]: RunsTally }
  /** the longest on PostgreSQL, in milliseconds */
  readonly takeovers: Takeovers
  /** what leaders said went wrong, though it was made good */
  readonly failures: readonly string[]
  /** the first thing that is wrong, and where its ledger is */
  readonly problem: string | undefined
}

export async function crashRuns(options: RunsOptions): Promise<RunsResult> {
  const test = new Test(options)
  await Promise.all([test.on('sqlite'), test.on('postgres')])
  return test.result
}

class Test {
  readonly #options: RunsOptions
  readonly #problems = new Problems()
  readonly #places: RunSite[] = []
  readonly #takeovers: Takeovers = {}
  readonly #kept: string[] = []
  readonly #kills = { sqlite: 0, postgres: 0 }

  constructor(options: RunsOptions) {
    this.#options = options
  }

  get result(): RunsResult {
    const { lost, doubled, first } = this.#problems
    return {
      kills: this.#kills.sqlite + this.#kills.postgres,
      lost,
      doubled,
      tally: { sqlite: this.#tally('sqlite'), postgres: this.#tally('postgres') },
      takeovers: this.#takeovers,
      failures: [...new Set(this.#places.flatMap(({ failures }) => failures))],
      problem: first === undefined ? undefined : `${first}\nThe ledger is kept in ${this.#kept.join(' or ')}`,
    }
  }

  #tally(engine: LedgerHome['engine']): RunsTally {
    const places = this.#places.filter(({ home }) => home.engine === engine)
    const sum = (count: (place: RunSite) => number): number => places.reduce((all, place) => all + count(place), 0)
    return {
      kills: this.#kills[engine],
      runs: sum(({ check }) => check.over.length),
      cut: sum(({ cut }) => cut.size),
      takenOver: sum(({ check }) => check.takenOver),
      failed: sum(({ check }) => check.over.filter(({ status }) => status === 'failed').length),
      lines: sum(({ check }) => check.lines),
    }
  }

  async on(engine: LedgerHome['engine']): Promise<void> {
    const { killsPerLedger, patient } = this.#options
    let left = this.#options[engine]
    let patience = Math.min(patient, left)
    for (let number = 0; left > 0 && !this.#problems.any; number++) {
      const kills = Math.min(left, killsPerLedger)
      await this.#ledger(engine, number, kills, patience)
      left -= kills
      patience = 0
    }
  }

  /** Of its kills, the first few are those for which a lease has to run out. */
  async #ledger(engine: LedgerHome['engine'], number: number, kills: number, patience: number): Promise<void> {
    const { seed, freshDatabase, onProgress } = this.#options
    const database = engine === 'postgres' ? await freshDatabase() : undefined
    const place = await RunSite.create(engine, database, this.#problems)
    this.#places.push(place)
    const words = `${seed}.${engine}${number}`
    const leaders = engine === 'postgres' ? new TwoWorkers(place, words) : new SingleWorker(place, words)
    try {
      for (let kill = 0; kill < kills && !this.#problems.any; kill++) {
        await leaders.live(kill >= 1 && kill <= patience)
        this.#kills[engine]++
        onProgress?.(this.#kills)
      }
      if (!this.#problems.any) await leaders.finish()
    } catch (error) {
      // Whatever keeps a leader from starting or a ledger from being read has lost what was in it.
      this.#problems.losing(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if (leaders instanceof TwoWorkers) this.#took(leaders)
    await leaders.close()
    if (this.#problems.any && engine === 'postgres') await keepTables(place.home)
    const kept = await place.remove()
    if (kept !== undefined) this.#kept.push(kept)
  }

  #took({ takeovers }: TwoWorkers): void {
    for (const [death, ms] of Object.entries(takeovers) as [keyof Takeovers, number][])
      this.#takeovers[death] = Math.max(this.#takeovers[death] ?? 0, ms)
  }
}
