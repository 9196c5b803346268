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
  /** how many steps of the run are in flight: they may be written together */
  readonly concurrency?: number
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

const SELECT_LEASE = `SELECT 1 AS held WHERE ${HOLDS_LEASE}`
/** The record of a key. */
const OF_KEY = 'principal = ? AND tool = ? AND once_key = ?'

export class IdempotencyStore extends ProcessStore {
  async claim(id: IdempotencyKey, argsHash: string, callId: string): Promise<Claim> {
    const { principal, tool, key, run = null, step = null, leaseTerm } = id
    await this.processes.register()
    const { now } = this.db
    const ttlMs = run === null ? TTL_MS : RUN_TTL_MS
    const lease = leaseTerm === undefined ? [] : [run, leaseTerm, this.processes.id]
    const [claimed] = await this.#write(
      id,
      `INSERT INTO once (principal, tool, once_key, args_hash, call_id, owner, run, step, started_at, expires_at)
       SELECT ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ${now}, ${now} + CAST(? AS BIGINT)
       WHERE ${leaseTerm === undefined ? 'TRUE' : HOLDS_LEASE}
       ON CONFLICT (principal, tool, once_key) DO UPDATE
       SET args_hash = excluded.args_hash, call_id = excluded.call_id, owner = excluded.owner,
           started_at = excluded.started_at, expires_at = excluded.expires_at, outcome = NULL
       WHERE once.expires_at <= ${now} RETURNING call_id`,
      [principal, tool, key, argsHash, callId, this.processes.id, run, step, ttlMs, ...lease],
    )
    if (claimed !== undefined) return { state: 'claimed' }
    const found = await this.#look(id, argsHash)
    const isHeld = found !== undefined || leaseTerm === undefined || (await this.returnsRow(SELECT_LEASE, lease))
    if (!isHeld) return { state: 'lease_lost' }
    // Released between the two statements: the key is free again.
    if (found === undefined) return this.claim(id, argsHash, callId)
    // Its process may have ended a moment ago.
    if (found.state === 'running' && (await this.processes.removeDead()))
      return (await this.#look(id, argsHash)) ?? found
    return found
  }

  /** Concurrent steps of a run are written together. */
  #write({ concurrency = 1 }: IdempotencyKey, sql: string, params: readonly Value[]): object[] | Promise<object[]> {
    return concurrency > 1 ? this.db.batched(sql, params, concurrency) : this.db.query(sql, params)
  }

  /** The state of a claimed key; undefined if it is free. */
  async #look({ principal, tool, key }: IdempotencyKey, argsHash: string): Promise<Claim | undefined> {
    const [row] = await this.db.query<Row>(
      `SELECT args_hash, call_id, started_at, outcome, ${this.processes.isGoneSql('once.owner')} AS gone
       FROM once WHERE ${OF_KEY}`,
      [principal, tool, key],
    )
    if (row === undefined) return undefined
    if (row.args_hash !== argsHash) return { state: 'other' }
    if (row.outcome !== null) return { state: 'done', call_id: row.call_id, outcome: row.outcome }
    if (row.gone) return { state: 'lost', call_id: row.call_id, started_at: row.started_at }
    return { state: 'running' }
  }

  /** Whether a repeated call would get the recorded result without running. */
  async isDone({ principal, tool, key }: IdempotencyKey, argsHash: string): Promise<boolean> {
    return this.returnsRow(
      `SELECT call_id FROM once WHERE ${OF_KEY} AND args_hash = ?
       AND outcome IS NOT NULL AND expires_at > ${this.db.now}`,
      [principal, tool, key, argsHash],
    )
  }

  /** Takes over from a process that is gone; false if another call was faster. For calls that may safely run again. */
  async takeOver({ principal, tool, key }: IdempotencyKey, lostCallId: string, callId: string): Promise<boolean> {
    return this.returnsRow(
      `UPDATE once SET call_id = ?, owner = ?, started_at = ${this.db.now}
       WHERE ${OF_KEY} AND call_id = ? AND outcome IS NULL RETURNING call_id`,
      [callId, this.processes.id, principal, tool, key, lostCallId],
    )
  }

  /** Stores the result; await it before the result leaves. */
  async finish(id: IdempotencyKey, callId: string, outcome: string): Promise<void> {
    const { principal, tool, key } = id
    await this.#write(
      id,
      `UPDATE once SET outcome = ?, finished_at = ${this.db.now}
       WHERE ${OF_KEY} AND call_id = ? RETURNING call_id`,
      [outcome, principal, tool, key, callId],
    )
  }

  /** The call did not start its tool: the key is free again. */
  async release({ principal, tool, key }: IdempotencyKey, callId: string): Promise<void> {
    await this.db.query(`DELETE FROM once WHERE ${OF_KEY} AND call_id = ? AND outcome IS NULL RETURNING call_id`, [
      principal,
      tool,
      key,
      callId,
    ])
  }

  /**
   * Forgets a result, so that the next call of the key runs. Only if running again is harmless, or the tool did not start.
   * False: the call has no result yet.
   */
  async forget({ principal, tool, key }: IdempotencyKey, callId: string): Promise<boolean> {
    return this.returnsRow(
      `DELETE FROM once WHERE ${OF_KEY} AND call_id = ? AND outcome IS NOT NULL RETURNING call_id`,
      [principal, tool, key, callId],
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

  async sweep(): Promise<void> {
    await this.db.query(`DELETE FROM once WHERE run IS NULL AND expires_at <= ${this.db.now}`)
  }
}
