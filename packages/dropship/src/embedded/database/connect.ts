/** Opens the SQLite file and creates Kysely on top of it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { SQLITE_BUSY, sqliteCode } from './sqlite-errors.ts'
import { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Another process may be simulating a day or placing an order. One that holds the file longer than this is stuck. */
const BUSY_MS = 5000

export function openStore(file: string): Store {
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    // FULL puts every committed change on disk. With NORMAL a power cut could lose the newest changes of the shop while the journal
    // of a run, which is another file, still records them as done. The run would not repeat them.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return new Store(db, createKysely(db))
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Detects a read-only file at opening instead of at the first order. BEGIN IMMEDIATE alone does not: on such a file SQLite treats
 * it as BEGIN. A file that is busy is being written to, so there is no need to wait.
 */
export function checkWritable({ db }: Store): void {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    db.exec("BEGIN IMMEDIATE; UPDATE meta SET value = value WHERE name = 'today'")
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_BUSY) throw error
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
}

/** For single queries. A transaction started through Kysely would stay open while other code runs, so only Store starts them. */
export function createKysely(db: DatabaseSync): Kysely<Tables> {
  const prepare = (sql: string) => {
    if (/^\s*begin/i.test(sql)) throw new Error('Kysely must not start a transaction. Use Store.write or Store.read.')
    return statementOf(db.prepare(sql))
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close: () => db.close() } }) })
}

type Parameters = readonly unknown[]
type Value = null | number | bigint | string | Uint8Array

const statementOf = (statement: StatementSync) => ({
  reader: statement.columns().length > 0,
  all: (parameters: Parameters) => statement.all(...(parameters as Value[])),
  run: (parameters: Parameters) => statement.run(...(parameters as Value[])),
  iterate: (parameters: Parameters) => statement.iterate(...(parameters as Value[])),
})
