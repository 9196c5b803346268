/**
 * Opens an existing ledger without its key: to read, verify, or decide. Nothing is created or migrated, no call can be
 * recorded, nothing is signed.
 */
import type { LedgerKey } from './audit/key.ts'
import { Ledger } from './ledger.ts'
import { LedgerError } from './ledger-error.ts'
import { DEFAULT_LEDGER, isPostgres } from './open.ts'
import { openExistingSqlite } from './sqlite/db.ts'

export async function openExisting(
  address: string = DEFAULT_LEDGER,
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<Ledger> {
  const db = isPostgres(address)
    ? await (await import('./postgres/db.ts')).openExistingPostgres(address, readOnly)
    : openExistingSqlite(address, readOnly)
  const audit = { record: refuse, flush: async () => {} }
  const counters = { take: refuse, spend: refuse, spendFor: refuse, refund: refuse, unmark: refuse }
  return new Ledger({ db, audit, counters }, NO_KEY, () => {})
}

const refuse = (): never => {
  throw new LedgerError('was opened without its key')
}

const NO_KEY: LedgerKey = { id: '', publicPem: '', sign: refuse, mac: refuse }
