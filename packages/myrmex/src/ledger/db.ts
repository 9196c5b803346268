/**
 * The narrow interface of both engines: one statement at a time, `?` for parameters, rows as objects. Statements are written
 * once for both engines and are atomic by themselves. No transaction is kept open over an await, because SQLite's one
 * connection is shared with the audit, which writes synchronously.
 */

/** What a write survives: the end of the process, even by kill -9, or a loss of power too. */
export type Durability = 'process' | 'power'

export type Value = string | number | null

/** SQLite answers at once, PostgreSQL later. `await` takes both; hot paths check with `isPromise`. */
export type Rows<Row> = Row[] | Promise<Row[]>

export interface Statement {
  readonly sql: string
  readonly params?: readonly Value[]
}

export interface Db {
  readonly engine: 'sqlite' | 'postgres'
  /** What somebody did to the database itself, as a sentence: tables may say one thing and their indexes another. */
  fault?(): string | undefined | Promise<string | undefined>
  /** SQL for the engine's own clock in milliseconds since the epoch: several machines may share it. */
  readonly now: string
  /** A statement that lets nobody else change a table until its transaction ends. Undefined: one transaction runs at a time anyway. */
  readonly lockTable?: (table: string) => Statement
  /** Runs one statement and returns its rows. Throws, or rejects with, LedgerError. */
  query<Row extends object>(sql: string, params?: readonly Value[]): Rows<Row>
  /**
   * Runs one change and returns how many rows it changed. Changes of one turn may share a transaction. `expected` is how many may
   * come: the last of them does not wait.
   */
  change(sql: string, params: readonly Value[], expected?: number): Promise<number>
  /** Runs the statements in order: all of them or none. */
  transaction(statements: readonly Statement[]): void | Promise<void>
  /**
   * A number that changes whenever another connection has written, for calls that arrive from then on (see
   * sqlite/change-counter.ts); only if reading it is faster than a query.
   */
  readonly changeCounter?: () => number
  close(): void | Promise<void>
}

/** The base of everything that keeps rows in the ledger. */
export abstract class Store {
  protected readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  protected async first<Row extends object>(sql: string, params: readonly Value[]): Promise<Row | undefined> {
    return (await this.db.query<Row>(sql, params))[0]
  }

  /** Whether there is such a row, or, of a statement with RETURNING, whether it changed one. */
  protected async returnsRow(sql: string, params: readonly Value[]): Promise<boolean> {
    return (await this.db.query(sql, params)).length > 0
  }
}
