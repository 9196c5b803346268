/**
 * The heads that the chains of a journal must have: those of the mark, those that were stored elsewhere, and those that other
 * chains link to. What retention removed cannot be compared, except for its last group.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import { plural } from '../../protocol/text.ts'
import type { ChainHead, ChainLinks } from './chain.ts'
import type { ExpectedHead } from './chain-check.ts'
import { DefectError } from './defect.ts'
import type { KeyRing } from './keyring.ts'
import { type Mark, markFault, parseMark, type SignedMark } from './mark.ts'
import type { Removals } from './removals.ts'

/** A head that somebody noted. */
export interface NotedHead extends ChainHead {
  readonly chain: string
}

export class ExpectedHeads {
  readonly #heads = new Map<string, ExpectedHead[]>()
  readonly #removals: Removals
  readonly notices: string[] = []

  constructor(removals: Removals) {
    this.#removals = removals
  }

  get size(): number {
    return this.#heads.size
  }

  of(chain: string): readonly ExpectedHead[] | undefined {
    return this.#heads.get(chain)
  }

  [Symbol.iterator](): Iterator<[string, readonly ExpectedHead[]]> {
    return this.#heads.entries()
  }

  addMark(mark: Mark): void {
    for (const [chain, head] of Object.entries(mark.chains))
      this.#add(chain, { ...head, source: 'the mark', kind: 'mark', isSigned: true })
  }

  addNoted(heads: readonly NotedHead[]): void {
    for (const { chain, ...head } of heads)
      this.#add(chain, { ...head, source: 'the head that was noted', kind: 'head', isSigned: false })
  }

  /** `from` is who links, as the subject of a sentence. */
  addLinks(links: ChainLinks, from: string): void {
    for (const [chain, [group, hash]] of Object.entries(links))
      this.#add(chain, { group, hash, source: from, kind: 'missing', isSigned: false })
  }

  /** Throws DefectError. */
  async addAnchors(anchors: readonly SignedMark[], mark: Mark, ring: KeyRing): Promise<void> {
    const pruned: number[] = []
    for (const anchor of anchors) {
      const fault = await markFault(ring, anchor)
      const anchored = parseMark(anchor.body)
      if (fault !== undefined || anchored === undefined)
        throw new DefectError('anchor', `an anchor was altered or forged: its signature ${fault}`)
      const when = new Date(anchored.time).toISOString()
      checkAnchor(anchored, when, mark)
      const heads = Object.entries(anchored.chains).map(([chain, head]) =>
        this.#add(chain, { ...head, source: `the anchor of ${when}`, kind: 'anchor', isSigned: true }),
      )
      if (heads.length > 0 && !heads.includes(true)) pruned.push(anchored.time)
    }
    if (pruned.length === 0) return
    const newest = new Date(Math.max(...pruned)).toISOString()
    this.notices.push(
      `${plural(pruned.length, 'anchor')}, the newest of ${newest}, could not be compared: retention has removed what ` +
        'they are about',
    )
  }

  /**
   * Of links only the newest counts: the hash of a group covers all groups before it, and links are as good as their chain.
   * Every anchor counts: somebody with the key can make new ones, but cannot take back old ones. False if retention removed
   * what could be compared.
   */
  #add(chain: string, { group, hash, source, kind, isSigned }: ExpectedHead): boolean {
    const expected = { group, hash, source, kind, isSigned }
    const gone = this.#removals.gone(chain)
    // The mark never has a chain that was removed as a whole: that it is missing is a defect.
    if (gone !== undefined && kind !== 'mark') return compareGone(chain, gone, expected)
    if (group < (this.#removals.start(chain)?.group ?? 0)) return false
    const known = getOrMake(this.#heads, chain, () => [])
    const same = kind === 'missing' ? known.findIndex((one) => one.kind === kind) : -1
    if (same === -1) known.push(expected)
    else if ((known[same]?.group ?? 0) < group) known[same] = expected
    return true
  }
}

function compareGone(chain: string, gone: ChainHead, { group, hash, source, kind }: ExpectedHead): boolean {
  if (group < gone.group) return false
  if (group === gone.group && hash === gone.hash) return true
  const why = `chain ${chain} was removed up to group ${gone.group}, and ${source} has another group ${group}`
  throw new DefectError(kind, why, { chain, group })
}

function checkAnchor(anchored: Mark, when: string, mark: Mark): void {
  if (mark.journal !== anchored.journal) {
    const [ours, theirs] = [mark.journal || 'empty', anchored.journal]
    const why = `the anchor of ${when} is of another journal: this one is ${ours}, that one ${theirs}`
    throw new DefectError('anchor', why)
  }
  if (mark.version < anchored.version)
    throw new DefectError(
      'anchor',
      `the mark is older than the anchor of ${when}: an old copy of the ledger was put back`,
    )
}
