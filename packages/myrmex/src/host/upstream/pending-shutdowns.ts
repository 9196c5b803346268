/** The connections of an upstream that are being shut down. A new one waits for them: two processes of one server could disturb each other. */

export class PendingShutdowns {
  readonly #onFailure: (thrown: unknown) => void
  #all: Promise<unknown> = Promise.resolve()

  constructor(onFailure: (thrown: unknown) => void) {
    this.#onFailure = onFailure
  }

  add(ending: Promise<void>): void {
    this.#all = Promise.all([this.#all, ending.catch(this.#onFailure)])
  }

  /** Resolves when all of them are shut down. */
  get done(): Promise<unknown> {
    return this.#all
  }
}
