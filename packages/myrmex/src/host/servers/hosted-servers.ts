/** All servers of a host, and what happens when the settings change: only those whose settings changed are touched. */
import type { Server } from '../../server/server.ts'
import { MergedCatalogue } from '../catalogue/merged-catalogue.ts'
import { Reaper } from '../child/reaper.ts'
import type { ServerSettings } from '../settings.ts'
import type { BackoffSettings } from '../upstream/backoff.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/upstream-deps.ts'
import type { HostChange } from './host-change.ts'
import { type HostProblem, toHostProblem } from './host-problem.ts'
import { HostedModule } from './hosted-module.ts'
import type { HostedServer } from './hosted-server.ts'
import { HostedUpstream } from './hosted-upstream.ts'

export interface HostedServersOptions {
  readonly server: Server
  readonly log: (level: LogLevel, line: string) => void
  readonly emit: (change: HostChange) => void
  readonly reaper?: Reaper
  readonly cacheFolder?: string
  readonly backoff?: Partial<BackoffSettings>
}

/** What one server may say about its use: more is a flood. */
const LONGEST_INSTRUCTIONS = 20_000

export class HostedServers {
  readonly #options: HostedServersOptions
  readonly #shelf: MergedCatalogue
  readonly #own: string | undefined
  #keeper: Reaper | undefined
  #served = new Map<string, HostedServer>()
  /** those that somebody else loads and ends */
  readonly #adopted = new Map<string, HostedServer>()
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: HostedServersOptions) {
    this.#options = options
    this.#shelf = new MergedCatalogue(options.server)
    this.#own = options.server.instructions
    this.#keeper = options.reaper
  }

  all(): HostedServer[] {
    return [...this.#adopted.values(), ...this.#served.values()]
  }

  find(name: string): HostedServer | undefined {
    return this.#adopted.get(name) ?? this.#served.get(name)
  }

  adopt(one: HostedServer): void {
    this.#adopted.set(one.name, one)
    this.#options.emit({ kind: 'added', server: one.name })
  }

  get adopted(): readonly string[] {
    return [...this.#adopted.keys()]
  }

  get problems(): HostProblem[] {
    return [...this.all().flatMap((one) => one.problems), ...this.#shelf.problems]
  }

  /** One after the other: two reloads at once must not open a server twice. How long one takes to start holds up none of them. */
  replace(settings: readonly ServerSettings[]): Promise<void> {
    const exchanged = this.#turn.then(() => this.#exchange(settings))
    this.#turn = exchanged.then(() => {})
    return exchanged.then((fresh) => this.#start(fresh))
  }

  /** Ends what is not wanted any more and makes what is new, which is still to be started. */
  async #exchange(settings: readonly ServerSettings[]): Promise<HostedServer[]> {
    if (this.#isClosed) return []
    const before = this.#served
    const wanted = new Map(settings.map((one) => [one.name, one]))
    const gone = [...before.values()].filter(({ name, settingsDigest }) => wanted.get(name)?.digest !== settingsDigest)
    this.#shelf.order = settings.map(({ name }) => name)
    const fresh: HostedServer[] = []
    const now = new Map<string, HostedServer>()
    for (const one of settings) {
      const kept = before.get(one.name)
      if (kept !== undefined && kept.settingsDigest === one.digest) now.set(one.name, kept)
    }
    this.#served = now
    await Promise.all(gone.map((one) => this.#end(one, wanted.has(one.name))))
    for (const one of settings) {
      if (now.has(one.name)) continue
      const made = this.#make(one)
      now.set(one.name, made)
      fresh.push(made)
      if (!before.has(one.name)) this.#options.emit({ kind: 'added', server: one.name })
    }
    // In the order of the configuration, whatever was there before.
    this.#served = new Map(settings.map(({ name }) => [name, now.get(name) as HostedServer]))
    return fresh
  }

  /** One that was ended again meanwhile ends its start by itself. */
  async #start(fresh: readonly HostedServer[]): Promise<void> {
    await Promise.all(fresh.map((one) => one.start()))
    if (!this.#isClosed) this.#instruct()
  }

  async #end(one: HostedServer, comesBack: boolean): Promise<void> {
    try {
      await one.close()
    } catch (thrown) {
      this.#options.log('error', `${one.name} could not be ended: ${toHostProblem(one.name, thrown).message}`)
    }
    if (!comesBack) this.#options.emit({ kind: 'removed', server: one.name })
  }

  #make(settings: ServerSettings): HostedServer {
    const { server, log, emit, cacheFolder, backoff } = this.#options
    const { endpoint } = settings
    if (endpoint.where === 'in-process') return new HostedModule(server, settings, endpoint.file)
    this.#keeper ??= new Reaper()
    return new HostedUpstream(settings as UpstreamSettings, {
      server,
      catalogue: this.#shelf,
      reaper: this.#keeper,
      log,
      emit,
      onListing: () => this.#instruct(),
      ...(cacheFolder !== undefined && { cacheFolder }),
      ...(backoff !== undefined && { backoff }),
    })
  }

  /** A server by itself is told of in its own words; of several each has its name in front. */
  #instruct(): void {
    const said = this.all().filter(({ instructions }) => instructions !== undefined)
    const texts = said.map(({ name, instructions = '' }) => {
      const text = instructions.slice(0, LONGEST_INSTRUCTIONS)
      return this.#served.size === 1 ? text : `# ${name}\n\n${text}`
    })
    const all = [this.#own, ...texts].filter((text) => text !== undefined)
    this.#options.server.instructions = all.length === 0 ? undefined : all.join('\n\n')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turn
    await Promise.all([...this.#served.values()].map((one) => this.#end(one, true)))
    this.#served = new Map()
    // One that was given is its giver's.
    if (this.#options.reaper === undefined) await this.#keeper?.close()
  }
}
