/**
 * One server behind the host, kept alive: opened when it is needed or from the start, opened again after it broke, left alone
 * where that does not help, cut off when it hangs. What it offers is known while it is down. No call is ever made twice.
 */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link, SendOptions } from '../link/link.ts'
import { Backoff, type OpenAttempt } from './backoff.ts'
import { Connection } from './connection.ts'
import { EventListeners } from './event-listeners.ts'
import { HealthMonitor } from './health-monitor.ts'
import { ListChanges } from './listing/list-changes.ts'
import { type ListPart, listedTool } from './listing/listed-item.ts'
import type { Listing } from './listing/listing.ts'
import { ListingStore } from './listing/listing-store.ts'
import { type ReadListingOptions, readListing } from './listing/read-listing.ts'
import { PendingShutdowns } from './pending-shutdowns.ts'
import { prepareConnection } from './prepare-connection.ts'
import type { UpstreamState, UpstreamStatus } from './status.ts'
import { StatusTracker } from './status-tracker.ts'
import { Subscriptions } from './subscriptions.ts'
import type { UpstreamDeps, UpstreamEvents, UpstreamSettings } from './upstream-deps.ts'
import {
  definitionChanged,
  healthCheckTimeout,
  isCancelled,
  isConnectionLost,
  isTimeout,
  rejectQuestion,
  untilAborted,
} from './upstream-errors.ts'

export class Upstream {
  readonly name: string
  readonly settings: UpstreamSettings
  readonly #around: UpstreamDeps
  readonly #listeners: EventListeners
  readonly #patience: Backoff
  readonly #condition: StatusTracker
  readonly #subscriptions: Subscriptions
  readonly #changes: ListChanges
  readonly #known: ListingStore
  readonly #endings: PendingShutdowns
  #line: Connection | undefined
  #vigil: HealthMonitor | undefined
  #opening: { readonly line: Promise<Connection>; readonly isProbe: boolean } | undefined
  /** aborted when it is stopped; another one when it is started again */
  #stop = new AbortController()
  #retry: NodeJS.Timeout | undefined
  #isFallen = false
  #left: readonly string[] = []
  /** in this life of the host */
  #spoken: Link['era'] | undefined

