/** Opens the ledger that a command uses, and closes it again. */
import type { Ledger } from '../ledger/ledger.ts'
import { say } from './terminal.ts'

export interface LedgerFlags {
  /** default: .myrmex/ledger.db */
  ledger?: string
  /** file of its signing key; by default beside the store */
  ledgerKey?: string
}

export interface LedgerAccess {
  /** writes nothing: works on a copy too, and needs no key */
  readOnly?: boolean
  /** the ledger must exist, and nothing is signed, so that no key is needed; without this it is created if it does not exist */
  existing?: boolean
  /** receives errors that no caller sees; by default they are written to stderr */
  onFailure?: (error: unknown) => void
}

export async function withLedger<T>(
  choice: LedgerFlags,
  work: (ledger: Ledger) => Promise<T>,
  access: LedgerAccess = {},
): Promise<T> {
  const ledger = await openChosenLedger(choice, access)
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}

/** For commands that serve: the caller closes it. */
export async function openChosenLedger(
  { ledger: address, ledgerKey }: LedgerFlags,
  { readOnly, existing, onFailure }: LedgerAccess = {},
): Promise<Ledger> {
  if (readOnly || existing) {
    const { openExisting } = await import('../ledger/open-existing.ts')
    return openExisting(address, { readOnly: readOnly === true })
  }
  const { openLedger } = await import('../ledger/open.ts')
  return openLedger(address, {
    ...(ledgerKey !== undefined && { keyFile: ledgerKey }),
    onFailure: onFailure ?? ((error) => say(error instanceof Error ? error.message : String(error))),
  })
}
