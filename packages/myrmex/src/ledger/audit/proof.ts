/**
 * An export that proves itself: the lines of whole groups, and after each group a line with its place, its hashes and its
 * signature. With the file and the public key anybody can check it without the ledger.
 */
import type { Db } from '../db.ts'
import type { GroupRow } from './chain.ts'
import type { Signature } from './keyring.ts'
import {
  type AuditRange,
  type AuditRecord,
  nextSealed,
  readGroups,
  readSeals,
  recordsOf,
  splitLines,
  storedText,
  timeCondition,
} from './read.ts'
import { STUBS, type StubRow } from './stub.ts'

export type GroupProof = { proof: 'group' } & Pick<GroupRow, 'seq' | 'first_line' | 'line_count' | 'prev' | 'hash'> &
  Partial<Signature> & {
    /** indexes of lines that the chain has complete although another is before them: they were written late */
    whole?: number[]
  }

export type ProofLine =
  | { proof: 'key'; key_id: string; public_key: string }
  | ({ proof: 'stub' } & StubRow)
  | GroupProof
  | { proof: 'end'; groups: number; lines: number }

/** One JSON text each. A time range selects all groups from the first to the last that are in it. */
export async function* proofLines(db: Db, range: AuditRange = {}): AsyncGenerator<string> {
  const keys = await db.query<{ key_id: string; public_key: string }>(
    'SELECT key_id, public_key FROM keys ORDER BY key_id',
  )
  for (const key of keys) yield write({ proof: 'key', ...key })
  const extent = await extentOf(db, range)
  if (range.since === undefined) {
    for (const stub of await db.query<StubRow>(STUBS)) yield write({ proof: 'stub', ...stub })
  }
  let groups = 0
  let lines = 0
  for await (const page of readGroups(db, extent)) {
    const seals = new Map((await readSeals(db, page)).map(({ seq, ...signature }) => [seq, signature]))
    for (const group of page) {
      const members = recordsOf(group)
      for (const line of members) yield JSON.stringify(line)
      const { lines: _, first_time: _first, last_time: _last, ...position } = group
      yield write({ proof: 'group', ...position, ...seals.get(group.seq), ...wholeOf(members, group) })
      groups++
      lines += group.line_count
    }
  }
  yield write({ proof: 'end', groups, lines })
}

function wholeOf(lines: readonly AuditRecord[], group: GroupRow): { whole?: number[] } {
  const texts = splitLines(group.lines)
  const whole = [...lines.keys()].slice(1).filter((index) => textAt(lines, index) !== texts[index])
  return whole.length === 0 ? {} : { whole }
}

/** A line of a group as the chain has it. */
export const textAt = (lines: readonly AuditRecord[], index: number, whole?: readonly number[]): string =>
  storedText(lines[index] as AuditRecord, whole?.includes(index) ? undefined : lines[index - 1])

const write = (line: ProofLine): string => JSON.stringify(line)

/** Clocks can be set back, so groups of a period need not be adjacent. The last group is useful only with its signature. */
async function extentOf(db: Db, range: AuditRange): Promise<AuditRange> {
  if (range.since === undefined && range.until === undefined) return {}
  const [within, times] = timeCondition(range)
  const [found] = await db.query<{ low: number | null; high: number | null }>(
    `SELECT min(seq) AS low, max(seq) AS high FROM audit_groups WHERE seq > 0 ${within}`,
    times,
  )
  if (found === undefined || found.low === null || found.high === null) return { upTo: 0 }
  const upTo = (await nextSealed(db, found.high - 1)) ?? found.high
  return { ...(range.since !== undefined && { after: found.low - 1 }), upTo }
}
