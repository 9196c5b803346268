/**
 * Runs and their journal. One process at a time holds the lease of a run. Each time the lease is acquired its term grows, and a
 * write counts only while the term is still the writer's own. The results of steps are idempotency records (idempotency.ts).
 */
import { crypto } from '../protocol/builtin.ts'
import type { Statement, Value } from './db.ts'
import { ProcessStore } from './processes.ts'

/** The last four are final. refused: nothing was run, because the plan was invalid or not approved. */
export type RunStatus = 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled' | 'refused'

export interface RunRow {
  readonly id: string
  readonly goal: string
  /** on whose behalf */
  readonly principal: string
  readonly status: RunStatus
  /** JSON of how it was started, partly encrypted; see agent/run/settings.ts */
  readonly settings: string
  /** money reserved or spent */
  readonly spent: number
  readonly leader: string | null
  readonly term: number
  /** who wants it to stop, and why */
  readonly stopped_by: string | null
  readonly stop_reason: string | null
  readonly report: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly ended_at: number | null
}

export interface EventRow {
  readonly seq: number
  readonly time: number
  readonly term: number
  readonly kind: string
  readonly step: string | null
  readonly body: string
}

/** A change of the run and its journal event: both are written or neither. */
export interface RunChange {
  readonly kind: string
  readonly step?: string | null
  readonly body?: string
  readonly status?: RunStatus
  /** ends the run */
  readonly report?: string
}

export interface Lesson {
  readonly tool: string
  readonly calls: number
  readonly failures: number
  readonly total_ms: number
}

const COLUMNS = `id, goal, principal, status, settings, spent, leader, term, stopped_by, stop_reason,
  report, created_at, updated_at, ended_at`
/** SQL that is true while a process holds the lease of a run in a term; its parameters are run, term and process. */
export const HOLDS_LEASE = 'EXISTS (SELECT 1 FROM runs WHERE id = ? AND term = ? AND leader = ?)'
const FINAL = `('succeeded', 'failed', 'cancelled', 'refused')`

export interface Lease {
  readonly term: number
  /** the last process did not release its lease: it died */
  readonly isOrphan: boolean
}

export const newRunId = (): string => `r-${crypto.randomBytes(6).toString('hex')}`

export class RunStore extends ProcessStore {
  /** called when somebody in this process stops a run; other processes find out by polling */
  readonly #listeners = new Set<(run: string) => void>()
  /** leases that could not be released yet, by run: while this process lives, no other can acquire them */
  readonly #unreleased = new Map<string, number>()

  async create(run: { id?: string; goal: string; principal: string; settings: string }, body: string): Promise<RunRow> {
    const { id = newRunId() } = run
    const { now } = this.db
    await this.db.transaction([
      {
        sql: `INSERT INTO runs (id, goal, principal, status, settings, spent, term, created_at, updated_at)
              VALUES (?, ?, ?, 'running', ?, 0, 0, ${now}, ${now})`,
        params: [id, run.goal, run.principal, run.settings],
      },
      {
        sql: `INSERT INTO run_events (run, seq, time, term, kind, step, body) VALUES (?, 1, ${now}, 0, 'created', NULL, ?)`,
        params: [id, body],
      },
    ])
    return (await this.find(id)) as RunRow
  }

  async find(id: string): Promise<RunRow | undefined> {
    return this.first<RunRow>(`SELECT ${COLUMNS} FROM runs WHERE id = ?`, [id])
  }

  /** Newest first. */
  async list(options: { open?: boolean; principal?: string; limit?: number } = {}): Promise<RunRow[]> {
    const { open = false, principal = null, limit = 100 } = options
    return await this.db.query<RunRow>(
      `SELECT ${COLUMNS} FROM runs WHERE (CAST(? AS TEXT) IS NULL OR principal = ?) ${open ? 'AND ended_at IS NULL' : ''}
       ORDER BY created_at DESC, id LIMIT ?`,
      [principal, principal, limit],
    )
  }

  /** Runs that wait for a person, oldest first. */
  async waiting(): Promise<Pick<RunRow, 'id' | 'updated_at'>[]> {
    return await this.db.query<Pick<RunRow, 'id' | 'updated_at'>>(
      "SELECT id, updated_at FROM runs WHERE ended_at IS NULL AND status = 'waiting' ORDER BY created_at, id",
    )
  }

