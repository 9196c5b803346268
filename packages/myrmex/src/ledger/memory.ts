/** A ledger in memory, for servers without a ledger and for tests. */
import { temporaryKey } from './audit/key.ts'
import { Ledger } from './ledger.ts'
import { SqliteAudit } from './sqlite/audit.ts'
import { SqliteCounters } from './sqlite/counters.ts'
import { openSqlite } from './sqlite/db.ts'

export function memoryLedger(): Ledger {
  const db = openSqlite(':memory:')
  const key = temporaryKey()
  const unheard = (): void => {}
  return new Ledger({ db, audit: new SqliteAudit(db, key, unheard), counters: new SqliteCounters(db) }, key, unheard)
}
