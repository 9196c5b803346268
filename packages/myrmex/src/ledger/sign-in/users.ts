/**
 * People who sign in to the host's own issuer. A user is a decision of the operator: its scopes and its profile are in the journal, and in a
 * locked ledger they count only with the operator's signature. Disabling and removing need none, because they only lower rights.
 */
import { ToolError } from '../../protocol/errors.ts'
import { nearest } from '../../tool/nearest.ts'
import type { Statement, Value } from '../db.ts'
import { DecisionStore } from '../decisions/decision-store.ts'
import { type Decider, deciderName } from '../journal/decision.ts'
import type { RowSignature } from '../operator/signed-row.ts'
import { IssuerRecords } from './issuer-records.ts'

/** removed: kept for the journal, and unknown to everything else. */
export type UserStatus = 'active' | 'disabled' | 'removed'

interface UserTimes {
  /** tokens that were issued before this time do not count. Milliseconds since the epoch */
  readonly tokens_after: number
  readonly created_by: string
  readonly created_at: number
  /** who decided about the name, scopes and profile, and when: these are signed */
  readonly set_by: string
  readonly set_at: number
  /** the last decision of any kind */
  readonly decided_by: string
  readonly decided_at: number
}

export interface UserRow extends UserTimes, RowSignature {
  readonly name: string
  readonly display_name: string
  /** patterns of tools, separated by spaces */
  readonly scopes: string
  readonly profile: string | null
  readonly status: UserStatus
}

export interface User extends UserTimes {
  readonly name: string
  readonly displayName: string
  readonly scopes: readonly string[]
  /** the tool set that the user is bound to */
  readonly profile: string | undefined
  readonly status: UserStatus
  /** in a locked ledger: whether the operator has signed the scopes. Without that the user cannot sign in */
  readonly isSigned: boolean
}

/** What the operator decides about a user. */
export interface UserTerms {
  readonly displayName?: string | undefined
  readonly scopes?: readonly string[] | undefined
  /** null: no profile */
  readonly profile?: string | null | undefined
}

/** Of the rows of a table, in one row. */
export type Fingerprint = readonly { readonly text: string }[]

const COLUMNS =
  'name, display_name, scopes, profile, status, tokens_after, created_by, created_at, set_by, set_at, decided_by, decided_at, signed_by, signature'
const COLUMN_NAMES = COLUMNS.split(', ')

/** Also the subject of tokens, and a part of the principal's id. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Throws ValidationError. */
export function assertUserName(name: string): void {
  if (NAME.test(name)) return
  throw ToolError.of(
    'ValidationError',
    `${JSON.stringify(name.slice(0, 100))} is not a name for a user. Use 1 to 64 lower case letters, digits, ".", "_" and "-", such as ada.`,
  )
}

export const principalIdOf = (name: string): string => `user:${name}`

export class Users extends DecisionStore {
  protected readonly table = 'users'
  #version = 0

  /** Raised by each change that this process makes. */
  get version(): number {
    return this.#version
  }

  /** Adds a user, or changes one that is there. `more` are statements that take effect with it. */
  async invite(name: string, terms: UserTerms, by: Decider, more: readonly Statement[] = []): Promise<User> {
    assertUserName(name)
    const before = await this.#row(name)
    const isNew = before === undefined || before.status === 'removed'
    const base = isNew ? { display_name: name, scopes: '', profile: null } : before
    return this.#set('invite', name, { ...base, status: 'active' }, terms, by, before, more)
  }

  /** Changes the scopes, the profile or the shown name. It takes effect for tokens that are in use. */
  async change(name: string, terms: UserTerms, by: Decider): Promise<User> {
    const before = await this.require(name)
    return this.#set('change', name, before, terms, by, before)
  }

  /** Allows a disabled user to sign in again. Tokens from before stay invalid. */
  async enable(name: string, by: Decider): Promise<User> {
    const before = await this.require(name)
    if (before.status === 'active') throw ToolError.of('ValidationError', `The user ${name} is not disabled.`)
    return this.#set('enable', name, { ...before, status: 'active', tokens_after: Date.now() }, {}, by, before)
  }

  /** Signs the row as it is, for a ledger that was locked or whose key was replaced. */
  async sign(name: string, by: Decider): Promise<User> {
    const before = await this.require(name)
    return this.#set('change', name, before, {}, by, before)
  }

  /** Ends every token of the user at once, and what the issuer keeps for it. */
  disable = (name: string, by: Decider): Promise<User> => this.#lower('disable', 'disabled', name, by)

  /** Also removes what the user signs in with. */
  remove = (name: string, by: Decider): Promise<User> => this.#lower('remove', 'removed', name, by)

