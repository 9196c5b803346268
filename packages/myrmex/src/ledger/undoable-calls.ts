/**
 * Calls that can be undone: their arguments and results, complete, so that an undo works on what happened and on nothing else. Both
 * are encrypted and bound to the call, its principal and its tool: somebody who can write to the store cannot put other data in
 * their place. Each call is undone at most once, in any process, before a restart or after it.
 */
import type { Db } from './db.ts'
import { decryptText, encryptText } from './encrypted-text.ts'
import type { LedgerKey } from './journal/key.ts'
import { type Processes, ProcessStore } from './processes.ts'

/** Which call it was. */
export interface UndoableId {
  readonly call_id: string
  readonly principal: string
  readonly tool: string
}

/** What its undo needs. */
export interface UndoBody {
  /** as they were sent */
  readonly arguments: unknown
  /** as the call returned them */
  readonly data: unknown
  /** the id of the call on the server behind this one, if the call was forwarded */
  readonly forwarded_call?: string
}

export interface UndoableCall extends UndoableId, UndoBody {
  readonly version: string
  /** the run and step that made the call; null if none did */
  readonly run: string | null
  readonly step: string | null
  /** how its undo ended, as JSON; null if it was not undone yet */
  readonly outcome: string | null
}

/**
 * claimed: undo it. done: it was undone, with this outcome. running: another call is undoing it. lost: the process that was undoing it
 * is gone, and whether that took effect is unknown.
 */
export type UndoClaim =
  | { readonly state: 'claimed' | 'running' }
  | { readonly state: 'lost'; readonly call_id: string; readonly started_at: number }
  | { readonly state: 'done'; readonly call_id: string; readonly outcome: string }

interface Row extends Omit<UndoableCall, keyof UndoBody> {
  readonly body: string
}

interface ClaimRow {
  readonly undo_call: string
  readonly undo_started_at: number
  readonly outcome: string | null
  readonly gone: number | boolean
}

/** How long a call can be undone. */
export const UNDO_TTL_MS = 30 * 24 * 3_600_000
/** A run may wait for a person for any length of time, and its records are kept. */
const RUN_TTL_MS = 100 * 365 * 24 * 3_600_000

const OF_CALL = 'call_id = ? AND principal = ? AND tool = ?'
const idOf = ({ call_id, principal, tool }: UndoableId) => [call_id, principal, tool] as const

export class UndoableCalls extends ProcessStore {
  readonly #key: LedgerKey

  constructor(db: Db, processes: Processes, key: LedgerKey) {
    super(db, processes)
    this.#key = key
  }

  /** Await it before the result of the call leaves. */
  async store(call: Omit<UndoableCall, 'outcome'>): Promise<void> {
    const { version, run, step, arguments: args, data, forwarded_call } = call
    const body: UndoBody = { arguments: args, data, ...(forwarded_call !== undefined && { forwarded_call }) }
    await this.db.change(
      `INSERT INTO undoable_calls (call_id, principal, tool, version, run, step, body, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ${this.db.now}, ${this.db.now} + CAST(? AS BIGINT)) ON CONFLICT (call_id) DO NOTHING`,
      [
        ...idOf(call),
        version,
        run,
        step,
        encryptText(this.#key, about(call), JSON.stringify(body)),
        run === null ? UNDO_TTL_MS : RUN_TTL_MS,
      ],
    )
  }

  /** Undefined if this principal made no such call of this tool, it did not succeed, or it is too long ago. */
  async find(id: UndoableId): Promise<UndoableCall | undefined> {
    const row = await this.first<Row>(
      `SELECT call_id, principal, tool, version, run, step, body, outcome FROM undoable_calls
       WHERE ${OF_CALL} AND expires_at > ${this.db.now}`,
      idOf(id),
    )
    if (row === undefined) return undefined
    const { body, ...rest } = row
    return { ...rest, ...(JSON.parse(decryptText(this.#key, about(id), body)) as UndoBody) }
  }

  /** Of many callers at the same time one gets it. */
  async claim(id: UndoableId, undoCall: string): Promise<UndoClaim> {
    await this.processes.register()
    if (await this.#take(id, undoCall, 'undo_call IS NULL', [])) return { state: 'claimed' }
    const found = await this.#look(id)
    // Released between the two statements: the caller tries again.
    if (found === undefined) return { state: 'running' }
    // Its process may have ended a moment ago.
    if (found.state === 'running' && (await this.processes.removeDead())) return (await this.#look(id)) ?? found
    return found
  }

  /** Takes over from a process that is gone; false if another call was faster. For undos that may safely run again. */
  takeOver(id: UndoableId, lostCall: string, undoCall: string): Promise<boolean> {
    return this.#take(id, undoCall, 'undo_call = ? AND outcome IS NULL', [lostCall])
  }

  #take(id: UndoableId, undoCall: string, condition: string, params: readonly string[]): Promise<boolean> {
    return this.returnsRow(
      `UPDATE undoable_calls SET undo_call = ?, undo_owner = ?, undo_started_at = ${this.db.now}
       WHERE ${OF_CALL} AND ${condition} RETURNING call_id`,
      [undoCall, this.processes.id, ...idOf(id), ...params],
    )
  }

  async #look(id: UndoableId): Promise<UndoClaim | undefined> {
    const row = await this.first<ClaimRow>(
      `SELECT undo_call, undo_started_at, outcome, ${this.processes.isGoneSql('undoable_calls.undo_owner')} AS gone
       FROM undoable_calls WHERE ${OF_CALL} AND undo_call IS NOT NULL`,
      idOf(id),
    )
    if (row === undefined) return undefined
    const { undo_call, undo_started_at, outcome, gone } = row
    if (outcome !== null) return { state: 'done', call_id: undo_call, outcome }
    return gone ? { state: 'lost', call_id: undo_call, started_at: undo_started_at } : { state: 'running' }
  }

  /** Stores how the undo ended; await it before that leaves. */
  async finish(id: UndoableId, undoCall: string, outcome: string): Promise<void> {
    await this.db.change(`UPDATE undoable_calls SET outcome = ? WHERE ${OF_CALL} AND undo_call = ?`, [
      outcome,
      ...idOf(id),
      undoCall,
    ])
  }

  /** The undo had no effect, or may safely run again. */
  async release(id: UndoableId, undoCall: string): Promise<void> {
    await this.db.change(
      `UPDATE undoable_calls SET undo_call = NULL, undo_owner = NULL, undo_started_at = NULL
       WHERE ${OF_CALL} AND undo_call = ? AND outcome IS NULL`,
      [...idOf(id), undoCall],
    )
  }

  /** Removes calls that can no longer be undone. */
  async sweep(): Promise<void> {
    await this.db.change(`DELETE FROM undoable_calls WHERE expires_at <= ${this.db.now}`, [])
  }
}

const about = ({ call_id, principal, tool }: UndoableId): string => `call ${JSON.stringify([call_id, principal, tool])}`
