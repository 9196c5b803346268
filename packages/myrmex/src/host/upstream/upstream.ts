/**
 * One server behind the host, kept alive: opened when it is needed or from the start, opened again after it broke, left alone
 * where that does not help, cut off when it hangs. What it offers is known while it is down. No call is ever made twice.
 */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link, SendOptions } from '../link/link.ts'
import type { UpstreamAround, UpstreamEvents, UpstreamSettings } from './around.ts'
import { Changes } from './changes.ts'
import { Condition } from './condition.ts'
import { Endings } from './endings.ts'
import { hung, isBroken, isCancelled, isTimeout, redefined, refused, whileWanted } from './failure.ts'
import { listedTool, type Part } from './item.ts'
import { Known } from './known.ts'
import { Line } from './line.ts'
import { Listeners } from './listeners.ts'
import type { Listing } from './listing.ts'
import { type Attempt, Patience } from './pace.ts'
import { type ReadOptions, readListing } from './read-listing.ts'
import { settled } from './settled.ts'
import type { UpstreamState, UpstreamStatus } from './status.ts'
import { Subscriptions } from './subscriptions.ts'
import { Vigil } from './vigil.ts'

export class Upstream {
  readonly name: string
  readonly settings: UpstreamSettings
  readonly #around: UpstreamAround
  readonly #listeners: Listeners
  readonly #patience: Patience
  readonly #condition: Condition
  readonly #subscriptions: Subscriptions
  readonly #changes: Changes
  readonly #known: Known
  readonly #endings: Endings
  #line: Line | undefined
  #vigil: Vigil | undefined
  #opening: { readonly line: Promise<Line>; readonly isProbe: boolean } | undefined
  /** aborted when it is stopped; another one when it is started again */
  #stop = new AbortController()
  #retry: NodeJS.Timeout | undefined
  #isFallen = false
  #left: readonly string[] = []
  /** in this life of the host */
  #spoken: Link['era'] | undefined

  constructor(settings: UpstreamSettings, around: UpstreamAround) {
    const { name } = settings
    this.name = name
    this.settings = settings
    this.#around = around
    this.#listeners = new Listeners(around.log)
    this.#patience = new Patience(around.pace)
    this.#condition = new Condition(settings, this.#patience, this.#listeners, around.log)
    this.#known = new Known(settings, around, (listing, before) => this.#listeners.tell('listing', listing, before))
    this.#endings = new Endings((thrown) =>
      this.#condition.tell('error', `could not be ended in order: ${this.#condition.shown(thrown)}`),
    )
    this.#changes = new Changes((parts) => this.#reread(parts))
    this.#subscriptions = new Subscriptions({
      name,
      tell: (line) => this.#condition.tell('warn', line),
      missed: (uri) => void this.#listeners.tell('notification', 'notifications/resources/updated', { uri }),
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
  get left(): readonly string[] {
    return this.#left
  }

  /** It has said that its tools changed, and how is not known yet. */
  get areToolsUnread(): boolean {
    return this.#changes.areToolsUnread
  }

  /** Resolves when what it offers is known, or the first attempt to find out has failed. Never rejects. */
  async start(): Promise<void> {
    if (this.state === 'stopped') await this.#resumed()
    // Also of one that is to run: what it offered last is listed while it is starting, and where it cannot be started now.
    const isKnown = await this.#known.recall()
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
    if (this.areToolsUnread && method === 'tools/call') return this.#afterReading(method, params, options)
    return line.send(method, params, options)
  }

  /** Only while it is there: nobody starts a server to tell it something. */
  notify(method: string, params: JsonObject): void {
    this.#line?.link.notify(method, params)
  }

