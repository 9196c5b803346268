/**
 * What a process finds when it opens a journal: it follows every chain in the mark from where the mark is to its end. So the
 * end that a killed process left unsigned is checked, and linked to by the next chain. Anything that does not fit the mark stops
 * the process: somebody else has changed the journal.
 */
import { hasEnded } from '../process-identity.ts'
import { type ChainHead, type ChainLinks, nextHead } from './chain.ts'
import { type DecisionEntry, entryLines, parseEntry } from './entry.ts'
import { JournalBreak } from './journal-break.ts'
import type { LedgerKey } from './key.ts'
import { type ChainMark, linksOf, type Mark, olderMark } from './mark.ts'
import { readGroups, type StoredGroup } from './read-groups.ts'
import { type SegmentId, type SegmentPosition, segmentName } from './segment.ts'
import type { JournalStore } from './store.ts'

/** A chain as it was found. */
interface RecoveredChain {
  readonly head: ChainHead
  /** its process has ended, with a seal or without */
  readonly ended: boolean
  /** bytes of a group that was not written whole, which no caller was answered for */
  readonly torn: number
}

export class RecoveredChains {
  readonly #chains: ReadonlyMap<string, RecoveredChain>
  /** decisions after the mark, which may not have reached their tables */
  readonly decisions: readonly DecisionEntry[]
  /** for the log: what was cut off */
  readonly notices: readonly string[]
  /** the mark that the chains were followed from; undefined if there is none yet */
  readonly mark: Mark | undefined

  constructor(
    chains: ReadonlyMap<string, RecoveredChain> = new Map(),
    decisions: readonly DecisionEntry[] = [],
    notices: readonly string[] = [],
    mark?: Mark,
  ) {
    this.#chains = chains
    this.decisions = decisions
    this.notices = notices
    this.mark = mark
  }

  /** What a new chain links to: the heads of the mark, or those that were found after them. */
  links(mark: Mark): ChainLinks {
    const found = [...this.#chains].flatMap(([chain, { head }]) => {
      const marked = mark.chains[chain]
      return marked !== undefined && marked.group < head.group ? [[chain, [head.group, head.hash]] as const] : []
    })
    return { ...linksOf(mark), ...Object.fromEntries(found) }
  }

  /** The mark without the chains that have ended: a chain that links to them is about to be in it. */
  withoutEnded(mark: Mark): Mark {
    const open = Object.entries(mark.chains).filter(
      ([chain, { closed }]) => !closed && this.#chains.get(chain)?.ended !== true,
    )
    return { ...mark, chains: Object.fromEntries(open) }
  }
}

/** `current` returns the mark as it is stored when it is called. Throws JournalBreak. */
export async function recoverChains(
  store: JournalStore,
  mark: Mark,
  key: LedgerKey,
  current: () => Promise<Mark>,
): Promise<RecoveredChains> {
  const chains = new Map<string, RecoveredChain>()
  const decisions: DecisionEntry[] = []
  const notices: string[] = []
  let seen = 0
  for (const [chain, marked] of Object.entries(mark.chains)) {
    // Asked first: a process that ends later may have written more than is read now.
    const ended = marked.closed || hasEnded(marked.process)
    const found = await followChain(store, chain, marked, key)
    chains.set(chain, { head: found.head, ended, torn: found.torn })
    decisions.push(...found.decisions.values())
    seen = Math.max(seen, found.markSeen)
    if (ended && found.torn > 0) {
      notices.push(
        `${found.torn} bytes at the end of chain ${chain} are an unfinished group: its process ended while it wrote them, ` +
          'and nobody was answered for them',
      )
    }
  }
  // Others may have moved the mark on meanwhile.
  if (seen > mark.version) requireNewest(await current(), seen)
  return new RecoveredChains(chains, decisions, notices, mark)
}

function requireNewest({ version }: Mark, seen: number): void {
  if (version < seen) throw new JournalBreak(olderMark(version, seen))
}

async function followChain(store: JournalStore, chain: string, marked: ChainMark, key: LedgerKey) {
  const end = new ChainEnd(chain, marked, key)
  let segment: SegmentId = { chain, started: marked.started, number: marked.segment }
  let from: SegmentPosition | undefined = { group: marked.group, offset: marked.offset }
  for (;;) {
    let found = 0
    for await (const { groups, rest } of readGroups(store, segment, from)) {
      for (const group of groups) end.follow(segment, group)
      found += groups.length
      end.torn = rest
    }
    if (end.head.group < marked.group)
      throw new JournalBreak(`segment ${segmentName(segment)} ends before group ${marked.group}, which its mark has`)
    if (found === 0) return end
    segment = { ...segment, number: segment.number + 1 }
    from = undefined
  }
}

/** A chain from its mark on. */
class ChainEnd {
  head: ChainHead
  torn = 0
  /** the newest version of the mark that a seal has seen */
  markSeen = 0
  readonly decisions = new Map<string, DecisionEntry>()
  readonly #chain: string
  readonly #marked: ChainMark
  readonly #key: LedgerKey

  constructor(chain: string, marked: ChainMark, key: LedgerKey) {
    this.#chain = chain
    this.#marked = marked
    this.#key = key
    this.head = { group: marked.group - 1, hash: marked.before }
  }

  follow(segment: SegmentId, { group, lines, mac }: StoredGroup): void {
    const next = nextHead(this.head, lines)
    if (group !== next.group || mac !== this.#key.groupMac(next.hash)) {
      throw new JournalBreak(`group ${next.group} in segment ${segmentName(segment)} is not what was written there`)
    }
    this.head = next
    if (group > this.#marked.group) this.#take(lines)
    else if (next.hash !== this.#marked.hash)
      throw new JournalBreak(`group ${group} of chain ${this.#chain} is not the one in its mark`)
  }

  #take(lines: string): void {
    for (const line of entryLines(lines)) {
      const entry = parseEntry(line)
      if (entry?.kind === 'decision') this.decisions.set(entry.id, entry)
      else if (entry?.kind === 'withdrawal') for (const id of entry.decisions) this.decisions.delete(id)
      else if (entry?.kind === 'seal') this.markSeen = Math.max(this.markSeen, entry.mark ?? 0)
    }
  }
}