  /** Open runs that no living process executes, and that wait for nobody or are to stop. */
  async withoutLease(): Promise<string[]> {
    await this.#releaseAll()
    await this.processes.removeDead()
    const rows = await this.db.query<{ id: string }>(
      `SELECT id FROM runs WHERE ended_at IS NULL AND (status = 'running' OR stopped_by IS NOT NULL)
       AND ${this.#free()} ORDER BY created_at`,
    )
    return rows.map(({ id }) => id)
  }

  #free(): string {
    return `(leader IS NULL OR ${this.processes.isGoneSql('runs.leader')})`
  }

  /** Acquires the lease of a run that no living process holds. Undefined: one does, or the run is over. */
  async acquireLease(id: string): Promise<Lease | undefined> {
    await this.processes.register()
    await this.#releaseAll()
    await this.processes.removeDead()
    const isFree = `id = ? AND ended_at IS NULL AND ${this.#free()}`
    for (;;) {
      const last = await this.first<Pick<RunRow, 'term' | 'leader'>>(`SELECT term, leader FROM runs WHERE ${isFree}`, [
        id,
      ])
      if (last === undefined) return undefined
      // Between the two statements another process may acquire the lease, and die.
      const [row] = await this.db.query<{ term: number }>(
        `UPDATE runs SET leader = ?, term = term + 1, updated_at = ${this.db.now},
         spent = (SELECT coalesce(sum(amount), 0) FROM run_spends WHERE run_spends.run = runs.id)
         WHERE ${isFree} AND term = ? AND coalesce(leader, '') = ? RETURNING term`,
        [this.processes.id, id, last.term, last.leader ?? ''],
      )
      if (row !== undefined) return { term: row.term, isOrphan: last.leader !== null }
    }
  }

  /** Releases the lease: the run waits for somebody, or has ended. */
  async releaseLease(id: string, term: number): Promise<void> {
    this.#unreleased.set(id, term)
    await this.db.query(
      'UPDATE runs SET leader = NULL WHERE id = ? AND term = ? AND leader = ? RETURNING id',
      this.#lease(id, term),
    )
    this.#unreleased.delete(id)
  }

  /** Releases leases that the ledger could not release before. */
  async #releaseAll(): Promise<void> {
    for (const [id, term] of [...this.#unreleased]) await this.releaseLease(id, term)
  }

  #lease(id: string, term: number): Value[] {
    return [id, term, this.processes.id]
  }

  /** False: another process holds the lease now, and nothing was written. */
  async appendEvent(id: string, term: number, seq: number, change: RunChange): Promise<boolean> {
    const { status, report } = change
    const { now } = this.db
    const sets = [`updated_at = ${now}`]
    const values: Value[] = []
    if (status !== undefined) {
      sets.push('status = ?')
      values.push(status)
    }
    if (report !== undefined) {
      sets.push('report = ?', `ended_at = ${now}`)
      values.push(report)
    }
    const lease = this.#lease(id, term)
    await this.db.transaction([
      // First: it locks the row, so that nobody acquires the lease before the event is written too.
      {
        sql: `UPDATE runs SET ${sets.join(', ')} WHERE id = ? AND term = ? AND leader = ?`,
        params: [...values, ...lease],
      },
      this.#insertEvent(id, term, seq, change),
    ])
    return (await this.db.query(`SELECT id FROM runs WHERE id = ? AND term = ? AND leader = ?`, lease)).length > 0
  }

  #insertEvent(id: string, term: number, seq: number, change: RunChange): Statement {
    const { kind, step = null, body = '{}' } = change
    return {
      sql: `INSERT INTO run_events (run, seq, time, term, kind, step, body)
            SELECT ?, CAST(? AS BIGINT), ${this.db.now}, CAST(? AS BIGINT), ?, CAST(? AS TEXT), ? WHERE ${HOLDS_LEASE}`,
      params: [id, seq, term, kind, step, body, ...this.#lease(id, term)],
    }
  }

  async events(id: string, after = 0): Promise<EventRow[]> {
    return await this.db.query<EventRow>(
      'SELECT seq, time, term, kind, step, body FROM run_events WHERE run = ? AND seq > ? ORDER BY seq',
      [id, after],
    )
  }

  /** The kill switch: the process with the lease stops, and the run is only taken up to end it. False: it has ended already. */
  async stop(id: string, by: string, reason: string): Promise<boolean> {
    const rows = await this.db.query(
      `UPDATE runs SET stopped_by = coalesce(stopped_by, ?), stop_reason = coalesce(stop_reason, ?),
       status = CASE WHEN status = 'waiting' THEN 'running' ELSE status END, updated_at = ${this.db.now}
       WHERE id = ? AND status NOT IN ${FINAL} RETURNING id`,
      [by, reason, id],
    )
    for (const listener of [...this.#listeners]) listener(id)
    return rows.length > 0
  }

  onStop(listener: (run: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Continues a waiting run: somebody has decided or answered. */
  async resume(id: string): Promise<boolean> {
    return this.returnsRow(
      `UPDATE runs SET status = 'running', updated_at = ${this.db.now} WHERE id = ? AND status = 'waiting' RETURNING id`,
      [id],
    )
  }

  /** New settings, such as answers to questions; for a run that no process executes. */
  async updateSettings(id: string, settings: string): Promise<void> {
    await this.db.query('UPDATE runs SET settings = ? WHERE id = ? AND ended_at IS NULL RETURNING id', [settings, id])
  }

  /** Amounts taken from the budget so far, by what they are for. */
  async spends(id: string): Promise<Map<string, number>> {
    const rows = await this.db.query<{ spend_key: string; amount: number }>(
      'SELECT spend_key, amount FROM run_spends WHERE run = ?',
      [id],
    )
    return new Map(rows.map(({ spend_key, amount }) => [spend_key, amount]))
  }

  /**
   * Takes an amount out of the budget if enough is left. The sum is in one row, so that simultaneous calls wait for each
   * other. The purpose of each amount is written after it; a process that takes over counts those rows.
   */
  async reserve(id: string, term: number, key: string, amount: number, ceiling: number): Promise<boolean> {
    const lease = this.#lease(id, term)
    const taken = await this.db.query(
      'UPDATE runs SET spent = spent + ? WHERE id = ? AND term = ? AND leader = ? AND spent + ? <= ? RETURNING id',
      [amount, ...lease, amount, ceiling],
    )
    if (taken.length === 0) return false
    await this.db.query(
      `INSERT INTO run_spends (run, spend_key, amount) SELECT ?, ?, CAST(? AS DOUBLE PRECISION) WHERE ${HOLDS_LEASE}
       ON CONFLICT (run, spend_key) DO NOTHING`,
      [id, key, amount, ...lease],
    )
    return true
  }

  /** Returns the part of a reserved amount that was not needed. */
  async refund(id: string, term: number, key: string, taken: number, needed: number): Promise<void> {
    const lease = this.#lease(id, term)
    const [change, amount] =
      needed === 0 ? ['DELETE FROM run_spends', []] : ['UPDATE run_spends SET amount = ?', [needed]]
    await this.db.transaction([
      // First: it locks the row, so that nobody acquires the lease between the two statements.
      {
        sql: 'UPDATE runs SET spent = spent - ? WHERE id = ? AND term = ? AND leader = ?',
        params: [taken - needed, ...lease],
      },
      { sql: `${change} WHERE run = ? AND spend_key = ? AND ${HOLDS_LEASE}`, params: [...amount, id, key, ...lease] },
    ])
  }

  /** Adds what a run has shown about its tools, once: together with its journal event. */
  async recordLessons(id: string, term: number, seq: number, lessons: readonly Lesson[]): Promise<void> {
    const lease = this.#lease(id, term)
    const { now } = this.db
    await this.db.transaction([
      // First: it locks the row. Else a process that takes the run over in the middle would count the same lessons again.
      { sql: `UPDATE runs SET updated_at = ${now} WHERE id = ? AND term = ? AND leader = ?`, params: lease },
      ...lessons.map(({ tool, calls, failures, total_ms }) => ({
        sql: `INSERT INTO lessons (tool, calls, failures, total_ms, updated_at)
              SELECT ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), ${now} WHERE ${HOLDS_LEASE}
              ON CONFLICT (tool) DO UPDATE SET calls = lessons.calls + excluded.calls,
              failures = lessons.failures + excluded.failures, total_ms = lessons.total_ms + excluded.total_ms,
              updated_at = excluded.updated_at`,
        params: [tool, calls, failures, total_ms, ...lease],
      })),
      this.#insertEvent(id, term, seq, { kind: 'learned', body: JSON.stringify({ lessons }) }),
    ])
  }

  async lessons(): Promise<Lesson[]> {
    return await this.db.query<Lesson>('SELECT tool, calls, failures, total_ms FROM lessons ORDER BY tool')
  }
}
