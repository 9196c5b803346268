/** Those who want to hear of an upstream. One that throws is told in the log and keeps nobody else from hearing. */
import type { UpstreamDeps, UpstreamEvents } from './upstream-deps.ts'

type Sets = { [E in keyof UpstreamEvents]: Set<UpstreamEvents[E]> }

export class EventListeners {
  readonly #sets: Sets = { listing: new Set(), state: new Set(), notification: new Set() }
  readonly #log: UpstreamDeps['log']

  constructor(log: UpstreamDeps['log']) {
    this.#log = log
  }

  add<E extends keyof UpstreamEvents>(event: E, listener: UpstreamEvents[E]): () => void {
    this.#sets[event].add(listener)
    return () => this.#sets[event].delete(listener)
  }

  /** Resolves when all of them are done. Never rejects. */
  async emit<E extends keyof UpstreamEvents>(event: E, ...news: Parameters<UpstreamEvents[E]>): Promise<void> {
    const telling = [...this.#sets[event]].map(async (listener) => {
      try {
        await (listener as (...news: Parameters<UpstreamEvents[E]>) => Promise<void> | void)(...news)
      } catch (thrown) {
        const why = thrown instanceof Error ? thrown.stack : String(thrown)
        this.#log('error', `a listener of "${event}" failed: ${why}`)
      }
    })
    await Promise.all(telling)
  }
}
