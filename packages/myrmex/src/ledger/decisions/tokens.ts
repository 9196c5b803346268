/**
 * Tokens of callers, by name. The store has only their hashes. Creating one is a decision of the operator that raises rights: in a locked
 * ledger a row without the operator's signature admits nobody. The tokens that count are in memory, so that a request reads nothing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean } from '../../protocol/text.ts'
import type { Principal } from '../../tool/context.ts'
import { nearest } from '../../tool/nearest.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import type { RowSignature } from '../operator/signed-row.ts'
import { type DecisionStatement, DecisionStore } from './decision-store.ts'
import { isTokenText, newTokenText, tokenHash } from './token-text.ts'

export interface TokenRow extends RowSignature {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly profile: string | null
  /** a JSON array */
  readonly scopes: string
  readonly created_by: string
  readonly created_at: number
  /** null: never */
  readonly expires_at: number | null
  readonly revoked_by: string | null
  /** when it was decided; it counts until `ends_at` */
  readonly revoked_at: number | null
  readonly ends_at: number | null
  readonly last_used_at: number | null
}

const DECIDED =
  'id, name, sha256, profile, scopes, created_by, created_at, expires_at, revoked_by, revoked_at, ends_at, signed_by, signature'

export interface TokenTerms {
  readonly scopes: readonly string[]
  readonly profile?: string | undefined
  /** milliseconds since the epoch; undefined: never */
  readonly until?: number | undefined
}

export interface NewToken {
  /** shown once: the store does not have it */
  readonly token: string
  readonly row: TokenRow
}

interface ActiveToken {
  readonly row: TokenRow
  readonly principal: Principal
  readonly until: number
}

/** Somebody else replaced the token, or revoked it, after it was read. */
class Overtaken extends ToolError {}
const ATTEMPTS = 20

const READ_AGAIN_MS = 100
const NAME = /^[a-z0-9][a-z0-9._-]{0,49}$/

export class Tokens extends DecisionStore {
  protected readonly table = 'tokens'
  #active: ReadonlyMap<string, ActiveToken> = new Map()
  /** rows that were seen revoked: a signature does not say that nobody revoked it since */
  readonly #revoked = new Map<string, number>()
  readonly #listeners = new Set<(ended: Principal) => void>()
  readonly #used = new Map<string, number>()
  #reading: Promise<void> | undefined

  /** The caller of a token; undefined if it does not count. Synchronous, and nothing is read. */
  find(text: string): Principal | undefined {
    if (!isTokenText(text)) return undefined
    // By the hash: how long the look-up takes says nothing about any token.
    const found = this.#active.get(tokenHash(text))
    const now = Date.now()
    if (found === undefined || found.until <= now) return undefined
    this.#used.set(found.row.id, now)
    return found.principal
  }

  /**
   * The same for a token that another process may just have created: the tokens are read again first. Requests within a moment share one
   * read, so unknown tokens cost little, however many are sent.
   */
  async findNew(text: string): Promise<Principal | undefined> {
    if (!isTokenText(text)) return undefined
    this.#reading ??= pause(READ_AGAIN_MS)
      .then(() => {
        this.#reading = undefined
        return this.refresh()
      })
      // The follower of the ledger reports a store that cannot be read.
      .catch(() => {})
    await this.#reading
    return this.find(text)
  }

  /** How many tokens count now. */
  get size(): number {
    return this.#active.size
  }

