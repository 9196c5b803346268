/**
 * The narrow door to either engine: one statement at a time, `?` for parameters, rows as objects. Statements are written
 * once for both engines and change state atomically by themselves: nothing here keeps a transaction open over an await,
 * because SQLite's one connection is shared with the audit, which writes synchronously.
 */

export type Value = string | number | null

/** SQLite answers at once, PostgreSQL later. `await` takes both; a hot path asks `isPromise`. */
export type Rows<Row> = Row[] | Promise<Row[]>

export interface Statement {
  readonly sql: string
  readonly params?: readonly Value[]
}

export interface Db {
  readonly engine: 'sqlite' | 'postgres'
  /** SQL for the engine's own clock in milliseconds since the epoch: several machines may share it. */
  readonly now: string
  /** Runs one statement and gives the rows it returns. Throws, or rejects with, LedgerError. */
  query<Row extends object>(sql: string, params?: readonly Value[]): Rows<Row>
  /**
   * Runs it together with what others want in the same turn: for those who come in crowds. All that is gathered is written
   * or none of it. `expected` is how many may come: one who is alone need not wait.
   */
  batched<Row extends object>(sql: string, params: readonly Value[], expected: number): Promise<Row[]>
  /** Runs these in order, and all of them or none. */
  transaction(statements: readonly Statement[]): void | Promise<void>
  /** Another number whenever somebody else has changed anything; only where that is sooner known than a query is answered. */
  readonly changeCounter?: () => number
  close(): void | Promise<void>
}
