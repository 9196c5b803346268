/** A ledger that ends with the process: for servers that were given none, and for tests. */
import { passingKey } from './audit/key.ts'
import { Ledger } from './ledger.ts'
import { SqliteAudit } from './sqlite/audit.ts'
import { SqliteCounters } from './sqlite/counters.ts'
import { openSqlite } from './sqlite/db.ts'

export function memoryLedger(): Ledger {
  const db = openSqlite(':memory:')
  const key = passingKey()
  const unheard = (): void => {}
  return new Ledger({ db, audit: new SqliteAudit(db, key, unheard), counters: new SqliteCounters(db) }, key, unheard)
}
