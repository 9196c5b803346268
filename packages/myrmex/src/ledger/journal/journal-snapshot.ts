/**
 * A journal as it is at one moment, for an export: how far its chains go, whatever others write meanwhile. It is not verified.
 */
import type { Db } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import { isEmptyChain, readBeginnings } from './chain-beginnings.ts'
import { parseMark, SELECT_MARK, type SignedMark } from './mark.ts'
import { Removals } from './removals.ts'
import type { SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'
import { chainsOf, type StoredChain } from './stored-chains.ts'
import { keptLines, parseStub, readStub, type StoredStub } from './stub.ts'

export interface JournalSnapshot {
  readonly mark: SignedMark | undefined
  readonly stub: StoredStub | undefined
  readonly removals: Removals
  readonly journal: string
  /** the newest group of each chain in the mark that a signature covers; all other chains have ended */
  readonly ends: ReadonlyMap<string, number>
  /** without chains that do not verify and were accepted as they are */
  readonly chains: readonly StoredChain[]
}

const TRIES = 100
/** A chain is in the mark a moment after it was created. Clocks of machines that share a journal differ by less than this. */
const YOUNG_MS = 3_600_000

export async function takeSnapshot(db: Db, store: JournalStore): Promise<JournalSnapshot> {
  const begun = new Set<string>()
  for (let tries = 0; tries < TRIES; tries++) {
    const stub = await readStub(db)
    const early = await store.segments()
    const empty = await emptyChains(store, early, begun)
    const [mark] = await db.query<SignedMark>(SELECT_MARK)
    const segments = await store.segments()
    const { journal = '', chains: marked = {} } = parseMark(mark?.body ?? '') ?? {}
    const isMarked = (chain: string): boolean => Object.hasOwn(marked, chain)
    // A chain that is in neither was begun just now, or was begun and has ended meanwhile. Nobody knows which.
    const known = new Set(early.map(({ chain }) => chain))
    const isUnclear = segments.some(({ chain }) => !known.has(chain) && !isMarked(chain))
    if (isUnclear || (await readStub(db))?.signature !== stub?.signature) continue
    const { removals, accepted } = await readRemovals(db, stub)
    const present = segments.filter(
      (segment) => removals.digest(segment) === undefined && (isMarked(segment.chain) || !empty.has(segment.chain)),
    )
    const beginnings = await readBeginnings(store, present)
    for (const chain of beginnings.accepted) accepted.add(chain)
    const chains = [...chainsOf(present).values()].filter(({ id }) => !accepted.has(id))
    // A process that opens the journal may have found, and linked to, what came after the mark.
    const ends = Object.entries(marked).map(([chain, { group }]): [string, number] => {
      const linked = (beginnings.links.get(chain) ?? []).map((head) => head.group)
      return [chain, Math.max(group, ...linked)]
    })
    return { mark, stub, removals, journal, ends: new Map(ends), chains }
  }
  throw new LedgerError('is being changed all the time')
}

/** Chains that were being created when this was called: those that are not in a mark that is read later have no records. */
async function emptyChains(
  store: JournalStore,
  segments: readonly SegmentId[],
  begun: Set<string>,
): Promise<Set<string>> {
  const empty = new Set<string>()
  for (const segment of segments) {
    const isYoung = Math.abs(Date.now() - segment.started) < YOUNG_MS
    if (segment.number > 1 || !isYoung || begun.has(segment.chain)) continue
    if (await isEmptyChain(store, segment)) empty.add(segment.chain)
    else begun.add(segment.chain)
  }
  return empty
}

async function readRemovals(db: Db, stored: StoredStub | undefined) {
  const stub = parseStub(stored?.body ?? '')
  const removals = new Removals(stub)
  const accepted = new Set<string>()
  for await (const line of keptLines(db, stub?.lines.count ?? 0)) {
    const entry = removals.keep(line)
    if (entry?.kind === 'break') for (const chain of Object.keys(entry.chains)) accepted.add(chain)
  }
  return { removals, accepted }
}
