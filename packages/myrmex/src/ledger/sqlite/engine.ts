/** The SQLite engine: a file, or memory. */
import type { LedgerKey } from '../audit/key.ts'
import type { Engine } from '../ledger.ts'
import { SqliteAudit } from './audit.ts'
import { SqliteCounters } from './counters.ts'
import { openSqlite } from './db.ts'

export function openSqliteEngine(path: string, key: LedgerKey, onFailure: (error: unknown) => void): Engine {
  const db = openSqlite(path)
  return { db, audit: new SqliteAudit(db, key, onFailure), counters: new SqliteCounters(db) }
}
