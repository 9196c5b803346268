/**
 * Approvals: a person's decision about one exact call, bound to the definition, the arguments and the principal. An approval is
 * used once, by one statement that only one caller can win. It expires, and survives restarts.
 */
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { DecisionStore } from './decision-store.ts'
import type { Definition } from './grants.ts'

export type ApprovalStatus = 'waiting' | 'approved' | 'denied' | 'used' | 'expired'

/** What makes two calls the same call. */
export interface ExactCall extends Definition {
  readonly args_hash: string
  readonly principal: string
}

export interface Approval extends ExactCall {
  readonly id: string
  /** canonical JSON without secrets, for the human to read */
  readonly args: string
  /** why approval is needed */
  readonly reason: string
  readonly status: ApprovalStatus
  readonly requested_at: number
  readonly expires_at: number
  readonly decided_by: string | null
  readonly decided_at: number | null
  /** a comment of the person who decided */
  readonly note: string | null
  /** the call that used it, or the key of the step of a run */
  readonly used_by: string | null
  readonly used_at: number | null
}

/** The name of a plan in the list of approvals. Its approval allows the steps of a run. */
export const PLAN_TOOL = 'run.plan'

/** How long a request waits for a decision, and how long the approval is then valid. */
export const APPROVAL_TTL_MS = 24 * 3_600_000

/** A caller can make up any number of requests, so each principal may have at most this many waiting. */
const MAX_WAITING = 1000

const COLUMNS = `id, tool, version, hash, args_hash, principal, args, reason, status, requested_at, expires_at, decided_by,
  decided_at, note, used_by, used_at`
const SAME_CALL = 'tool = ? AND version = ? AND hash = ? AND args_hash = ? AND principal = ?'
const binding = (call: ExactCall) => [call.tool, call.version, call.hash, call.args_hash, call.principal]

export class Approvals extends DecisionStore {
  protected readonly table = 'approvals'
  /** called after a decision in this process; other processes find it by polling */
  readonly #listeners = new Set<() => void>()

  /** Uses an approval for this call, if there is one. Of many callers at the same time one gets it. */
  async use(call: ExactCall, callId: string): Promise<Approval | undefined> {
    const { now } = this.db
    return this.first<Approval>(
      `UPDATE approvals SET status = 'used', used_by = ?, used_at = ${now}
       WHERE status = 'approved' AND expires_at > ${now} AND id = (
         SELECT id FROM approvals WHERE ${SAME_CALL} AND status = 'approved' AND expires_at > ${now}
         ORDER BY requested_at LIMIT 1) RETURNING ${COLUMNS}`,
      [callId, ...binding(call)],
    )
  }

  /** Uses this very approval, where another one for the same call would not do. */
  async useThis(id: string, user: string): Promise<Approval | undefined> {
    const { now } = this.db
    return this.first<Approval>(
      `UPDATE approvals SET status = 'used', used_by = ?, used_at = ${now}
       WHERE id = ? AND status = 'approved' AND expires_at > ${now} RETURNING ${COLUMNS}`,
      [user, id],
    )
  }

