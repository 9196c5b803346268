/** Results of keyed calls that ran but could not be stored: kept here, and stored before the key is looked at again. */
import type { Once, OnceKey } from '../ledger/once.ts'

interface Owed {
  readonly callId: string
  readonly outcome: string
}

export class OwedResults {
  readonly #records: () => Once
  readonly #owed = new Map<string, Owed>()

  constructor(records: () => Once) {
    this.#records = records
  }

  /** Throws where it cannot be stored: nobody may have the answer before the key has it. */
  async keep(place: OnceKey, callId: string, outcome: string): Promise<void> {
    try {
      await this.#records().finish(place, callId, outcome)
    } catch (thrown) {
      this.#owed.set(nameOf(place), { callId, outcome })
      throw thrown
    }
  }

  async pay(place: OnceKey): Promise<void> {
    if (this.#owed.size === 0) return
    const owed = this.#owed.get(nameOf(place))
    if (owed === undefined) return
    await this.#records().finish(place, owed.callId, owed.outcome)
    this.#owed.delete(nameOf(place))
  }
}

const nameOf = ({ principal, tool, key }: OnceKey): string => JSON.stringify([principal, tool, key])
