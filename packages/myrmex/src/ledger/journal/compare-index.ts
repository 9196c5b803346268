/** Compares the index of records with the journal, as far as it goes: somebody who can write to it could hide calls from queries. */
import type { Db, Value } from '../db.ts'
import { DefectError } from './defect.ts'
import { type IndexedChain, indexedChains, indexRows, RECORD_COLUMNS } from './index-tables.ts'
import { recordId } from './read.ts'
import { readGroups, type StoredGroup } from './read-groups.ts'
import type { SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'
import { chainsOf } from './stored-chains.ts'

/** Throws DefectError. */
export async function compareIndex(index: Db, store: JournalStore): Promise<void> {
  const fault = await index.fault?.()
  if (fault !== undefined)
    throw new DefectError(
      'index',
      `the index may hide records, because ${fault}; delete it and run myrmex audit reindex`,
    )
  // In this order: a segment that is begun meanwhile is not indexed yet.
  const chains = await indexedChains(index)
  const stored = chainsOf(await store.segments())
  for (const chain of chains.values()) await compareChain(index, store, chain, stored.get(chain.chain)?.segments ?? [])
  const ids = new Set([...chains.values()].map(({ id }) => id))
  const rows = await index.query<{ chain: number }>('SELECT DISTINCT chain FROM journal_records')
  for (const { chain } of rows)
    if (!ids.has(chain))
      throw new DefectError('index', `the index has records of a chain ${chain} that it does not know`)
}

async function compareChain(
  index: Db,
  store: JournalStore,
  chain: IndexedChain,
  segments: readonly SegmentId[],
): Promise<void> {
  /** The index continues where it says that it does. Undefined until the first group that is left of the chain. */
  let isReached: boolean | undefined
  for (const segment of segments) {
    for await (const { groups } of readGroups(store, segment)) {
      const [first] = groups
      if (first === undefined) continue
      isReached ??= isBefore(chain, segment, first)
      isReached ||= groups.some((group) => isProgress(chain, segment, group))
      if (chain.closed === 1 && groups.some(({ group }) => group >= chain.grp)) throw skipped(chain)
      const indexed = groups.filter(({ group }) => group < chain.grp)
      await compareRows(index, chain, segment, indexed)
    }
  }
  if (isReached === false) throw skipped(chain)
}

/** Nothing that is left of the chain is indexed yet: it begins with this group, and so does what the index reads next. */
const isBefore = (chain: IndexedChain, segment: SegmentId, { group }: StoredGroup): boolean =>
  group >= chain.grp && (segment.number > chain.segment || (segment.number === chain.segment && chain.at_byte === 0))

/** This is the last group that was indexed: the index continues after it. */
const isProgress = (chain: IndexedChain, segment: SegmentId, { group, end }: StoredGroup): boolean =>
  group + 1 === chain.grp && end === chain.at_byte && segment.number === chain.segment

const skipped = ({ chain }: IndexedChain): DefectError =>
  new DefectError('index', `the index skips records of chain ${chain}: queries miss calls; run myrmex audit reindex`, {
    chain,
  })

async function compareRows(
  db: Db,
  chain: IndexedChain,
  segment: SegmentId,
  groups: readonly StoredGroup[],
): Promise<void> {
  const [first, last] = [groups[0], groups.at(-1)]
  if (first === undefined || last === undefined) return
  const found = await db.query<Record<string, Value>>(
    `SELECT ${RECORD_COLUMNS.join(', ')} FROM journal_records WHERE chain = ? AND grp >= ? AND grp <= ? ORDER BY grp, place`,
    [chain.id, first.group, last.group],
  )
  const expected = groups.flatMap((group) => indexRows(chain.id, segment, group))
  const size = Math.max(found.length, expected.length)
  for (let index = 0; index < size; index++) {
    const wanted = expected[index]
    const row = found[index]
    const isSame = row !== undefined && wanted?.every((value, column) => row[RECORD_COLUMNS[column] ?? ''] === value)
    if (isSame) continue
    const [, group, place] = wanted ?? [0, row?.grp, row?.place]
    throw new DefectError(
      'index',
      `the index does not match record ${recordId(chain.chain, Number(group), Number(place))}: queries may miss calls; run myrmex audit reindex`,
      { segment, group: Number(group) },
    )
  }
}
