/**
 * Who may use a token now, from memory: every request with a token of the embedded issuer asks. A change of this process counts at once. One
 * of another process counts with the next request on SQLite, which is asked whether anything changed, and within a second on PostgreSQL. What
 * is already open hears of either within a second (`onChange`).
 *
 * In a locked ledger a row may be put back to what the operator once signed. So a process does not go back to an older row, and a user that
 * it has seen disabled stays so until the operator signs it again.
 */
import type { IssuerRecords } from './issuer-records.ts'
import type { Fingerprint, User, UserRow, Users } from './users.ts'

const POLL_MS = 1000

const textOf = (users: Fingerprint, grants: Fingerprint): string => JSON.stringify([users, grants])

type RevokedRows = { id_hash: string }[]

export class UserStates {
  readonly #users: Users
  readonly #records: IssuerRecords
  readonly #onFailure: (error: unknown) => void
  #states: ReadonlyMap<string, User> = new Map()
  #revoked: ReadonlySet<string> = new Set()
  /** by name: when the row was signed that was seen, and whether it was seen disabled */
  readonly #seen = new Map<string, { readonly set_at: number; readonly isEnded: boolean }>()
  #state: number | undefined
  /** of what was read; undefined: nothing, or it could not be read */
  #fingerprint: string | undefined
  #version = 0
  #revision = 0
  #polling: NodeJS.Timeout | undefined
  readonly #listeners = new Set<() => void>()

  constructor(users: Users, records: IssuerRecords, onFailure: (error: unknown) => void) {
    this.#users = users
    this.#records = records
    this.#onFailure = onFailure
  }

  /** Reads everything for the first time. From then on it is read every second, if it has changed. */
  async start(): Promise<void> {
    await this.#read()
    const poll = async (): Promise<void> => {
      if (this.#users.changeCounter === undefined) await this.#read()
      else this.revision()
    }
    this.#polling = setInterval(() => void poll().catch(this.#onFailure), POLL_MS).unref()
  }

  /** Calls the listener when a user or a revocation may have changed. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  stop(): void {
    clearInterval(this.#polling)
  }

  /** Raised when any user or revocation may have changed. */
  revision(): number {
    const state = this.#users.changeCounter?.()
    const versions = this.#users.version + this.#records.version
    if (state !== this.#state || versions !== this.#version) {
      this.#state = state
      this.#version = versions
      this.#refresh()
    }
    return this.#revision
  }

  /** Undefined: there is no such user, or it may not sign in. Call `revision` before. */
  active(name: string): User | undefined {
    const user = this.#states.get(name)
    return user?.status === 'active' && user.isSigned ? user : undefined
  }

  isRevoked(grantHash: string): boolean {
    return this.#revoked.has(grantHash)
  }

  #refresh(): void {
    try {
      const [users, grants] = [this.#users.fingerprint(), this.#records.revokedFingerprint()]
      if (!Array.isArray(users) || !Array.isArray(grants)) return void this.#read().catch(this.#onFailure)
      const now = textOf(users, grants)
      // Something else was written: calls, sessions, decisions.
      if (now === this.#fingerprint) return
      const [rows, revoked] = [this.#users.rows(), this.#records.revokedGrants()]
      if (Array.isArray(rows) && Array.isArray(revoked)) this.#takeAndTell(rows, revoked, now)
    } catch (error) {
      // Nobody is let in on a state that may be out of date.
      this.#take([], [], undefined)
      this.#state = Number.NaN
      throw error
    }
  }

  async #read(): Promise<void> {
    // Before the rows: what changes meanwhile is then read again.
    const now = textOf(await this.#users.fingerprint(), await this.#records.revokedFingerprint())
    if (now === this.#fingerprint) return
    this.#takeAndTell(await this.#users.rows(), await this.#records.revokedGrants(), now)
  }

  #takeAndTell(rows: readonly UserRow[], revoked: RevokedRows, fingerprint: string): void {
    this.#take(rows, revoked, fingerprint)
    for (const listener of this.#listeners) listener()
  }

  #take(rows: readonly UserRow[], revoked: RevokedRows, fingerprint: string | undefined): void {
    this.#fingerprint = fingerprint
    this.#states = new Map(rows.map((row) => [row.name, this.#judged(this.#users.toUser(row))]))
    this.#revoked = new Set(revoked.map(({ id_hash }) => id_hash))
    this.#revision++
  }

  #judged(user: User): User {
    if (!this.#users.isLocked) return user
    const seen = this.#seen.get(user.name)
    const isOlder = seen !== undefined && user.set_at < seen.set_at
    const isEnded = isOlder || user.status !== 'active' || (seen?.set_at === user.set_at && seen.isEnded)
    if (!isOlder && user.isSigned) this.#seen.set(user.name, { set_at: user.set_at, isEnded })
    return isEnded ? { ...user, status: 'disabled' } : user
  }
}
