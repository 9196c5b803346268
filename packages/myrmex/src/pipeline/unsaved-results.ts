/**
 * Results of keyed calls that ran but could not be stored: kept here, and stored as soon as that can be done, at the latest
 * before the key is looked at again.
 */

import type { IdempotencyKey } from '../ledger/idempotency.ts'
import type { Ledger } from '../ledger/ledger.ts'

interface UnsavedResult {
  readonly place: IdempotencyKey
  readonly callId: string
  readonly outcome: string
}

/** Whoever repeats the call in another process waits for this. */
const RETRY_MS = 500

export class UnsavedResults {
  readonly #ledger: () => Ledger
  readonly #owed = new Map<string, UnsavedResult>()
  #timer: NodeJS.Timeout | undefined

  constructor(ledger: () => Ledger) {
    this.#ledger = ledger
  }

  /** Throws where it cannot be stored: nobody may have the answer before the key has it. */
  async save(place: IdempotencyKey, callId: string, outcome: string): Promise<void> {
    try {
      await this.#ledger().idempotency.finish(place, callId, outcome)
    } catch (thrown) {
      this.#owed.set(nameOf(place), { place, callId, outcome })
      this.#soon()
      throw thrown
    }
  }

  async saveAgain(place: IdempotencyKey): Promise<void> {
    if (this.#owed.size === 0) return
    const owed = this.#owed.get(nameOf(place))
    if (owed !== undefined) await this.#finish(owed)
  }

  async #finish({ place, callId, outcome }: UnsavedResult): Promise<void> {
    await this.#ledger().idempotency.finish(place, callId, outcome)
    this.#owed.delete(nameOf(place))
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => void this.#payAll(), RETRY_MS).unref()
  }

  async #payAll(): Promise<void> {
    this.#timer = undefined
    if (this.#ledger().closed) return
    try {
      for (const owed of [...this.#owed.values()]) await this.#finish(owed)
    } catch {
      // Its caller was told when it failed first; it stays owed.
      this.#soon()
    }
  }
}

const nameOf = ({ principal, tool, key }: IdempotencyKey): string => JSON.stringify([principal, tool, key])
