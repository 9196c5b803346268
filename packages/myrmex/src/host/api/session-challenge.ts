/**
 * Nonces for opening a session. Each is valid for a minute and for one passphrase, so that what somebody recorded opens nothing. Issuing
 * one keeps nothing in memory: everybody who reaches the port can ask for one. Only a used one is remembered, until it expires.
 */
import { crypto } from '../../protocol/builtin.ts'
import { ApiError } from './api-error.ts'
import { type SealContext, unsealPassphrase } from './session-seal.ts'

const VALID_MS = 60_000

export class SessionChallenges {
  readonly #token: string
  readonly #now: () => number
  readonly #secret = crypto.randomBytes(32)
  /** used nonces, with the time at which they expire */
  readonly #used = new Map<string, number>()

  /** `now` is for tests. */
  constructor(token: string, now: () => number = () => performance.now()) {
    this.#token = token
    this.#now = now
  }

  issue(): string {
    const text = `${Math.ceil(this.#now() + VALID_MS)}.${crypto.randomBytes(16).toString('base64url')}`
    return `${text}.${this.#mac(text)}`
  }

  context(nonce: string): SealContext {
    return { token: this.#token, nonce }
  }

  /** The passphrase that was encrypted for this nonce. Throws ApiError 401, and then counts as no attempt. */
  async passphrase(nonce: string, sealed: string): Promise<string> {
    const end = this.#endOf(nonce)
    const now = this.#now()
    if (end === undefined || now >= end || this.#used.has(nonce)) throw refused('The nonce was used, or has expired.')
    const passphrase = await unsealPassphrase(this.context(nonce), sealed)
    if (passphrase === undefined)
      throw refused("The passphrase was not encrypted with this host's token, which is in .myrmex/host/api.json.")
    // Looked at again: the same request may have come twice meanwhile.
    if (this.#used.has(nonce)) throw refused('The nonce was used, or has expired.')
    for (const [one, until] of this.#used) if (until <= now) this.#used.delete(one)
    this.#used.set(nonce, end)
    return passphrase
  }

  /** Undefined if this process did not issue it. */
  #endOf(nonce: string): number | undefined {
    const [end = '', random = '', mac = ''] = nonce.split('.')
    const expected = Buffer.from(this.#mac(`${end}.${random}`))
    const given = Buffer.from(mac)
    return given.length === expected.length && crypto.timingSafeEqual(given, expected) ? Number(end) : undefined
  }

  #mac(text: string): string {
    return crypto.createHmac('sha256', this.#secret).update(text).digest('base64url')
  }
}

const refused = (why: string): ApiError =>
  new ApiError(401, 'AuthenticationError', `${why} Ask for a nonce first: POST /api/session/challenge`)
