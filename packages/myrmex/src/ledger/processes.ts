/**
 * Which processes are alive. What a process has begun and not ended carries its owner's id; when the owner has not been
 * heard of for a while, others may say that it is gone. Where a process can see for itself that another one on the same
 * machine has ended, nobody has to wait.
 */
import { crypto } from '../protocol/builtin.ts'
import type { Db } from './db.ts'
import { isAlive, THIS_PROCESS } from './process-identity.ts'

const BEAT_MS = 3000
/** Without a beat for this long an owner is gone. */
export const LEASE_MS = 10_000
/** How often it is worth looking whether a neighbour still lives. */
const LOOK_MS = 200

export class Processes {
  /** this process, as the ledger knows it */
  readonly id: string = crypto.randomUUID()
  readonly #db: Db
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #announced: Promise<void> | undefined
  #looked = Number.NEGATIVE_INFINITY

  constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
  }

  /** To be awaited before the first thing is begun in this process's name. */
  register(): Promise<void> {
    this.#announced ??= this.#beat().then(
      () => {
        this.#timer = setInterval(() => void this.#beat().catch(this.#onFailure), BEAT_MS).unref()
      },
      (error) => {
        this.#announced = undefined
        throw error
      },
    )
    return this.#announced
  }

  async #beat(): Promise<void> {
    await this.#db.query(
      `INSERT INTO owners (id, alive_until, place, pid, born) VALUES (?, ${this.#db.now} + ${LEASE_MS}, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      [this.id, THIS_PROCESS?.place ?? null, THIS_PROCESS?.pid ?? null, THIS_PROCESS?.born ?? null],
    )
  }

  /** Strikes off neighbours whose process has ended; true if there were any. Looks at most every few moments. */
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

  /** SQL that is true where the owner in `column` is not alive. */
  isGoneSql(column: string): string {
    return `NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = ${column} AND owners.alive_until > ${this.#db.now})`
  }

  /** The process ends in order: what it leaves open is free at once. */
  async unregister(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#announced === undefined) return
    await this.#announced.catch(() => {})
    await this.#db.query(`DELETE FROM owners WHERE id = ? OR alive_until < ${this.#db.now} - 3600000`, [this.id])
  }
}
