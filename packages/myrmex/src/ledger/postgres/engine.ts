/** The PostgreSQL engine: what sqlite/ does in a file, in a database that several machines may share. */
import type { LedgerKey } from '../audit/key.ts'
import type { Engine } from '../ledger.ts'
import { PostgresAudit } from './audit.ts'
import { PostgresCounters } from './counters.ts'
import { openPostgres } from './db.ts'

export async function openPostgresEngine(
  address: string,
  key: LedgerKey,
  onFailure: (error: unknown) => void,
): Promise<Engine> {
  const db = await openPostgres(address, onFailure)
  return { db, audit: new PostgresAudit(db, key, onFailure), counters: new PostgresCounters(db) }
}
