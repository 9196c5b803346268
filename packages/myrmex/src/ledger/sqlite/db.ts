/** SQLite through node:sqlite: one file, one connection a process, write-ahead log. Every statement answers at once. */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Db, Value } from '../db.ts'
import { LedgerError } from '../error.ts'
import { migrate } from './migrate.ts'

/** Another process writes for less than a millisecond. One that holds the file longer than this is stuck. */
const BUSY_MS = 1000
/** Starting is another matter: somebody may be creating the tables. */
const OPENING_MS = 10_000

export interface SqliteDb extends Db {
  readonly database: DatabaseSync
  prepared(sql: string): StatementSync
}

/** ':memory:' is a ledger that ends with the process. */
export function openSqlite(path: string): SqliteDb {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = guarded(`cannot be opened at ${path}`, () => {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const opened = new DatabaseSync(path, { timeout: OPENING_MS })
    try {
      if (path !== ':memory:') chmodSync(path, 0o600)
      // NORMAL: what is committed survives the end of the process, however it ends; a power cut may take the newest groups.
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      migrate(opened)
      opened.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    } catch (error) {
      opened.close()
      throw error
    }
    return opened
  })
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  return {
    engine: 'sqlite',
    now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    database,
    prepared,
    query<Row extends object>(sql: string, params: readonly Value[] = []): Row[] {
      return guarded('could not be used', () => prepared(sql).all(...params) as Row[])
    },
    close: () => {
      statements.clear()
      if (database.isOpen) database.close()
    },
  }
}

/** SQLite's own words are for the operator; with what to do where that is known. */
export function guarded<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof LedgerError) throw error
    const { errcode, message } = error as { errcode?: number; message: string }
    throw new LedgerError(`${what}: ${REASONS[(errcode ?? 0) & 0xff] ?? message}`, error)
  }
}

/** By SQLite's primary result code. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another process holds the file locked',
  6: 'another process holds a table locked',
  8: 'the file is read-only',
  10: 'the disk reported an error',
  11: 'the file is damaged; restore it from a copy, or move it away and start a new one',
  13: 'the disk is full',
  14: 'the file cannot be opened; does its folder exist, and may this user write there?',
  26: 'the file is no ledger',
}
