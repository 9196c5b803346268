/** Listeners for an upstream's events. An error in one is logged and does not affect the others. */
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

  /** Resolves when all listeners are done. Never rejects. */
  async emit<E extends keyof UpstreamEvents>(event: E, ...args: Parameters<UpstreamEvents[E]>): Promise<void> {
    const running = [...this.#sets[event]].map(async (listener) => {
      try {
        await (listener as (...args: Parameters<UpstreamEvents[E]>) => Promise<void> | void)(...args)
      } catch (thrown) {
        const why = thrown instanceof Error ? thrown.stack : String(thrown)
        this.#log('error', `a listener of "${event}" failed: ${why}`)
      }
    })
    await Promise.all(running)
  }
}
