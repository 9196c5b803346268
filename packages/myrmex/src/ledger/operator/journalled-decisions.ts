/**
 * What may be offered to the operator for a signature: decisions that the journal has, exactly as they are in their tables. A column such
 * as `set_by` can be written by anybody who can write the store. A group of the journal needs the ledger's key.
 */
import { ToolError } from '../../protocol/errors.ts'
import { DecisionCheck } from '../journal/decision-tables.ts'
import { verifyJournal } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import type { UnsignedDecisions } from './operator-admin.ts'

export interface JournalledDecisions extends UnsignedDecisions {
  /** what is wrong with the rows that the journal does not have like this, as sentences */
  readonly forged: readonly string[]
}

/** Other processes decide meanwhile: a difference must be found in every look. */
const LOOKS = 3

/** Reads the journal as a whole. Throws PermissionError if it does not verify. */
export async function journalledDecisions(
  { journal, db, key }: Ledger,
  read: () => Promise<UnsignedDecisions>,
): Promise<JournalledDecisions> {
  for (let look = 1; ; look++) {
    const { trust, grants } = await read()
    if (trust.length + grants.length === 0) return { trust, grants, forged: [] }
    const decisions = new DecisionCheck()
    const { defect } = await verifyJournal({ store: journal.store, db }, { key, decisions })
    if (defect !== null)
      throw ToolError.of(
        'PermissionError',
        `Nothing can be signed, because the journal does not verify: ${defect.message}. To look into it: myrmex audit verify`,
      )
    const faults = new Map<object, string | undefined>([
      ...trust.map((row) => [row, decisions.fault('trust', { ...row })] as const),
      ...grants.map((row) => [row, decisions.fault('grants', { ...row })] as const),
    ])
    const forged = [...faults.values()].filter((fault) => fault !== undefined)
    if (forged.length > 0 && look < LOOKS) continue
    const isJournalled = (row: object): boolean => faults.get(row) === undefined
    return { trust: trust.filter(isJournalled), grants: grants.filter(isJournalled), forged }
  }
}
