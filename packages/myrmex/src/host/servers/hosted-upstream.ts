/** A server of the host behind a link: kept alive by its upstream, offered by its offer, its words brought to those they are for. */
import { isLogLevel } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Server } from '../../server/server.ts'
import type { MergedCatalogue } from '../catalogue/merged-catalogue.ts'
import { Registration } from '../catalogue/registration.ts'
import { ResourceSubscribers } from '../catalogue/resource-subscribers.ts'
import type { Reaper } from '../child/reaper.ts'
import { Forwarder } from '../forward/forwarder.ts'
import { suspicionAboutText } from '../trust/suspicious-text.ts'
import type { BackoffSettings } from '../upstream/backoff.ts'
import { ListingCache } from '../upstream/listing/listing-cache.ts'
import { Upstream } from '../upstream/upstream.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/upstream-deps.ts'
import type { HostChange } from './host-change.ts'
import { type HostProblem, toHostProblem } from './host-problem.ts'
import type { HostedServer, HostedServerStatus } from './hosted-server.ts'

export interface HostedUpstreamOptions {
  readonly server: Server
  readonly catalogue: MergedCatalogue
  readonly reaper?: Reaper
  readonly cacheFolder?: string
  readonly backoff?: Partial<BackoffSettings>
  readonly log: (level: LogLevel, line: string) => void
  readonly emit: (change: HostChange) => void
  readonly onListing: () => void
}

export class HostedUpstream implements HostedServer {
  readonly name: string
  readonly settingsDigest: string
  readonly upstream: Upstream
  readonly #settings: UpstreamSettings
  readonly #around: HostedUpstreamOptions
  readonly #passage: Forwarder
  readonly #subscribed: ResourceSubscribers
  readonly #offer: Registration
  /** its instructions, and what speaks against them */
  #looked: { readonly said: string; readonly doubt: string | undefined } | undefined

  constructor(settings: UpstreamSettings, around: HostedUpstreamOptions) {
    const { reaper, cacheFolder, backoff, log, emit } = around
    const { name, digest } = settings
    this.name = name
    this.settingsDigest = digest
    this.#settings = settings
    this.#around = around
    this.upstream = new Upstream(settings, {
      onRequest: (method, params, signal) => this.#passage.asked(method, params, signal),
      log,
      ...(reaper !== undefined && { reaper }),
      ...(backoff !== undefined && { backoff }),
      ...(cacheFolder !== undefined && { listingCache: new ListingCache(cacheFolder) }),
    })
    this.#passage = new Forwarder(this.upstream)
    this.#subscribed = new ResourceSubscribers(this.upstream, (thrown) =>
      log('warn', `${name}: ${toHostProblem(name, thrown).message}`),
    )
    this.#offer = new Registration({
      server: around.server,
      catalogue: around.catalogue,
      settings,
      forwarder: this.#passage,
      subscribers: this.#subscribed,
      log,
      onQuarantine: (tool) => emit({ kind: 'quarantined', server: name, tool }),
    })
    // It is not ready before this has settled, so that no call passes with what was known of it before.
    this.upstream.on('listing', async (listing) => {
      await this.#offer.replace(listing)
      around.onListing()
      emit({ kind: 'listing', server: name })
    })
    this.upstream.on('state', (state) => {
      if (state !== 'ready') this.#passage.requests.forgetAbandoned()
      emit({ kind: 'state', server: name, state })
    })
    this.upstream.on('notification', (method, params) => this.#heard(method, params))
  }

  get problems(): readonly HostProblem[] {
    const { last_error, state } = this.upstream.status()
    const said = (error_type: string, message: string): HostProblem => ({ server: this.name, error_type, message })
    const left = this.upstream.skippedItems.map((line) => said('RegistrationError', line))
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
    if (this.#looked?.said !== said) this.#looked = { said, doubt: suspicionAboutText(said) }
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

  status(): HostedServerStatus {
    return this.upstream.status()
  }

  #heard(method: string, params: JsonObject): void {
    if (method === 'notifications/resources/updated') this.#subscribed.notify(String(params.uri))
    else if (method === 'notifications/message') this.#logged(params)
    else this.#around.log('debug', `${this.name} says ${method}, which is for nobody here.`)
  }

  /** To the client whose call it is about, as far as that can be told; in between calls to everybody. */
  #logged({ level, data, logger }: JsonObject): void {
    if (!isLogLevel(level)) return
    const name = typeof logger === 'string' ? logger : undefined
    const { requests } = this.#passage
    const flight = requests.soleOwner()
    if (flight !== undefined) flight.scope.caller.log(level, data, name)
    else if (requests.isIdle) this.#around.server.logged(level, data, name)
    else this.#around.log('info', `${this.name}: ${JSON.stringify(data)?.slice(0, 2000)}`)
  }
}
