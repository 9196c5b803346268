/** One ledger as the parent sees it, whatever its runs work on: opened, looked at, and its leaders' traces wiped as a test needs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import type { Problems } from '../problems.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { LedgerHome } from '../server/server-process.ts'
import type { RunsCheck } from './check-runs.ts'
import type { WorkerProcess } from './worker-process.ts'

const LOOK_EVERY_MS = 10
const BUSY_WITHIN_MS = 30_000

export abstract class CrashLedger {
  readonly home: LedgerHome
  readonly problems: Problems
  abstract readonly check: RunsCheck
  /** runs that leaders said they have started */
  readonly started: string[] = []
  /** runs that were led by a leader as it died */
  readonly cut = new Set<string>()
  /** what leaders said went wrong */
  readonly failures: string[] = []
  /** answers of workers to messages */
  readonly answers: unknown[] = []
  #ledger: Ledger | undefined

  protected constructor(home: LedgerHome, problems: Problems) {
    this.home = home
    this.problems = problems
  }

  /** Other people do what is theirs to do, so often; some of it with the one who leads. */
  abstract decide(chance: SeededRandom, share: number, leader?: WorkerProcess): Promise<void>

  async ledger(): Promise<Ledger> {
    this.#ledger ??= await openLedger(this.home.address, { keyFile: this.home.key, mustExist: true })
    return this.#ledger
  }

  /** Closes the ledger, so that the next process has it to itself. */
  async detach(): Promise<void> {
    await this.#ledger?.close()
    this.#ledger = undefined
  }

  /** Open runs that this owner leads, or led when it died. */
  async ledBy(owner: string | undefined): Promise<RunRow[]> {
    const open = await (await this.ledger()).runs.list({ open: true, limit: 1000 })
    return open.filter(({ leader }) => leader !== null && leader === owner)
  }

  /**
   * Stops the worker at a moment at which it executes a run. Other moments are random, and a test of a few kills could end without
   * having interrupted anything.
   */
  async stopWhileBusy(worker: WorkerProcess): Promise<void> {
    // Before the worker is stopped: it may hold a lock that opening waits for.
    await this.ledger()
    const until = performance.now() + BUSY_WITHIN_MS
    for (;;) {
      worker.sleep()
      // A statement that it has already sent to PostgreSQL still ends.
      await after(LOOK_EVERY_MS)
      if ((await this.ledBy(worker.owner)).length > 0) return
      if (worker.hasEnded || performance.now() > until)
        throw new Error(`A worker executed no run for ${BUSY_WITHIN_MS} ms. It printed: ${worker.complaint}`)
      worker.wake()
      await after(LOOK_EVERY_MS)
    }
  }

  /** Takes away what a neighbour could recognise the process by: that it is dead shows only when its lease has passed. */
  async hide(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    await (await this.ledger()).db.query('UPDATE owners SET place = NULL WHERE id = ? RETURNING id', [owner])
  }

  /** As if the time of its lease had passed. */
  async lapse(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    await (await this.ledger()).db.query('UPDATE owners SET alive_until = 0 WHERE id = ? RETURNING id', [owner])
  }

  /** Resolves when its lease is over. */
  async lapsed(owner: string | undefined): Promise<void> {
    if (owner === undefined) return
    const { db, processes } = await this.ledger()
    const isOver = `SELECT 1 AS yes FROM (SELECT CAST(? AS TEXT) AS id) AS one WHERE ${processes.isGoneSql('one.id')}`
    while ((await db.query(isOver, [owner])).length === 0) await after(50)
  }

  async look(): Promise<void> {
    await this.check.run(await this.ledger(), this.started, this.cut)
  }

  async isOver(): Promise<boolean> {
    return (await (await this.ledger()).runs.list({ open: true, limit: 1 })).length === 0
  }

  /** Everything has come to its end. */
  async finish(): Promise<void> {
    await this.check.finish(await this.ledger())
  }

  /** Where it can be looked at; nowhere if nothing is wrong. */
  async remove(): Promise<string | undefined> {
    await this.detach()
    if (this.problems.any) return this.home.folder
    rmSync(this.home.folder, { recursive: true, force: true })
    return undefined
  }
}

/** A new folder for one ledger and what its runs change. */
export function homeFor(engine: LedgerHome['engine'], effects: string, database?: string): LedgerHome {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-runs-'))
  const address = database ?? join(folder, 'ledger.db')
  return { engine, folder, address, key: join(folder, 'ledger.key'), effects: join(folder, effects) }
}
