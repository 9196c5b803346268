/**
 * What the embedded issuer keeps: its keys, the clients that registered, logins, grants, codes and refresh tokens. Each is found by the
 * hash of its id, because an id is a credential, and its body is encrypted under the ledger's key and bound to the id. A code or a refresh
 * token is consumed by one statement that only one request can win.
 */
import { crypto } from '../../protocol/builtin.ts'
import { type Db, type Statement, Store } from '../db.ts'
import { decryptText, encryptText } from '../encrypted-text.ts'
import type { LedgerKey } from '../journal/key.ts'

export interface IssuerRecord {
  readonly body: string
  /** seconds since the epoch; null: not yet */
  readonly consumed_at: number | null
}

interface Row extends IssuerRecord {
  readonly id_hash: string
}

export interface RecordLinks {
  /** the grant that it belongs to */
  readonly grant?: string | undefined
  /** another id by which it is found */
  readonly uid?: string | undefined
  /** whose it is */
  readonly user?: string | undefined
}

/** Access tokens are valid without a look at the store, so that their grant was revoked is kept for as long as they last. */
const REVOKED = 'RevokedGrant'
const REDUCED = 'ReducedGrant'
const REDUCED_MS = 366 * 24 * 3_600_000
/** The longest life of an access token, and the clocks' tolerance. */
const REVOKED_MS = 65 * 60_000

export const hashOf = (id: string): string => crypto.hash('sha256', id, 'base64url')

export class IssuerRecords extends Store {
  readonly #key: LedgerKey
  #version = 0

  constructor(db: Db, key: LedgerKey) {
    super(db)
    this.#key = key
  }

  /** Raised by each revocation that this process makes. */
  get version(): number {
    return this.#version
  }

