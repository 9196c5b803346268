/** Opens the SQLite file itself, and puts Kysely over it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { SQLITE_BUSY, sqliteCode } from './sqlite-errors.ts'
import { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** Another process may be simulating a day or taking an order; one that holds the file longer than this is stuck. */
const BUSY_MS = 5000

export function openStore(file: string): Store {
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    // FULL: what was answered is on the disk. With NORMAL a power cut could take the newest effects of the shop while the
    // journal of a run, which is another file, still says that they happened; the run would not do them again.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return new Store(db, createKysely(db))
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * One who may only read a file learns of it here and not at the first order. BEGIN IMMEDIATE alone would not tell: on such a
 * file SQLite makes it a BEGIN. Whoever holds the file now writes to it, and is not waited for.
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

/** Queries one at a time. Transactions are the store's: one begun here would lie open while others take their turns. */
export function createKysely(db: DatabaseSync): Kysely<Tables> {
  const prepare = (sql: string) => {
    if (/^\s*begin/i.test(sql)) throw new Error('Kysely begins no transaction here; Store.write and Store.read do')
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
