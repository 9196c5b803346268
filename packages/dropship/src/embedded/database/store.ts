/**
 * The shop's file. Kysely writes the statements and node:sqlite runs them synchronously: a transaction is one plain function that
 * runs from start to end, so nothing else in this process can interleave with it or see half of it. SQLite keeps other processes
 * out: BEGIN IMMEDIATE comes before the first read, and a busy file is waited for up to five seconds.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type CompiledQuery, type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import { ToolError } from 'myrmex'
import type { Day } from '../../day.ts'
import { inTransaction, statement } from '../../market/statements.ts'
import { describeSqliteError } from './sqlite-errors.ts'
import type { Tables } from './tables.ts'

/** Any query that Kysely can compile. */
interface Query<Row> {
  compile(): CompiledQuery<Row>
}

type Table = keyof Tables
/** Columns that must equal the given values; undefined ones are ignored. */
type Filter<Name extends Table> = Partial<Selectable<Tables[Name]>>

export class Store {
  readonly db: DatabaseSync
  readonly kysely: Kysely<Tables>
  #revision = 0
  #seen = ''

  constructor(db: DatabaseSync, kysely: Kysely<Tables>) {
    this.db = db
    this.kysely = kysely
  }

  all<Row>(query: Query<Row>): Row[] {
    const { sql: text, parameters } = query.compile()
    return statement(this.db, text).all(...(parameters as SQLInputValue[])) as Row[]
  }

  first<Row>(query: Query<Row>): Row | undefined {
    const { sql: text, parameters } = query.compile()
    return statement(this.db, text).get(...(parameters as SQLInputValue[])) as Row | undefined
  }

  /** Returns how many rows were changed. */
  run(query: Query<unknown>): number {
    const { sql: text, parameters } = query.compile()
    return Number(statement(this.db, text).run(...(parameters as SQLInputValue[])).changes)
  }

  find<Name extends Table>(table: Name, filter: Filter<Name>): Selectable<Tables[Name]> | undefined {
    return this.first(this.#matching(table, filter)) as Selectable<Tables[Name]> | undefined
  }

  /** One page of the matching rows, ordered by the number in their id: p_2 comes before p_10. */
  page<Name extends Table>(
    table: Name,
    id: string & keyof Tables[Name],
    { after, limit, ...filter }: Filter<Name> & { readonly after?: string; readonly limit?: number },
  ): Selectable<Tables[Name]>[] {
    let query = this.#matching(table, filter as Filter<Name>)
      .orderBy(idLength(id))
      .orderBy(sql.ref(id))
    if (after !== undefined)
      query = query.where(sql<boolean>`(${idLength(id)}, ${sql.ref(id)}) > (length(${after}), ${after})`)
    if (limit !== undefined) query = query.limit(limit)
    return this.all(query) as Selectable<Tables[Name]>[]
  }

  insert<Name extends Table>(table: Name, row: Insertable<Tables[Name]>): void {
    this.run(this.kysely.insertInto(table).values(row as never))
  }

  /** Returns how many rows were changed. */
  update<Name extends Table>(table: Name, filter: Filter<Name>, changes: Updateable<Tables[Name]>): number {
    const query = this.kysely.updateTable(table as 'meta').set(changes as never)
    return this.run(query.where((eb) => eb.and(filter as Filter<'meta'>)))
  }

  /** All reads of `work` see the file at one moment, even while other processes write. */
  read<T>(work: () => T): T {
    return this.db.isTransaction ? work() : this.#transaction('BEGIN', work)
  }

  /** The changes of `work` happen together or not at all, and nobody else writes meanwhile. */
  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work)
  }

  today(): Day {
    const day = this.meta('today')
    if (day === undefined)
      throw new ToolError(
        'UnavailableError',
        "The shop has no current day: its file was never filled with a shop's data.",
      )
    return day
  }

  meta(name: string): string | undefined {
    return this.find('meta', { name })?.value
  }

  /** Increases whenever something was written: data_version covers other connections, total_changes this one. */
  revision(): number {
    const others = statement(this.db, 'PRAGMA data_version').get() as { data_version: number }
    const own = statement(this.db, 'SELECT total_changes() AS changes').get() as { changes: number }
    const now = `${others.data_version} ${own.changes}`
    if (now !== this.#seen) this.#revision++
    this.#seen = now
    return this.#revision
  }

  async close(): Promise<void> {
    await this.kysely.destroy()
    if (this.db.isOpen) this.db.close()
  }

  #matching<Name extends Table>(table: Name, filter: Filter<Name>) {
    // Kysely cannot follow a table that is a type parameter; what the methods above take and return is typed by it.
    const query = this.kysely.selectFrom(table as 'meta').selectAll()
    return query.where((eb) => eb.and(filter as Filter<'meta'>))
  }

  #transaction<T>(begin: string, work: () => T): T {
    try {
      return inTransaction(this.db, work, begin)
    } catch (error) {
      throw describeFileError(error)
    }
  }
}

/** For a file that could be opened and is unusable now. */
export const describeFileError = (error: unknown): unknown =>
  describeSqliteError(error, "The shop's file cannot be used now", { retry_after_ms: 1000 })

/** Ordering by this before the id puts numbered ids in the order of their numbers. */
export const idLength = (column: string) => sql<number>`length(${sql.ref(column)})`
