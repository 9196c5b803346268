/** A server of the host behind a link: kept alive by its upstream, offered by its offer, its words brought to those they are for. */
import { isLogLevel } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Server } from '../../server/server.ts'
import type { Keeper } from '../child/keeper.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/around.ts'
import type { Pace } from '../upstream/pace.ts'
import { Remembered } from '../upstream/remembered.ts'
import { Upstream } from '../upstream/upstream.ts'
import type { HostChange } from './change.ts'
import { doubtAboutText } from './doubt.ts'
import { Offer } from './offer.ts'
import { Passage } from './passage.ts'
import { type HostProblem, problem } from './problem.ts'
import type { Served, ServedStatus } from './served.ts'
import type { Shelf } from './shelf.ts'
import { Subscribed } from './subscribed.ts'

export interface UpstreamSurroundings {
  readonly server: Server
  readonly shelf: Shelf
  readonly keeper?: Keeper
  readonly folder?: string
  readonly pace?: Partial<Pace>
  readonly log: (level: LogLevel, line: string) => void
  readonly tell: (change: HostChange) => void
  readonly onListing: () => void
}

export class ServedUpstream implements Served {
  readonly name: string
  readonly digest: string
  readonly upstream: Upstream
  readonly #settings: UpstreamSettings
  readonly #around: UpstreamSurroundings
  readonly #passage: Passage
  readonly #subscribed: Subscribed
  readonly #offer: Offer
  /** its instructions, and what speaks against them */
  #looked: { readonly said: string; readonly doubt: string | undefined } | undefined

  constructor(settings: UpstreamSettings, around: UpstreamSurroundings) {
    const { keeper, folder, pace, log, tell } = around
    const { name, digest } = settings
    this.name = name
    this.digest = digest
    this.#settings = settings
    this.#around = around
    this.upstream = new Upstream(settings, {
      onRequest: (method, params, signal) => this.#passage.asked(method, params, signal),
      log,
      ...(keeper !== undefined && { keeper }),
      ...(pace !== undefined && { pace }),
      ...(folder !== undefined && { remembered: new Remembered(folder) }),
    })
    this.#passage = new Passage(this.upstream)
    this.#subscribed = new Subscribed(this.upstream, (thrown) =>
      log('warn', `${name}: ${problem(name, thrown).message}`),
    )
    this.#offer = new Offer({
      server: around.server,
      shelf: around.shelf,
      settings,
      passage: this.#passage,
      subscribed: this.#subscribed,
      log,
      onQuarantine: (tool) => tell({ kind: 'quarantined', server: name, tool }),
    })
    // It is not ready before this has settled, so that no call passes with what was known of it before.
    this.upstream.on('listing', async (listing) => {
      await this.#offer.replace(listing)
      around.onListing()
      tell({ kind: 'listing', server: name })
    })
    this.upstream.on('state', (state) => {
      if (state !== 'ready') this.#passage.flights.forget()
      tell({ kind: 'state', server: name, state })
    })
    this.upstream.on('notification', (method, params) => this.#heard(method, params))
  }

  get problems(): readonly HostProblem[] {
    const { last_error, state } = this.upstream.status()
    const said = (error_type: string, message: string): HostProblem => ({ server: this.name, error_type, message })
    const left = this.upstream.left.map((line) => said('RegistrationError', line))
    // What its tools answer as long as it is so.
    const down = last_error === null || state === 'ready' ? [] : [said('UnavailableError', last_error.message)]
    const doubt = this.#looked?.doubt
    const kept =
      doubt === undefined ? [] : [said('PermissionError', `its instructions are not told to clients: ${doubt}`)]
    return [...down, ...left, ...kept, ...this.#offer.problems]
  }

  /** What hides something, or orders the model to do what nobody sees, is kept from it. */
  get instructions(): string | undefined {
    const said = this.#settings.instructions ? this.upstream.listing?.instructions : undefined
    return said === undefined || this.#doubt(said) === undefined ? said : undefined
  }

  #doubt(said: string): string | undefined {
    if (this.#looked?.said !== said) this.#looked = { said, doubt: doubtAboutText(said) }
    return this.#looked.doubt
  }

  /** Resolves when what it offers can be called. */
  async start(): Promise<void> {
    await this.upstream.start()
    const { listing } = this.upstream
    if (listing !== undefined) await this.#offer.replace(listing)
  }

  async refresh(): Promise<void> {
    await this.#offer.replace(await this.upstream.refresh())
  }

  stop(): Promise<void> {
    return this.upstream.stop()
  }

  async restart(): Promise<void> {
    await this.upstream.restart()
  }

  async close(): Promise<void> {
    this.#passage.close()
    await Promise.all([this.upstream.close(), this.#offer.close()])
  }

  status(): ServedStatus {
    return this.upstream.status()
  }

  #heard(method: string, params: JsonObject): void {
    if (method === 'notifications/resources/updated') this.#subscribed.updated(String(params.uri))
    else if (method === 'notifications/message') this.#logged(params)
    else this.#around.log('debug', `${this.name} says ${method}, which is for nobody here.`)
  }

  /** To the client whose call it is about, as far as that can be told; in between calls to everybody. */
  #logged({ level, data, logger }: JsonObject): void {
    if (!isLogLevel(level)) return
    const name = typeof logger === 'string' ? logger : undefined
    const { flights } = this.#passage
    const flight = flights.owner()
    if (flight !== undefined) flight.scope.caller.log(level, data, name)
    else if (flights.isQuiet) this.#around.server.logged(level, data, name)
    else this.#around.log('info', `${this.name}: ${JSON.stringify(data)?.slice(0, 2000)}`)
  }
}
