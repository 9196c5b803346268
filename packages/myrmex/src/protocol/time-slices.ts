/**
 * Divides long work into slices, so that other requests are served in between. How long a foreign definition takes is up to its server,
 * so slices are measured in time and not in definitions.
 */
const SLICE_MS = 10

export class TimeSlices {
  #began = performance.now()

  /** Ask this first where a promise for each piece of work would cost too much. */
  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS
  }

  /** Yields to other work if the slice is over. */
  async pause(): Promise<void> {
    if (!this.isOver) return
    await new Promise(setImmediate)
    this.#began = performance.now()
  }
}
