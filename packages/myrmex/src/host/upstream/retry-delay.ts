/** Delays that double from one attempt to the next. */
const FIRST_MS = 1000
const LONGEST_MS = 60_000

export class RetryDelay {
  #ms = FIRST_MS

  next(): number {
    const ms = this.#ms
    this.#ms = Math.min(LONGEST_MS, ms * 2)
    return ms
  }

  reset(): void {
    this.#ms = FIRST_MS
  }
}