  async #lower(what: string, status: UserStatus, name: string, by: Decider): Promise<User> {
    const before = await this.require(name)
    if (before.status === status) throw ToolError.of('ValidationError', `The user ${name} is ${status} already.`)
    const at = Math.max(await this.clock(), before.decided_at + 1)
    const removals = ['invitations', ...(status === 'removed' ? ['user_credentials'] : [])].map((table) => ({
      sql: `DELETE FROM ${table} WHERE user_name = ?`,
      params: [name],
    }))
    return this.#store(what, by, name, [
      {
        sql: `UPDATE users SET status = ?, tokens_after = ?, decided_by = ?, decided_at = ?
          WHERE name = ? AND decided_at = CAST(? AS BIGINT) RETURNING ${COLUMNS}`,
        params: [status, Date.now(), deciderName(by), at, name, before.decided_at],
      },
      ...removals,
      ...IssuerRecords.endUser(name, this.db.now),
    ])
  }

  async #set(
    what: string,
    name: string,
    base: Pick<UserRow, 'display_name' | 'scopes' | 'profile' | 'status'> & { readonly tokens_after?: number },
    { displayName, scopes, profile }: UserTerms,
    by: Decider,
    before: UserRow | undefined,
    more: readonly Statement[] = [],
  ): Promise<User> {
    this.lock.requireSigner(by)
    const now = Math.max(await this.clock(), (before?.decided_at ?? 0) + 1)
    const decider = deciderName(by)
    const row = {
      ...{ name, display_name: displayName ?? base.display_name },
      scopes: scopes === undefined ? base.scopes : [...new Set(scopes)].join(' '),
      profile: profile === undefined ? base.profile : profile,
      ...{ status: base.status, tokens_after: base.tokens_after ?? 0 },
      ...{ created_by: before?.created_by ?? decider, created_at: before?.created_at ?? now },
      ...{ set_by: decider, set_at: now, decided_by: decider, decided_at: now },
    }
    const signed: Record<string, Value> = { ...row, ...this.lock.sign('users', row, by) }
    const values = COLUMN_NAMES.map((column) => signed[column] ?? null)
    const changes = COLUMN_NAMES.slice(1).map((column) => `${column} = excluded.${column}`)
    return this.#store(what, by, name, [
      {
        sql: `INSERT INTO users (${COLUMNS}) VALUES (${values.map(() => '?').join(', ')})
          ON CONFLICT (name) DO UPDATE SET ${changes.join(', ')} WHERE users.decided_at = CAST(? AS BIGINT) RETURNING ${COLUMNS}`,
        params: [...values, before?.decided_at ?? -1],
      },
      ...(scopes === undefined ? [] : [IssuerRecords.endReduced(name)]),
      ...more,
    ])
  }

  async #store(what: string, by: Decider, name: string, statements: readonly Statement[]): Promise<User> {
    const [row] = await this.decideAll<UserRow>(what, by, statements)
    this.#version++
    if (row !== undefined) return this.toUser(row)
    throw ToolError.of(
      'ValidationError',
      `The user ${name} was changed by somebody else at the same time. Look at it, and try again.`,
    )
  }

  get isLocked(): boolean {
    return this.lock.isLocked
  }

  /** All but those that were removed, by name. */
  async list(): Promise<User[]> {
    return (await this.rows()).map((row) => this.toUser(row))
  }

  async find(name: string): Promise<User | undefined> {
    const row = await this.#row(name)
    return row === undefined || row.status === 'removed' ? undefined : this.toUser(row)
  }

  /** Throws ResourceNotFound. */
  async require(name: string): Promise<UserRow> {
    const row = await this.#row(name)
    if (row !== undefined && row.status !== 'removed') return row
    const names = (await this.rows()).map((one) => one.name)
    const near = nearest(name, names, 1)[0]
    const hint =
      near !== undefined
        ? `Did you mean ${near}?`
        : names.length === 0
          ? 'There are no users yet. To add one: npx myrmex users invite NAME --scopes …'
          : 'npx myrmex users list shows all.'
    throw ToolError.of('ResourceNotFound', `Unknown user ${JSON.stringify(name.slice(0, 100))}. ${hint}`)
  }

  /** Synchronous on SQLite. */
  rows(): UserRow[] | Promise<UserRow[]> {
    return this.db.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE status <> 'removed' ORDER BY name`)
  }

  /** Another one after every change: each raises the time of its row. Synchronous on SQLite. */
  fingerprint(): Fingerprint | Promise<Fingerprint> {
    return this.db.query<Fingerprint[0]>(`SELECT count(*) || ' ' || coalesce(sum(decided_at), 0) AS text FROM users`)
  }

  /** For a process that keeps the users in memory; see user-states.ts. */
  get changeCounter(): (() => number) | undefined {
    return this.db.changeCounter
  }

  async #row(name: string): Promise<UserRow | undefined> {
    return this.first<UserRow>(`SELECT ${COLUMNS} FROM users WHERE name = ?`, [name])
  }

  toUser({ display_name, scopes, profile, signed_by, signature, ...rest }: UserRow): User {
    return {
      ...rest,
      displayName: display_name,
      scopes: scopes === '' ? [] : scopes.split(' '),
      profile: profile ?? undefined,
      isSigned: this.lock.accepts('users', {
        ...{ ...rest, display_name, scopes, profile },
        ...{ signed_by, signature },
      } as RowSignature),
    }
  }
}
