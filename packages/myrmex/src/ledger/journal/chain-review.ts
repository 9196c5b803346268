/**
 * Reviews the old segments of a chain before they are removed: nothing is removed that does not verify, or whose end cannot be
 * shown to be its end. Otherwise retention would sign away what somebody altered or cut off.
 */
import type { Hash } from 'node:crypto'
import { crypto } from '../../protocol/builtin.ts'
import type { ChainHead, ChainLinks } from './chain.ts'
import type { ChainBeginnings } from './chain-beginnings.ts'
import { ChainCheck, type CheckContext } from './chain-check.ts'
import { DefectError } from './defect.ts'
import type { Entry } from './entry.ts'
import type { Mark } from './mark.ts'
import { readGroups } from './read-groups.ts'
import type { Removals } from './removals.ts'
import { type SegmentId, segmentName } from './segment.ts'
import { ExtentSum, type SegmentExtent } from './segment-extent.ts'
import type { JournalStore } from './store.ts'
import type { StoredChain } from './stored-chains.ts'

/** The beginning of a chain, or all of it, that can be removed. */
export interface ReviewedChain {
  readonly id: string
  readonly segments: readonly ReviewedSegment[]
  readonly isWhole: boolean
  /** its last group */
  readonly head: ChainHead
  readonly links: ChainLinks
  /** lines that outlive their segments */
  readonly lines: readonly string[]
}

export interface ReviewedSegment extends SegmentExtent {
  /** SHA-256 of its bytes */
  readonly digest: string
}

export interface ReviewContext {
  readonly store: JournalStore
  readonly check: CheckContext
  readonly mark: Mark
  readonly removals: Removals
  /** everything that is removed is from before this time */
  readonly before: number
  readonly beginnings: () => Promise<ChainBeginnings>
}

/** Undefined if nothing of the chain is old enough. Throws DefectError if what is old enough does not verify. */
export async function reviewChain(context: ReviewContext, chain: StoredChain): Promise<ReviewedChain | undefined> {
  const review = new ChainReview(context, chain)
  await review.read()
  if (review.segments.length === 0) return undefined
  const isWhole = review.segments.length === chain.segments.length
  if (!(await (isWhole ? review.hasKnownEnd() : review.hasKnownNext()))) return undefined
  const { segments, head, links, lines } = review
  return { id: chain.id, segments, isWhole, head, links, lines }
}

class ChainReview {
  readonly segments: ReviewedSegment[] = []
  readonly links: Record<string, readonly [number, string]> = {}
  readonly lines: string[] = []
  /** the last group of `segments` */
  head: ChainHead
  readonly #context: ReviewContext
  readonly #chain: StoredChain
  readonly #check: ChainCheck
  /** of the segment that is being read */
  #entries: { readonly entry: Entry; readonly line: string }[] = []
  #rest = 0

  constructor(context: ReviewContext, chain: StoredChain) {
    this.#context = context
    this.#chain = chain
    this.#check = new ChainCheck(chain.id, context.mark.journal, context.check, [], (entry, line) =>
      this.#entries.push({ entry, line }),
    )
    const start = context.removals.start(chain.id)
    if (start !== undefined) this.#check.resume(start, start.segment)
    this.head = this.#check.head
  }

  async read(): Promise<void> {
    const { segments } = this.#chain
    for (const segment of segments) {
      if (this.#rest > 0) throw this.#defect(`${this.#rest} bytes before ${segmentName(segment)} are not a group`)
      const reviewed = await this.#readSegment(segment, segment.number >= firstOpen(this.#context.mark, segment.chain))
      if (reviewed === undefined) return
      this.segments.push(reviewed)
      this.head = this.#check.head
      this.#keepEntries()
    }
  }

  /** Undefined if it cannot be removed; then its first group was checked, if it has one. */
  async #readSegment(segment: SegmentId, isOpen: boolean): Promise<ReviewedSegment | undefined> {
    const { store, before } = this.#context
    const hash = crypto.createHash('sha256')
    const sum = new ExtentSum(segment)
    for await (const page of readGroups({ read: (id) => hashed(store.read(id), hash) }, segment)) {
      for (const group of page.groups) {
        await this.#check.group(segment, group)
        sum.add(group.lines)
        if (isOpen || !sum.isBefore(before)) return undefined
      }
      this.#rest = page.rest
    }
    return isOpen ? undefined : { ...sum.extent, digest: hash.digest('base64url') }
  }

  #keepEntries(): void {
    for (const { entry, line } of this.#entries) {
      if (entry.kind === 'segment' || entry.kind === 'seal') Object.assign(this.links, entry.links)
      else this.lines.push(line)
    }
    this.#entries = []
  }

  /** Its last group is a closing seal with a valid MAC, or another chain links to it. */
  async hasKnownEnd(): Promise<boolean> {
    const check = this.#check
    await check.end(this.segments.at(-1), this.#rest)
    if (check.isClosed && check.isKeyed) return true
    const { links } = await this.#context.beginnings()
    const [group, hash] = this.#context.removals.stub?.links[check.chain] ?? [0, '']
    const known = [...(links.get(check.chain) ?? []), { group, hash }]
    if (known.some((head) => head.group === this.head.group && head.hash === this.head.hash)) return true
    // Its process ended before the mark had it, or is just about to record: there is nothing in it, and nothing to say.
    if (check.records === 0 && this.lines.length === 0) return false
    throw this.#defect(`no other chain links to its end, group ${this.head.group}`)
  }

  /** The group after it has a valid MAC, so nothing between them is missing. */
  async hasKnownNext(): Promise<boolean> {
    if (this.#check.head.group === this.head.group || !this.#check.isKeyed) return false
    // A chain that an operator has accepted as broken must stay as it is.
    const isInMark = this.#context.mark.chains[this.#chain.id] !== undefined
    return isInMark || !(await this.#context.beginnings()).accepted.has(this.#chain.id)
  }

  #defect(why: string): DefectError {
    return new DefectError('missing', why, { chain: this.#chain.id, group: this.head.group })
  }
}

/**
 * The first segment of a chain that cannot be removed yet. A chain that is not in the mark has ended, and another one links to it.
 * Of any other, a process that opens the journal reads on from where the mark is.
 */
export const firstOpen = (mark: Mark | undefined, chain: string): number =>
  mark?.chains[chain]?.segment ?? Number.POSITIVE_INFINITY

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}
