/** Tasks, so that a task started before a restart is found after it. A task whose process is gone has failed. */
import type { Value } from './db.ts'
import { ProcessStore } from './processes.ts'

export interface TaskRow {
  readonly id: string
  readonly principal: string
  readonly tool: string
  readonly call_id: string
  readonly status: string
  /** JSON: what `tasks/get` gives, without secrets */
  readonly body: string
  readonly created_at: number
  readonly expires_at: number
}

export interface StoredTask extends TaskRow {
  /** it was at work, and its process is gone */
  readonly orphaned: boolean
}

export class TaskStore extends ProcessStore {
  /** Await it before the caller gets the status. A final status does not change. */
  async save({ id, principal, tool, call_id, status, body, created_at, expires_at }: TaskRow): Promise<void> {
    await this.processes.register()
    await this.db.query(
      `INSERT INTO tasks (id, principal, tool, call_id, owner, status, body, created_at, updated_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${this.db.now}, ?)
       ON CONFLICT (id) DO UPDATE
       SET status = excluded.status, body = excluded.body, updated_at = excluded.updated_at, expires_at = excluded.expires_at
       WHERE tasks.status NOT IN ('completed', 'cancelled', 'failed')`,
      [id, principal, tool, call_id, this.processes.id, status, body, created_at, expires_at],
    )
  }

  async find(id: string): Promise<StoredTask | undefined> {
    const [row] = await this.#query('id = ?', [id])
    return row
  }

  /** Of one principal, the newest first; only those that come after `before` in that order. */
  list(principal: string, limit: number, before?: Pick<TaskRow, 'created_at' | 'id'>): Promise<StoredTask[]> {
    const older = before === undefined ? '' : 'AND (created_at < ? OR (created_at = ? AND id < ?))'
    const from = before === undefined ? [] : [before.created_at, before.created_at, before.id]
    const order = 'ORDER BY created_at DESC, id DESC LIMIT ?'
    return this.#query(`principal = ? ${older}`, [principal, ...from, limit], order)
  }

  async #query(which: string, params: readonly Value[], order = ''): Promise<StoredTask[]> {
    const rows = await this.db.query<TaskRow & { gone: number | boolean }>(
      `SELECT id, principal, tool, call_id, status, body, created_at, expires_at,
       ${this.processes.isGoneSql('tasks.owner')} AS gone FROM tasks WHERE ${which} AND expires_at > ${this.db.now} ${order}`,
      params,
    )
    return rows.map(({ gone, ...task }) => {
      const isUnfinished = task.status === 'working' || task.status === 'input_required'
      return { ...task, orphaned: Boolean(gone) && isUnfinished }
    })
  }

  async sweep(): Promise<void> {
    await this.db.query(`DELETE FROM tasks WHERE expires_at <= ${this.db.now}`)
  }
}
