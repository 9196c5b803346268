/** Standing grants: calls of one definition that need no approval each, by whom, since when, until when, for whom. */
import { crypto } from '../protocol/builtin.ts'
import type { Db } from './db.ts'

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

/** What was found for such a call, which holds until somebody writes. */
interface Found extends Omit<Definition, 'tool'> {
  readonly principal: string
  /** undefined: none covers it */
  readonly id: string | undefined
  readonly expires_at: number | null
}

/** Principals may come without end; what was found for so many of them, calling one tool, is remembered. */
const MOST_FOUND = 100

const COLUMNS = 'id, tool, version, hash, principal, granted_by, granted_at, expires_at, revoked_by, revoked_at'

export class Grants {
  readonly #db: Db
  /** by tool, as of `#state` */
  readonly #found = new Map<string, Found[]>()
  #state: number | undefined

  constructor(db: Db) {
    this.#db = db
  }

  async give(
    { tool, version, hash }: Definition,
    by: string,
    options: { principal?: string; until?: number } = {},
  ): Promise<Grant> {
    this.#found.clear()
    const id = `g-${crypto.randomBytes(6).toString('hex')}`
    const [grant] = await this.#db.query<Grant>(
      `INSERT INTO grants (id, tool, version, hash, principal, granted_by, granted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ${this.#db.now}, ?) RETURNING ${COLUMNS}`,
      [id, tool, version, hash, options.principal ?? null, by, options.until ?? null],
    )
    this.#found.clear()
    return grant as Grant
  }

  /** Takes back every grant of a tool that is in force; gives how many there were. */
  async revoke(tool: string, by: string): Promise<number> {
    this.#found.clear()
    const rows = await this.#db.query(
      `UPDATE grants SET revoked_by = ?, revoked_at = ${this.#db.now}
       WHERE tool = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.#db.now}) RETURNING id`,
      [by, tool],
    )
    this.#found.clear()
    return rows.length
  }

  /** The id of a grant that covers such a call now; at once where the engine answers at once. */
  covering(definition: Definition, principal: string): string | undefined | Promise<string | undefined> {
    const state = this.#db.changed?.()
    if (state !== this.#state) this.#found.clear()
    this.#state = state
    const { tool, version, hash } = definition
    const known = this.#found
      .get(tool)
      ?.find((one) => one.hash === hash && one.principal === principal && one.version === version)
    if (known !== undefined && (known.expires_at === null || known.expires_at > Date.now())) return known.id
    if (known !== undefined) this.#found.delete(tool)
    const rows = this.#db.query<Pick<Grant, 'id' | 'expires_at'>>(
      `SELECT id, expires_at FROM grants
       WHERE tool = ? AND version = ? AND hash = ? AND (principal IS NULL OR principal = ?)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.#db.now}) ORDER BY granted_at LIMIT 1`,
      [tool, version, hash, principal],
    )
    if (rows instanceof Promise) return rows.then(([row]) => row?.id)
    const [{ id, expires_at } = { id: undefined, expires_at: null }] = rows
    if (state !== undefined) this.#remember(tool, { version, hash, principal, id, expires_at })
    return id
  }

  #remember(tool: string, found: Found): void {
    const before = this.#found.get(tool)
    if (before === undefined || before.length >= MOST_FOUND) this.#found.set(tool, [found])
    else before.push(found)
  }

  async list(tool?: string): Promise<Grant[]> {
    return tool === undefined
      ? await this.#db.query<Grant>(`SELECT ${COLUMNS} FROM grants ORDER BY tool, granted_at`)
      : await this.#db.query<Grant>(`SELECT ${COLUMNS} FROM grants WHERE tool = ? ORDER BY granted_at`, [tool])
  }
}
