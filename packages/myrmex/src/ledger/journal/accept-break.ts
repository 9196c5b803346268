/**
 * Accepts a journal that was changed from outside, as it is: an operator's decision. A new chain begins with an entry that says
 * what was found, and the mark starts again from it. Every later check reports the broken chains as
 * accepted. If one of them is changed once more, that is a defect again. A locked ledger stays locked.
 */
import type { Ledger } from '../ledger.ts'
import type { ChainLinks } from './chain.ts'
import { type Decider, deciderName, deciderSource } from './decision.ts'
import type { LedgerKey } from './key.ts'
import { withOperator } from './mark.ts'
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

/** What would be accepted. Nothing is changed. `key` is undefined if it is lost. */
export const findBreak = async ({ db, journal }: Ledger, key: LedgerKey | undefined): Promise<BreakFindings> =>
  findingsOf(await examineJournal({ store: journal.store, db }, key))

const findingsOf = ({ markFault, stubFault, chains }: Awaited<ReturnType<typeof examineJournal>>): BreakFindings => ({
  mark: markFault,
  stub: stubFault,
  broken: chains.filter(({ defect }) => defect !== undefined),
})

/** `ledger` was opened with `acceptBreak`. Returns what was found. If that is nothing, nothing was accepted. */
export async function acceptBreak(ledger: Ledger, by: Decider, reason: string): Promise<BreakFindings> {
  const { db, journal, key } = ledger
  const examined = await examineJournal({ store: journal.store, db }, key)
  const { mark, markFault, stub, stubFault, chains, operator } = examined
  const findings = findingsOf(examined)
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
  const version = Math.max(mark.version + 1, Date.now())
  // The new chain links to those that verify. One that is still being written is in the mark again with its next seal.
  await journal.acceptBreak(entry, withOperator({ ...mark, version, chains: {} }, operator), links)
  // The stub is that of this key from now on, and without one if nobody knows what it said.
  if (stub === undefined) await dropStub(db)
  else await replaceStub(db, await readStub(db), signStub(stub, key), { count: stub.lines.count, lines: [] })
  return findings
}

export const isBroken = ({ mark, stub, broken }: BreakFindings): boolean =>
  mark !== undefined || stub !== undefined || broken.length > 0
