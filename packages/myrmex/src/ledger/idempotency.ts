/** Idempotency records: the first call of a key runs, and every later call of that key gets its result. */
import type { Value } from './db.ts'
import { ProcessStore } from './processes.ts'
import { HOLDS_LEASE } from './runs.ts'

export interface IdempotencyKey {
  readonly principal: string
  readonly tool: string
  readonly key: string
  /** for a step of a run; the record is then kept as long as the run */
  readonly run?: string
  readonly step?: string
  /** the lease term of this process: a process that lost the lease starts nothing */
  readonly leaseTerm?: number
}

/**
 * claimed: run it. done: here is the result. running: another call is running. lost: the process of the call is gone, and its
 * effect is unknown. other: the key belongs to a call with other arguments. lease_lost: another process executes the run.
 */
export type Claim =
  | { readonly state: 'claimed' | 'running' | 'other' | 'lease_lost' }
  | { readonly state: 'lost'; readonly call_id: string; readonly started_at: number }
  | { readonly state: 'done'; readonly call_id: string; readonly outcome: string }

interface Row {
  readonly args_hash: string
  readonly call_id: string
  readonly started_at: number
  readonly outcome: string | null
  readonly gone: number | boolean
}

/** A step of a run that was started. */
export interface StepRow {
  readonly step: string
  readonly tool: string
  readonly call_id: string
  readonly started_at: number
  readonly finished_at: number | null
  /** the result as JSON, without secrets */
  readonly outcome: string | null
}

/** How long a result is kept for repeated calls. */
const TTL_MS = 24 * 3_600_000
/** A run may wait for a person for any length of time. */
const RUN_TTL_MS = 100 * 365 * TTL_MS

/** Claims a key that nobody has, or whose time is over, while the condition is true. */
const claimSql = (now: string, condition: string): string =>
  `INSERT INTO once (run, once_key, principal, tool, step, args_hash, call_id, owner, started_at, expires_at)
   SELECT ?, ?, ?, ?, CAST(? AS TEXT), ?, ?, ?, ${now}, ${now} + CAST(? AS BIGINT)
   WHERE ${condition}
   ON CONFLICT (run, once_key, principal, tool) DO UPDATE
   SET args_hash = excluded.args_hash, call_id = excluded.call_id, owner = excluded.owner,
       started_at = excluded.started_at, expires_at = excluded.expires_at, outcome = NULL
   WHERE once.expires_at <= ${now}`
const SELECT_LEASE = `SELECT 1 AS held WHERE ${HOLDS_LEASE}`
/** The record of a key; its parameters are those of `primaryKey`. */
const OF_KEY = 'run = ? AND once_key = ? AND principal = ? AND tool = ?'
const primaryKey = ({ run = '', key, principal, tool }: IdempotencyKey) => [run, key, principal, tool] as const

/** How many records are looked at in one go for expired ones: takes about a millisecond. */
const SWEEP_ROWS = 1000
const SWEEP_KEY = 'once_key, principal, tool'
type SweepKey = Readonly<Record<'once_key' | 'principal' | 'tool', string>>

export class IdempotencyStore extends ProcessStore {
  /** calls of this process between claim and finish: those that claim or finish in the same turn are written together */
  readonly #running = new Set<string>()
  // Made once: the statement of a text that is made again is found only after reading the whole text.
  readonly #claimCall = claimSql(this.db.now, 'TRUE')
  readonly #claimStep = claimSql(this.db.now, HOLDS_LEASE)
  readonly #finish = `UPDATE once SET outcome = ?, finished_at = ${this.db.now} WHERE ${OF_KEY} AND call_id = ?`

  async claim(id: IdempotencyKey, argsHash: string, callId: string): Promise<Claim> {
    const { run, step = null, leaseTerm } = id
    await this.processes.register()
    const ttlMs = run === undefined ? TTL_MS : RUN_TTL_MS
    const lease = leaseTerm === undefined || run === undefined ? [] : [run, leaseTerm, this.processes.id]
    this.#running.add(callId)
    const claimed = await this.#change(
      lease.length === 0 ? this.#claimCall : this.#claimStep,
      [...primaryKey(id), step, argsHash, callId, this.processes.id, ttlMs, ...lease],
      callId,
    )
    if (claimed > 0) return { state: 'claimed' }
    this.#running.delete(callId)
    const found = await this.#look(id, argsHash)
    const isHeld = found !== undefined || lease.length === 0 || (await this.returnsRow(SELECT_LEASE, lease))
    if (!isHeld) return { state: 'lease_lost' }
    // Released between the two statements: the key is free again.
    if (found === undefined) return this.claim(id, argsHash, callId)
    // Its process may have ended a moment ago.
    if (found.state === 'running' && (await this.processes.removeDead()))
      return (await this.#look(id, argsHash)) ?? found
    return found
  }