  constructor(settings: UpstreamSettings, around: UpstreamDeps) {
    const { name } = settings
    this.name = name
    this.settings = settings
    this.#around = around
    this.#listeners = new EventListeners(around.log)
    this.#patience = new Backoff(around.backoff)
    this.#condition = new StatusTracker(settings, this.#patience, this.#listeners, around.log)
    this.#known = new ListingStore(settings, around, (listing, before) =>
      this.#listeners.emit('listing', listing, before),
    )
    this.#endings = new PendingShutdowns((thrown) =>
      this.#condition.log('error', `could not be ended in order: ${this.#condition.describe(thrown)}`),
    )
    this.#changes = new ListChanges((parts) => this.#reread(parts))
    this.#subscriptions = new Subscriptions({
      name,
      warn: (line) => this.#condition.log('warn', line),
      onMaybeMissed: (uri) => void this.#listeners.emit('notification', 'notifications/resources/updated', { uri }),
    })
  }

  get state(): UpstreamState {
    return this.#condition.state
  }

  /** What it offers: as it said last, or as it is remembered from an earlier time. */
  get listing(): Listing | undefined {
    return this.#known.listing
  }

  /** What it listed when it was last asked and nobody can use, in words. */
  get skippedItems(): readonly string[] {
    return this.#left
  }

  /** It has said that its tools changed, and how is not known yet. */
  get hasUnreadToolChanges(): boolean {
    return this.#changes.hasUnreadToolChanges
  }

  /** Resolves when what it offers is known, or the first attempt to find out has failed. Never rejects. */
  async start(): Promise<void> {
    if (this.state === 'stopped') await this.#resumed()
    // Also of one that is to run: what it offered last is listed while it is starting, and where it cannot be started now.
    const isKnown = await this.#known.loadCached()
    if (this.settings.start === 'lazy' && isKnown) return
    // What was wrong is in the log and in the status.
    await this.#ready().catch(() => undefined)
  }

  /**
   * The answer as it came. Throws UnavailableError with `{server, retry_after_ms}` where it is gone; RpcError, TimeoutError and
   * CancelledError of this one request as they are.
   */
  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    const line = this.#line
    if (line === undefined) return this.#afterOpening(method, params, options)
    if (this.hasUnreadToolChanges && method === 'tools/call') return this.#afterReading(method, params, options)
    return line.send(method, params, options)
  }

  /** Only while it is there: nobody starts a server to tell it something. */
  notify(method: string, params: JsonObject): void {
    this.#line?.link.notify(method, params)
  }

  /** Counted: it is held at the upstream, over restarts too, until everybody who asked for it has let go. */
  async subscribe(uri: string): Promise<void> {
    const line = await this.#ready()
    await this.#subscriptions.subscribe(uri, line.link).catch((thrown: unknown) => {
      throw this.#failed(line, thrown)
    })
  }

  /** Never rejects. */
  unsubscribe(uri: string): Promise<void> {
    return this.#subscriptions.unsubscribe(uri)
  }

  /** Asks anew for all that it offers, and starts it for that where needed. */
  async refresh(): Promise<Listing> {
    const isOpen = this.#line !== undefined
    const line = await this.#ready()
    // One that was just opened has just been asked.
    return isOpen || this.listing === undefined ? this.#read(line) : this.listing
  }

  /** A call has passed its deadline: is it still there? If it does not say so in time it is cut off and started again. */
  checkHealth(): void {
    void this.#vigil?.check()
  }

  /** Ends it; calls are refused until `start`. */
  stop(): Promise<void> {
    return this.#halt('stopped')
  }

  /** With a clean slate: whatever went wrong before is forgotten. Never rejects. */
  async restart(): Promise<void> {
    await this.#halt('stopped')
    await this.#resumed()
    await this.#ready().catch(() => undefined)
  }

  /** For good. Of a child and all that it started nothing is left when this resolves. */
  close(): Promise<void> {
    return this.#halt('closed')
  }

  on<E extends keyof UpstreamEvents>(event: E, listener: UpstreamEvents[E]): () => void {
    return this.#listeners.add(event, listener)
  }

  status(): UpstreamStatus {
    return this.#condition.status(this.#line, this.listing, this.#subscriptions.size)
  }

  async #afterOpening(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    const condition = this.#condition
    const asked = method === 'tools/call' ? listedTool(this.listing, params.name) : undefined
    let line: Connection
    condition.waiting++
    try {
      line = await untilAborted(this.#ready(), options?.signal)
    } catch (thrown) {
      condition.counters.calls++
      if (!isCancelled(thrown)) condition.counters.failures++
      throw thrown
    } finally {
      condition.waiting--
    }
    // Whoever let this call through had the old definition before them.
    if (asked !== undefined && listedTool(this.listing, params.name) !== asked)
      throw definitionChanged(this.name, params.name)
    return line.send(method, params, options)
  }

  /** It has said that its tools are others now. Which they are is looked at before anybody calls one. */
  async #afterReading(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    const asked = listedTool(this.listing, params.name)
    await untilAborted(this.#changes.toolsRead(), options?.signal)
    if (asked !== undefined && listedTool(this.listing, params.name) !== asked)
      throw definitionChanged(this.name, params.name)
    // Only once: one that says so all the time is called all the same.
    return this.#line?.send(method, params, options) ?? this.#afterOpening(method, params, options)
  }

  /** The open line. All who wait for one share the opening; where it is only tried whether it is well again, nobody else waits. */
  #ready(): Promise<Connection> {
    if (this.#line !== undefined) return Promise.resolve(this.#line)
    if (this.#opening?.isProbe === false) return this.#opening.line
    if (this.#stop.signal.aborted) return Promise.reject(this.#condition.stopped())
    const attempt = this.#patience.attempt()
    if (typeof attempt === 'number') return Promise.reject(this.#condition.coolingDown(attempt))
    clearTimeout(this.#retry)
    const line = this.#open(attempt).finally(() => {
      this.#opening = undefined
    })
    this.#opening = { line, isProbe: attempt.isProbe }
    return line
  }

  async #open(attempt: OpenAttempt): Promise<Connection> {
    const { signal } = this.#stop
    this.#condition.setState('starting')
    try {
      // Two of one server at a time would be in each other's way.
      await this.#endings.wait()
      const line = await this.#connected(signal)
      attempt.opened()
      if (this.#isFallen) this.#condition.restarts++
      this.#isFallen = false
      return line
    } catch (thrown) {
      if (signal.aborted) {
        attempt.undecided()
        throw this.#condition.stopped()
      }
      attempt.failed()
      this.#down('could not be opened', thrown)
      throw this.#condition.unavailable(this.#condition.describe(thrown), thrown)
    }
  }

  async #connected(signal: AbortSignal): Promise<Connection> {
    const { endpoint, openMs, secrets } = this.settings
    const { log, reaper, onRequest = rejectQuestion, open } = this.#around
    const openLink = open ?? (await import('../link/open-link.ts')).openLink
    const life: { line?: Connection; broke?: ToolError } = {}
    const link = await openLink(endpoint, {
      name: this.name,
      openMs,
      secrets,
      signal,
      era: this.#spoken,
      ...(reaper !== undefined && { reaper }),
      onStderr: (text) => log('info', `${this.name}: ${text}`),
      onRequest,
      onNotification: (method, params) => this.#heard(method, params),
      onClose: (why) => {
        life.broke = why
        if (life.line !== undefined) this.#lost(life.line, why)
      },
    })
    try {
      const ready = prepareConnection(link, this.#subscriptions, this.#reading()).then((listing) =>
        this.#known.update(listing),
      )
      await untilAborted(ready, signal)
      if (life.broke !== undefined) throw life.broke
      life.line = this.#lived(link)
      this.#spoken = link.era
      this.#condition.setState('ready')
      return life.line
    } catch (thrown) {
      this.#subscriptions.detach()
      this.#endings.add(link.cut())
      throw thrown
    }
  }

  #lived(link: Link): Connection {
    const { healthMs, hungMs, start, idleMs } = this.settings
    const line = new Connection(link, this.#condition.counters, {
      answered: () => this.#patience.answered(),
      failed: (on, thrown) => this.#failed(on, thrown),
    })
    const watched = { healthMs, hungMs, idleMs: start === 'lazy' ? idleMs : 0 }
    this.#vigil = new HealthMonitor(line, watched, {
      well: () => this.#patience.answered(),
      unwell: (on, thrown) => this.#lost(on, isTimeout(thrown) ? healthCheckTimeout(hungMs) : thrown),
      idle: (on) => this.#rest(on),
    })
    this.#line = line
    return line
  }

  #heard(method: string, params: JsonObject): void {
    if (method === 'notifications/subscriptions/acknowledged') this.#subscriptions.acknowledged()
    else if (!this.#changes.onNotification(method)) void this.#listeners.emit('notification', method, params)
  }

  /** What the caller of one request is told. */
  #failed(line: Connection, thrown: unknown): unknown {
    if (isTimeout(thrown)) this.checkHealth()
    if (!isConnectionLost(thrown)) return thrown
    // It did not break, and it does not come back by itself.
    if (this.state === 'closed') return this.#condition.stopped()
    // Over HTTP one request may fail while the rest is well. It is asked before all of it is given up.
    if (this.#line === line) this.checkHealth()
    return this.#condition.unavailable(this.#condition.describe(thrown), thrown)
  }

  /** Only the first who finds it broken counts. */
  #lost(line: Connection, thrown: unknown): void {
    if (this.#line !== line) return
    this.#leave()
    this.#isFallen = true
    this.#patience.connectionLost(performance.now() - line.openedAt)
    this.#endings.add(line.link.cut())
    this.#down('went down', thrown)
  }

  /** Nobody has called for long: the next call starts it again. */
  #rest(line: Connection): void {
    if (this.#line !== line || this.#subscriptions.size > 0) return
    this.#leave()
    this.#endings.add(line.link.close())
    this.#condition.setState('idle')
  }

  #leave(): void {
    this.#line = undefined
    this.#vigil?.stop()
    this.#vigil = undefined
    this.#subscriptions.detach()
    this.#changes.stop()
  }

  #down(how: string, thrown: unknown): void {
    this.#condition.recordFailure(how, thrown)
    this.#condition.setState(this.#patience.isCoolingDown ? 'left_alone' : 'waiting')
    this.#plan()
  }

  /** It is tried again in the background where somebody counts on it, and else by the next call. */
  #plan(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      // Timers may be early.
      if (this.#patience.wait > 0) this.#plan()
      else if (this.settings.start === 'lazy' && this.#subscriptions.size === 0) this.#condition.setState('idle')
      // What was wrong is in the log, and the next attempt is planned.
      else this.#ready().catch(() => undefined)
    }, this.#patience.wait)
    this.#retry.unref()
  }

  async #halt(state: 'stopped' | 'closed'): Promise<void> {
    if (this.state !== 'closed') this.#condition.setState(state)
    this.#stop.abort()
    clearTimeout(this.#retry)
    const line = this.#line
    this.#leave()
    if (line !== undefined) this.#endings.add(line.link.close())
    await this.#over()
    await this.#known.written()
  }

  /** Resolves when nothing of it is left. One that is just being opened is ended by its signal. */
  async #over(): Promise<void> {
    await this.#opening?.line.catch(() => undefined)
    await this.#endings.wait()
  }

  /** From stopped to idle; one that is closed stays so. */
  async #resumed(): Promise<void> {
    await this.#over()
    if (this.state !== 'stopped') return
    this.#patience.reset()
    this.#stop = new AbortController()
    this.#condition.setState('idle')
  }

  /** After a word of the upstream's that something changed. */
  async #reread(parts: ReadonlySet<ListPart>): Promise<void> {
    // What changed while it was being opened may have been read before that.
    const line = this.#line ?? (await this.#opening?.line.catch(() => undefined))
    if (line === undefined) return
    await this.#read(line, parts).catch((thrown: unknown) => {
      this.#condition.log('warn', `could not be listed anew: ${this.#condition.describe(thrown)}`)
    })
  }

  async #read(line: Connection, parts?: ReadonlySet<ListPart>): Promise<Listing> {
    try {
      const listing = await readListing(line.link, { ...this.#reading(), ...(parts && { parts }) })
      if (this.#line === line) await this.#known.update(listing)
      return listing
    } catch (thrown) {
      throw this.#failed(line, thrown)
    }
  }

  #reading(): ReadListingOptions {
    const { name, listing } = this
    const left: string[] = []
    this.#left = left
    const tell = (line: string): void => {
      left.push(line)
      this.#condition.log('warn', line)
    }
    return { name, warn: tell, ...(listing && { before: listing }) }
  }
}
