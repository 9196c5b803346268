/**
 * Which processes are alive. Unfinished work carries the id of its process. A process that has not renewed its row for a while
 * counts as gone. On the same machine a process sees at once that another one has ended.
 */
import { crypto } from '../protocol/builtin.ts'
import { type Db, Store } from './db.ts'
import { isAlive, THIS_PROCESS } from './process-identity.ts'

const BEAT_MS = 3000
/** A process that did not renew its row for this long is gone. */
export const LEASE_MS = 10_000
/** The shortest time between two checks for ended processes on this machine. */
const LOOK_MS = 200

export class Processes {
  /** this process, as the ledger knows it */
  readonly id: string = crypto.randomUUID()
  readonly #db: Db
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #registered: Promise<void> | undefined
  #beating: Promise<void> = Promise.resolve()
  #looked = Number.NEGATIVE_INFINITY

  constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
  }

  /** Await this before starting any work in the name of this process. */
  register(): Promise<void> {
    this.#registered ??= this.#beat().then(
      () => {
        this.#timer = setInterval(() => {
          this.#beating = this.#beat().catch(this.#onFailure)
        }, BEAT_MS).unref()
      },
      (error) => {
        this.#registered = undefined
        throw error
      },
    )
    return this.#registered
  }

  async #beat(): Promise<void> {
    await this.#db.query(
      `INSERT INTO owners (id, alive_until, place, pid, born) VALUES (?, ${this.#db.now} + ${LEASE_MS}, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      [this.id, THIS_PROCESS?.place ?? null, THIS_PROCESS?.pid ?? null, THIS_PROCESS?.born ?? null],
    )
  }

  /** Removes the rows of processes on this machine that have ended; true if there were any. Checks at most every LOOK_MS. */
  async removeDead(): Promise<boolean> {
    if (THIS_PROCESS === undefined || performance.now() - this.#looked < LOOK_MS) return false
    this.#looked = performance.now()
    const neighbours = await this.#db.query<{ id: string; pid: number; born: string }>(
      'SELECT id, pid, born FROM owners WHERE place = ? AND id <> ?',
      [THIS_PROCESS.place, this.id],
    )
    const dead = neighbours.filter(({ pid, born }) => !isAlive(pid, born))
    for (const { id } of dead) await this.#db.query('DELETE FROM owners WHERE id = ?', [id])
    return dead.length > 0
  }

  /** SQL that is true if the process in `column` is not alive. */
  isGoneSql(column: string): string {
    return `NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = ${column} AND owners.alive_until > ${this.#db.now})`
  }

  /** This process ends: others may take over its unfinished work at once. */
  async unregister(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#registered === undefined) return
    await this.#registered.catch(() => {})
    await this.#beating
    await this.#db.query(`DELETE FROM owners WHERE id = ? OR alive_until < ${this.#db.now} - 3600000`, [this.id])
  }
}

/** The base of stores whose unfinished work belongs to a process. */
export abstract class ProcessStore extends Store {
  protected readonly processes: Processes

  constructor(db: Db, processes: Processes) {
    super(db)
    this.processes = processes
  }
}
