/** Runs the statements of one turn in one transaction: one commit for all, and each gets its own rows. */
import type { Value } from '../db.ts'

interface BatchedStatement {
  readonly sql: string
  readonly params: readonly Value[]
  readonly resolve: (rows: object[]) => void
  readonly reject: (error: unknown) => void
}

/** `transact` runs what it is given in a transaction; `rowsOf` runs one statement. */
export class StatementBatch {
  readonly #transact: (work: () => void) => void
  readonly #rowsOf: (sql: string, params: readonly Value[]) => object[]
  #crowd: BatchedStatement[] = []

  constructor(transact: (work: () => void) => void, rowsOf: (sql: string, params: readonly Value[]) => object[]) {
    this.#transact = transact
    this.#rowsOf = rowsOf
  }

  /** `expected` is how many may come: the last of them need not wait for the others. */
  add(sql: string, params: readonly Value[], expected: number): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#crowd.push({ sql, params, resolve, reject })
      if (this.#crowd.length >= expected) this.#write()
      else if (this.#crowd.length === 1) setImmediate(() => this.#write())
    })
  }

  #write(): void {
    const crowd = this.#crowd
    if (crowd.length === 0) return
    this.#crowd = []
    const found: object[][] = []
    const work = (): void => {
      for (const { sql, params } of crowd) found.push(this.#rowsOf(sql, params))
    }
    try {
      // One statement is a transaction by itself.
      if (crowd.length === 1) work()
      else this.#transact(work)
    } catch (error) {
      for (const { reject } of crowd) reject(error)
      return
    }
    for (const [index, { resolve }] of crowd.entries()) resolve(found[index] as object[])
  }
}
