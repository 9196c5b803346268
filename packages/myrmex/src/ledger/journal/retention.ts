/**
 * Retention: removes old records, in whole segments, the oldest of each chain first. Only what verifies is removed, and a signed
 * stub says what was; see stub.ts.
 *
 * 1. The old segments of every chain are reviewed; see chain-review.ts.
 * 2. One transaction replaces the stub. If another process was faster, start again.
 * 3. The segments are removed. A crash before that leaves some, which the stub knows, and the next removal finishes.
 */

import { ToolError } from '../../protocol/errors.ts'
import type { Ledger } from '../ledger.ts'
import { LedgerError } from '../ledger-error.ts'
import { readBeginnings } from './chain-beginnings.ts'
import { firstOpen, type ReviewContext, type ReviewedChain, reviewChain } from './chain-review.ts'
import { DefectError } from './defect.ts'
import type { LedgerKey } from './key.ts'
import { KeyRing } from './keyring.ts'
import { ownMark, parseMark, SELECT_MARK, type SignedMark } from './mark.ts'
import { Removals } from './removals.ts'
import { type SegmentId, segmentName } from './segment.ts'
import { extentBefore, type SegmentExtent } from './segment-extent.ts'
import { chainsOf, isLeftOver, type StoredChain } from './stored-chains.ts'
import {
  goneLine,
  keptLines,
  linesHash,
  newStub,
  parseStub,
  readStub,
  replaceStub,
  type StoredStub,
  type Stub,
  signStub,
  stubFault,
} from './stub.ts'

export type { SegmentExtent } from './segment-extent.ts'

export interface PruneReport {
  readonly removed: readonly SegmentExtent[]
  /** chains that are old enough and do not verify */
  readonly kept: readonly { readonly chain: string; readonly why: string }[]
}

/** The segments, by chain, that `prune` would remove if they verify. */
export async function prunable(
  { db, journal }: Pick<Ledger, 'db' | 'journal'>,
  before: number,
): Promise<SegmentExtent[]> {
  const [signed] = await db.query<SignedMark>(SELECT_MARK)
  const mark = parseMark(signed?.body ?? '')
  const removals = new Removals(parseStub((await readStub(db))?.body ?? ''))
  const found: SegmentExtent[] = []
  for (const { id, segments } of chainsOf(await journal.store.segments()).values()) {
    if (!isOld(segments, before)) continue
    const full = segments.filter((one) => !removals.has(one) && one.number < firstOpen(mark, id))
    for (const segment of full) {
      const extent = await extentBefore(journal.store, segment, before)
      if (extent === undefined) break
      found.push(extent)
    }
  }
  return found
}

/** Cheap: nothing in a chain is much older than the chain. */
const isOld = ([first]: StoredChain['segments'], before: number): boolean => (first?.started ?? before) < before

/** At once; more follow. */
const MAX_SEGMENTS = 500
/** How often other processes may be faster. */
const MAX_LOST = 100
const MAX_LINES_LENGTH = 16 * 1024 * 1024

/** Removes all records from before this time that are in segments without newer ones. Throws JournalBreak. */
export async function prune(
  ledger: Pick<Ledger, 'db' | 'key' | 'journal' | 'index'>,
  before: number,
): Promise<PruneReport> {
  const removed: SegmentExtent[] = []
  const kept: { chain: string; why: string }[] = []
  const done = new Set<string>()
  let lost = 0
  for (;;) {
    const pruning = await Pruning.begin(ledger, before, done)
    const chains = (await pruning?.review(kept)) ?? []
    if (pruning === undefined || chains.length === 0) return { removed, kept }
    if (!(await pruning.remove(chains))) {
      if (++lost > MAX_LOST) throw new LedgerError('was not pruned: its stub cannot be replaced')
      continue
    }
    for (const { id, segments } of chains) {
      done.add(id)
      removed.push(...segments.map(({ digest: _, ...extent }) => extent))
    }
  }
}

class Pruning {
  readonly #ledger: Pick<Ledger, 'db' | 'key' | 'journal' | 'index'>
  readonly #stored: StoredStub | undefined
  readonly #stub: Stub
  readonly #context: ReviewContext
  readonly #chains: readonly StoredChain[]
  /** chains that need not be looked at again */
  readonly #done: Set<string>

  private constructor(
    ledger: Pick<Ledger, 'db' | 'key' | 'journal' | 'index'>,
    stored: StoredStub | undefined,
    context: ReviewContext,
    chains: readonly StoredChain[],
    done: Set<string>,
  ) {
    this.#ledger = ledger
    this.#stored = stored
    this.#stub = context.removals.stub ?? newStub(context.mark.journal)
    this.#context = context
    this.#chains = chains
    this.#done = done
  }

  /** Finishes what another process may have left. Undefined if there is no journal. */
  static async begin(
    ledger: Pick<Ledger, 'db' | 'key' | 'journal' | 'index'>,
    before: number,
    done: Set<string>,
  ): Promise<Pruning | undefined> {
    const { db, key } = ledger
    const { store } = ledger.journal
    const [signed] = await db.query<SignedMark>(SELECT_MARK)
    if (signed === undefined) return undefined
    const mark = ownMark(signed, key)
    const stored = await readStub(db)
    const removals = await ownRemovals(ledger, stored)
    const segments = await store.segments()
    await finishRemoval(ledger, removals, segments)
    const chains = chainsOf(segments.filter((segment) => !removals.has(segment)))
    const journal = mark.journal
    let beginnings: ReturnType<typeof readBeginnings> | undefined
    const context: ReviewContext = {
      store,
      check: { ring: await KeyRing.of(db), key, journal },
      mark,
      removals,
      before,
      beginnings: () => {
        beginnings ??= readBeginnings(store, segments, { key, journal })
        return beginnings
      },
    }
    const old = [...chains.values()].filter(({ id, segments }) => !done.has(id) && isOld(segments, before))
    return new Pruning(ledger, stored, context, old, done)
  }

