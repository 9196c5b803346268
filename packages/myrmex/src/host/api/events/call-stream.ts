/** Calls as they are told live: all of them while there are few, and how many were left out where there are too many to read. */
import type { AuditRecord } from '../../../ledger/audit/read.ts'
import { callSummary } from '../routes/calls.ts'
import type { LiveEvent } from './live-event.ts'

const MOST_A_SECOND = 200

export class CallStream {
  readonly #publish: (event: LiveEvent) => void
  #told = 0
  #leftOut = 0
  /** runs while the present second does */
  #second: NodeJS.Timeout | undefined

  constructor(publish: (event: LiveEvent) => void) {
    this.#publish = publish
  }

  tell(lines: readonly AuditRecord[]): void {
    this.#second ??= setTimeout(() => this.#over(), 1000).unref()
    for (const line of lines) {
      if (this.#told++ < MOST_A_SECOND) this.#publish({ type: 'call', data: callSummary(line) })
      else this.#leftOut++
    }
  }

  close(): void {
    clearTimeout(this.#second)
  }

  #over(): void {
    this.#second = undefined
    if (this.#leftOut > 0) this.#publish({ type: 'left_out', data: { calls: this.#leftOut } })
    this.#told = 0
    this.#leftOut = 0
  }
}
