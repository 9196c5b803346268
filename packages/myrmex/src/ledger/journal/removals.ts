/** What retention removed from a journal, as its stub says. It proves nothing until the stub's signature was checked. */
import type { ChainHead } from './chain.ts'
import { DefectError } from './defect.ts'
import { type Entry, parseEntry } from './entry.ts'
import { type SegmentId, segmentName } from './segment.ts'
import { linesHash, parseGone, type Stub } from './stub.ts'

export class Removals {
  readonly stub: Stub | undefined
  readonly #gone = new Map<string, ChainHead>()
  #count = 0
  #hash = ''

  constructor(stub?: Stub) {
    this.stub = stub
  }

  /** Takes a line that outlived its segment. Returns the entry that it is, unless it is about a removed chain. */
  keep(line: string): Entry | undefined {
    this.#count++
    this.#hash = linesHash(this.#hash, line)
    const gone = parseGone(line)
    if (gone === undefined) return parseEntry(line)
    this.#gone.set(gone.chain, { group: gone.group, hash: gone.hash })
    return undefined
  }

  /** Throws unless the lines that were kept are those that the stub has. */
  checkLines(): void {
    const { count, hash } = this.stub?.lines ?? { count: 0, hash: '' }
    if (this.#count !== count || this.#hash !== hash)
      throw new DefectError(
        'stub',
        'the lines that outlived removed segments were altered: they are not those of the stub',
      )
  }

  /** The last head of a chain that was removed as a whole. */
  gone(chain: string): ChainHead | undefined {
    return this.#gone.get(chain)
  }

  get goneCount(): number {
    return this.#gone.size
  }

  /** Where a chain continues that lost its beginning. */
  start(chain: string): (ChainHead & { readonly segment: number }) | undefined {
    // Ids of links may be anything, also the name of a method.
    return this.stub !== undefined && Object.hasOwn(this.stub.chains, chain) ? this.stub.chains[chain] : undefined
  }

  /** Whether a segment was removed, and would be removed again if it is still there. */
  has({ chain, number }: SegmentId): boolean {
    return this.#gone.has(chain) || number <= (this.start(chain)?.segment ?? 0)
  }

  /** The SHA-256 of a segment that was removed last. */
  digest(segment: SegmentId): string | undefined {
    return this.stub?.removed[segmentName(segment)]
  }
}
