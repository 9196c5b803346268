/** The journal: every audit record and every decision, in chains that nobody can forge without the ledger's key. */
import type { Statement } from '../db.ts'
import type { ChainLinks } from './chain.ts'
import type { Decision } from './decision.ts'
import type { BreakEntry } from './entry.ts'
import type { Recorder } from './group.ts'
import type { Mark } from './mark.ts'
import type { JournalStore } from './store.ts'

export interface Journal extends Recorder {
  /** for reading */
  readonly store: JournalStore
  /**
   * Runs statements in one transaction and records what they decided: all of it counts, or nothing. `decided` gets the rows of
   * each statement; if it returns nothing, nothing was decided.
   */
  decide<Row extends object>(
    statements: readonly Statement[],
    decided: (rows: Row[][]) => readonly Decision[],
  ): Promise<Row[][]>
  /** Puts the operator's public key into the mark, or takes it out: the ledger is locked or open for processes that open it from now on. */
  setOperator(publicKey: string | undefined): Promise<void>
  /** Starts a new chain with this entry, and the mark from this one, whatever was there; see accept-break.ts. */
  acceptBreak(entry: BreakEntry, mark: Mark, links: ChainLinks): Promise<void>
  /** Everything recorded so far is durable, signed and in the mark when this resolves. */
  flush(): Promise<void>
  close(): Promise<void>
}
