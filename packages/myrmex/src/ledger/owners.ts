/**
 * Which processes are alive. What a process has begun and not ended carries its owner's id; when the owner has not been
 * heard of for a while, others may say that it is gone.
 */
import { crypto } from '../protocol/builtin.ts'
import type { Db } from './db.ts'

const BEAT_MS = 3000
/** Without a beat for this long an owner is gone. */
export const LEASE_MS = 10_000

export class Owners {
  /** this process, as the ledger knows it */
  readonly id: string = crypto.randomUUID()
  readonly #db: Db
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #announced: Promise<void> | undefined

  constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
  }

  /** To be awaited before the first thing is begun in this process's name. */
  announce(): Promise<void> {
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
      `INSERT INTO owners (id, alive_until) VALUES (?, ${this.#db.now} + ${LEASE_MS})
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      [this.id],
    )
  }

  /** SQL that is true where the owner in `column` is not alive. */
  gone(column: string): string {
    return `NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = ${column} AND owners.alive_until > ${this.#db.now})`
  }

  /** The process ends in order: what it leaves open is free at once. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#announced === undefined) return
    await this.#announced.catch(() => {})
    await this.#db.query(`DELETE FROM owners WHERE id = ? OR alive_until < ${this.#db.now} - 3600000`, [this.id])
  }
}