  /** Some chains that can be removed, or their beginnings. */
  async review(kept: { chain: string; why: string }[]): Promise<ReviewedChain[]> {
    const reviewed: ReviewedChain[] = []
    let [segments, length] = [0, 0]
    for (const chain of this.#chains) {
      const found = await this.#reviewChain(chain, kept)
      if (found === undefined) {
        this.#done.add(chain.id)
        continue
      }
      reviewed.push(found)
      segments += found.segments.length
      for (const line of found.lines) length += line.length
      if (segments >= MAX_SEGMENTS || length >= MAX_LINES_LENGTH) break
    }
    return reviewed
  }

  async #reviewChain(chain: StoredChain, kept: { chain: string; why: string }[]): Promise<ReviewedChain | undefined> {
    try {
      return await reviewChain(this.#context, chain)
    } catch (error) {
      if (!(error instanceof DefectError)) throw error
      // An operator knows that this chain does not verify.
      const { accepted } = await this.#context.beginnings()
      if (!accepted.has(chain.id)) kept.push({ chain: chain.id, why: error.message })
      return undefined
    }
  }

  /** False if another process has removed something since. */
  async remove(chains: readonly ReviewedChain[]): Promise<boolean> {
    const { db, key, journal, index } = this.#ledger
    const { count } = this.#stub.lines
    const lines = chains.flatMap(linesOf)
    const stub = signStub(this.#next(chains, lines), key)
    if (!(await replaceStub(db, this.#stored, stub, { count, lines }))) return false
    await index.forget(new Map(chains.map(({ id, head }) => [id, head.group])))
    for (const { segments } of chains) for (const segment of segments) await journal.store.remove(segment)
    return true
  }

  #next(chains: readonly ReviewedChain[], lines: readonly string[]): Stub {
    const segments = chains.flatMap((chain) => chain.segments)
    const starts = new Map(Object.entries(this.#stub.chains))
    const links = new Map(Object.entries(this.#stub.links))
    for (const chain of chains) {
      for (const [id, [group, hash]] of Object.entries(chain.links))
        if (group > (links.get(id)?.[0] ?? 0)) links.set(id, [group, hash])
      const segment = chain.segments.at(-1)?.number ?? 0
      if (!chain.isWhole) starts.set(chain.id, { ...chain.head, segment })
    }
    for (const { id, isWhole } of chains) if (isWhole) starts.delete(id)
    const gone = new Set(chains.filter(({ isWhole }) => isWhole).map(({ id }) => id))
    for (const id of links.keys()) if (gone.has(id) || this.#context.removals.gone(id) !== undefined) links.delete(id)
    return {
      journal: this.#stub.journal,
      time: Date.now(),
      records: segments.reduce((sum, { records }) => sum + records, this.#stub.records),
      chains: Object.fromEntries(starts),
      links: Object.fromEntries(links),
      lines: { count: this.#stub.lines.count + lines.length, hash: lines.reduce(linesHash, this.#stub.lines.hash) },
      removed: Object.fromEntries(segments.map((segment) => [segmentName(segment), segment.digest])),
    }
  }
}

/** A crash may have left segments that were removed last. What is there instead of one stays: verification reports it. */
async function finishRemoval(
  { journal: { store }, index }: Pick<Ledger, 'journal' | 'index'>,
  removals: Removals,
  segments: readonly SegmentId[],
): Promise<void> {
  for (const segment of segments) {
    if (removals.digest(segment) === undefined || !(await isLeftOver(store, segment, removals))) continue
    const { group } = removals.gone(segment.chain) ?? removals.start(segment.chain) ?? { group: 0 }
    await index.forget(new Map([[segment.chain, group]]))
    await store.remove(segment)
  }
}

const linesOf = ({ id, head, isWhole, lines }: ReviewedChain): string[] =>
  isWhole ? [...lines, goneLine(id, head)] : [...lines]

/** Only what this ledger's own key has signed is built upon. */
async function ownRemovals({ db, key }: Pick<Ledger, 'db' | 'key'>, stored: StoredStub | undefined): Promise<Removals> {
  if (stored === undefined) return new Removals()
  const fault = await stubFault(ringOf(key), stored)
  const removals = new Removals(parseStub(stored.body))
  if (fault === undefined) for await (const line of keptLines(db, removals.stub?.lines.count ?? 0)) removals.keep(line)
  try {
    if (fault !== undefined) throw new DefectError('stub', `its signature ${fault}`)
    removals.checkLines()
    return removals
  } catch (error) {
    const why = `Nothing was pruned, because the stub of what was removed before does not verify: ${(error as Error).message}.`
    throw ToolError.of('ValidationError', why)
  }
}

const ringOf = ({ id, publicPem }: LedgerKey): KeyRing => new KeyRing([{ id, publicPem }])
