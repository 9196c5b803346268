/**
 * Follows one chain, a group at a time, and throws DefectError at the first defect. The groups may come from a store or from an
 * exported file. With the ledger's key every group is checked by its MAC. Without it, only what a signature covers counts.
 */
import { type ChainHead, genesis, nextHead, sealText } from './chain.ts'
import { DefectError, type DefectKind, groupRange } from './defect.ts'
import { ENTRY_START, type Entry, entryLines, FORMAT, parseEntry, type SealEntry, type SegmentEntry } from './entry.ts'
import type { LedgerKey } from './key.ts'
import type { KeyRing, Signature } from './keyring.ts'
import type { StoredGroup } from './read-groups.ts'
import { type SegmentId, segmentName } from './segment.ts'

/** A head that this chain must have, and who says so, as the subject of a sentence. */
export interface ExpectedHead extends ChainHead {
  readonly source: string
  readonly kind: DefectKind
  /** a signature of its own covers it */
  readonly isSigned: boolean
}

/** What a check may rely on. */
export interface CheckContext {
  readonly ring: KeyRing
  /** for the MACs of chains that were written with it */
  readonly key: LedgerKey | undefined
  readonly journal: string | undefined
  /** Signatures by other keys than `key` do not count: somebody may have added theirs to the ledger's list. */
  readonly ownSealsOnly?: boolean
}

export class ChainCheck {
  readonly chain: string
  /** the newest group that is in order */
  head: ChainHead
  /** the newest group that a signature covers */
  signed = 0
  groups = 0
  records = 0
  /** lines that say something: all but signatures and the beginnings of segments */
  lines = 0
  /** records and decisions after the newest signature */
  unsigned = 0
  isClosed = false
  /** Checks the newest signature by the ledger's key. MACs by the same key cover the earlier ones, which take 0.2 ms each to check. */
  #ownSignature: (() => Promise<void>) | undefined
  /** its MACs were checked */
  isKeyed = false
  readonly seals = new Map<string, number>()
  readonly #context: CheckContext
  readonly #expected: ReadonlyMap<number, readonly ExpectedHead[]>
  readonly #onEntry: (entry: Entry, line: string) => void
  /** of the segment that the head is in; undefined if that is not known */
  #number: number | undefined = 0

  constructor(
    chain: string,
    journal: string,
    context: CheckContext,
    expected: readonly ExpectedHead[] = [],
    onEntry: (entry: Entry, line: string) => void = () => {},
  ) {
    this.chain = chain
    this.head = genesis(journal, chain)
    this.#context = { ...context, journal }
    this.#expected = Map.groupBy(expected, ({ group }) => group)
    this.#onEntry = onEntry
  }

  /** Begins after this group, which a signature vouches for. It is the last of segment `segment`, or inside one. */
  resume({ group, hash }: ChainHead, segment?: number): void {
    this.head = { group, hash }
    this.signed = group
    this.#number = segment
    this.#compare()
  }

