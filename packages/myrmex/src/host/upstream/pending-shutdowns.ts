/** Connections that are being shut down. */

export class PendingShutdowns {
  readonly #open = new Set<Promise<void>>()
  readonly #onFailure: (thrown: unknown) => void

  constructor(onFailure: (thrown: unknown) => void) {
    this.#onFailure = onFailure
  }

  add(ending: Promise<void>): void {
    const ended = ending.catch(this.#onFailure).finally(() => this.#open.delete(ended))
    this.#open.add(ended)
  }

  async wait(): Promise<void> {
    await Promise.all(this.#open)
  }
}