  /** Counted: it is held at the upstream, over restarts too, until everybody who asked for it has let go. */
  async subscribe(uri: string): Promise<void> {
    const line = await this.#ready()
    await this.#subscriptions.hold(uri, line.link).catch((thrown: unknown) => {
      throw this.#failed(line, thrown)
    })
  }

  /** Never rejects. */
  unsubscribe(uri: string): Promise<void> {
    return this.#subscriptions.release(uri)
  }

  /** Asks anew for all that it offers, and starts it for that where needed. */
  async refresh(): Promise<Listing> {
    const isOpen = this.#line !== undefined
    const line = await this.#ready()
    // One that was just opened has just been asked.
    return isOpen || this.listing === undefined ? this.#read(line) : this.listing
  }

  /** A call has passed its deadline: is it still there? If it does not say so in time it is cut off and started again. */
  suspect(): void {
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
    let line: Line
    condition.waiting++
    try {
      line = await whileWanted(this.#ready(), options?.signal)
    } catch (thrown) {
      condition.tally.calls++
      if (!isCancelled(thrown)) condition.tally.failures++
      throw thrown
    } finally {
      condition.waiting--
    }
    // Whoever let this call through had the old definition before them.
    if (asked !== undefined && listedTool(this.listing, params.name) !== asked) throw redefined(this.name, params.name)
    return line.send(method, params, options)
  }

  /** It has said that its tools are others now. Which they are is looked at before anybody calls one. */
  async #afterReading(method: string, params: JsonObject, options: SendOptions | undefined): Promise<JsonObject> {
    const asked = listedTool(this.listing, params.name)
    await whileWanted(this.#changes.toolsRead(), options?.signal)
    if (asked !== undefined && listedTool(this.listing, params.name) !== asked) throw redefined(this.name, params.name)
    // Only once: one that says so all the time is called all the same.
    return this.#line?.send(method, params, options) ?? this.#afterOpening(method, params, options)
  }

  /** The open line. All who wait for one share the opening; where it is only tried whether it is well again, nobody else waits. */
  #ready(): Promise<Line> {
    if (this.#line !== undefined) return Promise.resolve(this.#line)
    if (this.#opening?.isProbe === false) return this.#opening.line
    if (this.#stop.signal.aborted) return Promise.reject(this.#condition.stopped())
    const attempt = this.#patience.attempt()
    if (typeof attempt === 'number') return Promise.reject(this.#condition.leftAlone(attempt))
    clearTimeout(this.#retry)
    const line = this.#open(attempt).finally(() => {
      this.#opening = undefined
    })
    this.#opening = { line, isProbe: attempt.isProbe }
    return line
  }

  async #open(attempt: Attempt): Promise<Line> {
    const { signal } = this.#stop
    this.#condition.become('starting')
    try {
      // Two of one server at a time would be in each other's way.
      await this.#endings.all()
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
      throw this.#condition.unavailable(this.#condition.shown(thrown), thrown)
    }
  }

  async #connected(signal: AbortSignal): Promise<Line> {
    const { place, openMs, secrets } = this.settings
    const { log, keeper, onRequest = refused, open } = this.#around
    const openLink = open ?? (await import('../link/open.ts')).openLink
    const life: { line?: Line; broke?: ToolError } = {}
    const link = await openLink(place, {
      name: this.name,
      openMs,
      secrets,
      signal,
      era: this.#spoken,
      ...(keeper !== undefined && { keeper }),
      onStderr: (text) => log('info', `${this.name}: ${text}`),
      onRequest,
      onNotification: (method, params) => this.#heard(method, params),
      onClose: (why) => {
        life.broke = why
        if (life.line !== undefined) this.#lost(life.line, why)
      },
    })
    try {
      const ready = settled(link, this.#subscriptions, this.#reading()).then((listing) => this.#known.say(listing))
      await whileWanted(ready, signal)
      if (life.broke !== undefined) throw life.broke
      life.line = this.#lived(link)
      this.#spoken = link.era
      this.#condition.become('ready')
      return life.line
    } catch (thrown) {
      this.#subscriptions.detach()
      this.#endings.add(link.cut())
      throw thrown
    }
  }

  #lived(link: Link): Line {
    const { healthMs, hungMs, start, idleMs } = this.settings
    const line = new Line(link, this.#condition.tally, {
      answered: () => this.#patience.answered(),
      failed: (on, thrown) => this.#failed(on, thrown),
    })
    const watched = { healthMs, hungMs, idleMs: start === 'lazy' ? idleMs : 0 }
    this.#vigil = new Vigil(line, watched, {
      well: () => this.#patience.answered(),
      unwell: (on, thrown) => this.#lost(on, isTimeout(thrown) ? hung(hungMs) : thrown),
      idle: (on) => this.#rest(on),
    })
    this.#line = line
    return line
  }

  #heard(method: string, params: JsonObject): void {
    if (method === 'notifications/subscriptions/acknowledged') this.#subscriptions.acknowledged()
    else if (!this.#changes.heard(method)) void this.#listeners.tell('notification', method, params)
  }

  /** What the caller of one request is told. */
  #failed(line: Line, thrown: unknown): unknown {
    if (isTimeout(thrown)) this.suspect()
    if (!isBroken(thrown)) return thrown
    // It did not break, and it does not come back by itself.
    if (this.state === 'closed') return this.#condition.stopped()
    // Over HTTP one request may fail while the rest is well. It is asked before all of it is given up.
    if (this.#line === line) this.suspect()
    return this.#condition.unavailable(this.#condition.shown(thrown), thrown)
  }

  /** Only the first who finds it broken counts. */
  #lost(line: Line, thrown: unknown): void {
    if (this.#line !== line) return
    this.#leave()
    this.#isFallen = true
    this.#patience.lost(performance.now() - line.openedAt)
    this.#endings.add(line.link.cut())
    this.#down('went down', thrown)
  }

  /** Nobody has called for long: the next call starts it again. */
  #rest(line: Line): void {
    if (this.#line !== line || this.#subscriptions.size > 0) return
    this.#leave()
    this.#endings.add(line.link.close())
    this.#condition.become('idle')
  }

  #leave(): void {
    this.#line = undefined
    this.#vigil?.stop()
    this.#vigil = undefined
    this.#subscriptions.detach()
    this.#changes.stop()
  }

  #down(how: string, thrown: unknown): void {
    this.#condition.went(how, thrown)
    this.#condition.become(this.#patience.isOut ? 'left_alone' : 'waiting')
    this.#plan()
  }

  /** It is tried again in the background where somebody counts on it, and else by the next call. */
  #plan(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      // Timers may be early.
      if (this.#patience.wait > 0) this.#plan()
      else if (this.settings.start === 'lazy' && this.#subscriptions.size === 0) this.#condition.become('idle')
      // What was wrong is in the log, and the next attempt is planned.
      else this.#ready().catch(() => undefined)
    }, this.#patience.wait)
    this.#retry.unref()
  }

  async #halt(state: 'stopped' | 'closed'): Promise<void> {
    if (this.state !== 'closed') this.#condition.become(state)
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
    await this.#endings.all()
  }

  /** From stopped to idle; one that is closed stays so. */
  async #resumed(): Promise<void> {
    await this.#over()
    if (this.state !== 'stopped') return
    this.#patience.forget()
    this.#stop = new AbortController()
    this.#condition.become('idle')
  }

  /** After a word of the upstream's that something changed. */
  async #reread(parts: ReadonlySet<Part>): Promise<void> {
    // What changed while it was being opened may have been read before that.
    const line = this.#line ?? (await this.#opening?.line.catch(() => undefined))
    if (line === undefined) return
    await this.#read(line, parts).catch((thrown: unknown) => {
      this.#condition.tell('warn', `could not be listed anew: ${this.#condition.shown(thrown)}`)
    })
  }

  async #read(line: Line, parts?: ReadonlySet<Part>): Promise<Listing> {
    try {
      const listing = await readListing(line.link, { ...this.#reading(), ...(parts && { parts }) })
      if (this.#line === line) await this.#known.say(listing)
      return listing
    } catch (thrown) {
      throw this.#failed(line, thrown)
    }
  }

  #reading(): ReadOptions {
    const { name, listing } = this
    const left: string[] = []
    this.#left = left
    const tell = (line: string): void => {
      left.push(line)
      this.#condition.tell('warn', line)
    }
    return { name, tell, ...(listing && { before: listing }) }
  }
}
