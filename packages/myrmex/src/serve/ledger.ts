/** The ledger a command works on: which one, how it is opened, and that it is closed again. */
import type { Ledger } from '../ledger/ledger.ts'
import { say } from './terminal.ts'

export interface LedgerFlags {
  /** where it is; .myrmex/ledger.db unless told */
  ledger?: string
  /** file of its signing key; beside the store unless told */
  ledgerKey?: string
}

export interface LedgerAccess {
  /** nothing is written: works on a copy too, and needs no key */
  readOnly?: boolean
  /** it must be there already, and nothing is signed: needs no key. Otherwise what is not there yet is made */
  existing?: boolean
  /** hears of what went wrong where no caller could be told; stderr unless told */
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

/** For a command that goes on for as long as it is told to; whoever opens it closes it. */
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
