/**
 * Invitations: links with which a user chooses what to sign in with. A link works once and until it expires. The store has only a MAC of its
 * secret that names the user and the expiry, so that nobody who can write the store can make a link or move one to another user.
 */
import { crypto } from '../../protocol/builtin.ts'
import { type Db, Store } from '../db.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import type { LedgerKey } from '../journal/key.ts'
import type { User, Users, UserTerms } from './users.ts'

export interface Invitation {
  readonly id: string
  readonly user_name: string
  readonly created_by: string
  readonly created_at: number
  readonly expires_at: number
  readonly used_at: number | null
}

interface Row extends Invitation {
  readonly secret_mac: string
}

const COLUMNS = 'id, user_name, created_by, created_at, expires_at, used_at'
const CODE = /^(i-[0-9a-f]{12})-([\w-]{43})$/

export const INVITATION_MS: number = 3 * 24 * 3_600_000
export const MAX_INVITATION_MS: number = 30 * 24 * 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000

export class Invitations extends Store {
  readonly #key: LedgerKey
  readonly #users: Users

  constructor(db: Db, key: LedgerKey, users: Users) {
    super(db)
    this.#key = key
    this.#users = users
  }

  /** Adds or changes the user. Earlier links for it stop working. `code` is the last part of the link, and is stored nowhere. */
  async create(
    name: string,
    terms: UserTerms,
    by: Decider,
    expiresAt: number = Date.now() + INVITATION_MS,
  ): Promise<{ user: User; invitation: Invitation; code: string }> {
    const id = `i-${crypto.randomBytes(6).toString('hex')}`
    const secret = crypto.randomBytes(32).toString('base64url')
    const invitation = {
      ...{ id, user_name: name, created_by: deciderName(by) },
      ...{ created_at: Date.now(), expires_at: expiresAt, used_at: null },
    }
    const values = [...Object.values(invitation), this.#mac(name, expiresAt, secret)]
    const user = await this.#users.invite(name, terms, by, [
      { sql: 'DELETE FROM invitations WHERE user_name = ?', params: [name] },
      { sql: `INSERT INTO invitations (${COLUMNS}, secret_mac) VALUES (?, ?, ?, ?, ?, ?, ?)`, params: values },
    ])
    return { user, invitation, code: `${id}-${secret}` }
  }

  /** The invitation of a link that still works. */
  async find(code: string): Promise<Invitation | undefined> {
    const [, id = '', secret = ''] = CODE.exec(code) ?? []
    const row = await this.first<Row>(
      `SELECT ${COLUMNS}, secret_mac FROM invitations WHERE id = ? AND used_at IS NULL AND expires_at > ${this.db.now}`,
      [id],
    )
    const mac = this.#mac(row?.user_name ?? '', Number(row?.expires_at ?? 0), secret)
    const fits = crypto.timingSafeEqual(Buffer.from(row?.secret_mac ?? mac.replace(/./g, '0')), Buffer.from(mac))
    if (row === undefined || !fits) return undefined
    const { secret_mac: _, ...invitation } = row
    return invitation
  }

  /** Of several requests with the same link one gets it. */
  async use(code: string): Promise<Invitation | undefined> {
    const invitation = await this.find(code)
    if (invitation === undefined) return undefined
    const isFirst = await this.returnsRow(
      `UPDATE invitations SET used_at = ${this.db.now} WHERE id = ? AND used_at IS NULL RETURNING id`,
      [invitation.id],
    )
    return isFirst ? invitation : undefined
  }

  /** False: it was used or revoked before. */
  revoke(id: string): Promise<boolean> {
    return this.returnsRow('DELETE FROM invitations WHERE id = ? AND used_at IS NULL RETURNING id', [id])
  }

  async list(): Promise<Invitation[]> {
    return await this.db.query<Invitation>(`SELECT ${COLUMNS} FROM invitations ORDER BY created_at`)
  }

  async sweep(): Promise<void> {
    await this.db.change(`DELETE FROM invitations WHERE expires_at <= ${this.db.now} - ${KEPT_MS}`, [])
  }

  #mac(user: string, expiresAt: number, secret: string): string {
    return this.#key.mac(`invitation ${JSON.stringify([user, expiresAt, secret])}`)
  }
}
