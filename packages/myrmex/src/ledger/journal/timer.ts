/** One timer that is started again and again, and never keeps the process alive. */

export class Timer {
  readonly #ms: number
  readonly #ring: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, ring: () => void) {
    this.#ms = ms
    this.#ring = ring
  }

  /** Does nothing while it runs. */
  start(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#ring()
    }, this.#ms).unref()
  }

  /** From now on, whether it runs or not. */
  restart(): void {
    if (this.#timer === undefined) this.start()
    else this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
