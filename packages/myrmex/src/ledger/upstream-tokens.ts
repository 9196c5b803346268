/**
 * Tokens and client registrations for servers behind a host, encrypted under the ledger's key and bound to server, URL, principal and
 * issuer: a row that is moved to another server cannot be opened, and a server with another URL finds none. A refresh token may be
 * used once only, so of all processes one has the lease to refresh.
 */
import { ToolError } from '../protocol/errors.ts'
import { type Db, type Statement, Store } from './db.ts'
import { decryptText, encryptText } from './encrypted-text.ts'
import type { LedgerKey } from './journal/key.ts'

/** What a row belongs to. */
export interface TokenOwner {
  /** tokens: of one sign-in. client: how the host is registered with an issuer. */
  readonly kind: 'tokens' | 'client'
  readonly server: string
  readonly url: string
  /** '' for the account that all callers share */
  readonly principal: string
}

export interface StoredToken {
  readonly issuer: string
  readonly revision: number
  /** why the issuer or the server no longer accepts it; its tokens are gone */
  readonly dead: string | null
  readonly body: unknown
}

interface Row {
  readonly issuer: string
  readonly revision: number
  readonly dead: string | null
  readonly body: string
}

/** An issuer answers within seconds. After that another process may try. */
export const REFRESH_LEASE_MS = 30_000

export class UpstreamTokens extends Store {
  readonly #key: LedgerKey

  constructor(db: Db, key: LedgerKey) {
    super(db)
    this.#key = key
  }

  /** Throws PermissionError if the row cannot be opened. */
  async read(owner: TokenOwner): Promise<StoredToken | undefined> {
    const row = await this.first<Row>('SELECT issuer, revision, dead, body FROM upstream_tokens WHERE id = ?', [
      this.#id(owner),
    ])
    if (row === undefined) return undefined
    const { issuer, revision, dead } = row
    const body = dead === null ? JSON.parse(decryptText(this.#key, about(owner, issuer), row.body)) : undefined
    return { issuer, revision, dead, body }
  }

  /** The same; undefined also for a row that cannot be opened. */
  readIfPossible(owner: TokenOwner): Promise<StoredToken | undefined> {
    return this.read(owner).catch((thrown: unknown) => {
      if (!isUnreadable(thrown)) throw thrown
      return undefined
    })
  }

  /** The revision of the row, without opening it; undefined if there is none. */
  async revision(owner: TokenOwner): Promise<number | undefined> {
    const row = await this.first<{ revision: number }>('SELECT revision FROM upstream_tokens WHERE id = ?', [
      this.#id(owner),
    ])
    return row?.revision
  }

  /** The same, of tokens that nobody has refused. */
  async usableRevision(owner: TokenOwner): Promise<number | undefined> {
    const row = await this.first<{ revision: number }>(
      'SELECT revision FROM upstream_tokens WHERE id = ? AND dead IS NULL',
      [this.#id(owner)],
    )
    return row?.revision
  }

  /** Returns the revision of the row. */
  async write(owner: TokenOwner, issuer: string, body: object): Promise<number> {
    const { sql, params } = this.writing(owner, issuer, body)
    const row = await this.first<{ revision: number }>(`${sql} RETURNING revision`, params ?? [])
    return row?.revision ?? 1
  }

  /** The statement that puts a row in place of the one before. */
  writing(owner: TokenOwner, issuer: string, body: object): Statement {
    const { kind, server, principal } = owner
    return {
      sql: `INSERT INTO upstream_tokens (id, kind, server, principal, issuer, revision, dead, refreshing_until, updated_at, body)
        VALUES (?, ?, ?, ?, ?, 1, NULL, 0, ${this.db.now}, ?)
        ON CONFLICT (id) DO UPDATE SET issuer = excluded.issuer, revision = upstream_tokens.revision + 1, dead = NULL,
        refreshing_until = 0, updated_at = excluded.updated_at, body = excluded.body`,
      params: [this.#id(owner), kind, server, principal, issuer, this.#sealed(owner, issuer, body)],
    }
  }

  /** The statement that removes a row. */
  removing(owner: TokenOwner): Statement {
    return { sql: 'DELETE FROM upstream_tokens WHERE id = ?', params: [this.#id(owner)] }
  }

  /** The host registers with the issuer again at the next login; undefined: with any issuer of this server. */
  async forgetClients(server: string, issuer?: string): Promise<void> {
    const isOf = issuer === undefined ? '' : ' AND issuer = ?'
    await this.db.query(`DELETE FROM upstream_tokens WHERE kind = 'client' AND server = ?${isOf}`, [
      server,
      ...(issuer === undefined ? [] : [issuer]),
    ])
  }

  /** Of all processes, only one may refresh a revision at a time. */
  claimRefresh(owner: TokenOwner, revision: number): Promise<boolean> {
    const { now } = this.db
    return this.returnsRow(
      `UPDATE upstream_tokens SET refreshing_until = ${now} + ${REFRESH_LEASE_MS}
       WHERE id = ? AND revision = ? AND dead IS NULL AND refreshing_until <= ${now} RETURNING id`,
      [this.#id(owner), revision],
    )
  }

  /** The issuer could not be asked: another attempt is possible at once. */
  async releaseRefresh(owner: TokenOwner, revision: number): Promise<void> {
    await this.db.query('UPDATE upstream_tokens SET refreshing_until = 0 WHERE id = ? AND revision = ?', [
      this.#id(owner),
      revision,
    ])
  }

  /** Writes refreshed tokens; undefined if somebody signed in or out meanwhile. Returns the new revision. */
  async finishRefresh(owner: TokenOwner, stored: StoredToken, body: object): Promise<number | undefined> {
    const { issuer, revision } = stored
    const row = await this.first<{ revision: number }>(
      `UPDATE upstream_tokens SET body = ?, revision = revision + 1, refreshing_until = 0, updated_at = ${this.db.now}
       WHERE id = ? AND revision = ? RETURNING revision`,
      [this.#sealed(owner, issuer, body), this.#id(owner), revision],
    )
    return row?.revision
  }

  /** The tokens are refused: they are removed, and no process uses them again. False if there are newer ones. */
  kill(owner: TokenOwner, revision: number, why: string): Promise<boolean> {
    return this.returnsRow(
      `UPDATE upstream_tokens SET dead = ?, body = '', revision = revision + 1, refreshing_until = 0, updated_at = ${this.db.now}
       WHERE id = ? AND revision = ? RETURNING id`,
      [why, this.#id(owner), revision],
    )
  }

  #sealed(owner: TokenOwner, issuer: string, body: object): string {
    return encryptText(this.#key, about(owner, issuer), JSON.stringify(body))
  }

  /** A URL may have secrets in it, so the row has only its MAC. */
  #id({ kind, server, url, principal }: TokenOwner): string {
    return this.#key.mac(`upstream tokens ${JSON.stringify([kind, server, url, principal])}`)
  }
}

/** `read` threw this: the row was written with another key, or belongs to something else. */
export const isUnreadable = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'PermissionError'

const about = ({ kind, server, url, principal }: TokenOwner, issuer: string): string =>
  `upstream ${kind} ${JSON.stringify([server, url, principal, issuer])}`
