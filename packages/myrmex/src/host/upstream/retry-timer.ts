/** Calls `retry` when the next attempt is due. It keeps no process alive. */
import type { Backoff } from './backoff.ts'

export class RetryTimer {
  readonly #backoff: Backoff
  readonly #retry: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(backoff: Backoff, retry: () => void) {
    this.#backoff = backoff
    this.#retry = retry
  }

  schedule(): void {
    this.cancel()
    this.#timer = setTimeout(() => {
      // Timers may fire early.
      if (this.#backoff.wait > 0) this.schedule()
      else this.#retry()
    }, this.#backoff.wait)
    this.#timer.unref()
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }
}