  /** Without a segment for a file that begins inside one. */
  async group(segment: SegmentId | undefined, stored: StoredGroup): Promise<void> {
    if (this.isClosed) {
      const why = `group ${stored.group} of ${this.#placeOf(segment)} was added after its chain had ended`
      throw new DefectError('inserted', why, this.#at(segment))
    }
    this.#checkNumber(segment, stored)
    const next = nextHead(this.head, stored.lines)
    if (segment !== undefined && this.#number !== segment.number) this.#begin(segment, stored)
    else if (this.#number === 0)
      throw new DefectError('altered', `chain ${this.chain} does not begin as chains do`, this.#at(segment))
    if (this.isKeyed && this.#context.key?.groupMac(next.hash) !== stored.mac) {
      const why = `group ${next.group} of ${this.#nameOf(segment)} was altered: its MAC does not match`
      throw new DefectError('altered', why, this.#at(segment))
    }
    const lines = entryLines(stored.lines)
    let marks = 0
    for (const line of lines) {
      const { kind } = await this.#entry(segment, line)
      if (kind === 'segment' || kind === 'seal') marks++
    }
    this.head = next
    this.groups++
    const count = countLines(stored.lines)
    this.records += count - lines.length
    this.lines += count - marks
    this.unsigned += count - marks
    this.#compare()
  }

  #at(segment: SegmentId | undefined) {
    return { chain: this.chain, group: this.head.group + 1, ...(segment !== undefined && { segment }) }
  }

  #nameOf(segment: SegmentId | undefined): string {
    return segment === undefined ? `chain ${this.chain}` : `segment ${segmentName(segment)}`
  }

  #placeOf(segment: SegmentId | undefined): string {
    return segment === undefined ? 'the file' : segmentName(segment)
  }

  #checkNumber(segment: SegmentId | undefined, { group }: StoredGroup): void {
    const next = this.head.group + 1
    if (group === next) return
    const name = this.#nameOf(segment)
    if (group > next) {
      const gap = groupRange(next, group - 1)
      const missing = `${gap} of chain ${this.chain} ${next === group - 1 ? 'is' : 'are'} missing before group ${group} in ${this.#placeOf(segment)}`
      throw new DefectError('missing', missing, { ...this.#at(segment), lastGroup: group - 1 })
    }
    const what = Number.isNaN(group)
      ? `the last line of group ${next} of ${name} was altered`
      : `group ${group} in ${name} was inserted or moved: group ${next} is next`
    throw new DefectError(Number.isNaN(group) ? 'altered' : 'inserted', what, this.#at(segment))
  }

  /** The first group of a segment. */
  #begin(segment: SegmentId, { lines }: StoredGroup): void {
    const name = segmentName(segment)
    const at = this.#at(segment)
    const number = this.#number === undefined ? segment.number : this.#number + 1
    if (segment.number !== number) {
      const missing = { ...segment, number }
      throw new DefectError('missing', `segment ${segmentName(missing)} is missing`, {
        segment: missing,
        group: at.group,
      })
    }
    const entry = segmentEntry(lines)
    if (entry === undefined) throw new DefectError('altered', `segment ${name} does not begin as segments do`, at)
    if (entry.format > FORMAT) {
      const why = `segment ${name} was written by a newer Myrmex (format ${entry.format}, this one reads ${FORMAT})`
      throw new DefectError('format', why, at)
    }
    const isOurs =
      entry.journal === this.#context.journal &&
      entry.chain === segment.chain &&
      entry.number === segment.number &&
      entry.started === segment.started
    if (!isOurs)
      throw new DefectError('inserted', `segment ${name} is a copy of another segment, or of another journal`, at)
    this.#number = segment.number
    this.isKeyed = this.#context.key?.id === entry.key
  }

  async #entry(segment: SegmentId | undefined, line: string): Promise<Entry> {
    const entry = parseEntry(line)
    if (entry === undefined) {
      const at = this.#at(segment)
      throw new DefectError('altered', `group ${at.group} of ${this.#nameOf(segment)} has an entry that is not one`, at)
    }
    if (entry.kind === 'seal') await this.#seal(segment, entry)
    this.#onEntry(entry, line)
    return entry
  }

  async #seal(segment: SegmentId | undefined, { group, hash, key, signature, closed }: SealEntry): Promise<void> {
    const first = this.signed + 1
    const at = { ...this.#at(segment), group: first, lastGroup: this.head.group }
    if (group !== this.head.group || hash !== this.head.hash) {
      const range = groupRange(first, this.head.group)
      throw new DefectError(
        'altered',
        `${range} of chain ${this.chain} ${first === at.lastGroup ? 'is' : 'are'} not what was signed`,
        at,
      )
    }
    const check = this.#signatureCheck({ key_id: key, signature }, segment)
    if (this.isKeyed && key === this.#context.key?.id && !this.#context.ring.hasTrustedKeys) this.#ownSignature = check
    else await check()
    this.#countSignature(key)
    this.isClosed = closed === true
  }

  /** A signature over the newest group. */
  async sign(signature: Signature, segment?: SegmentId): Promise<void> {
    await this.#signatureCheck(signature, segment)()
    this.#countSignature(signature.key_id)
  }

  /** Throws DefectError when it is called. */
  #signatureCheck(signature: Signature, segment: SegmentId | undefined): () => Promise<void> {
    const { head } = this
    const at = { ...this.#at(segment), group: this.signed + 1, lastGroup: head.group }
    return async () => {
      const text = sealText(this.#context.journal ?? '', this.chain, head)
      const fault = await this.#context.ring.signatureFault(text, signature)
      if (fault === undefined) return
      throw new DefectError(
        'signature',
        `the signature of group ${head.group} in ${this.#nameOf(segment)} ${fault}`,
        at,
      )
    }
  }

  #countSignature(key: string): void {
    this.seals.set(key, (this.seals.get(key) ?? 0) + 1)
    if (this.#context.ownSealsOnly && key !== this.#context.key?.id) return
    this.signed = this.head.group
    this.unsigned = 0
  }

  #compare(): void {
    for (const { group, hash, source, kind, isSigned } of this.#expected.get(this.head.group) ?? NONE) {
      if (hash !== this.head.hash) {
        const why = `group ${group} of chain ${this.chain} is not the one that ${source} has: it, or a group before it, was rewritten`
        throw new DefectError(kind, why, { chain: this.chain, group: 1, lastGroup: group })
      }
      if (isSigned && group > this.signed) {
        this.signed = group
        this.unsigned = 0
      }
    }
  }

  /** After the last group. `rest` is how many bytes follow it. */
  async end(segment: SegmentId | undefined, rest: number): Promise<void> {
    await this.#ownSignature?.()
    if (rest > 0 && this.isClosed && segment !== undefined) {
      const why = `${rest} bytes were added to segment ${segmentName(segment)} after its chain had ended`
      throw new DefectError('inserted', why, { segment, group: this.head.group + 1 })
    }
    for (const [group, [expected]] of this.#expected) {
      if (group <= this.head.group || expected === undefined) continue
      const { source, kind } = expected
      const why = `the end of chain ${this.chain} was cut off: it ends with group ${this.head.group}, and ${source} has group ${group}`
      throw new DefectError(kind === 'anchor' || kind === 'head' ? kind : 'missing', why, {
        chain: this.chain,
        group: this.head.group + 1,
        lastGroup: group,
      })
    }
  }
}

const NONE: readonly ExpectedHead[] = []

function segmentEntry(lines: string): SegmentEntry | undefined {
  const line = lines.slice(0, lines.indexOf('\n'))
  const entry = line.startsWith(ENTRY_START) ? parseEntry(line) : undefined
  return entry?.kind === 'segment' ? entry : undefined
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
