/** SQLite through node:sqlite: one file, one connection a process, write-ahead log. Every statement answers at once. */
import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DatabaseSync, DatabaseSyncOptions, StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { withArticle } from '../../protocol/text.ts'
import type { Db, Durability, Statement, Value } from '../db.ts'
import { ADDED_COLUMNS, CREATE_SEARCH_INDEXES, DROP_SEARCH_INDEXES, INDEX_TABLES } from '../journal/index-tables.ts'
import type { IndexDb } from '../journal/record-index.ts'
import { LedgerError } from '../ledger-error.ts'
import { createOwnFile, makePrivateFolder, narrowFiles, requireOwnFile } from '../private-folder.ts'
import { ChangeCounter } from './change-counter.ts'
import { forSqlite, migrate, upToDate } from './migrate.ts'
import { ChangeBatch, inTransaction } from './transaction.ts'

/** A write takes less than a millisecond. A process that holds the file longer than this is stuck. */
const BUSY_MS = 1000
/** Opening takes longer: another process may be creating the tables. */
const OPENING_MS = 10_000
/** The log is moved into the file when it has this many pages, 16 MB. That waits for the disk, so it is done less often than by default. */
const CHECKPOINT_PAGES = 4000

export interface SqliteDb extends Db {
  readonly database: DatabaseSync
  prepared(sql: string): StatementSync
  readonly changeCounter: () => number
}

/** ':memory:' is a ledger that ends with the process. */
export function openSqlite(path: string, durability: Durability = 'process'): SqliteDb {
  const database = guarded(`cannot be opened at ${path}`, () => {
    if (path !== ':memory:') create(path)
    return open(path, { timeout: OPENING_MS }, (opened) => {
      writeAhead(opened)
      // NORMAL: what is committed survives the end of the process, however it ends. FULL: a power cut too.
      opened.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
      migrate(opened)
      requireOwnObjects(opened)
      opened.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
      opened.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    })
  })
  return over(database)
}

