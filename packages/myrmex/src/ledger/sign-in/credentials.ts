/**
 * What users sign in with: a passphrase, hashed with scrypt, or passkeys, of which only the public key is here. Each is encrypted under the
 * ledger's key and bound to its user: somebody who can write the store can neither read one nor give one to a user.
 */
import type { ScryptOptions } from 'node:crypto'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import { inTurn } from '../../protocol/in-turn.ts'
import { type Db, Store } from '../db.ts'
import { decryptText, encryptText } from '../encrypted-text.ts'
import type { LedgerKey } from '../journal/key.ts'
import { IssuerRecords } from './issuer-records.ts'

/** A public key that an authenticator made for this host. */
export interface Passkey {
  /** base64url */
  readonly id: string
  /** SPKI (DER), base64url */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

interface PassphraseHash {
  readonly salt: string
  readonly hash: string
  readonly cost: ScryptCost
}
type ScryptCost = Pick<ScryptOptions, 'N' | 'r' | 'p'>

type Kind = 'passphrase' | 'passkey'

interface Row {
  readonly id: string
  readonly user_name: string
  readonly kind: Kind
  readonly body: string
  readonly created_at: number
}

/** 32 MiB and about 0.1 s, as OWASP recommends. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const MAX_MEMORY = 64 * 1024 * 1024
const HASH_BYTES = 32
/** Derived for users that there are not, so that they take as long. */
const NOBODY: PassphraseHash = { salt: 'AAAAAAAAAAAAAAAAAAAAAA', hash: '', cost: COST }

export class Credentials extends Store {
  readonly #key: LedgerKey
  readonly #records: IssuerRecords
  /** scrypt takes memory: of several at once each waits for the one before */
  readonly #inTurn = inTurn()

  constructor(db: Db, key: LedgerKey, records: IssuerRecords) {
    super(db)
    this.#key = key
    this.#records = records
  }

  /** Replaces all that the user signs in with, and ends its sessions and tokens. A lower `cost` is for tests. */
  async setPassphrase(user: string, passphrase: string, cost: ScryptCost = COST): Promise<void> {
    const salt = crypto.randomBytes(16).toString('base64url')
    const hash = await this.#derive(passphrase, salt, cost)
    await this.#replace(user, 'passphrase', `passphrase ${user}`, { salt, hash, cost } satisfies PassphraseHash)
  }

  /** Replaces all that the user signs in with, and ends its sessions and tokens. */
  async setPasskey(user: string, passkey: Passkey): Promise<void> {
    await this.#replace(user, 'passkey', passkeyName(passkey.id), passkey)
  }

  /** Takes the same time whether the user exists or not. */
  async isPassphrase(user: string, passphrase: string): Promise<boolean> {
    const known = await this.#find<PassphraseHash>(`passphrase ${user}`)
    const { salt, hash, cost } = known?.user === user ? known.body : NOBODY
    const derived = await this.#derive(passphrase, salt, cost)
    const expected = hash === '' ? derived.replace(/./g, 'A') : hash
    return crypto.timingSafeEqual(Buffer.from(derived), Buffer.from(expected)) && hash !== ''
  }

  /** By the id that the authenticator names. */
  async passkey(id: string): Promise<{ readonly user: string; readonly passkey: Passkey } | undefined> {
    const found = await this.#find<Passkey>(passkeyName(id))
    return found && { user: found.user, passkey: found.body }
  }

  /** Keeps the new counter. False: another sign-in with this passkey was at the same time, or it is gone. */
  async countPasskey(user: string, before: Passkey, now: Passkey): Promise<boolean> {
    const id = passkeyName(now.id)
    if (before.counter === now.counter) return true
    const row = await this.first<Row>('SELECT id, user_name, kind, body FROM user_credentials WHERE id = ?', [id])
    if (row?.user_name !== user) return false
    const stored = JSON.parse(decryptText(this.#key, about(user, 'passkey', id), row.body)) as Passkey
    if (stored.counter !== before.counter) return false
    const body = encryptText(this.#key, about(user, 'passkey', id), JSON.stringify(now))
    // Encrypted again each time, so the text stands for this state of the passkey.
    return this.returnsRow('UPDATE user_credentials SET body = ? WHERE id = ? AND body = ? RETURNING id', [
      body,
      id,
      row.body,
    ])
  }

  /** What each user signs in with, without any of it. */
  async kinds(): Promise<{ readonly user_name: string; readonly kind: Kind; readonly created_at: number }[]> {
    return await this.db.query(
      'SELECT user_name, kind, created_at FROM user_credentials ORDER BY user_name, created_at',
    )
  }

  async #find<Body>(id: string): Promise<{ readonly user: string; readonly body: Body } | undefined> {
    const row = await this.first<Row>('SELECT id, user_name, kind, body FROM user_credentials WHERE id = ?', [id])
    if (row === undefined) return undefined
    const { user_name: user, kind, body } = row
    return { user, body: JSON.parse(decryptText(this.#key, about(user, kind, id), body)) as Body }
  }

  async #replace(user: string, kind: Kind, id: string, body: object): Promise<void> {
    const encrypted = encryptText(this.#key, about(user, kind, id), JSON.stringify(body))
    await this.db.transaction([
      { sql: 'DELETE FROM user_credentials WHERE user_name = ?', params: [user] },
      {
        sql: `INSERT INTO user_credentials (id, user_name, kind, body, created_at)
          SELECT ?, name, ?, ?, ${this.db.now} FROM users WHERE name = ? AND status = 'active'`,
        params: [id, kind, encrypted, user],
      },
      ...IssuerRecords.endUser(user, this.db.now),
    ])
    this.#records.changed()
    // The operator may have ended the user since it sent its choice: what was chosen must not count for a later user of this name.
    const kept = await this.first('SELECT id FROM user_credentials WHERE id = ?', [id])
    if (kept === undefined) throw ToolError.of('PermissionError', `The user ${user} may not sign in any more.`)
  }

  #derive(passphrase: string, salt: string, cost: ScryptCost): Promise<string> {
    return this.#inTurn(
      () =>
        new Promise<string>((resolve, reject) => {
          const options = { ...cost, maxmem: MAX_MEMORY }
          crypto.scrypt(
            passphrase.normalize('NFKC'),
            Buffer.from(salt, 'base64url'),
            HASH_BYTES,
            options,
            (error, key) => (error === null ? resolve(key.toString('base64url')) : reject(error)),
          )
        }),
    )
  }
}

const passkeyName = (id: string): string => `passkey ${id}`
const about = (user: string, kind: Kind, id: string): string => `credential ${JSON.stringify([user, kind, id])}`
