/** What a check of a journal, or of an exported file, has found so far, and the report of it. */
import { plural } from '../../protocol/text.ts'
import type { ChainCheck } from './chain-check.ts'
import type { Defect } from './defect.ts'
import type { Mark } from './mark.ts'

export type VerifyReport = Readonly<ReturnType<VerifyTally['report']>>

const PROGRESS_EVERY = 1000

export class VerifyTally {
  readonly notices: string[] = []
  readonly #onProgress: (records: number) => void
  readonly #seals: Record<string, number> = {}
  readonly #heads: { chain: string; group: number; hash: string }[] = []
  chains = 0
  segments = 0
  groups = 0
  records = 0
  pruned = 0
  unsigned = 0
  acceptedBreaks = 0
  isKeyed = true
  #reported = 0

  constructor(onProgress: (records: number) => void = () => {}) {
    this.#onProgress = onProgress
  }

  /** A chain that is in order. `rest` is how many bytes at its end are not a whole group. */
  take(check: ChainCheck, segments: number, rest: number, mark: Mark): void {
    this.chains++
    this.segments += segments
    this.groups += check.groups
    this.records += check.records
    // A process may have died before it wrote the first group.
    this.isKeyed &&= check.isKeyed || check.groups === 0
    for (const [key, count] of check.seals) this.#seals[key] = (this.#seals[key] ?? 0) + count
    if (mark.chains[check.chain] !== undefined) this.#heads.push({ chain: check.chain, ...check.head })
    if (rest > 0)
      this.notices.push(
        `${plural(rest, 'byte')} at the end of chain ${check.chain} are an unfinished group: its process is writing it or was ` +
          'ended while it did, and nobody was answered for it',
      )
  }

  /** Reports progress now and then. `inChain` is the number of records of the chain that is being checked. */
  progress(inChain: number): void {
    const done = this.records + inChain
    if (done - this.#reported < PROGRESS_EVERY) return
    this.#reported = done
    this.#onProgress(done)
  }

  report(defect: Defect | undefined) {
    return {
      ok: defect === undefined,
      defect: defect ?? null,
      chains: this.chains,
      segments: this.segments,
      groups: this.groups,
      records: this.records,
      pruned_records: this.pruned,
      /** records and decisions that no signature covers; their MACs were checked if `keyed` */
      unsigned_records: this.unsigned,
      /** how often an operator accepted that the journal had been changed from outside */
      accepted_breaks: this.acceptedBreaks,
      /** the MACs of all groups were checked with the ledger's key */
      keyed: this.isKeyed,
      /** the newest group of each chain in the mark: keep them elsewhere */
      heads: this.#heads,
      /** signatures by each key */
      seals: this.#seals,
      notices: this.notices,
    }
  }
}
