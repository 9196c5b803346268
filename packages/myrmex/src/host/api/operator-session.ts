/**
 * Sessions of the operator on a locked ledger. The passphrase opens one; its token is random, is kept in memory only, and ends after a
 * time without use, after a working day, and with the process. Guessing is slow: each attempt derives a key, few are allowed a
 * minute, and wrong ones are answered late.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { OperatorSigner } from '../../ledger/operator/operator-key.ts'
import type { OperatorLock } from '../../ledger/operator/operator-lock.ts'
import { crypto } from '../../protocol/builtin.ts'
import { messageOf } from '../../protocol/errors.ts'
import { ApiError } from './api-error.ts'

export const IDLE_MS = 15 * 60_000
export const LONGEST_MS = 8 * 3_600_000

/** Wrong passphrases within a minute; further attempts get 429, right or wrong. */
const MAX_WRONG = 5
const WINDOW_MS = 60_000
const WRONG_MS = 1000
/** Deriving a key takes 128 MiB. */
const MAX_PENDING = 2
const MAX_SESSIONS = 20

interface OpenSession {
  readonly signer: OperatorSigner
  readonly end: number
  idleEnd: number
  isEnded: boolean
}

export interface NewSession {
  readonly token: string
  /** milliseconds since the epoch */
  readonly expires_at: number
  readonly idle_ms: number
}

export class OperatorSessions {
  readonly #lock: OperatorLock
  readonly #now: () => number
  /** by the digest of the token */
  readonly #open = new Map<string, OpenSession>()
  #wrong = 0
  #since = Number.NEGATIVE_INFINITY
  #pending = 0

  /** `now` is for tests. */
  constructor(lock: OperatorLock, now: () => number = () => performance.now()) {
    this.#lock = lock
    this.#now = now
  }

  get isLocked(): boolean {
    return this.#lock.isLocked
  }

  /** Throws ApiError: 401 if the passphrase is wrong, 429 after too many attempts. */
  async begin(passphrase: string): Promise<NewSession> {
    this.#admit()
    this.#pending++
    try {
      const { unlockSigner } = await import('../../ledger/operator/operator-admin.ts')
      return this.#add(await unlockSigner(this.#lock, passphrase))
    } catch (error) {
      this.#wrong++
      await pause(WRONG_MS)
      throw new ApiError(401, 'AuthenticationError', messageOf(error))
    } finally {
      this.#pending--
    }
  }

  #admit(): void {
    const now = this.#now()
    if (now - this.#since > WINDOW_MS) {
      this.#since = now
      this.#wrong = 0
    }
    if (this.#wrong + this.#pending < MAX_WRONG && this.#pending < MAX_PENDING) return
    throw new ApiError(429, 'AuthenticationError', 'Too many attempts to open a session. Wait a minute.', {
      headers: { 'retry-after': '60' },
    })
  }

  #add(signer: OperatorSigner): NewSession {
    const now = this.#now()
    for (const [name, { end, idleEnd }] of this.#open) if (Math.min(end, idleEnd) <= now) this.#end(name)
    const [oldest] = this.#open.keys()
    if (this.#open.size >= MAX_SESSIONS && oldest !== undefined) this.#end(oldest)
    const token = crypto.randomBytes(32).toString('base64url')
    this.#open.set(digest(token), { signer, end: now + LONGEST_MS, idleEnd: now + IDLE_MS, isEnded: false })
    return { token, expires_at: Date.now() + LONGEST_MS, idle_ms: IDLE_MS }
  }

  /** The signer of the session with this token, which counts as use; undefined if there is none. */
  signerOf(token: string): OperatorSigner | undefined {
    const name = digest(token)
    const session = this.#open.get(name)
    if (session === undefined) return undefined
    const now = this.#now()
    if (now >= session.end || now >= session.idleEnd) {
      this.#open.delete(name)
      return undefined
    }
    session.idleEnd = now + IDLE_MS
    return session.signer
  }

  /** Returns a check whether the session with this token is still open. Checking does not count as use. */
  watch(token: string): () => boolean {
    const session = this.#open.get(digest(token))
    return () => {
      if (session === undefined || session.isEnded) return false
      const now = this.#now()
      return now < session.end && now < session.idleEnd
    }
  }

  end(token: string): void {
    this.#end(digest(token))
  }

  #end(name: string): void {
    const session = this.#open.get(name)
    if (session !== undefined) session.isEnded = true
    this.#open.delete(name)
  }
}

/** Found by its digest: the time that it takes says nothing about tokens. */
const digest = (token: string): string => crypto.hash('sha256', token, 'base64')