  /** Calls the listener when a token no longer counts. Its principal is the object that `find` returned. */
  onEnd(listener: (ended: Principal) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async create(name: string, terms: TokenTerms, by: Decider): Promise<NewToken> {
    if (!NAME.test(name))
      throw ToolError.of(
        'ValidationError',
        `The name of a token must be at most 50 lower case letters, digits and . _ -, not ${JSON.stringify(name.slice(0, 100))}`,
      )
    this.lock.requireSigner(by)
    const made = this.#newToken(name, terms, by, await this.clock())
    const [rows = []] = await this.#decideIf(name, (current) => assertFree(name, current), by, [made.insert])
    return { token: made.token, row: rows[0] as TokenRow }
  }

  /** Replaces a token by a new one on the same terms. The old one counts for `overlapMs` more. */
  async rotate(name: string, by: Decider, overlapMs = 0, until?: number): Promise<NewToken> {
    this.lock.requireSigner(by)
    for (let attempt = 1; ; attempt++) {
      const now = await this.clock()
      const before = newest(await this.#current(name))
      if (before === undefined) throw await this.#unknown(name)
      const { scopes, profile, created_at, expires_at } = before
      // The new one is valid as long as the old one was.
      const validUntil = until ?? (expires_at === null ? undefined : now + (expires_at - created_at))
      const terms = { scopes: JSON.parse(scopes), ...(profile !== null && { profile }), until: validUntil }
      const made = this.#newToken(name, terms, by, now)
      const isCurrent = (current: readonly TokenRow[]): void => {
        if (newest(current)?.id !== before.id)
          throw new Overtaken('UnavailableError', `The token ${name} is changed all the time. Try again.`)
      }
      try {
        const end = this.#end('name = ? AND id <> ?', [name, made.id], by, overlapMs)
        const [rows = []] = await this.#decideIf(name, isCurrent, by, [made.insert, end])
        return { token: made.token, row: rows[0] as TokenRow }
      } catch (thrown) {
        if (!(thrown instanceof Overtaken) || attempt === ATTEMPTS) throw thrown
      }
    }
  }

  /** Every token of this name, at once. Returns how many counted. */
  async revoke(name: string, by: Decider): Promise<number> {
    const [rows = []] = await this.decideTogether(by, [this.#end('name = ?', [name], by, 0)])
    await this.refresh()
    if (rows.length === 0) throw await this.#unknown(name)
    return rows.length
  }

  /** All that there ever were, newest first. */
  async list(): Promise<TokenRow[]> {
    await this.writeUse()
    return await this.db.query<TokenRow>(`SELECT ${DECIDED}, last_used_at FROM tokens ORDER BY created_at DESC, id`)
  }

  /** Whether it is signed, if it has to be. */
  isSigned(row: TokenRow): boolean {
    return this.lock.accepts('tokens', row)
  }

  /** Reads the tokens that count. Those that no longer do are reported. */
  async refresh(): Promise<void> {
    const rows = await this.db.query<TokenRow>(`SELECT ${DECIDED} FROM tokens`)
    const now = Date.now()
    const before = this.#active
    const active = new Map<string, ActiveToken>()
    for (const row of rows) {
      if (row.revoked_at !== null)
        this.#revoked.set(
          row.id,
          Math.min(row.ends_at ?? row.revoked_at, this.#revoked.get(row.id) ?? Number.MAX_VALUE),
        )
      const until = endOf(row, this.#revoked.get(row.id))
      if (until <= now || !this.isSigned(row)) continue
      const known = before.get(row.sha256)
      const principal = known?.row.id === row.id && isSame(known.row, row) ? known.principal : principalOf(row)
      active.set(row.sha256, { row, principal, until })
    }
    this.#active = active
    for (const [hash, { principal }] of before) if (active.get(hash)?.principal !== principal) this.#report(principal)
  }

  /** Tokens whose time is up no longer count anyway; now their streams end too. */
  endExpired(now: number = Date.now()): void {
    for (const { until } of this.#active.values())
      if (until <= now) {
        const [left, over] = [new Map<string, ActiveToken>(), [] as ActiveToken[]]
        for (const [hash, one] of this.#active) {
          if (one.until > now) left.set(hash, one)
          else over.push(one)
        }
        this.#active = left
        for (const { principal } of over) this.#report(principal)
        return
      }
  }

  /** Stores when tokens were last used. */
  async writeUse(): Promise<void> {
    const used = [...this.#used]
    this.#used.clear()
    for (const [id, time] of used)
      await this.db.change(
        'UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
        [time, id, time],
      )
  }

  #report(principal: Principal): void {
    for (const listener of this.#listeners) listener(principal)
  }

  #newToken(name: string, { scopes, profile, until }: TokenTerms, by: Decider, now: number) {
    const token = newTokenText()
    const id = `t-${crypto.randomBytes(6).toString('hex')}`
    const row = {
      ...{ id, name, sha256: tokenHash(token), profile: profile ?? null },
      ...{ scopes: JSON.stringify(scopes), created_by: deciderName(by), created_at: now, expires_at: until ?? null },
    }
    const { signed_by, signature } = this.lock.sign('tokens', row, by)
    const params = [...Object.values(row), signed_by, signature]
    const sql = `INSERT INTO tokens (${Object.keys(row).join(', ')}, signed_by, signature)
       VALUES (${params.map(() => '?').join(', ')}) RETURNING ${DECIDED}`
    return { token, id, insert: { what: 'create token', sql, params } }
  }

  #end(which: string, params: readonly string[], by: Decider, overlapMs: number): DecisionStatement {
    const { now } = this.db
    return {
      what: 'revoke token',
      sql: `UPDATE tokens SET revoked_by = ?, revoked_at = ${this.after('coalesce(revoked_at, created_at)')},
         ends_at = CASE WHEN ends_at IS NOT NULL AND ends_at < ${now} + ? THEN ends_at ELSE ${now} + ? END
       WHERE ${which} AND (ends_at IS NULL OR ends_at > ${now}) AND (expires_at IS NULL OR expires_at > ${now})
       RETURNING ${DECIDED}`,
      params: [deciderName(by), overlapMs, overlapMs, ...params],
    }
  }

  /** Decides, if `check` accepts the rows of a name that count, and reads the tokens again. */
  async #decideIf(
    name: string,
    check: (current: readonly TokenRow[]) => void,
    by: Decider,
    decisions: readonly DecisionStatement[],
  ): Promise<TokenRow[][]> {
    const isFit = (rows: readonly TokenRow[]): void => check(rows.filter((row) => this.isSigned(row)))
    const made = await this.decideIf<TokenRow>(this.#currentOf(name), isFit, by, decisions)
    await this.refresh()
    return made
  }

  /** Rows of a name that are neither over nor revoked. */
  #currentOf(name: string): { readonly sql: string; readonly params: readonly string[] } {
    const isValid = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.db.now})`
    return { sql: `SELECT ${DECIDED} FROM tokens WHERE name = ? AND ${isValid}`, params: [name] }
  }

  async #current(name: string): Promise<TokenRow[]> {
    const { sql, params } = this.#currentOf(name)
    return (await this.db.query<TokenRow>(sql, params)).filter((row) => this.isSigned(row))
  }

  async #unknown(name: string): Promise<ToolError> {
    const now = Date.now()
    const names = (await this.list()).filter((row) => endOf(row, undefined) > now).map((row) => row.name)
    const known = [...new Set(names)]
    const there = known.length === 0 ? ' There are no tokens.' : ` Tokens: ${known.slice(0, 20).join(', ')}.`
    return ToolError.of(
      'ValidationError',
      `No token ${JSON.stringify(name.slice(0, 100))} is valid.${didYouMean(nearest(name, known))}${there}`,
    )
  }
}

/** When it stops to count. */
export const endOf = ({ expires_at, revoked_at, ends_at }: TokenRow, revoked: number | undefined): number =>
  Math.min(
    expires_at ?? Number.MAX_VALUE,
    revoked ?? Number.MAX_VALUE,
    revoked_at === null ? Number.MAX_VALUE : (ends_at ?? revoked_at),
  )

const newest = (rows: readonly TokenRow[]): TokenRow | undefined =>
  rows.toSorted((a, b) => b.created_at - a.created_at)[0]

function assertFree(name: string, { length }: readonly TokenRow[]): void {
  if (length === 0) return
  throw ToolError.of(
    'ValidationError',
    `There is a token ${name} already. Choose another name, or replace it: npx myrmex tokens rotate ${name}`,
  )
}

const isSame = (one: TokenRow, other: TokenRow): boolean =>
  one.name === other.name && one.scopes === other.scopes && one.profile === other.profile

function principalOf({ name, scopes, profile }: TokenRow): Principal {
  return Object.freeze({
    ...{ id: `token:${name}`, kind: 'bearer', scopes: Object.freeze(readScopes(scopes)) },
    ...(profile !== null && { profile }),
  })
}

/** In open mode anything may be in the store. What is no list of scopes allows nothing. */
export function readScopes(text: string): string[] {
  try {
    const scopes: unknown = JSON.parse(text)
    return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []
  } catch {
    return []
  }
}
