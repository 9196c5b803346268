/**
 * Search: finds calls by the index and reads them from the chain. The index is filled from the durable groups when somebody
 * searches, not when calls are recorded, so that calls do not pay for it. It proves nothing.
 */
import type { Db, Value } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import { type AuditRecord, FILTERS, type FieldFilter, INDEXED_FIELDS } from './call-record.ts'
import { GROUP_COLUMNS, type GroupRow } from './chain.ts'
import { readGroups, recordsOf } from './read.ts'

/** All that is given must hold. `tool` may be the beginning of a name and `*`. */
export interface AuditFilter extends FieldFilter {
  /** milliseconds since the epoch, both inclusive */
  readonly since?: number
  readonly until?: number
  /** newest by default */
  readonly order?: 'newest' | 'oldest'
  /** only records after this one in that order: where an earlier search ended */
  readonly past?: number
  readonly limit?: number
}

interface IndexEntry {
  readonly line: number
  readonly seq: number
  readonly call_id: string
}

const PAGE = 256

export async function* searchAudit(db: Db, filter: AuditFilter = {}): AsyncGenerator<AuditRecord> {
  await updateSearchIndex(db)
  let left = filter.limit ?? Number.MAX_SAFE_INTEGER
  let past = filter.past
  while (left > 0) {
    const { sql, params } = statement(filter, past)
    const found = await db.query<IndexEntry>(sql, [...params, Math.min(left, PAGE)])
    yield* read(db, found)
    left -= found.length
    past = found.at(-1)?.line
    if (found.length < PAGE) return
  }
}

function statement(filter: AuditFilter, past: number | undefined): { sql: string; params: Value[] } {
  const { since, until, order = 'newest' } = filter
  const [isPast, direction] = order === 'newest' ? ['line < ?', 'DESC'] : ['line > ?', 'ASC']
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
  where(isPast, past)
  const all = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return { sql: `SELECT line, seq, call_id FROM audit_lines ${all} ORDER BY line ${direction} LIMIT ?`, params }
}

async function* read(db: Db, found: readonly IndexEntry[]): AsyncGenerator<AuditRecord> {
  let group: GroupRow | undefined
  let lines: AuditRecord[] = []
  for (const { line, seq, call_id } of found) {
    if (group?.seq !== seq) {
      ;[group] = await db.query<GroupRow>(`SELECT ${GROUP_COLUMNS} FROM audit_groups WHERE seq = ?`, [seq])
      lines = group === undefined ? [] : recordsOf(group)
    }
    // Pruned meanwhile.
    if (group === undefined) continue
    const whole = lines[line - group.first_line]
    if (whole?.call_id !== call_id) {
      throw new LedgerError(
        `has an index that does not fit line ${line}; myrmex audit verify says whether the line is whole`,
      )
    }
    yield whole
  }
}

const COLUMNS = ['line', 'seq', ...INDEXED_FIELDS]
const PLACEHOLDERS = `(${COLUMNS.map(() => '?').join(', ')})`
/** Few sizes of statement, because each stays prepared. */
const BATCHES = [256, 16, 1]

/**
 * Indexes what is not indexed yet and returns the number of records. Several processes may do it at once: each continues
 * after the last record without a gap, in order, and skips what another has done.
 */
export async function updateSearchIndex(db: Db): Promise<number> {
  const [last] = await db.query<{ seq: number }>('SELECT seq FROM audit_lines ORDER BY line DESC LIMIT 1')
  let count = 0
  // The last group again: a process may have stopped in the middle of it.
  for await (const page of readGroups(db, { after: (last?.seq ?? 1) - 1 })) {
    const rows = page.flatMap((group) => recordsOf(group).map((line) => rowOf(line, group.seq)))
    count += await insertAll(db, rows)
  }
  return count
}

const rowOf = (record: AuditRecord, seq: number): Value[] => [
  record.line,
  seq,
  ...INDEXED_FIELDS.map((name) => (record[name] ?? null) as Value),
]

async function insertAll(db: Db, rows: readonly Value[][]): Promise<number> {
  let inserted = 0
  for (let done = 0; done < rows.length; ) {
    const size = BATCHES.find((batch) => batch <= rows.length - done) ?? 1
    const values = Array.from({ length: size }, () => PLACEHOLDERS).join(', ')
    const added = await db.query(
      `INSERT INTO audit_lines (${COLUMNS.join(', ')}) VALUES ${values} ON CONFLICT (line) DO NOTHING RETURNING line`,
      rows.slice(done, done + size).flat(),
    )
    inserted += added.length
    done += size
  }
  return inserted
}
