/** Subscribers to an upstream's resources, by the upstream's URI. */
import type { Upstream } from '../upstream/upstream.ts'

export class ResourceSubscribers {
  readonly #upstream: Upstream
  readonly #onFailure: (thrown: unknown) => void
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(upstream: Upstream, onFailure: (thrown: unknown) => void) {
    this.#upstream = upstream
    this.#onFailure = onFailure
  }

  /** Returns a function that unsubscribes. */
  async add(uri: string, onChange: () => void): Promise<() => void> {
    const listeners = this.#listeners.get(uri) ?? new Set()
    // Before subscribing: the first change may arrive right after the answer.
    this.#listeners.set(uri, listeners.add(onChange))
    const forget = (): void => {
      listeners.delete(onChange)
      if (listeners.size === 0) this.#listeners.delete(uri)
    }
    try {
      await this.#upstream.subscribe(uri)
    } catch (thrown) {
      forget()
      throw thrown
    }
    return () => {
      forget()
      this.#upstream.unsubscribe(uri).catch(this.#onFailure)
    }
  }

  /** An upstream may report a change of a sub-resource. */
  notify(uri: string): void {
    for (const [wanted, listeners] of this.#listeners) {
      if (uri !== wanted && !uri.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)) continue
      for (const onChange of listeners) onChange()
    }
  }
}
