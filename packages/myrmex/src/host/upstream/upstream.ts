/**
 * One server behind the host and its connection:
 *
 * - It is opened at start or by the first call (lazy), and reopened after a failure with growing delays (`Backoff`).
 * - A hanging connection is cut by the `HealthMonitor`.
 * - Its listing stays available while it is down, and no call is ever sent twice.
 */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import type { Link, SendOptions } from '../link/link.ts'
import { isSignInNeeded } from '../sign-in/sign-in-needed.ts'
import { Backoff, type OpenAttempt } from './backoff.ts'
import { Connection, prepareConnection } from './connection.ts'
import { EventListeners } from './event-listeners.ts'
import { HealthMonitor } from './health-monitor.ts'
import { ListChanges } from './listing/list-changes.ts'
import { assertSameTool, type Listing, type ListPart, listedTool } from './listing/listing.ts'
import { ListingReader } from './listing/listing-reader.ts'
import { ListingStore } from './listing/listing-store.ts'
import { openUpstreamLink } from './open-upstream-link.ts'
import { PendingShutdowns } from './pending-shutdowns.ts'
import { RetryTimer } from './retry-timer.ts'
import { type CloseReason, StatusTracker } from './status-tracker.ts'
import { Subscriptions } from './subscriptions.ts'
import type { UpstreamDeps, UpstreamEvents, UpstreamSettings, UpstreamState } from './upstream-deps.ts'
import { healthCheckTimeout, isConnectionLost, isTimeout, OwnServerError, untilAborted } from './upstream-errors.ts'

export class Upstream {
  readonly name: string
  readonly settings: UpstreamSettings
  readonly #deps: UpstreamDeps
  readonly #listeners: EventListeners
  readonly #backoff: Backoff
  readonly #tracker: StatusTracker
  readonly #subscriptions: Subscriptions
  readonly #changes: ListChanges
  readonly #listings: ListingStore
  readonly #reader: ListingReader
  readonly #shutdowns: PendingShutdowns
  #connection: Connection | undefined
  #health: HealthMonitor | undefined
  #opening: { readonly connection: Promise<Connection>; readonly isProbe: boolean } | undefined
  /** aborted by `stop`; replaced by the next start */
  #stop = new AbortController()
  readonly #retry: RetryTimer
  #wasLost = false
  /** since the host started */
  #era: Link['era'] | undefined

