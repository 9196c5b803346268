/**
 * Results of keyed calls that ran but could not be stored. They are stored as soon as the ledger can write, at the latest
 * before their key is claimed again.
 */
import type { IdempotencyKey } from '../ledger/idempotency.ts'
import type { Ledger } from '../ledger/ledger.ts'

interface UnsavedResult {
  readonly key: IdempotencyKey
  readonly callId: string
  readonly outcome: string
}

/** A repeated call in another process waits for this. */
const RETRY_MS = 500

export class UnsavedResults {
  readonly #ledger: () => Ledger
  readonly #unsaved = new Map<string, UnsavedResult>()
  #timer: NodeJS.Timeout | undefined

  constructor(ledger: () => Ledger) {
    this.#ledger = ledger
  }

  /** Throws if the result cannot be stored: no caller may get it before the key has it. */
  async save(key: IdempotencyKey, callId: string, outcome: string): Promise<void> {
    try {
      await this.#ledger().idempotency.finish(key, callId, outcome)
    } catch (thrown) {
      this.#unsaved.set(nameOf(key), { key, callId, outcome })
      this.#retryLater()
      throw thrown
    }
  }

  async saveAgain(key: IdempotencyKey): Promise<void> {
    if (this.#unsaved.size === 0) return
    const result = this.#unsaved.get(nameOf(key))
    if (result !== undefined) await this.#store(result)
  }

  async #store({ key, callId, outcome }: UnsavedResult): Promise<void> {
    await this.#ledger().idempotency.finish(key, callId, outcome)
    this.#unsaved.delete(nameOf(key))
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => void this.#ledger().background(this.#storeAll), RETRY_MS).unref()
  }

  readonly #storeAll = async (): Promise<void> => {
    this.#timer = undefined
    try {
      for (const result of [...this.#unsaved.values()]) await this.#store(result)
    } catch {
      // The failure was reported when `save` failed.
      this.#retryLater()
    }
  }
}

const nameOf = ({ principal, tool, key }: IdempotencyKey): string => JSON.stringify([principal, tool, key])
