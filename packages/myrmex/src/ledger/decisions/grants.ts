/** Standing grants: permissions for calls of one definition without approval, with their time and principal. */
import { crypto } from '../../protocol/builtin.ts'
import type { Db } from '../db.ts'

export interface Grant {
  readonly id: string
  readonly tool: string
  readonly version: string
  readonly hash: string
  /** null: for every principal */
  readonly principal: string | null
  readonly granted_by: string
  readonly granted_at: number
  /** null: until it is revoked */
  readonly expires_at: number | null
  readonly revoked_by: string | null
  readonly revoked_at: number | null
}

export interface Definition {
  readonly tool: string
  readonly version: string
  readonly hash: string
}

const COLUMNS = 'id, tool, version, hash, principal, granted_by, granted_at, expires_at, revoked_by, revoked_at'

export class Grants {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async give(
    { tool, version, hash }: Definition,
    by: string,
    options: { principal?: string; until?: number } = {},
  ): Promise<Grant> {
    const id = `g-${crypto.randomBytes(6).toString('hex')}`
    const [grant] = await this.#db.query<Grant>(
      `INSERT INTO grants (id, tool, version, hash, principal, granted_by, granted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ${this.#db.now}, ?) RETURNING ${COLUMNS}`,
      [id, tool, version, hash, options.principal ?? null, by, options.until ?? null],
    )
    return grant as Grant
  }

  /** Revokes every valid grant of a tool and returns their number. */
  async revoke(tool: string, by: string): Promise<number> {
    const rows = await this.#db.query(
      `UPDATE grants SET revoked_by = ?, revoked_at = ${this.#db.now}
       WHERE tool = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.#db.now}) RETURNING id`,
      [by, tool],
    )
    return rows.length
  }

  /** The id of a grant that covers such a call now; synchronous if the engine is. */
  covering({ tool, version, hash }: Definition, principal: string): string | undefined | Promise<string | undefined> {
    const rows = this.#db.query<{ id: string }>(
      `SELECT id FROM grants WHERE tool = ? AND version = ? AND hash = ? AND (principal IS NULL OR principal = ?)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.#db.now}) ORDER BY granted_at LIMIT 1`,
      [tool, version, hash, principal],
    )
    return rows instanceof Promise ? rows.then(([row]) => row?.id) : rows[0]?.id
  }

  async list(tool?: string): Promise<Grant[]> {
    return tool === undefined
      ? await this.#db.query<Grant>(`SELECT ${COLUMNS} FROM grants ORDER BY tool, granted_at`)
      : await this.#db.query<Grant>(`SELECT ${COLUMNS} FROM grants WHERE tool = ? ORDER BY granted_at`, [tool])
  }
}