  /** `lifetimeMs` undefined: it is kept until it is removed. */
  async put(
    kind: string,
    id: string,
    body: string,
    lifetimeMs: number | undefined,
    links: RecordLinks = {},
  ): Promise<void> {
    await this.#insert(
      kind,
      id,
      body,
      lifetimeMs,
      links,
      'DO UPDATE SET body = excluded.body, expires_at = excluded.expires_at, user_name = excluded.user_name',
    )
  }

  /** The one that is stored: of several processes the first decides. */
  async putOnce(kind: string, id: string, body: string): Promise<string> {
    await this.#insert(kind, id, body, undefined, {}, 'DO NOTHING')
    return (await this.find(kind, id))?.body ?? body
  }

  async #insert(
    kind: string,
    id: string,
    body: string,
    lifetimeMs: number | undefined,
    { grant, uid, user }: RecordLinks,
    onConflict: string,
  ): Promise<void> {
    const hash = hashOf(id)
    const expires = lifetimeMs === undefined ? 'NULL' : `${this.db.now} + CAST(? AS BIGINT)`
    await this.db.change(
      `INSERT INTO issuer_records (kind, id_hash, grant_hash, uid_hash, user_name, body, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ${expires}) ON CONFLICT (kind, id_hash) ${onConflict}`,
      [
        ...[
          kind,
          hash,
          grant === undefined ? null : hashOf(grant),
          uid === undefined ? null : hashOf(uid),
          user ?? null,
        ],
        encryptText(this.#key, about(kind, hash), body),
        ...(lifetimeMs === undefined ? [] : [Math.round(lifetimeMs)]),
      ],
    )
  }

  find = (kind: string, id: string): Promise<IssuerRecord | undefined> => this.#findBy('id_hash', kind, id)
  findByUid = (kind: string, uid: string): Promise<IssuerRecord | undefined> => this.#findBy('uid_hash', kind, uid)

  async #findBy(column: 'id_hash' | 'uid_hash', kind: string, value: string): Promise<IssuerRecord | undefined> {
    const row = await this.first<Row>(
      `SELECT id_hash, body, consumed_at FROM issuer_records
       WHERE kind = ? AND ${column} = ? AND (expires_at IS NULL OR expires_at > ${this.db.now})`,
      [kind, hashOf(value)],
    )
    if (row === undefined) return undefined
    return { body: decryptText(this.#key, about(kind, row.id_hash), row.body), consumed_at: row.consumed_at }
  }

  /** False: it was consumed before, or is gone. */
  consume(kind: string, id: string): Promise<boolean> {
    return this.returnsRow(
      'UPDATE issuer_records SET consumed_at = CAST(? AS BIGINT) WHERE kind = ? AND id_hash = ? AND consumed_at IS NULL RETURNING kind',
      [Math.floor(Date.now() / 1000), kind, hashOf(id)],
    )
  }

  async remove(kind: string, id: string): Promise<void> {
    await this.db.change('DELETE FROM issuer_records WHERE kind = ? AND id_hash = ?', [kind, hashOf(id)])
  }

  /** Keeps it at least this long from now on. */
  async extend(kind: string, id: string, lifetimeMs: number): Promise<void> {
    await this.db.change(
      `UPDATE issuer_records SET expires_at = ${this.db.now} + CAST(? AS BIGINT)
       WHERE kind = ? AND id_hash = ? AND expires_at < ${this.db.now} + CAST(? AS BIGINT)`,
      [lifetimeMs, kind, hashOf(id), lifetimeMs],
    )
  }

  async count(kind: string): Promise<number> {
    const row = await this.first<{ count: number }>('SELECT count(*) AS count FROM issuer_records WHERE kind = ?', [
      kind,
    ])
    return Number(row?.count ?? 0)
  }

  /** Removes those that end first, so that one more is within the limit. */
  async makeRoom(kind: string, most: number): Promise<void> {
    const excess = (await this.count(kind)) + 1 - most
    if (excess <= 0) return
    await this.db.change(
      `DELETE FROM issuer_records WHERE kind = ? AND id_hash IN
       (SELECT id_hash FROM issuer_records WHERE kind = ? ORDER BY expires_at LIMIT CAST(? AS BIGINT))`,
      [kind, kind, excess],
    )
  }

  /** Removes all of a grant. Its access tokens are invalid from now on, in every process. */
  async revokeGrant(grant: string): Promise<void> {
    const hash = hashOf(grant)
    const statements: Statement[] = [
      {
        sql: `DELETE FROM issuer_records WHERE grant_hash = ? OR (kind = 'Grant' AND id_hash = ?)`,
        params: [hash, hash],
      },
      {
        sql: `INSERT INTO issuer_records (kind, id_hash, body, expires_at) VALUES ('${REVOKED}', ?, '', ${this.db.now} + ${REVOKED_MS})
          ON CONFLICT (kind, id_hash) DO NOTHING`,
        params: [hash],
      },
    ]
    await this.db.transaction(statements)
    this.#version++
  }

  /**
   * Ends everything that a user has: sessions, refresh tokens, and access tokens. The time of an access token has whole seconds, so
   * that it is older than a decision does not show. Call `changed` afterwards.
   */
  static endUser = (user: string, now: string): Statement[] => [
    {
      sql: `INSERT INTO issuer_records (kind, id_hash, body, expires_at)
        SELECT '${REVOKED}', id_hash, '', ${now} + ${REVOKED_MS} FROM issuer_records WHERE kind = 'Grant' AND user_name = ?
        ON CONFLICT (kind, id_hash) DO NOTHING`,
      params: [user],
    },
    { sql: 'DELETE FROM issuer_records WHERE user_name = ?', params: [user] },
  ]

  /** Another part of this process has revoked something. */
  changed(): void {
    this.#version++
  }

  /** The user of this grant had less than the client asked for. */
  async noteReduced(grant: string, user: string): Promise<void> {
    await this.put(REDUCED, grant, '', REDUCED_MS, { grant, user })
  }

  /**
   * For a user that gets more: clients that had asked for more must ask again, so their refresh tokens end. Official clients renew a token
   * rather than ask for a wider one while they have a refresh token.
   */
  static endReduced = (user: string): Statement => ({
    sql: `DELETE FROM issuer_records WHERE kind = 'RefreshToken' AND user_name = ? AND grant_hash IN
      (SELECT grant_hash FROM issuer_records WHERE kind = '${REDUCED}' AND user_name = ?)`,
    params: [user, user],
  })

  /** Hashes of grants. Synchronous on SQLite. */
  revokedGrants(): { id_hash: string }[] | Promise<{ id_hash: string }[]> {
    return this.db.query<{ id_hash: string }>(`SELECT id_hash FROM issuer_records WHERE kind = '${REVOKED}'`)
  }

  /** Another one whenever grants were revoked, or were so long ago that they are forgotten. Synchronous on SQLite. */
  revokedFingerprint(): { text: string }[] | Promise<{ text: string }[]> {
    return this.db.query<{ text: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(expires_at), 0) AS text FROM issuer_records WHERE kind = '${REVOKED}'`,
    )
  }

  async sweep(): Promise<void> {
    await this.db.change(`DELETE FROM issuer_records WHERE expires_at <= ${this.db.now}`, [])
  }
}

const about = (kind: string, hash: string): string => `issuer record ${kind} ${hash}`
