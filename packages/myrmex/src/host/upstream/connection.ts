/**
 * A live connection to an upstream with its counters, and how it is prepared. Every call passes here, so a call allocates nothing
 * extra.
 */
import { RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import type { Link, SendOptions } from '../link/link.ts'
import type { Listing } from './listing/listing.ts'
import type { Subscriptions } from './subscriptions.ts'
import { isCancelled } from './upstream-errors.ts'

const SET_LEVEL_TIMEOUT_MS = 5000

/** Counts over all connections of an upstream. */
export type CallCounters = Pick<ServerStatus, 'calls' | 'failures'>

export interface ConnectionEvents {
  answered(): void
  /** Returns the error for the caller. */
  failed(connection: Connection, thrown: unknown): unknown
}

export class Connection {
  readonly link: Link
  readonly openedAt = performance.now()
  /** time of the last request or answer */
  usedAt = this.openedAt
  inFlight = 0
  answers = 0
  readonly #counters: CallCounters
  readonly #events: ConnectionEvents

  constructor(link: Link, counters: CallCounters, events: ConnectionEvents) {
    this.link = link
    this.#counters = counters
    this.#events = events
  }

  send(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    this.#counters.calls++
    this.inFlight++
    return this.link.request(method, params, options).then(this.#answered, this.#failed)
  }

  readonly #answered = (result: JsonObject): JsonObject => {
    this.#done()
    return result
  }

  readonly #failed = (thrown: unknown): never => {
    if (thrown instanceof RpcError) {
      // An error answer: the upstream is alive.
      this.#done()
      throw thrown
    }
    this.inFlight--
    this.usedAt = performance.now()
    if (!isCancelled(thrown)) this.#counters.failures++
    throw this.#events.failed(this, thrown)
  }

  #done(): void {
    this.inFlight--
    this.answers++
    this.usedAt = performance.now()
    this.#events.answered()
  }
}

/** Sets the log level, restores subscriptions and reads the listing. Calls wait for this, so a definition that changed while the server was down is detected before it is called. */
export async function prepareConnection(
  link: Link,
  subscriptions: Subscriptions,
  read: () => Promise<Listing>,
  warn: (line: string) => void,
): Promise<Listing> {
  const [listing] = await Promise.all([
    // Subscribe first: changes during the read are then reported.
    subscriptions.attach(link).then(read),
    requestAllLogs(link, warn),
  ])
  return listing
}

/** Requests every log level, because each client filters for itself. A modern request carries its own level. */
async function requestAllLogs(link: Link, warn: (line: string) => void): Promise<void> {
  if (link.era === 'modern' || !isObject(link.capabilities.logging)) return
  try {
    await link.request('logging/setLevel', { level: 'debug' }, { timeoutMs: SET_LEVEL_TIMEOUT_MS })
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    warn(`logging/setLevel was rejected: ${thrown.message}`)
  }
}
