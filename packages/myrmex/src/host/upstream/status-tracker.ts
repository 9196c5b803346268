/** Tracks an upstream's state, last error and counters. Everything it reports is free of secrets. */
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import { Scrubber } from '../link/scrubber.ts'
import type { Backoff } from './backoff.ts'
import type { CallCounters, Connection } from './connection.ts'
import type { EventListeners } from './event-listeners.ts'
import type { Listing } from './listing/listing.ts'
import type { UpstreamDeps, UpstreamSettings, UpstreamState } from './upstream-deps.ts'
import { describeFailure, isCancelled } from './upstream-errors.ts'

/** ending: the host ends. changed: another connection with new settings follows. removed: none does. unused: the next request opens another. */
export type CloseReason = 'ending' | 'changed' | 'removed' | 'unused'

/** retry_after_ms while the next connection is opened */
const REOPEN_MS = 2000
const CLOSED: Readonly<Record<CloseReason, string>> = {
  ending: 'the host is ending. Call again when it is running',
  removed: 'this server was just removed from the settings of the host. List the tools again',
  changed: 'the settings of this server have just changed, and the host connects to it again',
  unused: 'the host closed this connection',
}

export class StatusTracker {
  readonly counters: CallCounters = { calls: 0, failures: 0 }
  /** calls waiting for the connection to open */
  waiting = 0
  restarts = 0
  readonly #settings: UpstreamSettings
  readonly #backoff: Backoff
  readonly #listeners: EventListeners
  readonly #scrubber: Scrubber
  readonly #log: UpstreamDeps['log']
  #state: UpstreamState = 'idle'
  #since = new Date()
  #lastError: ServerStatus['last_error'] = null
  /** the last error is that a sign-in was needed */
  #neededSignIn = false
  #closedBecause: CloseReason = 'unused'
  /** why it is stopped, if nobody stopped it */
  #refusal: ToolError | undefined
  /** the last error, worded for callers */
  #reason: string | undefined

  constructor(settings: UpstreamSettings, backoff: Backoff, listeners: EventListeners, log: UpstreamDeps['log']) {
    this.#settings = settings
    this.#backoff = backoff
    this.#listeners = listeners
    this.#log = log
    this.#scrubber = new Scrubber(settings.secrets, settings.publicValues)
  }

  get state(): UpstreamState {
    return this.#state
  }

  /** Counts a call as waiting until the connection is open. If opening fails, so does the call, unless its caller cancelled it. */
  async countWaiting(opening: Promise<Connection>): Promise<Connection> {
    this.waiting++
    try {
      return await opening
    } catch (thrown) {
      this.counters.calls++
      if (!isCancelled(thrown)) this.counters.failures++
      throw thrown
    } finally {
      this.waiting--
    }
  }

  setState(state: UpstreamState, closedBecause: CloseReason = 'unused'): void {
    if (this.#state === state) return
    this.#closedBecause = closedBecause
    if (state !== 'stopped') this.#refusal = undefined
    this.#state = state
    this.#since = new Date()
    // Somebody has signed in since: the error no longer holds.
    if (state === 'ready' && this.#neededSignIn) this.#lastError = null
    void this.#listeners.emit('state', state)
  }

  recordFailure(how: string, thrown: unknown): void {
    const message = `${this.describe(thrown)}${lastOutput(thrown)}`
    const error_type = thrown instanceof ToolError ? thrown.error_type : 'TransportError'
    this.#reason = this.describe(thrown)
    this.#neededSignIn = false
    this.#lastError = { at: new Date().toISOString(), error_type, message }
    const { wait } = this.#backoff
    this.log('warn', `${how}: ${message}${wait > 0 ? `; next attempt in ${wait} ms` : ''}`)
  }

  /** The credential has logged it. */
  waitForSignIn({ error_type, message }: ToolError): void {
    this.#reason = message
    this.#lastError = { at: new Date().toISOString(), error_type, message }
    this.#neededSignIn = true
    this.setState('needs_sign_in')
  }

  /** What no call hears of. */
  logFailure(what: string, thrown: unknown): void {
    this.log('warn', `${what}: ${this.describe(thrown)}`)
  }

  log(level: Parameters<UpstreamDeps['log']>[0], line: string): void {
    this.#log(level, `${this.#settings.name}: ${line}`)
  }

  describe(thrown: unknown): string {
    const text = this.#scrubber.text(describeFailure(thrown))
    const prefix = `${this.#settings.name}: `
    return text.startsWith(prefix) ? text.slice(prefix.length) : text
  }

  /** The error for a caller. */
  unavailable(why: string, cause?: unknown, wait = this.#backoff.wait): ToolError {
    const { name: server } = this.#settings
    const retry_after_ms = Math.max(1, wait)
    const text = `${server}: ${why.replace(/[.\s]+$/, '')}. Try again in ${retry_after_ms} ms.`
    return ToolError.of('UnavailableError', text, { server, retry_after_ms }, { cause })
  }

  /** It is stopped until somebody starts it: another attempt would end the same. */
  refuse(why: ToolError): void {
    this.recordFailure('not used', why)
    this.#refusal = why
    this.setState('stopped')
  }

  stopped(): ToolError {
    if (this.#state === 'stopped' && this.#refusal !== undefined) return this.#refusal
    const { name: server } = this.#settings
    const closed = this.#state === 'closed'
    const why = this.#closedBecause
    if (closed && (why === 'changed' || why === 'unused')) return this.unavailable(CLOSED[why], undefined, REOPEN_MS)
    // Nobody knows when, so that no time is named.
    const text = closed
      ? `${CLOSED[why]}.`
      : `an operator stopped this server, and no call starts it. The operator starts it with: npx myrmex host start ${server}`
    return ToolError.of('UnavailableError', `${server}: ${text}`, { server })
  }

  coolingDown(wait: number): ToolError {
    const reason = this.#reason === undefined ? '' : ` (${this.#reason})`
    return this.unavailable(`the server could not be reached${reason} and is not retried for now`, undefined, wait)
  }

  status(
    connection: Connection | undefined,
    listing: Listing | undefined,
    subscriptions: number,
    problem: string | undefined,
  ): ServerStatus {
    const link = connection?.link
    return {
      name: this.#settings.name,
      where: this.#settings.endpoint.where,
      state: this.#state,
      since: this.#since.toISOString(),
      pid: link?.pid ?? null,
      sandbox: null,
      sign_in: null,
      era: link?.era ?? listing?.era ?? null,
      protocol: link?.version ?? null,
      server: link?.server ?? listing?.server ?? null,
      restarts: this.restarts,
      last_error: this.#lastError,
      problem: problem ?? null,
      retry_after_ms: link === undefined ? this.#backoff.wait : 0,
      breaker: this.#backoff.breaker,
      ...this.counters,
      in_flight: this.waiting + (connection?.inFlight ?? 0),
      tools: listing?.tools.length ?? 0,
      resources: listing?.resources.length ?? 0,
      templates: listing?.templates.length ?? 0,
      prompts: listing?.prompts.length ?? 0,
      subscriptions,
      // Known where its tools are registered.
      held_back: { total: 0, reasons: [], command: null, suggestion: null },
      sessions: null,
    }
  }
}

const MAX_OUTPUT = 200

/** What a child wrote to stderr about its end. Secrets are already removed. */
function lastOutput(thrown: unknown): string {
  const details = thrown instanceof ToolError ? thrown.error_details : undefined
  const said = isObject(details) ? details.last_output : undefined
  return typeof said === 'string' ? `; last output: ${said.slice(0, MAX_OUTPUT)}` : ''
}
