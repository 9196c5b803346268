/** Brings a SQLite file up to date. Several processes may start at once: the first takes the lock, the others find it done. */
import type { DatabaseSync } from 'node:sqlite'
import { LedgerError } from '../ledger-error.ts'
import { forEngine, MIGRATIONS } from '../schema.ts'
import { inTransaction } from './transaction.ts'

const WORDS = { KEY_NUMBER: 'INTEGER', NUMBER: 'INTEGER', REAL8: 'REAL', WITHOUT_ROWID: 'WITHOUT ROWID' }

export const forSqlite = (sql: string): string => forEngine(sql, WORDS)

export function migrate(database: DatabaseSync): void {
  if (version(database) === MIGRATIONS.length) return
  inTransaction(database, () => {
    const done = version(database)
    if (done > MIGRATIONS.length) throw tooNew(done)
    for (const step of MIGRATIONS.slice(done)) database.exec(forSqlite(step))
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}

/** Throws unless the tables are those of this version of Myrmex. */
export function upToDate(database: DatabaseSync): void {
  const done = version(database)
  if (done > MIGRATIONS.length) throw tooNew(done)
  if (done === 0) throw new LedgerError('is not in this file: it has none of its tables')
  if (done < MIGRATIONS.length)
    throw new LedgerError('was written by an older Myrmex; start the server once to bring it up to date')
}

const tooNew = (step: number): LedgerError =>
  new LedgerError(`was written by a newer Myrmex (its tables are at step ${step}, ours at ${MIGRATIONS.length})`)

const version = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
