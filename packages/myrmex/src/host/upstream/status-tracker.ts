/** How an upstream is and how it has been: its state, what last went wrong, how often. What it says holds no secret. */
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { Scrubber } from '../link/scrubber.ts'
import type { Backoff } from './backoff.ts'
import type { CallCounters, Connection } from './connection.ts'
import type { EventListeners } from './event-listeners.ts'
import type { Listing } from './listing/listing.ts'
import type { UpstreamState, UpstreamStatus } from './status.ts'
import type { UpstreamDeps, UpstreamSettings } from './upstream-deps.ts'
import { describeFailure, unavailable } from './upstream-errors.ts'

/** what a caller is told to wait where it is for an operator to say when */
const STOPPED_MS = 30_000
/** With other settings it is soon there again, if it is not gone for good. */
const CLOSED_MS = 2000
const CLOSED = 'the host has closed it, since it ends, or since the settings of this server were changed or taken out'

export class StatusTracker {
  readonly counters: CallCounters = { calls: 0, failures: 0 }
  /** calls that wait for it to be opened */
  waiting = 0
  restarts = 0
  readonly #settings: UpstreamSettings
  readonly #patience: Backoff
  readonly #listeners: EventListeners
  readonly #scrubber: Scrubber
  readonly #log: UpstreamDeps['log']
  #state: UpstreamState = 'idle'
  #since = new Date()
  #lastError: UpstreamStatus['last_error'] = null
  /** the same as callers may hear it */
  #reason: string | undefined

  constructor(settings: UpstreamSettings, patience: Backoff, listeners: EventListeners, log: UpstreamDeps['log']) {
    this.#settings = settings
    this.#patience = patience
    this.#listeners = listeners
    this.#log = log
    this.#scrubber = new Scrubber(settings.secrets)
  }

  get state(): UpstreamState {
    return this.#state
  }

  setState(state: UpstreamState): void {
    if (this.#state === state) return
    this.#state = state
    this.#since = new Date()
    void this.#listeners.emit('state', state)
  }

  /** Remembers what went wrong, and tells it. */
  recordFailure(how: string, thrown: unknown): void {
    const message = `${this.describe(thrown)}${lastWords(thrown)}`
    const error_type = thrown instanceof ToolError ? thrown.error_type : 'TransportError'
    this.#reason = this.describe(thrown)
    this.#lastError = { at: new Date().toISOString(), error_type, message }
    const { wait } = this.#patience
    this.log('warn', `${how}: ${message}${wait > 0 ? `; it is left alone for ${wait} ms` : ''}`)
  }

  log(level: Parameters<UpstreamDeps['log']>[0], line: string): void {
    this.#log(level, `${this.#settings.name}: ${line}`)
  }

  describe(thrown: unknown): string {
    const text = this.#scrubber.text(describeFailure(thrown))
    const prefix = `${this.#settings.name}: `
    return text.startsWith(prefix) ? text.slice(prefix.length) : text
  }

  /** What a caller is told. */
  unavailable(why: string, cause?: unknown, wait = this.#patience.wait): ToolError {
    const { name } = this.#settings
    return unavailable(name, `${name}: ${why}`, Math.max(1, wait), cause)
  }

  stopped(): ToolError {
    if (this.#state === 'closed') return this.unavailable(CLOSED, undefined, CLOSED_MS)
    return this.unavailable('an operator has stopped it', undefined, STOPPED_MS)
  }

  coolingDown(wait: number): ToolError {
    const last = this.#reason
    const why = last === undefined ? 'it could not be reached' : `it could not be reached (${last})`
    return this.unavailable(`${why}, and is left alone for now`, undefined, wait)
  }

  status(line: Connection | undefined, listing: Listing | undefined, subscriptions: number): UpstreamStatus {
    const link = line?.link
    return {
      name: this.#settings.name,
      where: this.#settings.endpoint.where,
      state: this.#state,
      since: this.#since.toISOString(),
      pid: link?.pid ?? null,
      era: link?.era ?? listing?.era ?? null,
      protocol: link?.version ?? null,
      server: link?.server ?? listing?.server ?? null,
      restarts: this.restarts,
      last_error: this.#lastError,
      retry_after_ms: link === undefined ? this.#patience.wait : 0,
      breaker: this.#patience.breaker,
      ...this.counters,
      in_flight: this.waiting + (line?.inFlight ?? 0),
      tools: listing?.tools.length ?? 0,
      resources: listing?.resources.length ?? 0,
      templates: listing?.templates.length ?? 0,
      prompts: listing?.prompts.length ?? 0,
      subscriptions,
    }
  }
}

const LONGEST_WORDS = 200

/** What a child wrote before it went, for the operator: as a rule that is why. Its secrets are out of it already. */
function lastWords(thrown: unknown): string {
  const details = thrown instanceof ToolError ? thrown.error_details : undefined
  const lines = isObject(details) && Array.isArray(details.stderr) ? details.stderr : []
  const last = lines.findLast((line) => typeof line === 'string' && line.trim() !== '')
  return typeof last === 'string' ? `; it said last: ${last.trim().slice(0, LONGEST_WORDS)}` : ''
}
