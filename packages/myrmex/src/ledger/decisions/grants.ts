/**
 * Standing grants: permissions for calls of one definition without approval, with their time and principal. A grant that this
 * process gives or revokes counts at once; what another process decides counts from the next call that arrives.
 */
import { crypto } from '../../protocol/builtin.ts'
import type { Rows } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { DecisionStore } from './decision-store.ts'

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

type ValidGrant = Pick<Grant, 'id' | 'principal' | 'expires_at'>

interface CachedGrants {
  readonly definition: Definition
  /** oldest first */
  readonly grants: readonly ValidGrant[]
}

/** Most hosts have fewer definitions with grants. */
const MAX_CACHED = 5000

export class Grants extends DecisionStore {
  protected readonly table = 'grants'
  /** the valid grants of each definition, by its hash, and the state of the store in which they were read */
  readonly #cache = new Map<string, CachedGrants>()
  #state: number | undefined

  async give(
    { tool, version, hash }: Definition,
    by: Decider,
    options: { principal?: string; until?: number } = {},
  ): Promise<Grant> {
    const id = `g-${crypto.randomBytes(6).toString('hex')}`
    const [grant] = await this.decide<Grant>(
      'grant',
      by,
      `INSERT INTO grants (id, tool, version, hash, principal, granted_by, granted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ${this.db.now}, ?) RETURNING ${GRANT_COLUMNS}`,
      [id, tool, version, hash, options.principal ?? null, deciderName(by), options.until ?? null],
    )
    this.#cache.clear()
    return grant as Grant
  }

  /** Revokes every valid grant of a tool and returns their number. */
  async revoke(tool: string, by: Decider): Promise<number> {
    const rows = await this.decide(
      'revoke',
      by,
      `UPDATE grants SET revoked_by = ?, revoked_at = ${this.after('granted_at')}
       WHERE tool = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.db.now})
       RETURNING ${GRANT_COLUMNS}`,
      [deciderName(by), tool],
    )
    this.#cache.clear()
    return rows.length
  }

  /** The id of the oldest grant that covers such a call now; synchronous if the engine is. */
  covering(definition: Definition, principal: string): string | undefined | Promise<string | undefined> {
    const now = Date.now()
    const state = this.db.changeCounter?.()
    if (state !== this.#state || this.#cache.size > MAX_CACHED) {
      this.#cache.clear()
      this.#state = state
    }
    const cached = this.#cache.get(definition.hash)
    if (cached !== undefined && isSame(cached.definition, definition)) return oldestFor(cached.grants, principal, now)
    const grants = this.#read(definition)
    if (grants instanceof Promise) return grants.then((late) => oldestFor(late, principal))
    this.#cache.set(definition.hash, { definition, grants })
    return oldestFor(grants, principal, now)
  }

  #read({ tool, version, hash }: Definition): Rows<ValidGrant> {
    return this.db.query<ValidGrant>(
      `SELECT id, principal, expires_at FROM grants WHERE tool = ? AND version = ? AND hash = ? AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > ${this.db.now}) ORDER BY granted_at`,
      [tool, version, hash],
    )
  }

  async list(tool?: string): Promise<Grant[]> {
    const where = tool === undefined ? '' : 'WHERE tool = ?'
    return await this.db.query<Grant>(
      `SELECT ${GRANT_COLUMNS} FROM grants ${where} ORDER BY tool, granted_at`,
      tool === undefined ? [] : [tool],
    )
  }
}

const isSame = (one: Definition, other: Definition): boolean =>
  one.tool === other.tool && one.version === other.version && one.hash === other.hash

/** `now` is for grants that were read earlier: the store has left out those that had expired then. */
function oldestFor(grants: readonly ValidGrant[], principal: string, now = 0): string | undefined {
  const covers = (grant: ValidGrant): boolean =>
    (grant.principal === null || grant.principal === principal) && (grant.expires_at ?? Number.MAX_VALUE) > now
  return grants.find(covers)?.id
}
