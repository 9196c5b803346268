/**
 * Accepts a journal that was changed from outside, as it is: an operator's decision. A new chain begins with an entry that says
 * what was found, and the mark starts again from it. Every later check reports the broken chains as
 * accepted. If one of them is changed once more, that is a defect again. A locked ledger stays locked: if the mark or the whole store was
 * lost, with the operator's key that was noted beside the ledger's key.
 */
import type { Ledger } from '../ledger.ts'
import { noteStoredMark, recordKeys } from '../operator/operator-admin.ts'
import type { ChainLinks } from './chain.ts'
import { type Decider, deciderName, deciderSource } from './decision.ts'
import type { LedgerKey } from './key.ts'
import { withOperator } from './mark.ts'
import { type KnownLock, knownLock, type LockFiles, lockFault } from './noted-mark.ts'
import { dropStub, readStub, replaceStub, signStub } from './stub.ts'
import { type ExaminedChain, examineJournal } from './verify.ts'

/** What is wrong with a journal. */
export interface BreakFindings {
  /** what is wrong with the mark, as a sentence; undefined if nothing is */
  readonly mark: string | undefined
  /** the same of the stub of what retention removed */
  readonly stub: string | undefined
  readonly broken: readonly ExaminedChain[]
}

/** What would be accepted. Nothing is changed. `key` is undefined if it is lost. `files` are those beside it. */
export const findBreak = async (
  { db, journal }: Ledger,
  key: LedgerKey | undefined,
  files?: LockFiles,
): Promise<BreakFindings> =>
  findingsOf(await examineJournal({ store: journal.store, db }, key), files && (await knownLock(files)))

type Examined = Awaited<ReturnType<typeof examineJournal>>

const findingsOf = (examined: Examined, known: KnownLock | undefined): BreakFindings => ({
  mark: markFaultOf(examined, known),
  stub: examined.stubFault,
  broken: examined.chains.filter(({ defect }) => defect !== undefined),
})

const markFaultOf = ({ mark, markFault }: Examined, known: KnownLock | undefined): string | undefined =>
  markFault ?? lockFault(known, mark)

/** `ledger` was opened with `acceptBreak`. Returns what was found. If that is nothing, nothing was accepted. */
export async function acceptBreak(ledger: Ledger, by: Decider, reason: string): Promise<BreakFindings> {
  const { db, journal, key, lock } = ledger
  const examined = await examineJournal({ store: journal.store, db }, key)
  const known = lock.files && (await knownLock(lock.files))
  const { mark, stub, stubFault, chains } = examined
  const markFault = markFaultOf(examined, known)
  const findings = findingsOf(examined, known)
  // What is left of the journal may be older than the lock.
  const operator = markFault === undefined ? examined.operator : (known?.operator ?? examined.operator)
  const { broken } = findings
  if (!isBroken(findings)) return findings
  const whole = chains.flatMap(({ id, head, defect }) => (defect === undefined ? [[id, head] as const] : []))
  const links: ChainLinks = Object.fromEntries(whole.map(([id, { group, hash }]) => [id, [group, hash]]))
  const entry = {
    kind: 'break' as const,
    time: Date.now(),
    by: deciderName(by),
    from: deciderSource(by),
    reason,
    mark: markFault ?? stubFault ?? null,
    chains: Object.fromEntries(broken.map(({ id, defect = '', digest }) => [id, { defect, digest }])),
  }
  // A lost mark may have had any version. Versions count changes, so the clock is always ahead of them.
  const version = Math.max(mark.version + 1, (known?.version ?? 0) + 1, Date.now())
  // The new chain links to those that verify. One that is still being written is in the mark again with its next seal.
  await journal.acceptBreak(entry, withOperator({ ...mark, version, chains: {} }, operator), links)
  if (operator !== undefined && operator !== examined.operator) await recordKeys(ledger, by, operator)
  await noteStoredMark(ledger)
  // The stub is that of this key from now on, and without one if nobody knows what it said.
  if (stub === undefined) await dropStub(db)
  else await replaceStub(db, await readStub(db), signStub(stub, key), { count: stub.lines.count, lines: [] })
  return findings
}

export const isBroken = ({ mark, stub, broken }: BreakFindings): boolean =>
  mark !== undefined || stub !== undefined || broken.length > 0
