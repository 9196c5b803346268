/**
 * Approvals: a person's decision about one exact call, bound to the definition, the arguments and the principal. An approval is
 * used once, by one statement that only one caller can win. It expires, and survives restarts.
 */

import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { RecordedClient } from '../audit/recorded-client.ts'
import type { Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { UNSIGNED } from '../operator/signed-row.ts'
import type { Approval, ApprovalStatus, ExactCall } from './approval.ts'
import { DecisionStore } from './decision-store.ts'
import { DecisionWatch } from './decision-watch.ts'
import type { ArgumentEdit } from './edited-arguments.ts'
import { countedLength, MAY_WAIT, OWN_WAITING, tooManyWaiting } from './request-limits.ts'
import { tooLate } from './too-late.ts'

export type { Approval, ApprovalStatus, ExactCall } from './approval.ts'

const SHOWN = ['tool', 'version', 'hash', 'args_hash', 'principal', 'args'] as const
/** The parts of a request that a person was shown. */
export type ShownCall = { readonly [name in (typeof SHOWN)[number]]?: string | undefined }

/** What a person does besides approving the call. */
export interface ApproveOptions {
  /** changed arguments; see edited-arguments.ts */
  readonly edit?: ArgumentEdit | undefined
  /** the statement that gives a standing grant if the approval with this id was decided at this time */
  readonly grant?: ((approval: string, decidedAt: number) => Statement) | undefined
}

/** How long a request waits for a decision, and how long the approval is then valid. */
export const APPROVAL_TTL_MS = 24 * 3_600_000

/** Above this, expired ones are forgotten. */
const MAX_REMEMBERED = 10_000
/** The most open requests that are looked through. */
const MAX_OPEN = 100_000

const COLUMNS = `id, tool, version, hash, args_hash, principal, args, reason, status, requested_at, expires_at, decided_by,
  decided_at, note, used_by, used_at, client, signed_by, signature, editable, edited_args, edited_hash`
const SAME_CALL = 'tool = ? AND version = ? AND hash = ? AND args_hash = ? AND principal = ?'
const OPEN_EDIT = "status = 'approved' AND edited_args IS NOT NULL"
const binding = (call: ExactCall) => [call.tool, call.version, call.hash, call.args_hash, call.principal]

export class Approvals extends DecisionStore {
  protected readonly table = 'approvals'
  /** called after a decision in this process */
  readonly #listeners = new Set<() => void>()
  /** those that wait for decisions of any process */
  readonly #watch = new DecisionWatch((ids) => this.#decided(ids))
  /** tools with approvals of changed arguments, and the state of the store in which they were read */
  #edited: { readonly state: number; readonly tools: ReadonlySet<string> } | undefined
  /** in a locked ledger, the approvals that this process has used, who used each, and when it expires */
  readonly #used = new Map<string, { readonly user: string; readonly expires: number }>()

  /**
   * Uses an approval for this call, if there is one. Of many callers at the same time one gets it. `args` is what a person reads about
   * this call: in a locked ledger the person must have signed exactly that.
   */
  async use(call: ExactCall, callId: string, args?: string, only?: 'edited'): Promise<Approval | undefined> {
    const { now } = this.db
    const found = await this.db.query<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'approved' AND expires_at > ${now}
       ${only === 'edited' ? 'AND edited_args IS NOT NULL' : ''} ORDER BY requested_at`,
      binding(call),
    )
    for (const approval of found) {
      if (this.lock.isLocked && args !== undefined && approval.args !== args) continue
      const used = this.#counts(approval) ? await this.useThis(approval.id, callId) : undefined
      if (used !== undefined) return used
    }
    return undefined
  }

  /** Whether calls of the tool may have an approval with changed arguments. True too if that cannot be said at once. */
  mayBeEdited(tool: string): boolean {
    const state = this.db.changeCounter?.()
    if (state === undefined) return true
    if (this.#edited?.state !== state) {
      const rows = this.db.query<{ tool: string }>(`SELECT DISTINCT tool FROM approvals WHERE ${OPEN_EDIT}`, [])
      if (rows instanceof Promise) return true
      this.#edited = { state, tools: new Set(rows.map((row) => row.tool)) }
    }
    return this.#edited.tools.has(tool)
  }

  /** Whether this call has one. */
  async isEdited(call: ExactCall): Promise<boolean> {
    const sql = `SELECT id FROM approvals WHERE ${SAME_CALL} AND ${OPEN_EDIT} AND expires_at > ${this.db.now} LIMIT 1`
    return (await this.first<{ id: string }>(sql, binding(call))) !== undefined
  }

  /** Uses this very approval, where another one for the same call would not do. */
  async useThis(id: string, user: string): Promise<Approval | undefined> {
    if (!this.lock.isLocked) return this.#use(id, user)
    const found = await this.find(id)
    if (found?.status !== 'approved' || !this.#reserve(found, user)) return undefined
    const used = await this.#use(id, user)
    // The row may have been exchanged since it was looked at.
    if (used !== undefined && this.#counts(used)) return used
    this.#used.delete(id)
    return undefined
  }

  #use(id: string, user: string): Promise<Approval | undefined> {
    const { now } = this.db
    return this.first<Approval>(
      `UPDATE approvals SET status = 'used', used_by = ?, used_at = ${now}
       WHERE id = ? AND status = 'approved' AND expires_at > ${now} RETURNING ${COLUMNS}`,
      [user, id],
    )
  }

  /** An approval is for one call, even if somebody sets it to approved again while another call is using it. */
  #reserve({ id, expires_at }: Approval, user: string): boolean {
    if (this.#used.has(id)) return false
    const now = Date.now()
    if (this.#used.size >= MAX_REMEMBERED)
      for (const [old, { expires }] of this.#used) if (expires <= now) this.#used.delete(old)
    this.#used.set(id, { user, expires: expires_at })
    return true
  }

  /** The approval that this user has used for this call before. A step of a run is the same user in every process. */
  async usedBy(call: ExactCall, user: string): Promise<Approval | undefined> {
    const found = await this.db.query<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'used' AND used_by = ? ORDER BY used_at`,
      [...binding(call), user],
    )
    // The store says who used it, but the memory of this process counts more.
    return found.find((approval) => this.#counts(approval) && (this.#used.get(approval.id)?.user ?? user) === user)
  }

  /** The newest denial of this very call, for as long as an approval in its place would have been valid. */
  lastDenial(call: ExactCall): Promise<Approval | undefined> {
    return this.first<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'denied' AND expires_at > ${this.db.now}
       ORDER BY decided_at DESC LIMIT 1`,
      binding(call),
    )
  }

  /** Whether a person approved it, with a signature if it needs one. */
  #counts(approval: Approval): boolean {
    return this.lock.accepts('approvals', approval)
  }

  /** Returns an approval whose call did not run and will come again. */
  async giveBack(id: string, callId: string): Promise<void> {
    this.#used.delete(id)
    this.#edited = undefined
    await this.db.query(
      `UPDATE approvals SET status = 'approved', used_by = NULL, used_at = NULL
       WHERE id = ? AND status = 'used' AND used_by = ?`,
      [id, callId],
    )
  }

  /** The waiting request for this call, or a new one. Several processes at once make only one. `isEditable`: a person may change the arguments. */
  async request(
    call: ExactCall,
    args: string,
    reason: string,
    ttlMs: number = APPROVAL_TTL_MS,
    isEditable = false,
    client: RecordedClient | null = null,
  ): Promise<Approval> {
    const { now } = this.db
    const [waiting] = await this.db.query<Approval>(
      `SELECT ${COLUMNS} FROM approvals WHERE ${SAME_CALL} AND status = 'waiting' AND expires_at > ${now}
       ORDER BY requested_at LIMIT 1`,
      binding(call),
    )
    if (waiting !== undefined) return waiting
    await this.#expireOld()
    const length = countedLength(call.tool, args)
    const texts = [newId(), ...binding(call), args, reason, client && JSON.stringify(client)]
    // One statement, so that calls that come at the same moment count each other.
    const [made] = await this.decide<Approval>(
      'request',
      { name: call.principal, from: 'caller' },
      `INSERT INTO approvals
       (id, tool, version, hash, args_hash, principal, args, reason, client, status, requested_at, expires_at, editable)
       SELECT ${texts.map(() => 'CAST(? AS TEXT)').join(', ')}, 'waiting', ${now}, ${now} + CAST(? AS BIGINT), CAST(? AS BIGINT)
       FROM (${OWN_WAITING}) AS own WHERE ${MAY_WAIT}
       ON CONFLICT (tool, version, hash, args_hash, principal) WHERE status = 'waiting'
       DO UPDATE SET status = excluded.status RETURNING ${COLUMNS}`,
      [...texts, ttlMs, isEditable ? 1 : null, call.principal, length],
    )
    if (made !== undefined) return made
    const own = await this.first<{ length: number | string }>(OWN_WAITING, [call.principal])
    throw tooManyWaiting(call.principal, Number(own?.length), length)
  }

  /** Marks expired requests, so that a clock that is set back does not revive them. */
  async #expireOld(): Promise<void> {
    await this.db.query(
      `UPDATE approvals SET status = 'expired' WHERE status IN ('waiting', 'approved') AND expires_at <= ${this.db.now} RETURNING id`,
    )
  }

  /** Takes back a request that nobody needs any more. A decision that was made stays. */
  async withdraw(id: string): Promise<void> {
    await this.db.query(`UPDATE approvals SET status = 'expired' WHERE id = ? AND status = 'waiting' RETURNING id`, [
      id,
    ])
  }

  /** The time of the store, which all its decisions have. */
  now(): Promise<number> {
    return this.clock()
  }

  /** A text that changes with every decision. */
  async decisions(): Promise<string> {
    const [row] = await this.db.query<{ count: number; last: number | null }>(
      'SELECT count(*) AS count, max(decided_at) AS last FROM approvals WHERE decided_at IS NOT NULL',
    )
    return `${row?.count} ${row?.last}`
  }

  async find(id: string): Promise<Approval | undefined> {
    const found = await this.first<Approval>(`SELECT ${this.#columns()} FROM approvals WHERE id = ?`, [id])
    return found && this.#seen(found)
  }

  /** Newest first. */
  async list(status?: ApprovalStatus, limit = 100): Promise<Approval[]> {
    const rows = `SELECT ${this.#columns()} FROM approvals`
    const newest = 'ORDER BY requested_at DESC, id LIMIT ?'
    if (status === undefined) return (await this.db.query<Approval>(`${rows} ${newest}`, [limit])).map(this.#seen)
    const among = `SELECT * FROM (${rows}) AS known WHERE status`
    if (!this.lock.isLocked || (status !== 'waiting' && status !== 'approved'))
      return await this.db.query<Approval>(`${among} = ? ${newest}`, [status, limit])
    // Those that somebody set to approved without a signature are waiting.
    const open = await this.db.query<Approval>(`${among} IN ('waiting', 'approved') ${newest}`, [MAX_OPEN])
    return open
      .map(this.#seen)
      .filter((one) => one.status === status)
      .slice(0, limit)
  }

  /** As it counts: without the signature that it needs, nobody has approved it. */
  readonly #seen = (approval: Approval): Approval =>
    approval.status === 'approved' && !this.#counts(approval)
      ? {
          ...approval,
          status: 'waiting',
          decided_by: null,
          decided_at: null,
          note: null,
          edited_args: null,
          edited_hash: null,
        }
      : approval

  /** `shown`: what the person saw before deciding. If the request is another one by now, nothing is decided. */
  approve(id: string, by: Decider, note?: string, shown?: ShownCall, more?: ApproveOptions): Promise<Approval> {
    return this.#decide(id, 'approved', by, note, shown, more)
  }

  deny(id: string, by: Decider, note?: string, shown?: ShownCall): Promise<Approval> {
    return this.#decide(id, 'denied', by, note, shown)
  }

  /** An approval is valid for as long as the request was, counted from the decision, and for a day at most. */
  async #decide(
    id: string,
    status: 'approved' | 'denied',
    by: Decider,
    note?: string,
    shown: ShownCall = {},
    more: ApproveOptions = {},
  ): Promise<Approval> {
    if (status === 'approved') this.lock.requireSigner(by)
    const stored = await this.first<Approval>(`SELECT ${COLUMNS} FROM approvals WHERE id = ?`, [id])
    const now = await this.clock()
    if (stored === undefined)
      throw ToolError.of(
        'ValidationError',
        `There is no approval ${id}. npx myrmex approvals list shows the waiting ones.`,
      )
    if (SHOWN.some((name) => shown[name] !== undefined && shown[name] !== stored[name]))
      throw ToolError.of(
        'ValidationError',
        `Approval ${id} is not for the call that was shown: somebody altered it. Nothing was decided.`,
      )
    const row =
      stored.expires_at <= now ? undefined : await this.#write(stored, status, { by, note: note ?? null, now, ...more })
    if (row !== undefined) {
      this.#edited = undefined
      this.#watch.wakeAll()
      for (const listener of [...this.#listeners]) listener()
      return { ...row, server_version: (await this.find(id))?.server_version ?? null }
    }
    throw tooLate(id, await this.find(id))
  }

  /** Undefined: it is no longer open, or was exchanged meanwhile. */
  async #write(
    stored: Approval,
    status: 'approved' | 'denied',
    { by, note, now, edit, grant }: ApproveOptions & { by: Decider; note: string | null; now: number },
  ): Promise<Approval | undefined> {
    const { id, requested_at, args_hash, args } = stored
    if (this.#seen(stored).status !== 'waiting') return undefined
    const decided_at = now > requested_at ? now : requested_at + 1
    const expires_at = decided_at + Math.min(stored.expires_at - requested_at, APPROVAL_TTL_MS)
    const edited = { edited_args: edit?.args ?? null, edited_hash: edit?.hash ?? null }
    const row = { ...stored, ...edited, decided_by: deciderName(by), decided_at, expires_at, note }
    const { signed_by, signature } = status === 'approved' ? this.lock.sign('approvals', row, by) : UNSIGNED
    const statement = {
      sql: `UPDATE approvals SET status = ?, decided_by = ?, decided_at = ?, note = ?, expires_at = ?, signed_by = ?, signature = ?,
         edited_args = ?, edited_hash = ?
       WHERE id = ? AND status = ? AND expires_at > ${this.db.now} AND args_hash = ? AND args = ? RETURNING ${COLUMNS}`,
      params: [
        ...[
          status,
          row.decided_by,
          decided_at,
          note,
          expires_at,
          signed_by,
          signature,
          row.edited_args,
          row.edited_hash,
        ],
        ...[id, stored.status, args_hash, args],
      ],
    }
    const what = status === 'approved' ? 'approve' : 'deny'
    const [written] = await this.decideTogether<Approval>(by, [
      { ...statement, what },
      // In the same transaction: only if this decision counts.
      ...(grant === undefined ? [] : [{ ...grant(id, decided_at), what: 'grant', table: 'grants' as const }]),
    ])
    return written?.[0]
  }

  /** Tells decisions of this process. */
  onDecision(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls `wake` once, soon after any process has decided about this approval, or it has expired. Returns what forgets it. */
  onceDecided(id: string, wake: () => void): () => void {
    return this.#watch.once(id, wake)
  }

  async #decided(ids: readonly string[]): Promise<string[]> {
    const found = await this.db.query<{ id: string }>(
      `SELECT id FROM approvals WHERE id IN (${ids.map(() => '?').join(', ')})
       AND (status <> 'waiting' OR expires_at <= ${this.db.now})`,
      [...ids],
    )
    return found.map(({ id }) => id)
  }

  /** Requests and approvals that are too old read as expired, whether or not they are marked. With the version for people. */
  #columns(): string {
    const lapsed = `status IN ('waiting', 'approved') AND expires_at <= ${this.db.now}`
    const columns = COLUMNS.replace('status', `CASE WHEN ${lapsed} THEN 'expired' ELSE status END AS status`)
    return `${columns}, (SELECT max(server_version) FROM definitions
      WHERE definitions.tool = approvals.tool AND definitions.hash = approvals.hash) AS server_version`
  }
}

/** Short enough to type, without letters that look alike. */
function newId(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  return [...crypto.randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')
}
