/**
 * Which waiting approvals were announced to which channel. Of several processes on one ledger, one announces an approval. If it dies
 * before it could say that it did, another one does so again, with the same id, so a receiver can drop the second.
 */
import { Store } from './db.ts'

export interface ClaimedNotice {
  readonly approval: string
  /** 1 the first time */
  readonly attempts: number
}

/** How long a process has to send what it claimed. */
const CLAIM_MS = 60_000
/** How long to wait after each failed attempt. After the last one a notice is given up. */
const RETRY_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000] as const
export const MAX_NOTICE_ATTEMPTS: number = RETRY_MS.length + 1
/** Longer than any request for approval waits. */
const KEPT_MS = 7 * 24 * 3_600_000

export class ApprovalNotices extends Store {
  /**
   * The waiting approvals that are to be announced to the channel now. They are this process's until it says how it went. Of those that were
   * never announced, the callers take turns, and the ones of `except` are left for later.
   */
  async claim(channel: string, limit: number, except: readonly string[] = []): Promise<ClaimedNotice[]> {
    const others = except.length === 0 ? '' : `AND principal NOT IN (${except.map(() => '?').join(', ')})`
    // The usual answer, without a write: other processes may be writing.
    if (!(await this.#isDue(channel, others, except))) return []
    const { now } = this.db
    const fresh = await this.db.query<ClaimedNotice>(
      `INSERT INTO approval_notices (approval, channel, attempts, claimed_at, next_at)
       SELECT id, CAST(? AS TEXT), 1, ${now}, ${now} + ${CLAIM_MS} FROM (
         SELECT id, requested_at, row_number() OVER (PARTITION BY principal ORDER BY requested_at) AS turn FROM approvals
         WHERE status = 'waiting' AND expires_at > ${now} ${others}
           AND NOT EXISTS (SELECT 1 FROM approval_notices WHERE approval = approvals.id AND channel = ?)
       -- SQLite needs a WHERE before ON CONFLICT.
       ) AS fresh WHERE true ORDER BY turn, requested_at LIMIT ?
       ON CONFLICT (approval, channel) DO NOTHING RETURNING approval, attempts`,
      [channel, ...except, channel, limit],
    )
    if (fresh.length >= limit) return fresh
    const again = await this.db.query<ClaimedNotice>(
      `UPDATE approval_notices SET attempts = attempts + 1, claimed_at = ${now}, next_at = ${now} + ${CLAIM_MS}
       WHERE channel = ? AND sent_at IS NULL AND next_at <= ${now} AND attempts < ${MAX_NOTICE_ATTEMPTS}
         AND EXISTS (SELECT 1 FROM approvals WHERE id = approval AND status = 'waiting' AND expires_at > ${now})
       RETURNING approval, attempts`,
      [channel],
    )
    return [...fresh, ...again]
  }

  #isDue(channel: string, others: string, except: readonly string[]): Promise<boolean> {
    const { now } = this.db
    return this.returnsRow(
      `SELECT 1 AS due FROM approvals WHERE status = 'waiting' AND expires_at > ${now} ${others} AND NOT EXISTS (
         SELECT 1 FROM approval_notices WHERE approval = approvals.id AND channel = ?
         AND (sent_at IS NOT NULL OR next_at > ${now} OR attempts >= ${MAX_NOTICE_ATTEMPTS})) LIMIT 1`,
      [...except, channel],
    )
  }

  async sent(channel: string, approval: string): Promise<void> {
    await this.db.query(
      `UPDATE approval_notices SET sent_at = ${this.db.now} WHERE channel = ? AND approval = ? RETURNING approval`,
      [channel, approval],
    )
  }

  async failed(channel: string, { approval, attempts }: ClaimedNotice): Promise<void> {
    const wait = RETRY_MS[attempts - 1] ?? CLAIM_MS
    await this.db.query(
      `UPDATE approval_notices SET next_at = ${this.db.now} + ${wait}
       WHERE channel = ? AND approval = ? AND sent_at IS NULL RETURNING approval`,
      [channel, approval],
    )
  }

  async sweep(): Promise<void> {
    await this.db.query(
      `DELETE FROM approval_notices WHERE claimed_at < ${this.db.now} - ${KEPT_MS} RETURNING approval`,
    )
  }
}
