/** Follows an export made with --proof, a line at a time. See proof.ts for its form. */
import { type ChainHead, GROUP_END } from './chain.ts'
import { ChainCheck, type ExpectedHead } from './chain-check.ts'
import { SignatureCoverage } from './coverage.ts'
import { type Defect, DefectError } from './defect.ts'
import { type Entry, parseEntry } from './entry.ts'
import { ExpectedHeads } from './expected-heads.ts'
import { FileHead, MAX_CHAINS } from './file-head.ts'
import { olderMark, parseMark } from './mark.ts'
import { PROOF_START, type ProofOf, parseGroupEnd, parseProof } from './proof.ts'
import { MAX_GROUP_BYTES } from './read-groups.ts'
import type { SegmentId } from './segment.ts'
import type { VerifyOptions } from './verify-options.ts'
import { type VerifyReport, VerifyTally } from './verify-report.ts'

/** There are no MACs in a file, so the ledger's key is of no use. */
export type FileOptions = Pick<VerifyOptions, 'trustedKeys' | 'heads' | 'anchors' | 'onProgress'>

/** The chain that is being read. */
interface OpenChain {
  readonly check: ChainCheck
  /** the group before its first in the file */
  readonly after: number
  segment?: SegmentId
  segments: number
  isSigned: boolean
}

const NO_EXPORT = 'the file does not begin as an export with proof does; make one with myrmex audit export --proof'

export class FileCheck {
  readonly #options: FileOptions
  readonly #head: FileHead
  readonly #tally: VerifyTally
  readonly #coverage = new SignatureCoverage()
  /** the chains of the file: the group before the first, and the last one */
  readonly #chains = new Map<string, ChainHead & { readonly after: number }>()
  /** once the chains begin */
  #expected: ExpectedHeads | undefined
  #chain: OpenChain | undefined
  /** of the group that is being read */
  #lines: string[] = []
  #length = 0
  #number = 0
  #isEnded = false

  constructor(options: FileOptions) {
    this.#options = options
    this.#head = new FileHead(options.trustedKeys)
    this.#tally = new VerifyTally(options.onProgress)
    this.#tally.isKeyed = false
  }

