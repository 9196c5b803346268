/** Opens a ledger by its address: a path, `:memory:`, or a postgres:// URL. Creates it if it does not exist. */
import { dirname, join } from 'node:path'
import { type LedgerKey, loadKey, temporaryKey } from './audit/key.ts'
import type { Db } from './db.ts'
import { type Engine, Ledger } from './ledger.ts'
import { openSqliteEngine } from './sqlite/engine.ts'

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
  let engine: Engine
  if (isPostgres(address)) {
    const { openPostgresEngine } = await import('./postgres/engine.ts')
    engine = await openPostgresEngine(address, key, onFailure)
  } else engine = openSqliteEngine(address, key, onFailure)
  await rememberKey(engine.db, key)
  return new Ledger(engine, key, onFailure).startCleanup(onFailure)
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
