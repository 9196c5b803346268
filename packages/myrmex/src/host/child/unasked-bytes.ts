/**
 * What a server may send without being asked, such as notifications: parsing takes the host's time, whatever happens to the message
 * afterwards. An answer to a request is not counted, because a caller wanted it.
 */
export const BURST_BYTES: number = 8 * 1024 * 1024
const BYTES_PER_MS = (2 * 1024 * 1024) / 1000

export class UnaskedBytes {
  #left = BURST_BYTES
  #at = performance.now()

  /** Returns whether it is within the limit. */
  take(bytes: number): boolean {
    const now = performance.now()
    this.#left = Math.min(BURST_BYTES, this.#left + (now - this.#at) * BYTES_PER_MS) - bytes
    this.#at = now
    return this.#left >= 0
  }
}
