/** The options of a check of a journal, and its report about one chain. */
import type { ChainHead } from './chain.ts'
import type { DecisionCheck } from './decision-tables.ts'
import type { NotedHead } from './expected-heads.ts'
import type { LedgerKey } from './key.ts'
import type { TrustedKey } from './keyring.ts'
import type { SignedMark } from './mark.ts'
import type { SegmentId } from './segment.ts'
import type { StoredStub } from './stub.ts'

export interface VerifyOptions {
  /** only these keys count; otherwise those that the ledger itself names */
  readonly trustedKeys?: readonly TrustedKey[]
  /** the ledger's own key: MACs are checked only with it */
  readonly key?: LedgerKey | undefined
  /** heads that must still be there */
  readonly heads?: readonly NotedHead[]
  /** marks that were stored elsewhere */
  readonly anchors?: readonly SignedMark[]
  /** called with the number of records checked so far, now and then */
  readonly onProgress?: (records: number) => void
  /** gathers the decisions of all chains */
  readonly decisions?: DecisionCheck
}

/** What is stored of a journal. */
export interface StoredState {
  readonly segments: readonly SegmentId[]
  readonly mark: SignedMark | undefined
  readonly stub: StoredStub | undefined
  /** the first `count` lines that outlived removed segments */
  readonly lines: (count: number) => AsyncIterable<string>
  /** the mark as it is when this is called: others may have moved it on */
  readonly currentMark: () => Promise<SignedMark | undefined>
}

/** A chain by itself: what is wrong with it, and what is left of it. */
export interface ExaminedChain {
  readonly id: string
  readonly head: ChainHead
  readonly defect: string | undefined
  /** null if nothing is left */
  readonly digest: string | null
}
