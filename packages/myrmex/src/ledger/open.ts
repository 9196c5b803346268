/** Opens a ledger by its address: a path, `:memory:`, or a postgres:// URL. Creates it if it does not exist. */
import { dirname, join } from 'node:path'
import { type LedgerKey, loadKey, temporaryKey } from './audit/key.ts'
import type { Db } from './db.ts'
import { type Engine, Ledger } from './ledger.ts'
import { SqliteAudit } from './sqlite/audit.ts'
import { SqliteCounters } from './sqlite/counters.ts'
import { openSqlite, type SqliteDb } from './sqlite/db.ts'

export const DEFAULT_LEDGER: string = join('.myrmex', 'ledger.db')

export interface LedgerOptions {
  /** file of the signing key; by default beside the store */
  keyFile?: string
  /** called with errors that no caller gets */
  onFailure?: (error: unknown) => void
}

export async function openLedger(address: string = DEFAULT_LEDGER, options: LedgerOptions = {}): Promise<Ledger> {
  const onFailure = options.onFailure ?? (() => {})
  const key = keyFor(address, options.keyFile)
  const engine = isPostgres(address)
    ? await postgresEngine(address, key, onFailure)
    : sqliteEngine(openSqlite(address), key, onFailure)
  await rememberKey(engine.db, key)
  return new Ledger(engine, key, onFailure).startCleanup(onFailure)
}

/** A ledger in memory, for servers without a ledger and for tests. */
export function memoryLedger(): Ledger {
  const key = temporaryKey()
  const ignore = (): void => {}
  return new Ledger(sqliteEngine(openSqlite(':memory:'), key, ignore), key, ignore)
}

type OnFailure = (error: unknown) => void

const sqliteEngine = (db: SqliteDb, key: LedgerKey, onFailure: OnFailure): Engine => ({
  db,
  audit: new SqliteAudit(db, key, onFailure),
  counters: new SqliteCounters(db),
})

/** Loaded on use: most servers have no PostgreSQL. */
async function postgresEngine(address: string, key: LedgerKey, onFailure: OnFailure): Promise<Engine> {
  const [{ openPostgres }, { PostgresAudit }, { PostgresCounters }] = await Promise.all([
    import('./postgres/db.ts'),
    import('./postgres/audit.ts'),
    import('./postgres/counters.ts'),
  ])
  const db = await openPostgres(address, onFailure)
  return { db, audit: new PostgresAudit(db, key, onFailure), counters: new PostgresCounters(db) }
}

export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

function keyFor(address: string, keyFile: string | undefined): LedgerKey {
  return keyFile === undefined && address === ':memory:' ? temporaryKey() : loadKey(keyFile ?? keyFileOf(address))
}

/** The default key file of a ledger. */
export const keyFileOf = (address: string = DEFAULT_LEDGER): string =>
  isPostgres(address) ? join('.myrmex', 'ledger.key') : join(dirname(address), 'ledger.key')

/** Stores the public key for verification. To be certain, pass the key to `audit verify` yourself. */
async function rememberKey(db: Db, key: LedgerKey): Promise<void> {
  await db.query(
    `INSERT INTO keys (key_id, public_key, first_used) VALUES (?, ?, ${db.now}) ON CONFLICT (key_id) DO NOTHING`,
    [key.id, key.publicPem],
  )
}