/** The index of a journal: it can be made again, so nothing waits for the disk. Throws away a file that is not an index. */
export function openSqliteIndex(path: string): IndexDb {
  const openIt = (): DatabaseSync => {
    if (path !== ':memory:') create(path)
    return open(path, { timeout: OPENING_MS }, (opened) => {
      writeAhead(opened)
      opened.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -16384; ${forSqlite(INDEX_TABLES)}`)
      addColumns(opened)
      opened.exec(CREATE_SEARCH_INDEXES)
    })
  }
  const db = over(
    guarded(`cannot open its index at ${path}`, () => {
      try {
        return openIt()
      } catch (error) {
        if (!isNoDatabase(error)) throw error
        for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true })
        return openIt()
      }
    }),
  )
  return {
    ...db,
    dropSearchIndexes: () => db.database.exec(DROP_SEARCH_INDEXES),
    createSearchIndexes: () => db.database.exec(CREATE_SEARCH_INDEXES),
  }
}

/** To an index of an earlier version. Another process may do it at the same time. */
function addColumns(opened: DatabaseSync): void {
  inTransaction(opened, () => {
    const there = new Set(
      opened
        .prepare('PRAGMA table_info(journal_records)')
        .all()
        .map(({ name }) => name),
    )
    for (const [name, type] of Object.entries(ADDED_COLUMNS))
      if (!there.has(name)) opened.exec(`ALTER TABLE journal_records ADD COLUMN ${name} ${type}`)
  })
}

/** Damaged, or something else. */
const isNoDatabase = (error: unknown): boolean =>
  [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)

function open(path: string | URL, options: DatabaseSyncOptions, prepare: (opened: DatabaseSync) => void): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const opened = new DatabaseSync(path, options)
  try {
    prepare(opened)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Readable by its owner only, also if it exists. */
function create(path: string): void {
  makePrivateFolder(dirname(path))
  requireOwnFiles(path)
  if (!createOwnFile(path)) narrowFiles(path)
}

/** SQLite keeps its logs beside the file, and follows a link in the place of the file. */
function requireOwnFiles(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) requireOwnFile(`${path}${ending}`)
}

/** If several processes create the same file at once, SQLite refuses all but one here, without waiting. */
function writeAhead(database: DatabaseSync): void {
  const until = performance.now() + OPENING_MS
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      const isBusy = ((error as { errcode?: number }).errcode ?? 0) % 256 === 5
      if (!isBusy || performance.now() > until) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  }
}

/** Opens an existing file. Nothing is created or migrated, because the file may be a read-only copy. */
export function openExistingSqlite(path: string, readOnly: boolean): SqliteDb {
  requireFile(path)
  return over(
    guarded(`cannot be opened at ${path}`, () => {
      if (!readOnly) requireOwnFiles(path)
      return attach(path, readOnly)
    }),
  )
}

/**
 * Opens an existing file in a folder that nobody trusts. Even a reader creates files beside a database and writes to its log, so the
 * file is opened as immutable, or a private copy of it if it has a log.
 */
export function openUntrustedSqlite(path: string): SqliteDb {
  requireFile(path)
  return guarded(`cannot be opened at ${path}`, () => {
    // SQLite would undo changes with it, and delete a file that it names. A ledger of Myrmex has a write-ahead log instead.
    if (sizeOf(`${path}-journal`) > 0) throw new LedgerError(`cannot be read at ${path}: it has a rollback journal`)
    return sizeOf(`${path}-wal`) === 0 ? over(attachAlone(path)) : openCopy(path)
  })
}

function openCopy(path: string): SqliteDb {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-copy-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'ledger.db')
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${copy}${ending}`)
    const db = over(open(copy, { timeout: BUSY_MS }, upToDate))
    return {
      ...db,
      close: () => {
        db.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** 0 if it does not exist. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) throw notRegular(path)
  return stats?.size ?? 0
}

/**
 * The index as it is on disk. Undefined if the file is not an index: then it is made again. `untrusted`: in a folder that nobody trusts;
 * what is only in the log of the index is missing then.
 */
export function openStoredIndex(path: string, untrusted = false): SqliteDb | undefined {
  const check = (opened: DatabaseSync): void => opened.exec('SELECT 1 FROM journal_records')
  try {
    if (!lstatSync(path).isFile()) return undefined
    return over(untrusted ? attachAlone(path, check) : open(path, { timeout: BUSY_MS, readOnly: true }, check))
  } catch {
    return undefined
  }
}

export function requireFile(path: string): void {
  try {
    // Not through a link: SQLite would put its logs beside the target.
    if (lstatSync(path).isFile()) return
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new LedgerError(`cannot be opened at ${path}: ${message}`, error)
    throw missing(path)
  }
  throw notRegular(path)
}

const notRegular = (path: string): ToolError =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? ToolError.of(
        'PermissionError',
        `${path} is a symbolic link, and the files of a ledger must not be. Name its target instead.`,
      )
    : ToolError.of('ValidationError', `${path} is not a file, so it is not a ledger.`)

const missing = (path: string): ToolError =>
  ToolError.of(
    'FileNotFoundError',
    `There is no ledger at ${path}. Set --ledger or MYRMEX_LEDGER, or start a server to create one.`,
  )

function attach(path: string, readOnly: boolean): DatabaseSync {
  try {
    return open(path, { timeout: BUSY_MS, readOnly }, upToDate)
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    // Even a reader creates files beside the database unless it is opened as immutable. With a log beside it that would be
    // wrong: what is only in the log would be missed.
    if ((code !== 8 && code !== 14) || existsSync(`${path}-wal`)) throw error
    return attachAlone(path)
  }
}

function attachAlone(path: string, prepare = upToDate): DatabaseSync {
  const alone = pathToFileURL(path)
  alone.searchParams.set('immutable', '1')
  return open(alone, { timeout: BUSY_MS, readOnly: true }, prepare)
}

function over(database: DatabaseSync): SqliteDb {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => database.prepare(sql)
  const prepared = (sql: string): StatementSync => getOrMake(statements, sql, prepare)
  const transact = (work: () => void): void => guarded('could not be changed', () => inTransaction(database, work))
  const batch = new ChangeBatch(transact, (sql, params) =>
    guarded('could not be changed', () => Number(prepared(sql).run(...params).changes)),
  )
  const changes = new ChangeCounter(database.prepare('PRAGMA data_version'))
  return {
    engine: 'sqlite',
    now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    database,
    prepared,
    query<Row extends object>(sql: string, params: readonly Value[] = []): Row[] {
      return guarded('could not be used', () => prepared(sql).all(...params) as Row[])
    },
    change: (sql, params, expected = 1) => batch.add(sql, params, expected),
    transaction(statements: readonly Statement[]): void {
      transact(() => {
        for (const { sql, params = [] } of statements) prepared(sql).run(...params)
      })
    },
    fault: () => guarded('could not be checked', () => databaseFault(database)),
    changeCounter: () => guarded('could not be used', () => changes.read()),
    close: () => {
      statements.clear()
      if (database.isOpen) database.close()
    },
  }
}

/** Myrmex has no triggers and no views. They would change what is read or written. */
const FOREIGN = `SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1`

function foreignObject(database: DatabaseSync): string | undefined {
  const found = database.prepare(FOREIGN).get() as { type: string; name: string } | undefined
  return (
    found &&
    `has ${withArticle(found.type)} ${JSON.stringify(found.name)} that is not part of it: find out who made it, and drop it`
  )
}

/** Without this check, somebody could give a table an index that has other rows, and gates and queries would believe it. */
function databaseFault(database: DatabaseSync): string | undefined {
  const foreign = foreignObject(database)
  if (foreign !== undefined) return `the database ${foreign}`
  const { integrity_check: found } = database.prepare('PRAGMA integrity_check(1)').get() as { integrity_check: string }
  return found === 'ok' ? undefined : `the database is damaged or was altered: ${found}`
}

function requireOwnObjects(database: DatabaseSync): void {
  const foreign = foreignObject(database)
  if (foreign !== undefined) throw new LedgerError(foreign)
}

/** Explains errors of SQLite to the operator, with what to do if that is known. */
export function guarded<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // Errors of ours say what happened already.
    if (error instanceof ToolError) throw error
    const { errcode, message, code = '' } = error as { errcode?: number; message: string; code?: string }
    const reason = UNWRITABLE.has(code) ? `${NOT_ALLOWED} (${message})` : REASONS[(errcode ?? 0) & 0xff]
    throw new LedgerError(`${what}: ${reason ?? message}`, error)
  }
}

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])
const NOT_ALLOWED = 'this user cannot write there; name another file with --ledger or MYRMEX_LEDGER'

/** By SQLite's primary result code. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another process holds the file locked',
  6: 'another process holds a table locked',
  8: 'the file is read-only',
  10: 'the disk reported an error',
  11: 'the file is damaged; restore it from a copy, or move it away and start a new one',
  13: 'the disk is full',
  14: 'the file cannot be opened; its folder must be there, and this user must be allowed to write in it',
  26: 'the file is not a ledger',
}
