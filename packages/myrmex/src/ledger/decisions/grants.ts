/**
 * Standing grants: permissions for calls of one definition without approval, with their time and principal. A grant that this
 * process gives or revokes counts at once; what another process decides counts from the next call that arrives.
 */
import { crypto } from '../../protocol/builtin.ts'
import type { Rows, Statement } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import { type RowSignature, UNSIGNED } from '../operator/signed-row.ts'
import { DecisionStore } from './decision-store.ts'

/** One definition of one version of a tool. */
export interface Definition {
  readonly tool: string
  readonly version: string
  readonly hash: string
}

export interface Grant extends Definition, RowSignature {
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
  'id, tool, version, hash, principal, granted_by, granted_at, expires_at, revoked_by, revoked_at, signed_by, signature'

export interface GrantOptions {
  /** undefined: for every principal */
  readonly principal?: string
  /** undefined: until it is revoked */
  readonly until?: number
  /** default: the decider */
  readonly grantedBy?: string
}

type ValidGrant = Pick<Grant, 'id' | 'principal' | 'expires_at'>

interface CachedGrants {
  readonly definition: Definition
  /** oldest first */
  readonly grants: readonly ValidGrant[]
}

/** Decisions of one transaction. */
const MOST_AT_ONCE = 200

/** Most hosts have fewer definitions with grants. */
const MAX_CACHED = 5000

export class Grants extends DecisionStore {
  protected readonly table = 'grants'
  /** the valid grants of each definition, by its hash, and the state of the store in which they were read */
  readonly #cache = new Map<string, CachedGrants>()
  #state: number | undefined
  /** in a locked ledger, the grants that were seen revoked */
  readonly #revoked = new Set<string>()

  async give({ tool, version, hash }: Definition, by: Decider, options: GrantOptions = {}): Promise<Grant> {
    this.lock.requireSigner(by)
    return this.#give({ tool, version, hash }, by, options, true)
  }

