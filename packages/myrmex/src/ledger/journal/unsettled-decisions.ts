/**
 * Decisions, and the calls that they allowed, count once they are vouched for: at once if their MAC was checked, otherwise when a
 * signature covers them, or when another chain turns out to vouch for them. An altered chain that was accepted as it is may have
 * anything in it.
 */
import type { ChainCheck } from './chain-check.ts'
import type { LinkSource } from './coverage.ts'

interface UnsettledDecision extends LinkSource {
  readonly count: () => void
}

export class UnsettledDecisions {
  /** of the chain that is being followed */
  #ofChain: UnsettledDecision[] = []
  #ofOthers: UnsettledDecision[] = []

  /** Calls `count` now or later, or never. */
  add({ chain, isKeyed }: ChainCheck, group: number, count: () => void): void {
    if (isKeyed) count()
    else this.#ofChain.push({ chain, group, count })
  }

  /** A signature covers the chain that is being followed up to this group. */
  countUpTo(signed: number): void {
    while ((this.#ofChain[0]?.group ?? Number.POSITIVE_INFINITY) <= signed) this.#ofChain.shift()?.count()
  }

  endChain(): void {
    this.#ofOthers.push(...this.#ofChain)
    this.#ofChain = []
  }

  /** After all chains. */
  settle(isVouchedFor: (source: LinkSource) => boolean): void {
    for (const decision of this.#ofOthers) if (isVouchedFor(decision)) decision.count()
    this.#ofOthers = []
  }
}
