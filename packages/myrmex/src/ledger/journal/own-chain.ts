/**
 * The chain of this process, apart from where it is stored: which group is next, when a segment is full, what a seal says. It
 * continues only from what this process wrote itself. Nothing is read back, so nobody can make it sign something else.
 */
import { crypto } from '../../protocol/builtin.ts'
import { PROCESS_NAME } from '../process-identity.ts'
import { type ChainHead, type ChainLinks, genesis, sealText } from './chain.ts'
import { FORMAT, renderEntry } from './entry.ts'
import { GroupEncoder } from './group-encoder.ts'
import type { LedgerKey } from './key.ts'
import { type ChainMark, linksOf, type Mark } from './mark.ts'
import type { SegmentId } from './segment.ts'

export interface SegmentLimits {
  /** A segment is full at this size, and old at this age. */
  readonly segmentBytes?: number
  readonly segmentMs?: number
}

/** A group that can be stored. The chain has reached it once `advance` was called with it. */
export interface NextGroup {
  readonly head: ChainHead
  readonly lines: string
  readonly mac: string
  /** the group as it is stored; valid until the next group is made */
  readonly bytes: Buffer
  /** where it belongs: its segment, and the byte at which it begins there */
  readonly segment: SegmentId
  readonly offset: number
  /** It is the first group of its segment. */
  readonly isFirst: boolean
  /** the heads of other chains that its seal links to */
  readonly links: ChainLinks | undefined
}

/** A signature over everything before the group that it is in. */
interface Seal {
  /** the mark as it is stored now */
  readonly mark: Mark
  readonly closed: boolean
}

const SEGMENT_BYTES = 64 * 1024 * 1024
/** Retention removes whole segments, so a quiet server has to begin new ones too. */
const SEGMENT_MS = 24 * 3_600_000

export class OwnChain {
  readonly journal: string
  readonly id: string = newChainId()
  readonly #started: number = Date.now()
  readonly #key: LedgerKey
  readonly #limits: SegmentLimits
  readonly #encoder = new GroupEncoder()
  #head: ChainHead
  #before: string
  /** of the newest group */
  #offset = 0
  #segment: SegmentId
  #opened = 0
  #size = 0
  /** the newest heads of other chains that this chain links to */
  #linked: ChainLinks

  /** Its first group says which other chains there were. */
  constructor(journal: string, links: ChainLinks, key: LedgerKey, limits: SegmentLimits = {}) {
    this.journal = journal
    this.#key = key
    this.#limits = limits
    this.#head = genesis(journal, this.id)
    this.#before = this.#head.hash
    this.#segment = { chain: this.id, started: this.#started, number: 0 }
    this.#linked = links
  }

  get head(): ChainHead {
    return this.#head
  }

  get segment(): SegmentId {
    return this.#segment
  }

  /** The group with these lines. It changes nothing: what is not stored does not count. */
  next(lines: string, seal?: Seal): NextGroup {
    const links = seal && this.#fresh(linksOf(seal.mark, this.id))
    const body = seal === undefined ? lines : `${this.#sealLine(seal, links ?? {})}${lines}`
    if (!this.#isFull(body.length)) return this.#group(body, this.#segment, this.#size, links)
    const segment = { ...this.#segment, number: this.#segment.number + 1 }
    return this.#group(`${this.#segmentLine(segment)}${body}`, segment, 0, links)
  }

  #group(lines: string, segment: SegmentId, offset: number, links: ChainLinks | undefined): NextGroup {
    const head = { group: this.#head.group + 1, hash: this.#encoder.hash(this.#head, lines) }
    const mac = this.#key.groupMac(head.hash)
    const bytes = this.#encoder.stored(head.group, mac)
    return { head, lines, mac, bytes, segment, offset, isFirst: offset === 0, links }
  }

  #isFull(length: number): boolean {
    const { segmentBytes = SEGMENT_BYTES, segmentMs = SEGMENT_MS } = this.#limits
    return this.#size === 0 || this.#size + length > segmentBytes || Date.now() - this.#opened > segmentMs
  }

  #segmentLine({ chain, started, number }: SegmentId): string {
    const links = number === 1 ? mutable(this.#linked) : {}
    return renderEntry({
      kind: 'segment',
      format: FORMAT,
      journal: this.journal,
      key: this.#key.id,
      chain,
      started,
      number,
      links,
    })
  }

  #sealLine({ mark, closed }: Seal, links: ChainLinks): string {
    const { group, hash } = this.#head
    const signature = this.#key.sign(sealText(this.journal, this.id, this.#head))
    const seen = { links: mutable(links), mark: mark.version }
    const entry = { kind: 'seal', group, hash, key: this.#key.id, ...seen, signature } as const
    return renderEntry({ ...entry, ...(closed && { closed: true as const }) })
  }

  /** A head is linked to once. */
  #fresh(links: ChainLinks): ChainLinks {
    return Object.fromEntries(Object.entries(links).filter(([id, [group]]) => this.#linked[id]?.[0] !== group))
  }

  /** This group is stored. */
  advance({ head, bytes, segment, offset, isFirst, links }: NextGroup): void {
    this.#before = this.#head.hash
    this.#head = head
    this.#offset = offset
    this.#size = offset + bytes.length
    if (isFirst) {
      this.#segment = segment
      this.#opened = Date.now()
    }
    if (links !== undefined) this.#linked = { ...this.#linked, ...links }
  }

  /** Where the chain is now, for the mark. */
  mark(closed: boolean): ChainMark {
    return {
      ...this.#head,
      before: this.#before,
      started: this.#started,
      segment: this.#segment.number,
      offset: this.#offset,
      closed,
      process: PROCESS_NAME,
    }
  }
}

/** Letters and digits, so that it can be part of a file name. */
const newChainId = (): string => crypto.randomBytes(6).toString('hex')

const mutable = (links: ChainLinks): Record<string, [number, string]> =>
  Object.fromEntries(Object.entries(links).map(([chain, [group, hash]]) => [chain, [group, hash]]))
