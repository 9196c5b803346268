/**
 * Signs the newest group shortly after it was written. A signature covers everything before it, so under load one signature
 * covers many groups; at rest every group has its own.
 */
import { type ChainHead, sealText } from './chain.ts'
import type { LedgerKey } from './key.ts'

/** How long a group may be unsigned. Signing takes as long as writing a group, so it is not done per group. */
const WITHIN_MS = 10

export const INSERT_SEAL =
  'INSERT INTO audit_seals (seq, key_id, signature) VALUES (?, ?, ?) ON CONFLICT (seq) DO NOTHING'

export type StoreSeal = (seq: number, keyId: string, signature: string) => void | Promise<void>

export class Sealer {
  readonly #key: LedgerKey
  readonly #store: StoreSeal
  readonly #onFailure: (error: unknown) => void
  #due: ChainHead | undefined
  #timer: NodeJS.Timeout | undefined
  #sealing: Promise<void> = Promise.resolve()

  constructor(key: LedgerKey, store: StoreSeal, onFailure: (error: unknown) => void) {
    this.#key = key
    this.#store = store
    this.#onFailure = onFailure
  }

  due(head: ChainHead): void {
    this.#due = head
    this.#timer ??= setTimeout(() => void this.seal(), WITHIN_MS).unref()
  }

  /** Signs what is due now; resolves when that is stored, and what was under way. */
  seal(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sealing = this.#sealing.then(() => this.#sealDue())
    return this.#sealing
  }

  /** A seal that cannot be stored is due again with the next group. */
  async #sealDue(): Promise<void> {
    const head = this.#due
    if (head === undefined) return
    this.#due = undefined
    try {
      const stored = this.#store(head.seq, this.#key.id, this.#key.sign(sealText(head.seq, head.hash)))
      if (stored instanceof Promise) await stored
    } catch (error) {
      this.#due ??= head
      this.#onFailure(error)
    }
  }
}
