/** Keeps the newest records in memory: for a server without a ledger, and for tests. */

import type { CallRecord } from '../../ledger/audit/call-record.ts'
import type { Recorder } from '../../ledger/journal/group.ts'

export class MemoryRecorder implements Recorder {
  readonly #lines: CallRecord[] = []
  readonly #capacity: number
  #next = 0
  /** how many were ever recorded */
  count = 0

  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  record(line: CallRecord): void {
    this.#lines[this.#next] = line
    this.#next = (this.#next + 1) % this.#capacity
    this.count++
  }

  /** oldest first */
  records(): CallRecord[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)]
  }
}
