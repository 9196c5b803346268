/** Compares the index of records with the journal, as far as it goes: somebody who can write to it could hide calls from queries. */
import type { Db, Value } from '../db.ts'
import { DefectError } from './defect.ts'
import { type IndexedChain, indexedChains, indexRows, RECORD_COLUMNS } from './index-tables.ts'
import { recordId } from './read.ts'
import { readGroups, type StoredGroup } from './read-groups.ts'
import type { SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'
import { chainsOf } from './stored-chains.ts'

/** Throws DefectError. Calls `onProgress` with the number of records compared so far. */
export async function compareIndex(
  index: Db,
  store: JournalStore,
  onProgress: (records: number) => void = () => {},
): Promise<void> {
  const fault = await index.fault?.()
  if (fault !== undefined)
    throw new DefectError(
      'index',
      `the index may hide records, because ${fault}; delete it and run myrmex audit reindex`,
    )
  let compared = 0
  const onRows = (rows: number): void => {
    compared += rows
    onProgress(compared)
  }
  // In this order: a segment that is begun meanwhile is not indexed yet.
  const chains = await indexedChains(index)
  const stored = chainsOf(await store.segments())
  for (const chain of chains.values())
    await compareChain(index, store, chain, stored.get(chain.chain)?.segments ?? [], onRows)
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
  onRows: (rows: number) => void,
): Promise<void> {
  /** The index continues where it says that it does. Undefined until the first group that is left of the chain. */
  let isReached: boolean | undefined
  let last = 0
  for (const segment of segments) {
    for await (const { groups } of readGroups(store, segment)) {
      const [first] = groups
      if (first === undefined) continue
      last = groups.at(-1)?.group ?? last
      isReached ??= isBefore(chain, segment, first)
      isReached ||= groups.some((group) => isProgress(chain, segment, group))
      if (chain.closed === 1 && groups.some(({ group }) => group >= chain.grp)) throw skipped(chain)
      const indexed = groups.filter(({ group }) => group < chain.grp)
      onRows(await compareRows(index, chain, segment, indexed))
    }
  }
  if (isReached !== false) return
  throw last >= chain.grp - 1 ? skipped(chain) : ahead(chain, last)
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

/** The index reads only what was written: the journal was longer, or somebody has changed the index. */
const ahead = ({ chain, grp }: IndexedChain, last: number): DefectError =>
  new DefectError(
    'index',
    `the index has groups of chain ${chain} up to ${grp - 1}, and the chain ends with group ${last}: its end was cut off, or the index ` +
      'was altered; run myrmex audit reindex after you have looked into it',
    { chain, group: last + 1, lastGroup: grp - 1 },
  )

/** Returns the number of records. */
async function compareRows(
  db: Db,
  chain: IndexedChain,
  segment: SegmentId,
  groups: readonly StoredGroup[],
): Promise<number> {
  const [first, last] = [groups[0], groups.at(-1)]
  if (first === undefined || last === undefined) return 0
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
  return size
}
