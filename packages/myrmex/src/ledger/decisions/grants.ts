/** Standing grants: permissions for calls of one definition without approval, with their time and principal. */
import { crypto } from '../../protocol/builtin.ts'
import { Store } from '../db.ts'

/** One definition of one version of a tool. */
export interface Definition {
  readonly tool: string
  readonly version: string
  readonly hash: string
}

export interface Grant extends Definition {
  readonly id: string
  /** null: for every principal */
  readonly principal: string | null
  readonly granted_by: string
  readonly granted_at: number
  /** null: until it is revoked */
  readonly expires_at: number | null
  readonly revoked_by: string | null
  readonly revoked_at: number | null
}

export const GRANT_COLUMNS =
  'id, tool, version, hash, principal, granted_by, granted_at, expires_at, revoked_by, revoked_at'

export class Grants extends Store {
  async give(
    { tool, version, hash }: Definition,
    by: string,
    options: { principal?: string; until?: number } = {},
  ): Promise<Grant> {
    const id = `g-${crypto.randomBytes(6).toString('hex')}`
    const [grant] = await this.db.query<Grant>(
      `INSERT INTO grants (id, tool, version, hash, principal, granted_by, granted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ${this.db.now}, ?) RETURNING ${GRANT_COLUMNS}`,
      [id, tool, version, hash, options.principal ?? null, by, options.until ?? null],
    )
    return grant as Grant
  }

  /** Revokes every valid grant of a tool and returns their number. */
  async revoke(tool: string, by: string): Promise<number> {
    const rows = await this.db.query(
      `UPDATE grants SET revoked_by = ?, revoked_at = ${this.db.now}
       WHERE tool = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.db.now}) RETURNING id`,
      [by, tool],
    )
    return rows.length
  }

  /** The id of a grant that covers such a call now; synchronous if the engine is. */
  covering({ tool, version, hash }: Definition, principal: string): string | undefined | Promise<string | undefined> {
    const rows = this.db.query<{ id: string }>(
      `SELECT id FROM grants WHERE tool = ? AND version = ? AND hash = ? AND (principal IS NULL OR principal = ?)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.db.now}) ORDER BY granted_at LIMIT 1`,
      [tool, version, hash, principal],
    )
    return rows instanceof Promise ? rows.then(([row]) => row?.id) : rows[0]?.id
  }

  async list(tool?: string): Promise<Grant[]> {
    const where = tool === undefined ? '' : 'WHERE tool = ?'
    return await this.db.query<Grant>(
      `SELECT ${GRANT_COLUMNS} FROM grants ${where} ORDER BY tool, granted_at`,
      tool === undefined ? [] : [tool],
    )
  }
}
