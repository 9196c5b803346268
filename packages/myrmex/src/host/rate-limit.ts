/** Lets some events of each second pass, and reports how many others were skipped. */
const SECOND_MS = 1000

export class RateLimit {
  readonly #perSecond: number
  readonly #onSkipped: (count: number) => void
  #since = 0
  #passed = 0
  #skipped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(perSecond: number, onSkipped: (count: number) => void) {
    this.#perSecond = perSecond
    this.#onSkipped = onSkipped
  }

  /** Returns whether one more event may pass now. */
  pass(): boolean {
    const now = performance.now()
    if (now - this.#since >= SECOND_MS) {
      this.report()
      this.#since = now
      this.#passed = 0
    }
    if (this.#passed++ < this.#perSecond) return true
    this.#skipped++
    this.#timer ??= setTimeout(() => this.report(), SECOND_MS).unref()
    return false
  }

  /** Reports the skipped events now. */
  report(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const skipped = this.#skipped
    this.#skipped = 0
    if (skipped > 0) this.#onSkipped(skipped)
  }
}
