/**
 * Checks the chains of a journal: each from its first group, or from the stub of what retention removed, to its end, the links
 * between them, the mark, and what was stored elsewhere. `run` stops at the first defect, `examine` looks at every chain.
 */
import type { ChainHead } from './chain.ts'
import { ChainCheck, type CheckContext } from './chain-check.ts'
import { type LinkSource, SignatureCoverage } from './coverage.ts'
import { type Defect, DefectError, firstDefect } from './defect.ts'
import { type BreakEntry, type Entry, entryLines, parseEntry } from './entry.ts'
import { ExpectedHeads } from './expected-heads.ts'
import { type Mark, markFault, newMark, olderMark, parseMark, type SignedMark } from './mark.ts'
import { recordsOf } from './read.ts'
import { readGroups } from './read-groups.ts'
import { Removals } from './removals.ts'
import { type SegmentId, segmentName } from './segment.ts'
import type { JournalStore } from './store.ts'
import { chainDigest, chainsOf, isLeftOver, journalOf, type StoredChain } from './stored-chains.ts'
import { parseStub, stubFault } from './stub.ts'
import { UnsettledDecisions } from './unsettled-decisions.ts'
import type { ExaminedChain, StoredState, VerifyOptions } from './verify-options.ts'
import { type VerifyReport, VerifyTally } from './verify-report.ts'

/** A break as it was found. It excuses nothing unless a MAC or a signature covers the group that it is in. */
interface FoundBreak {
  readonly entry: BreakEntry
  readonly source: LinkSource | 'signed'
}

/** How the record of a call that had an approval begins. */
const APPROVED = '{"approval":'

const NO_JOURNAL = 'the ledger has no journal: nothing was ever recorded in it, or all of it was removed'

const NO_HEAD: ChainHead = { group: 0, hash: '' }

export class JournalCheck {
  readonly #store: JournalStore
  readonly #context: CheckContext
  readonly #options: VerifyOptions
  readonly #coverage = new SignatureCoverage()
  readonly #breaks: FoundBreak[] = []
  /** how far each chain was followed and is vouched for by itself, also those that do not verify to their end */
  readonly #vouched = new Map<string, number>()
  readonly #unsettled = new UnsettledDecisions()
  /** defects of chains that a break may excuse, with the digest of the chain */
  readonly #defects: { readonly chain: string; readonly defect: DefectError; readonly digest: string }[] = []
  /** chains that were followed and say something, with their last group */
  readonly #followed = new Map<string, ChainHead>()
  readonly #tally: VerifyTally
  /** broken chains that the report names */
  readonly #noted = new Set<string>()
  #isAlone = false
  /** the newest version of the mark that a seal has seen */
  #markSeen = 0
  #removals = new Removals()
  #expected = new ExpectedHeads(this.#removals)

  constructor(store: JournalStore, context: CheckContext, options: VerifyOptions) {
    this.#store = store
    this.#context = context
    this.#options = options
    this.#tally = new VerifyTally(options.onProgress)
  }

