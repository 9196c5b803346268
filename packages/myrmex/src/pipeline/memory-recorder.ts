/** Keeps the newest lines in memory: for a server without a ledger, and for tests. */
import type { Recorder } from '../ledger/audit/group.ts'
import type { CallLine } from '../ledger/audit/line.ts'

export class MemoryRecorder implements Recorder {
  readonly #lines: CallLine[] = []
  readonly #capacity: number
  #next = 0
  /** how many were ever recorded */
  count = 0

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  record(line: CallLine): void {
    this.#lines[this.#next] = line
    this.#next = (this.#next + 1) % this.#capacity
    this.count++
  }

  /** oldest first */
  lines(): CallLine[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)]
  }
}
