/**
 * What chains say in their first groups: which heads of other chains they link to, and which breaks an operator has accepted.
 * Both are only there, or in a seal, so nothing else need be read. With the key only what has a valid MAC counts.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import { type ChainHead, genesis, nextHead } from './chain.ts'
import { type Entry, entryLines, parseEntry } from './entry.ts'
import type { LedgerKey } from './key.ts'
import { readGroups, type StoredGroup } from './read-groups.ts'
import type { SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'

export class ChainBeginnings {
  /** by the chain that is linked to */
  readonly links = new Map<string, ChainHead[]>()
  /** chains that do not verify and were accepted as they are */
  readonly accepted = new Set<string>()

  add(entry: Entry | undefined): void {
    if (entry?.kind === 'break') for (const chain of Object.keys(entry.chains)) this.accepted.add(chain)
    if (entry?.kind !== 'segment') return
    for (const [chain, [group, hash]] of Object.entries(entry.links))
      getOrMake(this.links, chain, () => []).push({ group, hash })
  }
}

/** The first group has the links, the second may be an accepted break. */
const GROUPS = 2

export async function readBeginnings(
  store: JournalStore,
  segments: readonly SegmentId[],
  keyed?: { readonly key: LedgerKey; readonly journal: string },
): Promise<ChainBeginnings> {
  const beginnings = new ChainBeginnings()
  for (const segment of segments.filter(({ number }) => number === 1)) {
    let head = genesis(keyed?.journal ?? '', segment.chain)
    for (const { lines, mac } of await firstGroups(store, segment)) {
      head = nextHead(head, lines)
      if (keyed !== undefined && keyed.key.groupMac(head.hash) !== mac) break
      for (const line of entryLines(lines)) beginnings.add(parseEntry(line))
    }
  }
  return beginnings
}

async function firstGroups(store: JournalStore, segment: SegmentId): Promise<StoredGroup[]> {
  const found: StoredGroup[] = []
  for await (const { groups } of readGroups(store, segment)) {
    found.push(...groups.slice(0, GROUPS - found.length))
    if (found.length === GROUPS) break
  }
  return found
}

/** Whether the only group of a chain says only what the chain is. */
export async function isEmptyChain(store: JournalStore, segment: SegmentId): Promise<boolean> {
  const [first, second] = await firstGroups(store, segment)
  return second === undefined && (first === undefined || isOnlyBeginning(first.lines))
}

/** Whether these lines have nothing but the entry that a segment begins with. */
export const isOnlyBeginning = (lines: string): boolean => lines.indexOf('\n') === lines.length - 1
