/**
 * Verifies a ledger: its journal, and what follows from it. Reports the first defect. It only reads, and works while others write. Its
 * memory grows with the number of chains and decisions, not with that of records.
 */
import type { Db } from '../db.ts'
import type { Ledger } from '../ledger.ts'
import { DecisionCheck } from './decision-tables.ts'
import { type DefectsBySubject, firstDefect } from './defect.ts'
import { JournalCheck } from './journal-check.ts'
import type { LedgerKey } from './key.ts'
import { KeyRing } from './keyring.ts'
import { parseMark, SELECT_MARK, type SignedMark } from './mark.ts'
import type { JournalStore } from './store.ts'
import { keptLines, readStub } from './stub.ts'
import type { StoredState, VerifyOptions } from './verify-options.ts'
import type { VerifyReport } from './verify-report.ts'

export type { ExaminedChain, VerifyOptions } from './verify-options.ts'
export type { VerifyReport } from './verify-report.ts'

/** How often a journal is read again because it was pruned meanwhile, before that counts as a defect. */
const LOOKS = 30

export async function verifyJournal(
  { store, db }: { readonly store: JournalStore; readonly db: Db },
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const ring = await KeyRing.of(db, options.trustedKeys)
  for (let look = 1; ; look++) {
    const stored = await storedState(store, db)
    const ownSealsOnly = options.key !== undefined && !ring.hasTrustedKeys
    const check = new JournalCheck(store, { ring, key: options.key, journal: undefined, ownSealsOnly }, options)
    const defect = await firstDefect(() => check.run(stored))
    if (defect === undefined || look === LOOKS) return check.report(defect)
    // Another process may have pruned, or begun a chain, since the mark, the stub and the segments were listed.
    const chain = defect.chain ?? ''
    if (stateOf(chain, stored) === stateOf(chain, await storedState(store, db))) return check.report(defect)
  }
}

async function storedState(store: JournalStore, db: Db): Promise<StoredState> {
  const [mark] = await db.query<SignedMark>(SELECT_MARK)
  return {
    mark,
    stub: await readStub(db),
    lines: (count) => keptLines(db, count),
    segments: await store.segments(),
    currentMark: async () => (await db.query<SignedMark>(SELECT_MARK))[0],
  }
}

/** A text that changes when a chain is begun, or retention removes something. */
function stateOf(chain: string, { mark, stub, segments }: StoredState): string {
  const isInMark = parseMark(mark?.body ?? '')?.chains[chain] !== undefined
  const numbers = segments.filter((segment) => segment.chain === chain).map(({ number }) => number)
  return [mark === undefined, isInMark, stub?.signature, ...numbers].join()
}

export interface LedgerVerifyOptions extends VerifyOptions {
  /** called with the number of records whose entry in the index was compared so far */
  readonly onCompared?: (records: number) => void
}

const TABLE_LOOKS = 3

/**
 * Verifies the journal, and then what follows from it: the tables of decisions, and the index. Decisions and their tables are
 * written together, but not read together, and people decide meanwhile: what differs must differ in every look.
 */
export async function verifyLedger(
  ledger: Ledger,
  { onCompared, ...options }: LedgerVerifyOptions = {},
): Promise<VerifyReport> {
  const { db, index } = ledger
  const { store } = ledger.journal
  let suspected: DefectsBySubject | undefined
  for (let look = 1; ; look++) {
    const decisions = new DecisionCheck()
    const report = await verifyJournal({ store, db }, { ...options, decisions })
    if (!report.ok) return report
    const { defects, notices } = await decisions.compare(db)
    suspected = inBoth(defects, suspected)
    const [different] = suspected.values()
    const defect = different ?? (await firstDefect(() => index.compare(onCompared)))
    if (defect === undefined || look === TABLE_LOOKS)
      return { ...report, ok: defect === undefined, defect: defect ?? null, notices: [...report.notices, ...notices] }
  }
}

const inBoth = (defects: DefectsBySubject, earlier: DefectsBySubject | undefined): DefectsBySubject =>
  earlier === undefined ? defects : new Map([...defects].filter(([subject]) => earlier.has(subject)))

/** Examines every chain, whatever is wrong with others. Without the key MACs are not checked. */
export async function examineJournal(
  parts: { readonly store: JournalStore; readonly db: Db },
  key: LedgerKey | undefined,
) {
  const { store, db } = parts
  const context = { ring: await KeyRing.of(db), key, journal: undefined }
  const stored = await storedState(store, db)
  const decisions = new DecisionCheck()
  const examined = await new JournalCheck(store, context, { decisions }).examine(stored)
  // A mark that was lost, or replaced by an older one, does not say whether the ledger is locked.
  return { ...examined, operator: decisions.currentOperator(examined.mark.operator) }
}