  /** The same for many definitions, each a decision of its own in the journal. */
  async giveAll(definitions: readonly Definition[], by: Decider, options: GrantOptions = {}): Promise<void> {
    if (definitions.length > 0) this.lock.requireSigner(by)
    for (let start = 0; start < definitions.length; start += MOST_AT_ONCE) {
      const portion = definitions.slice(start, start + MOST_AT_ONCE)
      const now = await this.clock()
      await this.decideTogether<Grant>(
        by,
        portion.map((given) => ({ what: 'grant', ...this.#statement(given, by, options, now, true) })),
      )
    }
    this.#cache.clear()
  }

  /** For a decision about something else that gives a grant with it: the statement does so only if the approval was decided then. */
  async withApproval(
    { tool, version, hash }: Definition,
    by: Decider,
    { principal, until }: GrantOptions,
  ): Promise<(approval: string, decidedAt: number) => Statement> {
    const row = grantRow(
      { tool, version, hash },
      by,
      { ...(principal !== undefined && { principal }), ...(until !== undefined && { until }) },
      await this.clock(),
    )
    const { signed_by, signature } = this.lock.sign('grants', row, by)
    const { granted_at, expires_at, ...texts } = row
    return (approval, decidedAt) => ({
      sql: `INSERT INTO grants (${Object.keys(texts).join(', ')}, signed_by, signature, granted_at, expires_at)
       SELECT ${[...Object.keys(texts), 'signed_by', 'signature'].map(() => 'CAST(? AS TEXT)').join(', ')}, CAST(? AS BIGINT), CAST(? AS BIGINT)
       WHERE EXISTS (SELECT 1 FROM approvals WHERE id = ? AND status = 'approved' AND decided_at = ?) RETURNING ${GRANT_COLUMNS}`,
      params: [...Object.values(texts), signed_by, signature, granted_at, expires_at, approval, decidedAt],
    })
  }

  /** After a grant was given with another decision. */
  forget(): void {
    this.#cache.clear()
  }

  /** For a file or a program: in a locked ledger the grant waits for the operator's signature. */
  propose(definition: Definition, by: Decider): Promise<Grant> {
    return this.#give(definition, by, {}, false)
  }

  async #give(definition: Definition, by: Decider, options: GrantOptions, isSigned: boolean): Promise<Grant> {
    const { sql, params } = this.#statement(definition, by, options, await this.clock(), isSigned)
    const [grant] = await this.decide<Grant>('grant', by, sql, params)
    this.#cache.clear()
    return grant as Grant
  }

  #statement(
    { tool, version, hash }: Definition,
    by: Decider,
    options: GrantOptions,
    now: number,
    isSigned: boolean,
  ): Required<Statement> {
    const row = grantRow({ tool, version, hash }, by, options, now)
    const { signed_by, signature } = isSigned ? this.lock.sign('grants', row, by) : UNSIGNED
    const values = [...Object.values(row), signed_by, signature]
    return {
      sql: `INSERT INTO grants (${Object.keys(row).join(', ')}, signed_by, signature)
        VALUES (${values.map(() => '?').join(', ')}) RETURNING ${GRANT_COLUMNS}`,
      params: values,
    }
  }

  /** Revokes this grant, and gives the same one again with the operator's signature. False if it was revoked meanwhile. */
  async sign(grant: Grant, by: Decider): Promise<boolean> {
    this.lock.requireSigner(by)
    if ((await this.#revoke('id = ?', grant.id, by)) === 0) return false
    const { principal, expires_at, granted_by } = grant
    await this.give(grant, by, {
      ...(principal !== null && { principal }),
      ...(expires_at !== null && { until: expires_at }),
      grantedBy: granted_by,
    })
    return true
  }

  /** Revokes every valid grant of a tool and returns their number. */
  async revoke(tool: string, by: Decider): Promise<number> {
    return this.#revoke('tool = ?', tool, by)
  }

  async #revoke(which: string, value: string, by: Decider): Promise<number> {
    const rows = await this.decide(
      'revoke',
      by,
      `UPDATE grants SET revoked_by = ?, revoked_at = ${this.after('granted_at')}
       WHERE ${which} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.db.now})
       RETURNING ${GRANT_COLUMNS}`,
      [deciderName(by), value],
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
    if (grants instanceof Promise) return grants.then((late) => oldestFor(late.filter(this.#counts), principal))
    const valid = grants.filter(this.#counts)
    this.#cache.set(definition.hash, { definition, grants: valid })
    return oldestFor(valid, principal, now)
  }

  /** Whether it is signed, if it has to be. */
  isSigned(grant: Grant): boolean {
    return this.lock.accepts('grants', grant)
  }

  /** A grant that this process has seen revoked stays so: its signature does not say that nobody revoked it since. */
  readonly #counts = (grant: Grant): boolean => {
    if (!this.lock.isLocked) return true
    if (grant.revoked_at !== null) this.#revoked.add(grant.id)
    return !this.#revoked.has(grant.id) && this.isSigned(grant)
  }

  #read({ tool, version, hash }: Definition): Rows<Grant> {
    return this.db.query<Grant>(
      `SELECT ${GRANT_COLUMNS} FROM grants WHERE tool = ? AND version = ? AND hash = ?
       ${this.lock.isLocked ? '' : 'AND revoked_at IS NULL'} AND (expires_at IS NULL OR expires_at > ${this.db.now}) ORDER BY granted_at`,
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

const grantRow = (
  { tool, version, hash }: Definition,
  by: Decider,
  { principal, until, grantedBy }: GrantOptions,
  granted_at: number,
) => ({
  id: `g-${crypto.randomBytes(6).toString('hex')}`,
  ...{ tool, version, hash, principal: principal ?? null, granted_by: grantedBy ?? deciderName(by) },
  ...{ granted_at, expires_at: until ?? null },
})
