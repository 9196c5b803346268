/** The secrets of one credential: what must be in no result, log or error. Refreshed ones may be in results that are still on their way. */
import { scrub } from '../../protocol/secret.ts'
import type { SavedSignIn } from './credential.ts'
import { oneLineReason } from './discover-issuer.ts'

const MAX_SECRETS = 8

export class TokenSecrets {
  readonly #configured: readonly string[]
  #secrets: readonly string[] = []
  readonly #listeners = new Set<(secrets: readonly string[]) => void>()

  constructor(clientSecret: string | undefined) {
    this.#configured = clientSecret === undefined ? [] : [clientSecret]
  }

  /** Calls the listener with all secrets, now and whenever there are new ones. */
  on(listener: (secrets: readonly string[]) => void): () => void {
    this.#listeners.add(listener)
    if (this.#secrets.length > 0) listener(this.#secrets)
    return () => this.#listeners.delete(listener)
  }

  add({ tokens: { access_token, refresh_token }, client: { client_secret } }: SavedSignIn): void {
    const now = [access_token, refresh_token, client_secret].filter((text) => text !== undefined)
    const added = now.filter((text) => !this.#secrets.includes(text))
    if (added.length === 0) return
    this.#secrets = [...added, ...this.#secrets].slice(0, MAX_SECRETS)
    for (const listener of this.#listeners) listener(this.#secrets)
  }

  /** The credential is not used any more. Listeners hear of no secrets, and of nothing from then on. */
  forget(): void {
    this.#secrets = []
    for (const listener of this.#listeners) listener(this.#secrets)
    this.#listeners.clear()
  }

  /** In one line and without secrets: an issuer may send back what it was sent. */
  clean(text: string): string {
    return oneLineReason(scrub(text, [...this.#secrets, ...this.#configured]))
  }
}
