/** Opens a ledger by its address: a path, `:memory:`, or a postgres:// URL. Makes what is not there yet. */
import { dirname, join } from 'node:path'
import { type LedgerKey, loadKey, temporaryKey } from './audit/key.ts'
import type { Db } from './db.ts'
import { type Engine, Ledger } from './ledger.ts'
import { openSqliteEngine } from './sqlite/engine.ts'

export const DEFAULT_LEDGER: string = join('.myrmex', 'ledger.db')

export interface LedgerOptions {
  /** file of the signing key; beside the store unless told */
  keyFile?: string
  /** hears of what went wrong where no caller could be told */
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

/** Where the key of a ledger is unless told. */
export const keyFileOf = (address: string = DEFAULT_LEDGER): string =>
  isPostgres(address) ? join('.myrmex', 'ledger.key') : join(dirname(address), 'ledger.key')

/** The public half, so that whoever verifies finds it. Whoever must be sure gives it to `audit verify` himself. */
async function rememberKey(db: Db, key: LedgerKey): Promise<void> {
  await db.query(
    `INSERT INTO keys (key_id, public_key, first_used) VALUES (?, ?, ${db.now}) ON CONFLICT (key_id) DO NOTHING`,
    [key.id, key.publicPem],
  )
}
