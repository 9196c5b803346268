/**
 * Whether another connection has written to the file. SQLite is asked once for all calls that are handled in one go, within a
 * millisecond: they arrived together, so a change that is committed meanwhile is concurrent with them. Everything from which
 * this process can learn of such a change (a message, a signal, a timer) comes later, and then SQLite is asked again.
 */
import type { StatementSync } from 'node:sqlite'

export class ChangeCounter {
  readonly #statement: StatementSync
  #value = 0
  /** the millisecond in which SQLite was asked, while its answer counts */
  #askedAt: number | undefined

  constructor(statement: StatementSync) {
    // Making an array is faster than making an object.
    statement.setReturnArrays(true)
    this.#statement = statement
  }

  read(): number {
    const now = Date.now()
    if (now === this.#askedAt) return this.#value
    this.#value = (this.#statement.get() as unknown as [number])[0]
    // Runs when this piece of work is over, before the next message is read.
    if (this.#askedAt === undefined) process.nextTick(this.#forget)
    this.#askedAt = now
    return this.#value
  }

  readonly #forget = (): void => {
    this.#askedAt = undefined
  }
}
