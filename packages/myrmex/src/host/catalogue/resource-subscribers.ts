/** Who wants to hear when something of an upstream changes, by the URI that it has there. */
import type { Upstream } from '../upstream/upstream.ts'

export class ResourceSubscribers {
  readonly #upstream: Upstream
  readonly #onFailure: (thrown: unknown) => void
  readonly #heard = new Map<string, Set<() => void>>()

  constructor(upstream: Upstream, onFailure: (thrown: unknown) => void) {
    this.#upstream = upstream
    this.#onFailure = onFailure
  }

  /** Gives what ends it. */
  async add(uri: string, changed: () => void): Promise<() => void> {
    const all = this.#heard.get(uri) ?? new Set()
    // Before it is asked for: the first change may come right behind the answer.
    this.#heard.set(uri, all.add(changed))
    const forget = (): void => {
      all.delete(changed)
      if (all.size === 0) this.#heard.delete(uri)
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

  /** An upstream may name a part of what was subscribed to. */
  notify(uri: string): void {
    for (const [wanted, all] of this.#heard) {
      if (uri !== wanted && !uri.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)) continue
      for (const changed of all) changed()
    }
  }
}
