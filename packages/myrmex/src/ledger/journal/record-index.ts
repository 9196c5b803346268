/**
 * The index of records: finds calls by their fields. It is filled from the segments after calls were recorded, so that calls do
 * not pay for it, and it can be thrown away and made again. It proves nothing: `compare` compares it with the journal.
 */
import { otherNames } from '../../tool/stutter.ts'
import { type AuditRecord, FILTERS, type FieldFilter } from '../audit/call-record.ts'
import type { Db, Value } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import { compareIndex } from './compare-index.ts'
import { entryLines, parseEntry } from './entry.ts'
import type { IndexFiller } from './index-filler.ts'
import { type IndexedChain, indexedChains, indexRows, RECORD_COLUMNS } from './index-tables.ts'
import { recordId, recordsOf } from './read.ts'
import { type GroupPage, readGroups, type StoredGroup } from './read-groups.ts'
import { compareSegments, type SegmentId } from './segment.ts'
import type { JournalStore } from './store.ts'

/** All that is given must hold. `tool` may be the beginning of a name and `*`. */
export interface AuditFilter extends FieldFilter {
  /** milliseconds since the epoch, both inclusive */
  readonly since?: number
  readonly until?: number
  /** newest by default, by the time at which calls began */
  readonly order?: 'newest' | 'oldest'
  /** only records after this one in that order: where an earlier search ended */
  readonly past?: string
  readonly limit?: number
}

/** The index, and how far it has come. */
export interface IndexDb extends Db {
  /** Without these the first filling is faster. */
  dropSearchIndexes?(): void
  createSearchIndexes?(): void
}

interface IndexedRecord {
  readonly chain: number
  readonly grp: number
  readonly place: number
  readonly segment: number
  readonly at_byte: number
  readonly time: number
  readonly call_id: string
}

export type Progress = (records: number) => void

export interface RecordIndexOptions {
  /** opens the index as it is on disk, if that is another one */
  readonly stored?: (() => Db | undefined) | undefined
  /** fills it in a thread */
  readonly filler?: IndexFiller
  /** The chains in the mark. Others have ended, and are read only until all of them is indexed. */
  readonly marked?: () => Promise<ReadonlySet<string>>
}

const PAGE = 256
const FAR_BYTES = 1024 * 1024
const LOCATION = 'chain, grp, place, segment, at_byte, time, call_id'
const ROW = `(${RECORD_COLUMNS.map(() => '?').join(', ')})`
/** Few sizes of statement, because each stays prepared. */
const BATCHES = [256, 16, 1]

export class RecordIndex {
  readonly #store: JournalStore
  readonly #open: () => IndexDb | Promise<IndexDb>
  readonly #stored: (() => Db | undefined) | undefined
  readonly #filler: IndexFiller | undefined
  readonly #marked: RecordIndexOptions['marked']
  #db: IndexDb | undefined
  /** the group that was read last: records found together are often in one group */
  #last: { readonly key: string; readonly records: readonly AuditRecord[] } | undefined

  /** `open` is called when the index is first used. `stored` opens the index as it is on disk, if that is another one. */
  constructor(
    store: JournalStore,
    open: () => IndexDb | Promise<IndexDb>,
    { stored, filler, marked }: RecordIndexOptions = {},
  ) {
    this.#store = store
    this.#open = open
    this.#stored = stored
    this.#filler = filler
    this.#marked = marked
  }

  /** Call it now and then while records are written. The index follows when there is time. */
  wrote(bytes: number): void {
    this.#filler?.wrote(bytes)
  }

