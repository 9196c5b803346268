/** Monitors one connection: checks its health while there are no calls or after a timeout, and detects when it is idle. */
import { RpcError } from '../../protocol/errors.ts'
import type { ServerSettings } from '../settings.ts'
import type { Connection } from './connection.ts'

export type HealthSettings = Pick<ServerSettings, 'healthMs' | 'hungMs' | 'idleMs'>

export interface HealthEvents {
  well(): void
  /** No answer, or the connection is lost. */
  unwell(connection: Connection, thrown: unknown): void
  idle(connection: Connection): void
}

export class HealthMonitor {
  readonly #connection: Connection
  readonly #settings: HealthSettings
  readonly #events: HealthEvents
  readonly #timers = new Set<NodeJS.Timeout>()
  #checking: Promise<void> | undefined
  #isStopped = false

  constructor(connection: Connection, settings: HealthSettings, events: HealthEvents) {
    this.#connection = connection
    this.#settings = settings
    this.#events = events
    if (settings.healthMs > 0) this.#afterQuiet(settings.healthMs, () => this.check())
    if (settings.idleMs > 0) this.#afterQuiet(settings.idleMs, () => events.idle(connection))
  }

  /** Any answer counts, even one to another request. */
  check(): Promise<void> {
    this.#checking ??= this.#probe().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  async #probe(): Promise<void> {
    const { link, answers } = this.#connection
    try {
      await link.request(link.era === 'modern' ? 'server/discover' : 'ping', {}, { timeoutMs: this.#settings.hungMs })
    } catch (thrown) {
      if (this.#isStopped) return
      // An error answer is an answer too.
      const isThere = thrown instanceof RpcError || this.#connection.answers !== answers
      if (!isThere) return this.#events.unwell(this.#connection, thrown)
    }
    if (!this.#isStopped) this.#events.well()
  }

  /** Runs `act` after every `ms` milliseconds without traffic. */
  #afterQuiet(ms: number, act: () => Promise<void> | void, since = this.#connection.usedAt): void {
    if (this.#isStopped) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        const { inFlight, usedAt } = this.#connection
        const isQuiet = inFlight === 0 && usedAt <= since
        if (!isQuiet) return this.#afterQuiet(ms, act, inFlight === 0 ? usedAt : performance.now())
        void Promise.resolve(act()).finally(() => this.#afterQuiet(ms, act, performance.now()))
      },
      Math.max(1, since + ms - performance.now()),
    )
    // The timer must not keep the process alive.
    timer.unref()
    this.#timers.add(timer)
  }
}
