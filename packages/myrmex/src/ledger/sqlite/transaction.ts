/** Transactions on SQLite: at once, or for the statements of one turn together. */
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

interface BatchedStatement {
  readonly sql: string
  readonly params: readonly Value[]
  readonly resolve: (rows: object[]) => void
  readonly reject: (error: unknown) => void
}

/** One commit for all statements of a turn, and each gets its own rows. */
export class StatementBatch {
  readonly #transact: (work: () => void) => void
  readonly #rowsOf: (sql: string, params: readonly Value[]) => object[]
  #batch: BatchedStatement[] = []

  constructor(transact: (work: () => void) => void, rowsOf: (sql: string, params: readonly Value[]) => object[]) {
    this.#transact = transact
    this.#rowsOf = rowsOf
  }

  /** `expected` is how many may come: the last of them need not wait for the others. */
  add(sql: string, params: readonly Value[], expected: number): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#batch.push({ sql, params, resolve, reject })
      if (this.#batch.length >= expected) this.#write()
      else if (this.#batch.length === 1) setImmediate(() => this.#write())
    })
  }

  #write(): void {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    const found: object[][] = []
    const work = (): void => {
      for (const { sql, params } of batch) found.push(this.#rowsOf(sql, params))
    }
    try {
      // One statement is a transaction by itself.
      if (batch.length === 1) work()
      else this.#transact(work)
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    for (const [index, { resolve }] of batch.entries()) resolve(found[index] as object[])
  }
}
