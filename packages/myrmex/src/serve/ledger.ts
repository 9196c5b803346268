/** Opens the ledger that a command uses, and closes it again. */
import type { Durability } from '../ledger/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { reportError } from './signals.ts'

export interface LedgerFlags {
  /** default: .myrmex/ledger.db */
  ledger?: string
  /** file of its signing key; by default beside the store */
  ledgerKey?: string
}

/**
 * read-only: writes nothing, works on a copy too, and needs no key. search: the same, and the index is stored if the folder is trusted.
 * Neither asks anything, and in a folder that is not trusted neither writes a file. change: the ledger must exist and be trusted, and
 * nothing is recorded, so that no key is needed. decide: the ledger and its key must exist, because decisions are recorded. create: it is
 * created if it does not exist.
 */
export type LedgerAccess = 'read-only' | 'search' | 'change' | 'decide' | 'create'

export async function withLedger<T>(
  choice: LedgerFlags,
  access: LedgerAccess,
  work: (ledger: Ledger) => Promise<T>,
  durability?: Durability,
): Promise<T> {
  const ledger = await openChosenLedger(choice, access, reportError, durability)
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}

/** The caller closes it. `onFailure` receives errors that no caller sees. */
export async function openChosenLedger(
  { ledger: address, ledgerKey }: LedgerFlags,
  access: LedgerAccess,
  onFailure: (error: unknown) => void = reportError,
  durability: Durability = 'process',
): Promise<Ledger> {
  const [{ DEFAULT_LEDGER, isPostgres, openLedger }, { isTrustedLedger, requireLedger }] = await Promise.all([
    import('../ledger/open.ts'),
    import('./folder-trust.ts'),
  ])
  if (access === 'read-only' || access === 'search') {
    const { openExisting } = await import('../ledger/open-existing.ts')
    if (!isTrustedLedger(address, ledgerKey)) return openExisting(address, { untrusted: true })
    return openExisting(address, { readOnly: access === 'read-only' })
  }
  if (access === 'change') {
    await requireExisting(address)
    // A database is named by the operator, and nothing in this folder is used.
    if (!isPostgres(address ?? DEFAULT_LEDGER)) await requireLedger(address, ledgerKey)
    const { openExisting } = await import('../ledger/open-existing.ts')
    return openExisting(address)
  }
  const keyFile = ledgerKey === undefined ? {} : { keyFile: ledgerKey }
  const mustExist = access === 'decide'
  if (mustExist) await requireExisting(address)
  const binding = await requireLedger(address, ledgerKey)
  const ledger = await openLedger(address, { ...keyFile, onFailure, durability, mustExist })
  await binding.opened(ledger.key.id)
  return ledger
}

/** Reported first: a folder without a ledger is not to be claimed for one. */
async function requireExisting(address: string | undefined): Promise<void> {
  const { DEFAULT_LEDGER, isPostgres } = await import('../ledger/open.ts')
  const { requireFile } = await import('../ledger/sqlite/db.ts')
  if (!isPostgres(address ?? DEFAULT_LEDGER)) requireFile(address ?? DEFAULT_LEDGER)
}
