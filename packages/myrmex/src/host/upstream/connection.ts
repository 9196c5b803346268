/** One life of an upstream: a link, and what is in flight on it. The way of every call, so it makes nothing anew for one. */
import { RpcError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link, SendOptions } from '../link/link.ts'
import { isCancelled } from './upstream-errors.ts'

/** Of all lives together. */
export interface CallCounters {
  calls: number
  failures: number
}

export interface ConnectionEvents {
  answered(): void
  /** Gives what the caller is told. */
  failed(line: Connection, thrown: unknown): unknown
}

export class Connection {
  readonly link: Link
  readonly openedAt = performance.now()
  /** when something was last asked or answered */
  usedAt = this.openedAt
  inFlight = 0
  answers = 0
  readonly #tally: CallCounters
  readonly #events: ConnectionEvents

  constructor(link: Link, tally: CallCounters, events: ConnectionEvents) {
    this.link = link
    this.#tally = tally
    this.#events = events
  }

  send(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    this.#tally.calls++
    this.inFlight++
    return this.link.request(method, params, options).then(this.#answered, this.#failed)
  }

  readonly #answered = (result: JsonObject): JsonObject => {
    this.#done()
    return result
  }

  readonly #failed = (thrown: unknown): never => {
    if (thrown instanceof RpcError) {
      // It said no, and is there.
      this.#done()
      throw thrown
    }
    this.inFlight--
    this.usedAt = performance.now()
    if (!isCancelled(thrown)) this.#tally.failures++
    throw this.#events.failed(this, thrown)
  }

  #done(): void {
    this.inFlight--
    this.answers++
    this.usedAt = performance.now()
    this.#events.answered()
  }
}
