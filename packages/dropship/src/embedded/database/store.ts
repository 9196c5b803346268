/**
 * The shop's file. Kysely writes the statements, node:sqlite answers them at once: a transaction is one plain function that
 * runs from its beginning to its end, so nothing else of this process can come between or see half of it. Other processes
 * are held off by SQLite itself: BEGIN IMMEDIATE before anything is looked at, and five seconds of patience.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, Kysely } from 'kysely'
import { ToolError } from 'myrmex'
import type { Day } from '../../day.ts'
import { describeSqliteError } from './sqlite-errors.ts'
import type { Tables } from './tables.ts'

/** Anything Kysely can write down. */
interface Query<Row> {
  compile(): CompiledQuery<Row>
}

/** Lists of ids make a statement for every length; those of one day's work are far fewer than this. */
const MOST_STATEMENTS = 500

export class Store {
  readonly db: DatabaseSync
  readonly kysely: Kysely<Tables>
  readonly #statements = new Map<string, StatementSync>()
  #revision = 0
  #seen = ''

  constructor(db: DatabaseSync, kysely: Kysely<Tables>) {
    this.db = db
    this.kysely = kysely
  }

  all<Row>(query: Query<Row>): Row[] {
    const { sql, parameters } = query.compile()
    return this.#prepared(sql).all(...(parameters as SQLInputValue[])) as Row[]
  }

  first<Row>(query: Query<Row>): Row | undefined {
    const { sql, parameters } = query.compile()
    return this.#prepared(sql).get(...(parameters as SQLInputValue[])) as Row | undefined
  }

  /** How many rows were changed. */
  run(query: Query<unknown>): number {
    const { sql, parameters } = query.compile()
    return Number(this.#prepared(sql).run(...(parameters as SQLInputValue[])).changes)
  }

  /** All that `work` reads is of one moment, whatever other processes write meanwhile. */
  read<T>(work: () => T): T {
    return this.db.isTransaction ? work() : this.#transaction('BEGIN', work)
  }

  /** What `work` changes happens as a whole or not at all, and nobody else writes meanwhile. */
  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work)
  }

  today(): Day {
    const day = this.meta('today')
    if (day === undefined) throw new ToolError('UnavailableError', 'The shop has no day: its file was never filled.')
    return day
  }

  meta(name: string): string | undefined {
    return this.first(this.kysely.selectFrom('meta').select('value').where('name', '=', name))?.value
  }

  /** Goes up whenever anything was written: data_version tells of others, total_changes of ourselves. */
  revision(): number {
    const others = this.#prepared('PRAGMA data_version').get() as { data_version: number }
    const own = this.#prepared('SELECT total_changes() AS changes').get() as { changes: number }
    const now = `${others.data_version} ${own.changes}`
    if (now !== this.#seen) this.#revision++
    this.#seen = now
    return this.#revision
  }

  async close(): Promise<void> {
    this.#statements.clear()
    await this.kysely.destroy()
    if (this.db.isOpen) this.db.close()
  }

  #transaction<T>(begin: string, work: () => T): T {
    try {
      this.db.exec(begin)
      try {
        const result = work()
        this.db.exec('COMMIT')
        return result
      } finally {
        if (this.db.isTransaction) this.db.exec('ROLLBACK')
      }
    } catch (error) {
      throw describeFileError(error)
    }
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      if (this.#statements.size === MOST_STATEMENTS) this.#statements.clear()
      statement = this.db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** Of a file that was usable a moment ago. */
export const describeFileError = (error: unknown): unknown =>
  describeSqliteError(error, "The shop's file cannot be used now", { retry_after_ms: 1000 })