  /** If it fails, nobody waits for this call any more. */
  async #change(sql: string, params: readonly Value[], callId: string): Promise<number> {
    try {
      return await this.db.change(sql, params, this.#running.size)
    } catch (thrown) {
      this.#running.delete(callId)
      throw thrown
    }
  }

  /** The state of a claimed key; undefined if it is free. */
  async #look(id: IdempotencyKey, argsHash: string): Promise<Claim | undefined> {
    const [row] = await this.db.query<Row>(
      `SELECT args_hash, call_id, started_at, outcome, ${this.processes.isGoneSql('once.owner')} AS gone
       FROM once WHERE ${OF_KEY}`,
      primaryKey(id),
    )
    if (row === undefined) return undefined
    if (row.args_hash !== argsHash) return { state: 'other' }
    if (row.outcome !== null) return { state: 'done', call_id: row.call_id, outcome: row.outcome }
    if (row.gone) return { state: 'lost', call_id: row.call_id, started_at: row.started_at }
    return { state: 'running' }
  }

  /** Whether a repeated call would get the recorded result without running. */
  async isDone(id: IdempotencyKey, argsHash: string): Promise<boolean> {
    return this.returnsRow(
      `SELECT call_id FROM once WHERE ${OF_KEY} AND args_hash = ?
       AND outcome IS NOT NULL AND expires_at > ${this.db.now}`,
      [...primaryKey(id), argsHash],
    )
  }

  /** Whether a call with this key and these arguments was started before, whatever came of it. */
  async isStarted(id: IdempotencyKey, argsHash: string): Promise<boolean> {
    return this.returnsRow(
      `SELECT call_id FROM once WHERE ${OF_KEY} AND args_hash = ? AND expires_at > ${this.db.now}`,
      [...primaryKey(id), argsHash],
    )
  }

  /** Takes over from a process that is gone; false if another call was faster. For calls that may safely run again. */
  async takeOver(id: IdempotencyKey, lostCallId: string, callId: string): Promise<boolean> {
    return this.returnsRow(
      `UPDATE once SET call_id = ?, owner = ?, started_at = ${this.db.now}
       WHERE ${OF_KEY} AND call_id = ? AND outcome IS NULL RETURNING call_id`,
      [callId, this.processes.id, ...primaryKey(id), lostCallId],
    )
  }

  /** Stores the result; await it before the result leaves. */
  async finish(id: IdempotencyKey, callId: string, outcome: string): Promise<void> {
    await this.#change(this.#finish, [outcome, ...primaryKey(id), callId], callId)
    this.#running.delete(callId)
  }

  /** The call did not start its tool: the key is free again. */
  async release(id: IdempotencyKey, callId: string): Promise<void> {
    this.#running.delete(callId)
    await this.db.change(`DELETE FROM once WHERE ${OF_KEY} AND call_id = ? AND outcome IS NULL`, [
      ...primaryKey(id),
      callId,
    ])
  }

  /**
   * Forgets a result, so that the next call of the key runs. Only if running again is harmless, or the tool did not start.
   * False: the call has no result yet.
   */
  async forget(id: IdempotencyKey, callId: string): Promise<boolean> {
    return this.returnsRow(
      `DELETE FROM once WHERE ${OF_KEY} AND call_id = ? AND outcome IS NOT NULL RETURNING call_id`,
      [...primaryKey(id), callId],
    )
  }

  /** The steps of a run that were started, in the order of their start. */
  async steps(run: string): Promise<StepRow[]> {
    return await this.db.query<StepRow>(
      `SELECT step, tool, call_id, started_at, finished_at, outcome FROM once WHERE run = ?
       ORDER BY started_at, finished_at, step`,
      [run],
    )
  }

  /**
   * Removes expired results. It walks through all keys, because an index of expiry times would cost every claim more than all walks
   * together. Between two parts of the walk others can work.
   */
  async sweep(isOver: () => boolean = () => false): Promise<void> {
    let from: SweepKey | undefined = { once_key: '', principal: '', tool: '' }
    while (from !== undefined && !isOver()) {
      const after: string[] = [from.once_key, from.principal, from.tool]
      const [to]: SweepKey[] = await this.db.query(
        `SELECT ${SWEEP_KEY} FROM once WHERE run = '' AND (${SWEEP_KEY}) > (?, ?, ?)
         ORDER BY ${SWEEP_KEY} LIMIT 1 OFFSET ${SWEEP_ROWS}`,
        after,
      )
      await this.db.change(
        `DELETE FROM once WHERE run = '' AND expires_at <= ${this.db.now} AND (${SWEEP_KEY}) > (?, ?, ?)
         ${to === undefined ? '' : `AND (${SWEEP_KEY}) <= (?, ?, ?)`}`,
        to === undefined ? after : [...after, to.once_key, to.principal, to.tool],
      )
      from = to
      await new Promise(setImmediate)
    }
  }
}
