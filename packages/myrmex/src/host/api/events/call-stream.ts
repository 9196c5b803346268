/** Publishes calls as live events, up to a rate limit. Skipped calls are counted. */
import type { AuditRecord } from '../../../ledger/audit/read.ts'
import { callSummary } from '../routes/calls.ts'
import type { LiveEvent } from './live-event.ts'

const MAX_PER_SECOND = 200

export class CallStream {
  readonly #publish: (event: LiveEvent) => void
  #published = 0
  #skipped = 0
  /** runs until the current second ends */
  #second: NodeJS.Timeout | undefined

  constructor(publish: (event: LiveEvent) => void) {
    this.#publish = publish
  }

  tell(lines: readonly AuditRecord[]): void {
    this.#second ??= setTimeout(() => this.#secondEnded(), 1000).unref()
    for (const line of lines) {
      if (this.#published++ < MAX_PER_SECOND) this.#publish({ type: 'call', data: callSummary(line) })
      else this.#skipped++
    }
  }

  close(): void {
    clearTimeout(this.#second)
  }

  #secondEnded(): void {
    this.#second = undefined
    if (this.#skipped > 0) this.#publish({ type: 'calls_skipped', data: { count: this.#skipped } })
    this.#published = 0
    this.#skipped = 0
  }
}
