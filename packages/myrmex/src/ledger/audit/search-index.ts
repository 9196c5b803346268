/**
 * The search index. It is filled from the durable groups when somebody searches, not when calls are recorded, so that calls
 * do not pay for it. It proves nothing: what a search shows is read from the chain.
 */
import type { Db, Value } from '../db.ts'
import { type AuditRecord, INDEXED_FIELDS } from './call-record.ts'
import { readGroups, recordsOf } from './read.ts'

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