  async #index(): Promise<IndexDb> {
    this.#db ??= await this.#open()
    return this.#db
  }

  /** Brings the index up to date, then searches. */
  async *search(given: AuditFilter = {}, onProgress?: Progress): AsyncGenerator<AuditRecord> {
    await this.update(onProgress)
    const db = await this.#index()
    const filter = await withRecordedName(db, given)
    const chains = await indexedChains(db)
    const byId = new Map([...chains.values()].map((chain) => [chain.id, chain]))
    let left = filter.limit ?? Number.MAX_SAFE_INTEGER
    let past = filter.past === undefined ? undefined : parseCursor(filter.past, chains)
    while (left > 0) {
      const { sql, params } = statement(filter, past)
      const found = await db.query<IndexedRecord>(sql, [...params, Math.min(left, PAGE)])
      for (const one of found) {
        const record = await this.#read(one, byId.get(one.chain))
        if (record !== undefined) yield record
      }
      left -= found.length
      past = found.at(-1)
      if (found.length < PAGE) return
    }
  }

  /** Undefined if its segment was removed meanwhile. */
  async #read(found: IndexedRecord, of: IndexedChain | undefined): Promise<AuditRecord | undefined> {
    const { grp: group, segment: number, at_byte: offset, place, call_id } = found
    const { chain = '', started = 0 } = of ?? {}
    const key = `${chain} ${group}`
    if (this.#last?.key !== key) {
      const records = await this.#recordsAt({ chain, started, number }, group, offset)
      if (records === undefined) return undefined
      this.#last = { key, records }
    }
    const record = this.#last.records[place]
    if (record?.call_id === call_id) return record
    throw new LedgerError(
      `has an index that does not match record ${recordId(chain, group, place)}; run myrmex audit verify, then myrmex audit reindex`,
    )
  }

  async #recordsAt(segment: SegmentId, group: number, offset: number): Promise<AuditRecord[] | undefined> {
    for await (const { groups } of readGroups(this.#store, segment, { group, offset })) {
      const [first] = groups
      if (first !== undefined) return first.group === group ? recordsOf(first, segment.chain) : []
    }
    return undefined
  }

  /**
   * Indexes what is not indexed yet and returns the number of records. Several processes may do it at once: each continues
   * where the index is, and skips what another has done.
   */
  async update(onProgress: Progress = () => {}, stop: () => boolean = () => false): Promise<number> {
    if (this.#filler !== undefined && (await this.#isFarBehind())) return this.#filler.update(onProgress)
    const db = await this.#index()
    // Before anything is read: what is not in the mark by then is not written any more.
    const marked = await this.#marked?.()
    const chains = await indexedChains(db)
    const isFirst = chains.size === 0
    if (isFirst) db.dropSearchIndexes?.()
    let count = 0
    for await (const { chain, segment, page } of this.#unindexed(db, chains)) {
      const rows = page.groups.flatMap((group) => indexRows(chain.id, segment, group))
      await insertAll(db, rows)
      await advance(db, segment, page)
      count += rows.length
      onProgress(count)
      if (stop()) break
    }
    if (isFirst) db.createSearchIndexes?.()
    if (marked !== undefined && !stop()) await closeOthers(db, chains.keys(), marked)
    return count
  }

  /** More than this thread should index between two events. */
  async #isFarBehind(): Promise<boolean> {
    const chains = await indexedChains(await this.#index())
    let bytes = 0
    for (const segment of await this.#store.segments()) {
      const chain = chains.get(segment.chain)
      if (chain !== undefined && (chain.closed === 1 || segment.number < chain.segment)) continue
      const { offset } = await this.#store.end(segment)
      bytes += offset - (chain?.segment === segment.number ? chain.at_byte : 0)
      if (bytes > FAR_BYTES) return true
    }
    return false
  }

  async *#unindexed(db: Db, chains: Map<string, IndexedChain>) {
    for (const segment of [...(await this.#store.segments())].sort(compareSegments)) {
      const chain = chains.get(segment.chain) ?? (await addChain(db, segment))
      chains.set(segment.chain, chain)
      if (chain.closed === 1 || segment.number < chain.segment) continue
      const from = chain.segment === segment.number ? { group: chain.grp, offset: chain.at_byte } : undefined
      for await (const page of readGroups(this.#store, segment, from)) {
        if (page.groups.length > 0) yield { chain, segment, page }
      }
    }
  }

  /** Compares the stored index with the journal, as far as it goes. Throws DefectError. */
  async compare(onProgress?: Progress): Promise<void> {
    if (this.#stored === undefined) return compareIndex(await this.#index(), this.#store, onProgress)
    const stored = this.#stored()
    try {
      if (stored !== undefined) await compareIndex(stored, this.#store, onProgress)
    } finally {
      await stored?.close()
    }
  }

  /** Forgets the records of removed segments: by chain, up to a group. */
  async forget(removed: ReadonlyMap<string, number>): Promise<void> {
    const db = await this.#index()
    const chains = await indexedChains(db)
    for (const [chain, group] of removed) {
      const id = chains.get(chain)?.id
      if (id !== undefined) await db.query('DELETE FROM journal_records WHERE chain = ? AND grp <= ?', [id, group])
    }
  }

  /** Throws the index away and makes it again. */
  async rebuild(onProgress?: Progress): Promise<number> {
    const db = await this.#index()
    await db.transaction([{ sql: 'DELETE FROM journal_records' }, { sql: 'DELETE FROM journal_chains' }])
    return this.update(onProgress)
  }

  async close(): Promise<void> {
    await this.#filler?.close()
    await this.#db?.close()
  }
}

async function addChain(db: Db, { chain, started }: SegmentId): Promise<IndexedChain> {
  await db.query(
    `INSERT INTO journal_chains (id, chain, started, segment, grp, at_byte, closed)
     SELECT coalesce(max(id), 0) + 1, ?, CAST(? AS BIGINT), 1, 1, 0, 0 FROM journal_chains WHERE TRUE ON CONFLICT DO NOTHING`,
    [chain, started],
  )
  return (await indexedChains(db)).get(chain) ?? addChain(db, { chain, started, number: 1 })
}

/** Chains that have ended, by a kill too, are not read again. */
async function closeOthers(db: Db, chains: Iterable<string>, marked: ReadonlySet<string>): Promise<void> {
  const open = new Set((await openChains(db)).map(({ chain }) => chain))
  for (const chain of chains) {
    if (open.has(chain) && !marked.has(chain))
      await db.query('UPDATE journal_chains SET closed = 1 WHERE chain = ? RETURNING chain', [chain])
  }
}

const openChains = (db: Db) => db.query<{ chain: string }>('SELECT chain FROM journal_chains WHERE closed = 0')

const ADVANCE = `UPDATE journal_chains SET segment = ?, grp = ?, at_byte = ?, closed = ? WHERE chain = ? AND grp < ?
  RETURNING chain`

async function advance(db: Db, segment: SegmentId, { groups }: GroupPage): Promise<void> {
  const last = groups.at(-1)
  if (last !== undefined)
    await db.query(ADVANCE, [
      segment.number,
      last.group + 1,
      last.end,
      endsChain(last) ? 1 : 0,
      segment.chain,
      last.group + 1,
    ])
}

/** The last entry of a chain whose process closed it. */
const endsChain = ({ lines }: StoredGroup): boolean =>
  entryLines(lines).some((line) => {
    const entry = parseEntry(line)
    return entry?.kind === 'seal' && entry.closed === true
  })

/** A tool may be recorded under its other name, with or without the name of its server repeated. */
async function withRecordedName(db: Db, filter: AuditFilter): Promise<AuditFilter> {
  const { tool } = filter
  if (tool === undefined || tool.endsWith('*')) return filter
  for (const name of [tool, ...otherNames(tool)])
    if ((await db.query('SELECT 1 FROM journal_records WHERE tool = ? LIMIT 1', [name])).length > 0)
      return { ...filter, tool: name }
  return filter
}

function statement(filter: AuditFilter, past: Cursor | undefined): { sql: string; params: Value[] } {
  const { since, until, order = 'newest' } = filter
  const [comparison, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC']
  const conditions: string[] = []
  const params: Value[] = []
  const where = (condition: string, ...values: (Value | undefined)[]): void => {
    if (values.some((value) => value === undefined)) return
    conditions.push(condition)
    params.push(...(values as Value[]))
  }
  where('time >= ?', since)
  where('time <= ?', until)
  for (const { name } of FILTERS) {
    const value = filter[name]
    if (name === 'tool' && value?.endsWith('*')) {
      const start = value.slice(0, -1)
      // Not LIKE: the engines differ in which letters they take for the same.
      where('substr(tool, 1, ?) = ?', [...start].length, start)
    } else where(`${name} = ?`, value)
  }
  where(`(time, chain, grp, place) ${comparison} (?, ?, ?, ?)`, past?.time, past?.chain, past?.grp, past?.place)
  const all = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const sort = ['time', 'chain', 'grp', 'place'].map((column) => `${column} ${direction}`).join(', ')
  return { sql: `SELECT ${LOCATION} FROM journal_records ${all} ORDER BY ${sort} LIMIT ?`, params }
}

type Cursor = Pick<IndexedRecord, 'time' | 'chain' | 'grp' | 'place'>

/** For `past`: continues after this record. */
export const cursorAfter = ({ record, time }: AuditRecord): string => `${time}/${record}`

const CURSOR = /^(-?\d+)\/(\w+)\/(\d+)\/(\d+)$/

/** Whether a text can be passed as `past`. */
export const isCursor = (text: string): boolean => CURSOR.test(text)

function parseCursor(text: string, chains: ReadonlyMap<string, IndexedChain>): Cursor {
  const [, time, chain = '', grp, place] = CURSOR.exec(text) ?? []
  return { time: Number(time), chain: chains.get(chain)?.id ?? 0, grp: Number(grp), place: Number(place) }
}

async function insertAll(db: Db, rows: readonly Value[][]): Promise<void> {
  for (let done = 0; done < rows.length; ) {
    const size = BATCHES.find((batch) => batch <= rows.length - done) ?? 1
    const values = Array.from({ length: size }, () => ROW).join(', ')
    await db.query(
      `INSERT INTO journal_records (${RECORD_COLUMNS.join(', ')}) VALUES ${values} ON CONFLICT (chain, grp, place) DO NOTHING`,
      rows.slice(done, done + size).flat(),
    )
    done += size
  }
}