  /** The approval that this user has used for this call before. A step of a run is the same user in every process. */
  async usedBy(call: ExactCall, user: string): Promise<Approval | undefined> {
    return this.first<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'used' AND used_by = ? ORDER BY used_at LIMIT 1`,
      [...binding(call), user],
    )
  }

  /** Returns an approval whose call did not run and will come again. */
  async giveBack(id: string, callId: string): Promise<void> {
    await this.db.query(
      `UPDATE approvals SET status = 'approved', used_by = NULL, used_at = NULL
       WHERE id = ? AND status = 'used' AND used_by = ?`,
      [id, callId],
    )
  }

  /** The waiting request for this call, or a new one. Several processes at once make only one. */
  async request(call: ExactCall, args: string, reason: string, ttlMs = APPROVAL_TTL_MS): Promise<Approval> {
    const { now } = this.db
    const [waiting] = await this.db.query<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'waiting' AND expires_at > ${now}
       ORDER BY requested_at LIMIT 1`,
      binding(call),
    )
    if (waiting !== undefined) return waiting
    await this.#admit(call.principal)
    const [made] = await this.decide<Approval>(
      'request',
      { name: call.principal, from: 'caller' },
      `INSERT INTO approvals
       (id, tool, version, hash, args_hash, principal, args, reason, status, requested_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ${now}, ${now} + ?)
       ON CONFLICT (tool, version, hash, args_hash, principal) WHERE status = 'waiting'
       DO UPDATE SET status = excluded.status RETURNING ${COLUMNS}`,
      [newId(), ...binding(call), args, reason, ttlMs],
    )
    return made as Approval
  }

  /** Marks expired requests, so that a clock that is set back does not revive them. */
  async #admit(principal: string): Promise<void> {
    const { now } = this.db
    await this.db.query(
      `UPDATE approvals SET status = 'expired' WHERE status IN ('waiting', 'approved') AND expires_at <= ${now} RETURNING id`,
    )
    const [row] = await this.db.query<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM approvals WHERE status = 'waiting' AND principal = ?`,
      [principal],
    )
    if (row !== undefined && row.waiting >= MAX_WAITING) {
      throw ToolError.of(
        'ApiLimitExceeded',
        `${MAX_WAITING} calls of ${principal} wait for approval already. Have them decided first.`,
        { limit: 'approvals', retry_after_ms: 60_000 },
      )
    }
  }

  /** A text that changes with every decision. */
  async decisions(): Promise<string> {
    const [row] = await this.db.query<{ count: number; last: number | null }>(
      'SELECT count(*) AS count, max(decided_at) AS last FROM approvals WHERE decided_at IS NOT NULL',
    )
    return `${row?.count} ${row?.last}`
  }

  async find(id: string): Promise<Approval | undefined> {
    return this.first<Approval>(`SELECT ${this.#columns()} FROM approvals WHERE id = ?`, [id])
  }

  /** Newest first. */
  async list(status?: ApprovalStatus, limit = 100): Promise<Approval[]> {
    const rows = `SELECT ${this.#columns()} FROM approvals`
    return status === undefined
      ? await this.db.query<Approval>(`${rows} ORDER BY requested_at DESC, id LIMIT ?`, [limit])
      : await this.db.query<Approval>(
          `SELECT * FROM (${rows}) AS known WHERE status = ? ORDER BY requested_at DESC, id LIMIT ?`,
          [status, limit],
        )
  }

  approve(id: string, by: Decider, note?: string): Promise<Approval> {
    return this.#decide(id, 'approved', by, note)
  }

  deny(id: string, by: Decider, note?: string): Promise<Approval> {
    return this.#decide(id, 'denied', by, note)
  }

  /** An approval is valid for as long as the request was, counted from the decision. */
  async #decide(id: string, status: 'approved' | 'denied', by: Decider, note?: string): Promise<Approval> {
    const { now } = this.db
    const decided = this.after('requested_at')
    const [row] = await this.decide<Approval>(
      status === 'approved' ? 'approve' : 'deny',
      by,
      `UPDATE approvals SET status = ?, decided_by = ?, decided_at = ${decided}, note = ?,
       expires_at = ${decided} + (expires_at - requested_at)
       WHERE id = ? AND status = 'waiting' AND expires_at > ${now} RETURNING ${COLUMNS}`,
      [status, deciderName(by), note ?? null, id],
    )
    if (row !== undefined) {
      for (const listener of [...this.#listeners]) listener()
      return row
    }
    const known = await this.find(id)
    throw known === undefined
      ? ToolError.of('ValidationError', `There is no approval ${id}. myrmex approvals list shows those that wait.`)
      : ToolError.of('ValidationError', `Approval ${id} is ${known.status} and can no longer be decided.`)
  }

  onDecision(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Requests and approvals that are too old read as expired, whether or not they are marked. */
  #columns(): string {
    const lapsed = `status IN ('waiting', 'approved') AND expires_at <= ${this.db.now}`
    return COLUMNS.replace('status', `CASE WHEN ${lapsed} THEN 'expired' ELSE status END AS status`)
  }
}

/** Short enough to type, without letters that look alike. */
function newId(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  return [...crypto.randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')
}
