/**
 * The crash test: real servers on real ledgers, killed at random moments under load, and the answers that clients got
 * compared with the ledger and the real effects afterwards. It stops at the first problem.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepTables } from '../dump-tables.ts'
import { Problems } from '../problems.ts'
import type { Tally } from './client-record.ts'
import { LedgerLifetimes } from './ledger-lifetimes.ts'
import type { LedgerHome } from './server-process.ts'

export interface CrashOptions {
  /** how many kills on each engine */
  readonly sqlite: number
  readonly postgres: number
  /** the same seed gives the same decisions; how far a server gets in the meantime is up to the machine */
  readonly seed: number
  /** after so many kills a new ledger is begun */
  readonly killsPerLedger: number
  /** on the last ledger of each engine, leases run out by themselves */
  readonly patient: boolean
  /** the address of a new, empty database */
  readonly freshDatabase: () => Promise<string>
  readonly onProgress?: (kills: number) => void
}

export interface CrashResult {
  readonly kills: number
  readonly lost: number
  readonly doubled: number
  /** how much of what there was on each ledger, and lines in its audit */
  readonly tallies: readonly (Tally & { readonly lines: number })[]
  /** why answers were withheld, if any were */
  readonly withheld: readonly string[]
  /** the first thing that is wrong, and where its ledger is */
  readonly problem: string | undefined
}

export async function crash(options: CrashOptions): Promise<CrashResult> {
  const run = new Run(options)
  for (const engine of ['sqlite', 'postgres'] as const) await run.on(engine, options[engine])
  return run.result
}

class Run {
  readonly #options: CrashOptions
  readonly #problems = new Problems()
  #kills = 0
  readonly #chains: LedgerLifetimes[] = []
  #kept: string | undefined

  constructor(options: CrashOptions) {
    this.#options = options
  }

  get result(): CrashResult {
    const { lost, doubled, first } = this.#problems
    return {
      kills: this.#kills,
      lost,
      doubled,
      tallies: this.#chains.map(({ book, lines }) => ({ ...book.tally, lines })),
      withheld: this.#chains.flatMap(({ book: { reason, complaint } }) =>
        reason === undefined ? [] : [`${reason} The server says: ${complaint}`],
      ),
      problem: first === undefined ? undefined : `${first}\nThe ledger is kept in ${this.#kept}`,
    }
  }

  async on(engine: LedgerHome['engine'], kills: number): Promise<void> {
    const { killsPerLedger, patient } = this.#options
    const until = this.#kills + kills
    for (let number = 0; this.#kills < until && !this.#problems.any; number++) {
      const last = Math.min(until, this.#kills + killsPerLedger)
      await this.#ledger(engine, number, last, patient && last === until)
    }
  }

  async #ledger(engine: LedgerHome['engine'], number: number, until: number, patient: boolean): Promise<void> {
    const { seed, freshDatabase, onProgress } = this.#options
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-'))
    const address = engine === 'sqlite' ? join(folder, 'ledger.db') : await freshDatabase()
    const home: LedgerHome = {
      engine,
      folder,
      address,
      key: join(folder, 'ledger.key'),
      effects: join(folder, 'effects'),
    }
    const chain = new LedgerLifetimes(home, `${seed}.${engine}${number}`, this.#problems)
    this.#chains.push(chain)
    try {
      while (this.#kills < until && !this.#problems.any) {
        await chain.live()
        this.#kills++
        onProgress?.(this.#kills)
      }
      if (!this.#problems.any) await chain.finish(patient)
    } catch (error) {
      // Whatever keeps a server from starting or a ledger from being read has lost what was in it.
      this.#problems.losing(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if (!this.#problems.any) return rmSync(folder, { recursive: true, force: true })
    this.#kept = folder
    if (engine === 'postgres') await keepTables(home)
  }
}