  async run(stored: StoredState): Promise<void> {
    const { segments } = stored
    const mark = await this.#readMark(stored.mark, segments.length > 0 || stored.stub !== undefined)
    this.#requireOwnMark(stored.mark)
    if (stored.mark === undefined) this.#tally.notices.push(NO_JOURNAL)
    await this.#readRemovals(stored, mark)
    await this.#expectHeads(mark)
    const chains = chainsOf(await this.#present(segments))
    // Links and accepted breaks may be in a later chain than the one that they are about.
    // One chain says what it links to while it is followed.
    this.#isAlone = chains.size === 1
    if (!this.#isAlone) for (const chain of chains.values()) await this.#collect(chain)
    for (const chain of chains.values()) await this.#chain(chain, mark)
    await this.#requireNewest(mark, stored)
    this.#tally.unsigned = this.#coverage.settle()
    this.#unsettled.settle((source) => this.#isVouchedFor(source))
    for (const { chain, defect, digest } of this.#defects) this.#excuse(chain, defect, digest)
    for (const { id, defect } of this.#missing(chains))
      throw new DefectError(defect.kind, defect.why, { chain: id, group: 1 })
    for await (const defect of this.#strangers(Object.keys(mark.chains), chains)) throw defect
    for (const defect of this.#coverage.defects()) {
      const chain = defect.defect.chain ?? ''
      this.#excuse(chain, defect, await chainDigest(this.#store, chains.get(chain)?.segments ?? []))
    }
    const accepted = this.#breaks.flatMap(({ entry, source }) => (this.#isVouchedFor(source) ? [entry] : []))
    for (const entry of accepted) this.#noteHealed(entry)
    this.#tally.acceptedBreaks = accepted.length
    const { decisions } = this.#options
    if (decisions !== undefined) decisions.isPartial = accepted.length > 0
  }

  /** Names the parts of an accepted break that no longer show: a chain or a mark that is gone, or a chain that is linked to again. */
  #noteHealed(accepted: BreakEntry): void {
    if (accepted.mark !== null) this.#note(undefined, accepted.mark, accepted)
    for (const [chain, { defect }] of Object.entries(accepted.chains))
      if (!this.#noted.has(chain)) this.#note(chain, defect, accepted)
  }

  async examine(stored: StoredState) {
    const { segments } = stored
    const unread = await firstDefect(async () => void (await this.#readMark(stored.mark, true)))
    // A mark by a key that is lost says what there was, but nobody can continue it.
    const foreign = await firstDefect(async () => this.#requireOwnMark(stored.mark))
    const markFault = (unread ?? foreign)?.message
    const read = stored.mark === undefined ? undefined : parseMark(stored.mark.body)
    const known = unread === undefined ? read : undefined
    const mark = known ?? {
      ...newMark(),
      journal: read?.journal ?? (await journalOf(this.#store, segments)) ?? newMark().journal,
    }
    // The stub of a lost key is that of the mark.
    const stubKey = unread === undefined ? stored.mark?.key_id : undefined
    const stubFault = (await firstDefect(() => this.#readRemovals(stored, mark, stubKey)))?.message
    if (stubFault !== undefined) this.#forgetRemovals()
    await this.#expectHeads(mark)
    const chains = chainsOf(segments.filter((segment) => !this.#removals.has(segment)))
    for (const chain of chains.values()) await this.#collect(chain)
    const examined = new Map<string, ExaminedChain>()
    for (const chain of chains.values()) {
      const digest = await chainDigest(this.#store, chain.segments)
      let head = NO_HEAD
      const defect = await firstDefect(async () => {
        head = await this.#follow(chain, mark)
      })
      examined.set(chain.id, { id: chain.id, head, defect: defect?.message, digest })
    }
    const older = await firstDefect(() => this.#requireNewest(mark, stored))
    this.#coverage.settle()
    for (const { id, digest } of [...examined.values()])
      if (this.#accepted(id, digest) !== undefined) examined.delete(id)
    for (const { id, defect } of this.#missing(chains))
      examined.set(id, { id, head: NO_HEAD, defect: defect.why, digest: null })
    // Without a mark nobody knows which chains belong to the journal.
    const roots = known === undefined ? chains.keys() : Object.keys(mark.chains)
    const strangers = await Array.fromAsync(this.#strangers(roots, chains))
    for (const { message, defect } of [...strangers, ...this.#coverage.defects()]) {
      const chain = examined.get(defect.chain ?? '')
      if (chain !== undefined) examined.set(chain.id, { ...chain, defect: chain.defect ?? message })
    }
    return {
      mark,
      markFault: markFault ?? older?.message,
      stub: this.#removals.stub,
      stubFault,
      chains: [...examined.values()],
    }
  }

  /** `otherKey` is accepted too. */
  async #readRemovals({ stub: stored, lines }: StoredState, mark: Mark, otherKey?: string): Promise<void> {
    if (stored === undefined) return
    if (stored.key_id !== otherKey) this.#requireOwn(stored, 'stub', 'the stub of what retention removed')
    const fault = await stubFault(this.#context.ring, stored)
    const stub = parseStub(stored.body)
    if (fault !== undefined || stub === undefined)
      throw new DefectError('stub', `the stub of what retention removed was altered or forged: its signature ${fault}`)
    if (stub.journal !== mark.journal)
      throw new DefectError('stub', 'the stub of what retention removed is that of another journal')
    this.#removals = new Removals(stub)
    this.#expected = new ExpectedHeads(this.#removals)
    const breaks: FoundBreak[] = []
    for await (const line of lines(stub.lines.count)) {
      const entry = this.#removals.keep(line)
      if (entry?.kind === 'break') breaks.push({ entry, source: 'signed' })
      if (entry !== undefined) this.#options.decisions?.entry(entry)
    }
    this.#removals.checkLines()
    this.#breaks.push(...breaks)
    this.#tally.pruned = stub.records
    this.#coverage.link(stub.links, 'signed')
    this.#expected.addLinks(stub.links, 'a removed segment')
  }

  #forgetRemovals(): void {
    this.#removals = new Removals()
    this.#expected = new ExpectedHeads(this.#removals)
  }

  /** Without removed segments that a crash has left. A removed segment that somebody put back is a defect. */
  async #present(segments: readonly SegmentId[]): Promise<SegmentId[]> {
    const present: SegmentId[] = []
    for (const segment of segments) {
      if (!this.#removals.has(segment)) present.push(segment)
      else if (!(await isLeftOver(this.#store, segment, this.#removals)))
        throw new DefectError(
          'inserted',
          `segment ${segmentName(segment)} was removed by retention, and is there again`,
          { segment },
        )
    }
    return present
  }

  /** Chains that do not belong to the journal: they are not in its mark, and no chain that belongs to it links to them. */
  async *#strangers(roots: Iterable<string>, chains: ReadonlyMap<string, StoredChain>): AsyncGenerator<DefectError> {
    const reached = this.#coverage.reachedFrom([...roots, ...Object.keys(this.#removals.stub?.links ?? {})])
    for (const [chain, head] of this.#followed) {
      if (reached.has(chain) || this.#removals.start(chain) !== undefined) continue
      const digest = await chainDigest(this.#store, chains.get(chain)?.segments ?? [])
      if (this.#accepted(chain, digest) !== undefined) continue
      const why = `chain ${chain} is neither in the mark nor linked to: the mark was replaced by an older one, the chain that links to it is gone, or it was put in`
      yield new DefectError('mark', why, { chain, group: 1, lastGroup: head.group })
    }
  }

  #requireOwnMark(signed: SignedMark | undefined): void {
    if (signed !== undefined) this.#requireOwn(signed, 'mark', 'the mark of the journal')
  }

  /** Somebody else's key may be in the ledger's list of keys. Its own key is known for certain. */
  #requireOwn({ key_id }: { readonly key_id: string }, kind: 'mark' | 'stub', what: string): void {
    const { key, ring } = this.#context
    if (key === undefined || ring.hasTrustedKeys || key_id === key.id) return
    throw new DefectError(kind, `${what} is signed by key ${key_id}, and the ledger's key is ${key.id}`)
  }

  /** Chains that should be there. */
  *#missing(chains: ReadonlyMap<string, StoredChain>) {
    for (const [id, [first]] of this.#expected) {
      if (first === undefined || chains.has(id) || this.#accepted(id, null)) continue
      const kind = first.kind === 'anchor' ? ('anchor' as const) : ('missing' as const)
      yield { id, defect: { kind, why: `chain ${id} is missing: ${first.source} has its group ${first.group}` } }
    }
    for (const id of Object.keys(this.#removals.stub?.chains ?? {})) {
      if (chains.has(id) || this.#expected.of(id) !== undefined || this.#accepted(id, null)) continue
      yield {
        id,
        defect: { kind: 'missing' as const, why: `chain ${id} is missing: retention removed only its beginning` },
      }
    }
  }

  async #readMark(signed: SignedMark | undefined, hasSegments: boolean): Promise<Mark> {
    if (signed === undefined) {
      if (!hasSegments) return { journal: '', version: 0, time: 0, chains: {} }
      throw new DefectError('mark', 'the mark of the journal is missing')
    }
    const fault = await markFault(this.#context.ring, signed)
    const mark = parseMark(signed.body)
    if (fault === undefined && mark !== undefined) return mark
    throw new DefectError('mark', `the mark of the journal was altered or forged: its signature ${fault}`)
  }

  /** Seals say which mark they have seen. If an older one is stored, somebody has put it back. */
  async #requireNewest({ version }: Mark, stored: StoredState): Promise<void> {
    if (this.#markSeen <= version) return
    const signed = await stored.currentMark()
    const current = await this.#readMark(signed, true)
    this.#requireOwnMark(signed)
    if (current.version < this.#markSeen)
      throw new DefectError('mark', `the journal is newer than its mark: ${olderMark(current.version, this.#markSeen)}`)
  }

  async #expectHeads(mark: Mark): Promise<void> {
    const { heads = [], anchors = [] } = this.#options
    this.#expected.addMark(mark)
    this.#expected.addNoted(heads)
    await this.#expected.addAnchors(anchors, mark, this.#context.ring)
    this.#tally.notices.push(...this.#expected.notices)
  }

  async #collect({ id, segments }: StoredChain): Promise<void> {
    for (const segment of segments) {
      for await (const { groups } of readGroups(this.#store, segment)) {
        for (const { lines, group } of groups) {
          // Not ours: following the chain says so. What comes after it may have any size.
          if (Number.isNaN(group)) return
          for (const line of entryLines(lines)) this.#collectFrom(parseEntry(line), { chain: id, group })
        }
      }
    }
  }

  #collectFrom(entry: Entry | undefined, source: LinkSource): void {
    if (entry?.kind === 'break') this.#breaks.push({ entry, source })
    if (entry?.kind !== 'segment' && entry?.kind !== 'seal') return
    this.#coverage.link(entry.links, source)
    this.#expected.addLinks(entry.links, `a link in chain ${source.chain}`)
  }

  /** A chain that does not verify may have been accepted. Whether that counts is known when all chains were followed. */
  async #chain(chain: StoredChain, mark: Mark): Promise<void> {
    try {
      await this.#follow(chain, mark)
    } catch (error) {
      if (!(error instanceof DefectError) || !this.#breaks.some(({ entry }) => Object.hasOwn(entry.chains, chain.id)))
        throw error
      const digest = await chainDigest(this.#store, chain.segments)
      this.#defects.push({ chain: chain.id, defect: error, digest })
    }
  }

  /** Throws the defect unless an operator has accepted the chain as it is. */
  #excuse(chain: string, defect: DefectError, digest: string): void {
    const accepted = this.#accepted(chain, digest)
    if (accepted === undefined) throw defect
    this.#note(chain, defect.message, accepted)
  }

  /** Without a chain the defect is about the mark. */
  #note(chain: string | undefined, defect: string, accepted: BreakEntry): void {
    const when = new Date(accepted.time).toISOString()
    const what = chain === undefined ? defect : `chain ${chain} does not verify (${defect})`
    this.#tally.notices.push(`${what}; ${accepted.by} accepted that on ${when}: ${accepted.reason}`)
    if (chain !== undefined) this.#noted.add(chain)
  }

  async #follow({ id, segments }: StoredChain, mark: Mark): Promise<ChainHead> {
    const { decisions } = this.#options
    const marked = mark.chains[id]?.group ?? Number.POSITIVE_INFINITY
    const check: ChainCheck = new ChainCheck(id, mark.journal, this.#context, this.#expected.of(id), (entry) => {
      const group = check.head.group + 1
      this.#unsettled.add(check, group, () => decisions?.entry(entry, group > marked))
      if (entry.kind === 'seal') this.#markSeen = Math.max(this.#markSeen, entry.mark ?? 0)
      if (this.#isAlone) this.#collectFrom(entry, { chain: id, group })
    })
    const start = this.#removals.start(id)
    if (start !== undefined) check.resume(start, start.segment)
    const rest = await this.#readSegments(check, segments).finally(() => {
      this.#vouched.set(id, check.isKeyed ? check.head.group : check.signed)
      this.#unsettled.endChain()
    })
    await check.end(segments.at(-1), rest)
    if (check.lines > 0) this.#followed.set(id, check.head)
    this.#tally.take(check, segments.length, rest, mark)
    this.#coverage.take(check, !check.isKeyed && check.unsigned > 0)
    return check.head
  }

  /** Returns how many bytes at their end are not a whole group. */
  async #readSegments(check: ChainCheck, segments: readonly SegmentId[]): Promise<number> {
    let rest = 0
    for (const segment of segments) {
      if (rest > 0) {
        const why = `${rest} bytes before segment ${segment.number} of chain ${check.chain} are not a group`
        throw new DefectError('altered', why, { segment })
      }
      rest = await this.#readSegment(check, segment)
    }
    return rest
  }

  async #readSegment(check: ChainCheck, segment: SegmentId): Promise<number> {
    const { decisions } = this.#options
    let rest = 0
    for await (const page of readGroups(this.#store, segment)) {
      for (const group of page.groups) {
        await check.group(segment, group)
        if (decisions !== undefined && group.lines.includes(APPROVED))
          for (const { args: _, data: __, ...record } of recordsOf(group, check.chain))
            if (record.approval !== undefined) this.#unsettled.add(check, group.group, () => decisions.record(record))
        this.#unsettled.countUpTo(check.signed)
      }
      rest = page.rest
      this.#tally.progress(check.records)
    }
    return rest
  }

  /** The newest acceptance of this chain as it is now. Ask when all chains were followed and their coverage is settled. */
  #accepted(chain: string, digest: string | null): BreakEntry | undefined {
    const accepts = ({ chains }: BreakEntry): boolean =>
      Object.hasOwn(chains, chain) && chains[chain]?.digest === digest
    return this.#breaks.findLast((found) => accepts(found.entry) && this.#isVouchedFor(found.source))?.entry
  }

  /** Somebody may have written a break into a chain that was altered, and that was accepted as it is. */
  #isVouchedFor(source: LinkSource | 'signed'): boolean {
    if (source === 'signed') return true
    return source.group <= Math.max(this.#vouched.get(source.chain) ?? 0, this.#coverage.vouchedTo(source.chain))
  }

  report(defect: Defect | undefined): VerifyReport {
    this.#tally.isKeyed &&= this.#context.key !== undefined
    return this.#tally.report(defect)
  }
}
