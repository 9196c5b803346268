/**
 * Retention: removes whole segments, oldest first, once they are full and old enough. A signed stub replaces each, so that
 * the chain still verifies. A segment that does not verify is not removed.
 */
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Db } from '../db.ts'
import { SEGMENT_GROUPS, segmentOf } from './chain.ts'
import { ChainCheck } from './chain-check.ts'
import type { LedgerKey } from './key.ts'
import { KeyRing } from './keyring.ts'
import { STUBS, type StubBody, type StubRow, stubBody, stubText } from './stub.ts'
import { checkSignedGroups, checkStubs, firstDefect } from './verify.ts'

/** A segment that pruning would remove. */
export type Segment = Omit<StubBody, 'prev' | 'hash' | 'pruned_at'>

export interface RetainOptions {
  /** groups to a segment; all calls on one ledger must agree on it */
  readonly segmentGroups?: number
}

const EXTENT = `SELECT count(*) AS found, min(first_line) AS first_line, max(first_line + line_count - 1) AS last_line,
  min(first_time) AS first_time, max(last_time) AS last_time FROM audit_groups WHERE seq >= ? AND seq <= ?`

/** The closed segments, oldest first, of which every line is from before this time. */
export async function prunable(db: Db, before: number, options: RetainOptions = {}): Promise<Segment[]> {
  const size = options.segmentGroups ?? SEGMENT_GROUPS
  const [newest] = await db.query<{ seq: number }>('SELECT seq FROM audit_groups ORDER BY seq DESC LIMIT 1')
  const stubs = await db.query<StubRow>(STUBS)
  const segments: Segment[] = []
  let first_seq = (stubBody(stubs.at(-1)?.body ?? '')?.last_seq ?? 0) + 1
  while (true) {
    const segment = segmentOf(first_seq, size)
    const last_seq = (segment + 1) * size
    if (newest === undefined || newest.seq <= last_seq) return segments
    const [extent] = await db.query<Omit<Segment, 'segment'> & { found: number }>(EXTENT, [first_seq, last_seq])
    if (extent === undefined || extent.found === 0 || extent.last_time >= before) return segments
    const { found: _, ...rest } = extent
    segments.push({ ...rest, segment, first_seq, last_seq })
    first_seq = last_seq + 1
  }
}

/** Removes what `prunable` returns, one segment at a time, and returns the stubs. */
export async function prune(
  { db, key }: { db: Db; key: LedgerKey },
  before: number,
  options: RetainOptions = {},
): Promise<StubBody[]> {
  const stubs: StubBody[] = []
  for (const segment of await prunable(db, before, options)) {
    try {
      const { prev, hash } = await verified(db, segment)
      const stub = { ...segment, prev, hash, pruned_at: Date.now() }
      await replace(db, key, stub)
      stubs.push(stub)
    } catch (error) {
      if (!(await isPruned(db, segment))) throw error
    }
  }
  return stubs
}

/** Another process may prune at the same time: one stub per segment remains, whichever process wrote it. */
async function isPruned(db: Db, { segment }: Segment): Promise<boolean> {
  return (await db.query('SELECT segment FROM audit_stubs WHERE segment = ?', [segment])).length > 0
}

/** The hashes at both ends of a segment. Throws unless the segment is complete and signed. */
async function verified(db: Db, { segment, first_seq, last_seq }: Segment): Promise<{ prev: string; hash: string }> {
  const ring = await KeyRing.of(db)
  const check = new ChainCheck()
  let prev = ''
  let hash = ''
  const found = await firstDefect(async () => {
    await checkStubs(ring, check, await db.query<StubRow>(STUBS))
    prev = check.head.hash
    hash = await checkSignedGroups(db, ring, check, first_seq - 1, last_seq)
    check.end()
  })
  const why = found?.message ?? (check.signed.seq < last_seq ? 'its newest groups are not signed yet' : undefined)
  if (why === undefined) return { prev, hash }
  throw ToolError.of('ValidationError', `Segment ${segment} was kept, because it does not verify: ${why}.`)
}

/** In one transaction: a crash leaves either the groups or their stub. */
async function replace(db: Db, key: LedgerKey, stub: StubBody): Promise<void> {
  const body = canonical(stub)
  await db.transaction([
    {
      sql: 'INSERT INTO audit_stubs (segment, body, key_id, signature) VALUES (?, ?, ?, ?)',
      params: [stub.segment, body, key.id, key.sign(stubText(body))],
    },
    { sql: 'DELETE FROM audit_groups WHERE seq <= ?', params: [stub.last_seq] },
    { sql: 'DELETE FROM audit_seals WHERE seq <= ?', params: [stub.last_seq] },
    { sql: 'DELETE FROM audit_lines WHERE line <= ?', params: [stub.last_line] },
  ])
}
