/**
 * The index that queries go by. It is filled in from the durable groups when somebody asks, not when calls are recorded, so
 * that a call does not pay for it. It proves nothing: what a query shows is read from the chain.
 */
import type { Db, Value } from '../db.ts'
import { type AuditRecord, readGroups, recordsOf } from './read.ts'

const COLUMNS = 'line, seq, time, call_id, principal, tool, outcome, error_type, run, approval'
/** Few sizes of statement, since each is kept prepared. */
const BATCHES = [256, 16, 1]

/**
 * Indexes what is not indexed yet; gives how many lines that were. Several may do it at once: each goes on from what is
 * there without a gap, in order, and passes over what another has done.
 */
export async function updateSearchIndex(db: Db): Promise<number> {
  const [last] = await db.query<{ seq: number }>('SELECT seq FROM audit_lines ORDER BY line DESC LIMIT 1')
  let count = 0
  // The last one again: whoever was at it may have been stopped in the middle.
  for await (const page of readGroups(db, { after: (last?.seq ?? 1) - 1 })) {
    const rows = page.flatMap((group) => recordsOf(group).map((line) => rowOf(line, group.seq)))
    count += await insertAll(db, rows)
  }
  return count
}

const rowOf = (line: AuditRecord, seq: number): Value[] => [
  line.line,
  seq,
  line.time,
  line.call_id,
  line.principal,
  line.tool,
  line.outcome,
  line.error_type ?? null,
  line.run ?? null,
  line.approval ?? null,
]

async function insertAll(db: Db, rows: readonly Value[][]): Promise<number> {
  let inserted = 0
  for (let done = 0; done < rows.length; ) {
    const size = BATCHES.find((batch) => batch <= rows.length - done) ?? 1
    const values = Array.from({ length: size }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')
    const added = await db.query(
      `INSERT INTO audit_lines (${COLUMNS}) VALUES ${values} ON CONFLICT (line) DO NOTHING RETURNING line`,
      rows.slice(done, done + size).flat(),
    )
    inserted += added.length
    done += size
  }
  return inserted
}
