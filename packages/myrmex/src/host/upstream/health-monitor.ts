/** Watches over one open line: asks after its health while nobody calls, or when a call took too long, and sees when it is idle. */
import { RpcError } from '../../protocol/errors.ts'
import type { Connection } from './connection.ts'

export interface HealthSettings {
  /** 0: never */
  readonly healthMs: number
  readonly hungMs: number
  /** 0: never */
  readonly idleMs: number
}

export interface HealthEvents {
  well(): void
  /** It did not answer, or is gone. */
  unwell(line: Connection, thrown: unknown): void
  /** Nobody has called for as long as was told. */
  idle(line: Connection): void
}

export class HealthMonitor {
  readonly #line: Connection
  readonly #settings: HealthSettings
  readonly #events: HealthEvents
  readonly #timers = new Set<NodeJS.Timeout>()
  #checking: Promise<void> | undefined
  #isOver = false

  constructor(line: Connection, settings: HealthSettings, events: HealthEvents) {
    this.#line = line
    this.#settings = settings
    this.#events = events
    if (settings.healthMs > 0) this.#afterQuiet(settings.healthMs, () => this.check())
    if (settings.idleMs > 0) this.#afterQuiet(settings.idleMs, () => events.idle(line))
  }

  /** Is it there? Any answer is one, also to somebody else. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  stop(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  async #ask(): Promise<void> {
    const { link, answers } = this.#line
    try {
      await link.request(link.era === 'modern' ? 'server/discover' : 'ping', {}, { timeoutMs: this.#settings.hungMs })
    } catch (thrown) {
      if (this.#isOver) return
      // One that says that it knows no such question has answered it.
      const isThere = thrown instanceof RpcError || this.#line.answers !== answers
      if (!isThere) return this.#events.unwell(this.#line, thrown)
    }
    if (!this.#isOver) this.#events.well()
  }

  /** Does something whenever the line has been quiet for that long; counted anew after it. */
  #afterQuiet(ms: number, act: () => Promise<void> | void, since = this.#line.usedAt): void {
    if (this.#isOver) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        const { inFlight, usedAt } = this.#line
        const isQuiet = inFlight === 0 && usedAt <= since
        if (!isQuiet) return this.#afterQuiet(ms, act, inFlight === 0 ? usedAt : performance.now())
        void Promise.resolve(act()).finally(() => this.#afterQuiet(ms, act, performance.now()))
      },
      Math.max(1, since + ms - performance.now()),
    )
    // Nobody stays alive only to watch.
    timer.unref()
    this.#timers.add(timer)
  }
}
