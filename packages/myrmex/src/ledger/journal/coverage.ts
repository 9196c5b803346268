/**
 * What signatures cover. A signature covers its own chain up to its group, and also what these groups link to: so the end that
 * a killed process left unsigned is covered once a later chain, which links to it, was signed.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { ChainHead, ChainLinks } from './chain.ts'
import type { ChainCheck } from './chain-check.ts'
import { DefectError, groupRange } from './defect.ts'

/** The group that has a link. */
export interface LinkSource {
  readonly chain: string
  readonly group: number
}

interface Link extends ChainHead {
  /** 'signed' if a signature of its own covers the link */
  readonly sources: (LinkSource | 'signed')[]
}

interface OpenChain {
  readonly head: ChainHead
  readonly signed: number
  readonly unsigned: number
  readonly mustBeSigned: boolean
}

/** More chains than this never link to the same group, except in a file that somebody made up. */
const MAX_SOURCES = 100

export class SignatureCoverage {
  /** the newest link to each chain */
  readonly #links = new Map<string, Link>()
  /** how far the groups of each chain are vouched for */
  readonly #vouched = new Map<string, number>()
  /** chains that go on after their last signature */
  readonly #open = new Map<string, OpenChain>()
  /** which chains each chain links to */
  readonly #targets = new Map<string, Set<string>>()

  /** how many chains are linked to */
  get size(): number {
    return this.#links.size
  }

  link(links: ChainLinks, source: LinkSource | 'signed'): void {
    for (const [chain, [group, hash]] of Object.entries(links)) {
      if (source !== 'signed') getOrMake(this.#targets, source.chain, () => new Set()).add(chain)
      const known = this.#links.get(chain)
      if (known === undefined || known.group < group) this.#links.set(chain, { group, hash, sources: [source] })
      else if (known.group === group && known.hash === hash && known.sources.length < MAX_SOURCES)
        known.sources.push(source)
    }
  }

  /** A chain that was followed to its end. */
  take({ chain, head, signed, unsigned, isKeyed }: ChainCheck, mustBeSigned: boolean): void {
    this.#vouched.set(chain, isKeyed ? head.group : signed)
    if (signed < head.group) this.#open.set(chain, { head, signed, unsigned, mustBeSigned })
  }

  /** After all chains: how many records and decisions no signature covers. */
  settle(): number {
    let count: number
    do {
      count = this.#open.size
      for (const [chain, { head }] of this.#open) {
        if (!this.#isLinked(chain, head)) continue
        this.#vouched.set(chain, head.group)
        this.#open.delete(chain)
      }
    } while (this.#open.size < count)
    let unsigned = 0
    for (const chain of this.#open.values()) unsigned += chain.unsigned
    return unsigned
  }

  /** After `settle`: the newest group of a chain that a MAC, a signature or a link from such a group covers. */
  vouchedTo(chain: string): number {
    return this.#vouched.get(chain) ?? 0
  }

  #isLinked(chain: string, head: ChainHead): boolean {
    const link = this.#links.get(chain)
    if (link?.group !== head.group || link.hash !== head.hash) return false
    return link.sources.some((source) => source === 'signed' || source.group <= (this.#vouched.get(source.chain) ?? 0))
  }

  /** These chains, those that they link to, and so on. Chains that only link to each other do not belong to a journal. */
  reachedFrom(roots: Iterable<string>): Set<string> {
    const reached = new Set(roots)
    // A set is iterated to its end, also over what is added meanwhile.
    for (const chain of reached) for (const target of this.#targets.get(chain) ?? []) reached.add(target)
    return reached
  }

  /** After `settle`: the chains whose ends must be signed and are not. */
  *defects(): Generator<DefectError> {
    for (const [chain, { head, signed, mustBeSigned }] of this.#open) {
      if (!mustBeSigned) continue
      const isOne = signed + 1 === head.group
      const which = `${groupRange(signed + 1, head.group)} of chain ${chain} ${isOne ? 'is' : 'are'} not signed`
      const why = `${which}: without the ledger's key nothing vouches for ${isOne ? 'it' : 'them'}`
      yield new DefectError('signature', why, { chain, group: signed + 1, lastGroup: head.group })
    }
  }
}
