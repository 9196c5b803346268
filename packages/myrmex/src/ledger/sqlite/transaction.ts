/** Transactions on SQLite: at once, or for all changes that are made in one go. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Value } from '../db.ts'

/** Prepared once for each database: parsing them takes as long as some of the statements between them. */
const bounds = new WeakMap<DatabaseSync, { begin: StatementSync; commit: StatementSync }>()
const prepareBounds = (database: DatabaseSync) => ({
  begin: database.prepare('BEGIN IMMEDIATE'),
  commit: database.prepare('COMMIT'),
})

/** Runs the work under the write lock: all of it counts or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  const { begin, commit } = getOrMake(bounds, database, prepareBounds)
  begin.run()
  try {
    const result = work()
    commit.run()
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

interface BatchedChange {
  readonly sql: string
  readonly params: readonly Value[]
  readonly resolve: (changed: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * One commit for the changes of a turn of the event loop: a commit takes longer than most changes. A change waits until the current
 * piece of work is over, because the calls of one message are handled in one go, and until the end of the turn if more are expected.
 */
export class ChangeBatch {
  readonly #transact: (work: () => void) => void
  readonly #change: (sql: string, params: readonly Value[]) => number
  #batch: BatchedChange[] = []
  #expected = 0
  /** the current piece of work is over, and the turn is not */
  #isLate = false

  constructor(transact: (work: () => void) => void, change: (sql: string, params: readonly Value[]) => number) {
    this.#transact = transact
    this.#change = change
  }

  /** Returns how many rows it changed. */
  add(sql: string, params: readonly Value[], expected: number): Promise<number> {
    this.#expected = expected
    return new Promise((resolve, reject) => {
      if (this.#batch.push({ sql, params, resolve, reject }) === 1) process.nextTick(this.#writeIfAll)
      else if (this.#isLate) this.#writeIfAll()
    })
  }

  readonly #writeIfAll = (): void => {
    if (this.#batch.length >= this.#expected) this.#write()
    else if (!this.#isLate) {
      this.#isLate = true
      setImmediate(this.#write)
    }
  }

  readonly #write = (): void => {
    const batch = this.#batch
    this.#isLate = false
    if (batch.length === 0) return
    this.#batch = []
    const changed: number[] = []
    const work = (): void => {
      for (const { sql, params } of batch) changed.push(this.#change(sql, params))
    }
    try {
      // One statement is a transaction by itself.
      if (batch.length === 1) work()
      else this.#transact(work)
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    for (const [index, { resolve }] of batch.entries()) resolve(changed[index] as number)
  }
}
