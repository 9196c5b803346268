/** The chains of a journal as they are stored. It proves nothing. */
import { crypto } from '../../protocol/builtin.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { entryLines, parseEntry } from './entry.ts'
import { readGroups } from './read-groups.ts'
import type { Removals } from './removals.ts'
import { compareSegments, type SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'

/** What is stored of one chain. */
export interface StoredChain {
  readonly id: string
  readonly segments: SegmentId[]
}

/** By the start of the chains; segments by their number. */
export function chainsOf(segments: readonly SegmentId[]): Map<string, StoredChain> {
  const chains = new Map<string, StoredChain>()
  for (const segment of [...segments].sort(compareSegments))
    getOrMake(chains, segment.chain, (id) => ({ id, segments: [] })).segments.push(segment)
  return chains
}

/** The SHA-256 of all that is left of a chain. */
export async function chainDigest(store: JournalStore, segments: readonly SegmentId[]): Promise<string> {
  const hash = crypto.createHash('sha256')
  for (const segment of segments) for await (const chunk of store.read(segment)) hash.update(chunk)
  return hash.digest('base64url')
}

/** No segment is larger: it is full long before. */
const MAX_SEGMENT_BYTES = 1024 * 1024 * 1024

/** Whether this is what the last removal removed. A segment that is being removed may be gone when it is read. */
export async function isLeftOver(store: JournalStore, segment: SegmentId, removals: Removals): Promise<boolean> {
  const removed = removals.digest(segment)
  const hash = crypto.createHash('sha256')
  let size = 0
  for await (const chunk of store.read(segment)) {
    size += chunk.length
    if (removed === undefined || size > MAX_SEGMENT_BYTES) return false
    hash.update(chunk)
  }
  return size === 0 || hash.digest('base64url') === removed
}

/** The id of the journal, from the first segment that can be read. For a journal whose mark cannot be. */
export async function journalOf(store: JournalStore, segments: readonly SegmentId[]): Promise<string | undefined> {
  for (const segment of segments) {
    for await (const { groups } of readGroups(store, segment)) {
      const [line = ''] = entryLines(groups[0]?.lines ?? '')
      const entry = parseEntry(line)
      if (entry?.kind === 'segment') return entry.journal
      break
    }
  }
  return undefined
}