  constructor(settings: UpstreamSettings, deps: UpstreamDeps) {
    this.name = settings.name
    this.settings = settings
    this.#deps = deps
    this.#listeners = new EventListeners(deps.log)
    this.#backoff = new Backoff(deps.backoff)
    this.#retry = new RetryTimer(this.#backoff, () => this.#retryNow())
    this.#tracker = new StatusTracker(settings, this.#backoff, this.#listeners, deps.log)
    this.#shutdowns = new PendingShutdowns((thrown) => this.#tracker.logFailure('shutdown failed', thrown))
    this.#listings = new ListingStore(settings, deps, (listing, before) =>
      this.#listeners.emit('listing', listing, before),
    )
    this.#reader = new ListingReader({
      name: settings.name,
      hostId: deps.hostId,
      warn: (text) => this.#tracker.log('warn', text),
      reread: (parts) => this.#readChanges(parts),
      onProblem: () => this.#connection && void this.#listeners.emit('state', this.state),
    })
    this.#changes = new ListChanges((parts) => this.#readChanges(parts))
    this.#subscriptions = new Subscriptions(settings.name, (text) => this.#tracker.log('warn', text))
  }

  get state(): UpstreamState {
    return this.#tracker.state
  }

  /** The latest listing, or the cached one. */
  get listing(): Listing | undefined {
    return this.#listings.listing
  }

  get skippedItems(): readonly string[] {
    return this.#reader.skippedItems
  }

  /** why calls are rejected until `start`; undefined: they are not */
  get stopReason(): ToolError | undefined {
    return this.#stop.signal.aborted ? this.#tracker.stopped() : undefined
  }

  get hasUnreadToolChanges(): boolean {
    return this.#changes.hasUnreadToolChanges
  }

  /** Resolves when the listing is known or the first attempt has failed. Never rejects. */
  async start(): Promise<void> {
    if (this.state === 'stopped') await this.#reset()
    // Eager servers too: the cached listing is shown while the server starts, and if it cannot start.
    const isKnown = await this.#listings.loadCached()
    if (this.settings.start === 'lazy' && isKnown) return
    // The error is in the log and in the status.
    await this.#ready().catch(() => undefined)
  }

  /**
   * Returns the answer unchanged. Throws UnavailableError with `{server, retry_after_ms}` if the server is gone. Rethrows RpcError,
   * TimeoutError and CancelledError of this request.
   */
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    const connection = this.#connection
    if (connection === undefined) return this.#afterOpening(method, params, options)
    if (this.hasUnreadToolChanges && method === 'tools/call') return this.#afterReading(method, params, options)
    return this.#send(connection, method, params, options)
  }

  #send(connection: Connection, method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    const refused = this.#deps.refuse?.(method, params, this.listing)
    return refused === undefined ? connection.send(method, params, options) : Promise.reject(refused)
  }

  /** Does nothing without a connection: a notification does not start a server. */
  notify(method: string, params: JsonObject): void {
    this.#connection?.link.notify(method, params)
  }

  /** Calls `onChange` after every change and every reconnect, until the returned function is called. */
  async subscribe(uri: string, onChange: () => void): Promise<() => void> {
    const connection = await this.#ready()
    const refused = this.#deps.refuse?.('resources/subscribe', { uri }, this.listing)
    if (refused !== undefined) throw refused
    return this.#subscriptions.subscribe(uri, connection.link, onChange).catch((thrown: unknown) => {
      throw this.#toCallerError(connection, thrown)
    })
  }

  /** Reads the listing again. Starts the server if necessary. */
  async refresh(): Promise<Listing> {
    const isOpen = this.#connection !== undefined
    const connection = await this.#ready()
    // A new connection has just read it.
    return isOpen || this.listing === undefined ? this.#read(connection) : this.listing
  }

  /** A client got another page at this URI than the listing has: the listing is read again, and reviewed. */
  readPageAgain(uri: string): void {
    this.#reader.addPage(uri)
    this.#changes.onNotification('notifications/resources/list_changed')
  }

  /** For a call that passed its deadline: checks the connection, and reconnects if there is no answer in time. */
  checkHealth(): void {
    void this.#health?.check()
  }

  /** Ends the server. Calls are rejected until `start`. */
  stop(): Promise<void> {
    return this.#end('stopped')
  }

  /** Forgets earlier failures. Never rejects. */
  async restart(): Promise<void> {
    await this.#end('stopped')
    await this.#deps.credential?.reload().catch(() => undefined)
    await this.#reset()
    await this.#ready().catch(() => undefined)
  }

  /** Its credential is gone: what is open ends, and nothing is sent until somebody signs in. */
  signedOut(why: ToolError): void {
    if (this.#connection !== undefined) this.#connectionLost(this.#connection, why)
  }

  /** For good. A child process and its descendants are gone when this resolves. */
  close(why: CloseReason = 'unused'): Promise<void> {
    return this.#end('closed', why)
  }

  on<E extends keyof UpstreamEvents>(event: E, listener: UpstreamEvents[E]): () => void {
    return this.#listeners.add(event, listener)
  }

  status(): ServerStatus {
    return this.#tracker.status(this.#connection, this.listing, this.#subscriptions.size, this.#reader.problem)
  }

  async #afterOpening(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    const asked = method === 'tools/call' ? listedTool(this.listing, params.name) : undefined
    const connection = await this.#tracker.countWaiting(untilAborted(this.#ready(), options?.signal))
    assertSameTool(this, asked, params.name)
    return this.#send(connection, method, params, options)
  }

  /** The server reported a tool change: read it before the call. */
  async #afterReading(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    const asked = listedTool(this.listing, params.name)
    await untilAborted(this.#changes.toolsRead(), options?.signal)
    assertSameTool(this, asked, params.name)
    const connection = this.#connection
    // Only once, for a server that reports changes all the time.
    if (connection === undefined) return this.#afterOpening(method, params, options)
    return this.#send(connection, method, params, options)
  }

  /** The open connection. Callers share one opening, except a probe after a cooldown: then other callers are rejected. */
  #ready(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection)
    if (this.#opening?.isProbe === false) return this.#opening.connection
    if (this.#stop.signal.aborted) return Promise.reject(this.#tracker.stopped())
    if (this.state === 'needs_sign_in') return Promise.reject(this.#deps.credential?.needed())
    const attempt = this.#backoff.attempt()
    if (typeof attempt === 'number') return Promise.reject(this.#tracker.coolingDown(attempt))
    this.#retry.cancel()
    const connection = this.#open(attempt).finally(() => {
      this.#opening = undefined
    })
    this.#opening = { connection, isProbe: attempt.isProbe }
    return connection
  }

  async #open(attempt: OpenAttempt): Promise<Connection> {
    const { signal } = this.#stop
    this.#tracker.setState('starting')
    try {
      // Two processes of one server could disturb each other.
      await this.#shutdowns.done
      const connection = await this.#connected(signal)
      attempt.opened()
      if (this.#wasLost) this.#tracker.restarts++
      this.#wasLost = false
      return connection
    } catch (thrown) {
      if (thrown instanceof OwnServerError) this.#stop.abort(this.#tracker.refuse(thrown))
      if (signal.aborted) {
        attempt.undecided()
        throw this.#tracker.stopped()
      }
      const needsSignIn = this.#needsSignIn(thrown)
      attempt[needsSignIn ? 'undecided' : 'failed']()
      this.#retryLater('could not connect', thrown)
      throw needsSignIn ? thrown : this.#tracker.unavailable(this.#tracker.describe(thrown), thrown)
    }
  }

  async #connected(signal: AbortSignal): Promise<Connection> {
    const state: { connection?: Connection; broke?: ToolError } = {}
    const link = await openUpstreamLink(this.settings, this.#deps, {
      signal,
      era: this.#era ?? this.#deps.knownListing?.era,
      onNotification: (method, params) => this.#onNotification(method, params),
      onClose: (why) => {
        state.broke = why
        if (state.connection !== undefined) this.#connectionLost(state.connection, why)
      },
    })
    try {
      const read = (): Promise<Listing> => this.#reader.read(link, this.listing)
      const warn = (text: string): void => this.#tracker.log('warn', text)
      const listing = await untilAborted(prepareConnection(link, this.#subscriptions, read, warn), signal)
      await untilAborted(this.#listings.update(listing), signal)
      if (state.broke !== undefined) throw state.broke
      state.connection = this.#watched(link)
      this.#era = link.era
      this.#tracker.setState('ready')
      return state.connection
    } catch (thrown) {
      this.#subscriptions.detach()
      this.#reader.stop()
      this.#shutdowns.add(link.cut())
      throw thrown
    }
  }

  #watched(link: Link): Connection {
    const { healthMs, hungMs, start, idleMs } = this.settings
    const connection = new Connection(link, this.#tracker.counters, {
      answered: () => this.#backoff.answered(),
      failed: (on, thrown) => this.#toCallerError(on, thrown),
    })
    const watched = { healthMs, hungMs, idleMs: start === 'lazy' ? idleMs : 0 }
    this.#health = new HealthMonitor(connection, watched, {
      well: () => this.#backoff.answered(),
      unwell: (on, thrown) => this.#connectionLost(on, isTimeout(thrown) ? healthCheckTimeout(hungMs) : thrown),
      idle: (on) => this.#goIdle(on),
    })
    this.#connection = connection
    return connection
  }

  #onNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/subscriptions/acknowledged') this.#subscriptions.acknowledged()
    else if (method === 'notifications/resources/updated') this.#subscriptions.notify(String(params.uri))
    else if (!this.#changes.onNotification(method)) void this.#listeners.emit('notification', method, params)
  }

  /** The error for the caller. */
  #toCallerError(connection: Connection, thrown: unknown): unknown {
    if (isTimeout(thrown)) this.checkHealth()
    if (this.#needsSignIn(thrown)) this.#connectionLost(connection, thrown)
    if (!isConnectionLost(thrown)) return thrown
    // Closed on purpose: it does not come back.
    if (this.state === 'closed') return this.#tracker.stopped()
    // Over HTTP one request may fail while the server is fine: check before giving up the connection.
    if (this.#connection === connection) this.checkHealth()
    return this.#tracker.unavailable(this.#tracker.describe(thrown), thrown)
  }

  #needsSignIn(thrown: unknown): thrown is ToolError {
    return isSignInNeeded(thrown, this.#deps.credential?.options.principal)
  }

  /** Only the first report of a loss counts. */
  #connectionLost(connection: Connection, thrown: unknown): void {
    if (this.#connection !== connection) return
    this.#detach()
    this.#wasLost = true
    this.#backoff.connectionLost(performance.now() - connection.openedAt)
    this.#shutdowns.add(connection.link.cut())
    this.#retryLater('connection lost', thrown)
  }

  /** No calls for a while: the next call starts it again. */
  #goIdle(connection: Connection): void {
    if (this.#connection !== connection || this.#subscriptions.size > 0) return
    this.#detach()
    this.#shutdowns.add(connection.link.close())
    this.#tracker.setState('idle')
  }

  #detach(): void {
    this.#connection = undefined
    this.#health?.stop()
    this.#health = undefined
    this.#subscriptions.detach()
    this.#changes.stop()
    this.#reader.stop()
  }

  #retryLater(how: string, thrown: unknown): void {
    // No attempts and no timer: the server hears nothing until somebody has signed in.
    if (this.#needsSignIn(thrown)) return this.#tracker.waitForSignIn(thrown)
    this.#tracker.recordFailure(how, thrown)
    this.#tracker.setState(this.#backoff.isCoolingDown ? 'cooldown' : 'waiting')
    this.#retry.schedule()
  }

  /** Retries in the background if the server is eager or has subscribers. Otherwise the next call retries. */
  #retryNow(): void {
    if (this.settings.start === 'lazy' && this.#subscriptions.size === 0) return this.#tracker.setState('idle')
    // The error is in the log, and the next attempt is scheduled.
    this.#ready().catch(() => undefined)
  }

  async #end(state: 'stopped' | 'closed', why?: CloseReason): Promise<void> {
    if (this.state !== 'closed') this.#tracker.setState(state, why)
    this.#stop.abort()
    this.#retry.cancel()
    const connection = this.#connection
    this.#detach()
    if (connection !== undefined) this.#shutdowns.add(connection.link.close())
    await this.#ended()
    await this.#listings.written()
  }

  /** Resolves when everything has ended. A pending opening is aborted by its signal. */
  async #ended(): Promise<void> {
    await this.#opening?.connection.catch(() => undefined)
    await this.#shutdowns.done
  }

  /** From stopped to idle. A closed server stays closed. */
  async #reset(): Promise<void> {
    await this.#ended()
    if (this.state !== 'stopped') return
    this.#backoff.reset()
    this.#stop = new AbortController()
    this.#tracker.setState('idle')
  }

  async #readChanges(parts: ReadonlySet<ListPart>): Promise<void> {
    // A change during the opening may have come after the read.
    const connection = this.#connection ?? (await this.#opening?.connection.catch(() => undefined))
    if (connection === undefined) return
    await this.#read(connection, parts).catch((thrown: unknown) =>
      this.#tracker.logFailure('could not read the listing again', thrown),
    )
  }

  async #read(connection: Connection, parts?: ReadonlySet<ListPart>): Promise<Listing> {
    try {
      const listing = await this.#reader.read(connection.link, this.listing, parts)
      if (this.#connection === connection) await this.#listings.update(listing)
      return listing
    } catch (thrown) {
      throw this.#toCallerError(connection, thrown)
    }
  }
}