  /** The next line. Throws DefectError. */
  take(text: string): Promise<void> | undefined {
    this.#number++
    if (this.#isEnded) throw this.#refuse('was added after the end')
    if (text.startsWith(PROOF_START)) return this.#proof(text)
    if (text.startsWith(GROUP_END)) return this.#group(text)
    if (this.#chain !== undefined) this.#addLine(text)
    else if (this.#number === 1) throw new DefectError('file', NO_EXPORT)
    else if (!this.#head.keep(text)) throw this.#refuse('is not as an export writes it')
    return undefined
  }

  #addLine(text: string): void {
    this.#lines.push(text)
    this.#length += text.length + 1
    if (this.#length > MAX_GROUP_BYTES) throw this.#refuse('is in a group that has no end')
  }

  async #proof(text: string): Promise<void> {
    const line = parseProof(text)
    if (line === undefined) throw this.#refuse('is not as an export writes it')
    if (this.#lines.length > 0) throw this.#refuse('is in the middle of a group')
    if (line.proof === 'chain') await this.#begin(line)
    else if (line.proof === 'signature') await this.#sign(line)
    else if (line.proof === 'end') await this.#finish(line)
    else if (this.#expected !== undefined || !(await this.#head.take(line))) throw this.#refuse('is not in its place')
  }

  /** After the last line before the chains. */
  async #expectHeads(): Promise<ExpectedHeads> {
    const { removals, mark, ring } = this.#head
    const { heads = [], anchors = [] } = this.#options
    const { links = {}, records = 0 } = removals.stub ?? {}
    removals.checkLines()
    const expected = new ExpectedHeads(removals)
    expected.addMark(mark)
    expected.addNoted(heads)
    await expected.addAnchors(anchors, mark, ring)
    expected.addLinks(links, 'a removed segment')
    this.#coverage.link(links, 'signed')
    this.#tally.notices.push(...expected.notices)
    this.#tally.pruned = records
    return expected
  }

  async #begin({ chain, after }: ProofOf<'chain'>): Promise<void> {
    const { hasMark, isComplete, removals, mark, ring } = this.#head
    if (!hasMark) throw this.#refuse('is not in its place')
    this.#expected ??= await this.#expectHeads()
    this.#close()
    const isRemoved = removals.gone(chain) !== undefined
    if (this.#chains.has(chain) || isRemoved) throw this.#refuse(`begins chain ${chain} once more`)
    if (after !== undefined && isComplete) throw this.#refuse(`begins chain ${chain} in the middle`)
    if (this.#chains.size === MAX_CHAINS) throw this.#refuse('begins more chains than a journal has')
    const context = { ring, key: undefined, journal: mark.journal }
    const check: ChainCheck = new ChainCheck(chain, mark.journal, context, this.#expected.of(chain), (entry) =>
      this.#entry(entry, check),
    )
    const start = removals.start(chain)
    if (after !== undefined) check.resume(after)
    else if (start !== undefined) check.resume(start, start.segment)
    this.#chain = { check, after: check.head.group, segments: 0, isSigned: false }
  }

  #entry(entry: Entry, { chain, head }: ChainCheck): void {
    if (entry.kind === 'break') this.#head.breaks.push(entry)
    if (entry.kind !== 'segment' && entry.kind !== 'seal') return
    const { version } = this.#head.mark
    if (this.#head.isComplete && entry.kind === 'seal' && (entry.mark ?? 0) > version)
      throw new DefectError('mark', `the journal is newer than its mark: ${olderMark(version, entry.mark ?? 0)}`)
    this.#coverage.link(entry.links, { chain, group: head.group + 1 })
    if (this.#head.isComplete) this.#expected?.addLinks(entry.links, `a link in chain ${chain}`)
    if (this.#coverage.size > MAX_CHAINS) throw this.#refuse('links to more chains than a journal has')
  }

  async #group(text: string): Promise<void> {
    const end = parseGroupEnd(text)
    const chain = this.#chain
    if (end === undefined || chain === undefined || chain.isSigned) throw this.#refuse('is not as an export writes it')
    const { check } = chain
    const lines = this.#lines.map((line) => `${line}\n`).join('')
    this.#lines = []
    this.#length = 0
    const begun = segmentOf(lines, check.chain)
    if (begun !== undefined) {
      chain.segment = begun
      chain.segments++
    }
    await check.group(chain.segment, { group: end.group, lines, mac: '', offset: 0, end: 0 })
    if (check.head.hash !== end.hash) {
      const why = `group ${end.group} of chain ${check.chain} was altered: its hash does not match`
      throw new DefectError('altered', why, { chain: check.chain, group: end.group })
    }
    this.#tally.progress(check.records)
  }

  /** Of a period the last group of each chain has a signature of its own. */
  async #sign({ key_id, signature }: ProofOf<'signature'>): Promise<void> {
    const chain = this.#chain
    if (chain === undefined || this.#head.isComplete || chain.isSigned || chain.check.groups === 0)
      throw this.#refuse('is not in its place')
    await chain.check.sign({ key_id, signature }, chain.segment)
    chain.isSigned = true
  }

  /** After the last group of a chain. */
  #close(): void {
    if (this.#chain === undefined) return
    const { check, after, segments } = this.#chain
    if (check.groups === 0) throw this.#refuse(`comes after chain ${check.chain}, which has no groups`)
    this.#chain = undefined
    this.#chains.set(check.chain, { ...check.head, after })
    this.#tally.take(check, segments, 0, this.#head.mark)
    this.#coverage.take(check, true)
  }

  async #finish(says: ProofOf<'end'>): Promise<void> {
    if (!this.#head.isBegun) throw this.#refuse('is not in its place')
    this.#expected ??= await this.#expectHeads()
    this.#close()
    const { chains, groups, records } = this.#tally
    if (says.chains !== chains || says.groups !== groups || says.records !== records) {
      const claimed = `${says.chains} chains, ${says.groups} groups and ${says.records} records`
      throw this.#refuse(`says that there are ${claimed}, and there are ${chains}, ${groups} and ${records}`)
    }
    this.#isEnded = true
  }

  /** After the last line. Throws DefectError. */
  end(): void {
    if (this.#number === 0) throw new DefectError('file', 'the file is empty')
    if (!this.#isEnded) throw this.#refuse('is the last one, and the end of the export is missing')
    if (this.#head.isComplete) this.#checkExpected()
    this.#coverage.settle()
    for (const defect of this.#coverage.defects()) throw defect
    this.#note()
  }

  /** Links may be in a later chain than the one that they are about, and chains may have been taken out. */
  #checkExpected(): void {
    for (const [chain, heads] of this.#expected ?? []) {
      const found = this.#chains.get(chain)
      if (found === undefined && this.#isAccepted(chain)) continue
      for (const head of heads) checkHead(chain, found, head)
    }
    for (const chain of Object.keys(this.#head.removals.stub?.chains ?? {})) {
      if (!this.#chains.has(chain) && !this.#isAccepted(chain))
        throw new DefectError('missing', `chain ${chain} is missing: retention removed only its beginning`, { chain })
    }
  }

  #isAccepted = (chain: string): boolean => this.#head.breaks.some(({ chains }) => Object.hasOwn(chains, chain))

  /** What the file does not prove. */
  #note(): void {
    const { notices } = this.#tally
    const { isComplete, breaks, ring } = this.#head
    if (!isComplete)
      notices.push('the file has a part of the journal: it proves the records in it, and not that there are no others')
    if (!isComplete && this.#givenHeads().some(([chain, head]) => !this.#has(chain, head)))
      notices.push('some heads that were given are not in this part, and could not be compared')
    this.#tally.acceptedBreaks = breaks.length
    for (const { chains, by, time, reason } of breaks) {
      const when = new Date(time).toISOString()
      for (const [chain, { defect }] of Object.entries(chains))
        notices.push(`chain ${chain} does not verify (${defect}); ${by} accepted that on ${when}: ${reason}`)
    }
    if (!ring.hasTrustedKeys) notices.push('the keys are those that the file itself names: --key checks whose they are')
  }

  #givenHeads(): [string, ChainHead][] {
    const { heads = [], anchors = [] } = this.#options
    const anchored = anchors.flatMap(({ body }): [string, ChainHead][] => Object.entries(parseMark(body)?.chains ?? {}))
    return [...anchored, ...heads.map((head): [string, ChainHead] => [head.chain, head])]
  }

  #has(chain: string, { group }: ChainHead): boolean {
    const found = this.#chains.get(chain)
    return found !== undefined && group >= found.after && group <= found.group
  }

  report(defect: Defect | undefined): VerifyReport {
    return this.#tally.report(defect)
  }

  #refuse(what: string): DefectError {
    const chain = this.#chain?.check
    const at = chain === undefined ? {} : { chain: chain.chain, group: chain.head.group + 1 }
    return new DefectError('file', `line ${this.#number} of the file ${what}`, at)
  }
}

function checkHead(chain: string, found: ChainHead | undefined, { group, hash, source, kind }: ExpectedHead): void {
  if (found === undefined) {
    const why = `chain ${chain} is missing: ${source} has its group ${group}`
    throw new DefectError(kind === 'anchor' ? kind : 'missing', why, { chain, group: 1 })
  }
  if (group < found.group || (group === found.group && hash === found.hash)) return
  const why =
    group > found.group
      ? `the end of chain ${chain} was cut off: it ends with group ${found.group}, and ${source} has group ${group}`
      : `group ${group} of chain ${chain} is not the one that ${source} has: it, or a group before it, was rewritten`
  throw new DefectError(kind, why, { chain, group })
}

/** The segment that begins with these lines. Its chain is the one that it is in, whatever it says itself. */
function segmentOf(lines: string, chain: string): SegmentId | undefined {
  if (!lines.startsWith('{"kind":"segment"')) return undefined
  const entry = parseEntry(lines.slice(0, lines.indexOf('\n')))
  return entry?.kind === 'segment' ? { chain, started: entry.started, number: entry.number } : undefined
}
