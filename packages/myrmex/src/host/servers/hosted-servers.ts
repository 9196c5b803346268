/** All servers of a host. New settings affect only the servers whose settings changed. */
import type { Server } from '../../server/server.ts'
import { MergedCatalogue } from '../catalogue/merged-catalogue.ts'
import { Reaper } from '../child/reaper.ts'
import type { HostServerView } from '../host-server-view.ts'
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
  readonly view: HostServerView
  readonly log: (level: LogLevel, line: string) => void
  readonly emit: (change: HostChange) => void
  readonly reaper?: Reaper
  readonly cacheFolder?: string
  readonly backoff?: Partial<BackoffSettings>
}

/** Longer instructions of one server are cut. */
const MAX_INSTRUCTIONS = 20_000

export class HostedServers {
  readonly #options: HostedServersOptions
  readonly #catalogue: MergedCatalogue
  readonly #ownInstructions: string | undefined
  #reaper: Reaper | undefined
  #servers = new Map<string, HostedServer>()
  /** servers that another component starts and ends */
  readonly #adopted = new Map<string, HostedServer>()
  #queue: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: HostedServersOptions) {
    this.#options = options
    this.#catalogue = new MergedCatalogue(options.server, options.view)
    this.#ownInstructions = options.server.instructions
    this.#reaper = options.reaper
  }

  all(): HostedServer[] {
    return [...this.#adopted.values(), ...this.#servers.values()]
  }

  find(name: string): HostedServer | undefined {
    return this.#adopted.get(name) ?? this.#servers.get(name)
  }

  adopt(one: HostedServer): void {
    this.#adopted.set(one.name, one)
    this.#options.emit({ kind: 'added', server: one.name })
  }

  get adopted(): readonly string[] {
    return [...this.#adopted.keys()]
  }

  get problems(): HostProblem[] {
    return [...this.all().flatMap((one) => one.problems), ...this.#catalogue.problems]
  }

  /** Replacements run one after another, so two reloads never open a server twice. Slow starts do not delay the next one. */
  replace(settings: readonly ServerSettings[]): Promise<void> {
    const exchanged = this.#queue.then(() => this.#exchange(settings))
    this.#queue = exchanged.then(() => {})
    return exchanged.then((fresh) => this.#start(fresh))
  }

  /** Ends servers that are no longer configured and creates new ones without starting them. */
  async #exchange(settings: readonly ServerSettings[]): Promise<HostedServer[]> {
    if (this.#isClosed) return []
    const before = this.#servers
    const wanted = new Map(settings.map((one) => [one.name, one]))
    const gone = [...before.values()].filter(({ name, settingsDigest }) => wanted.get(name)?.digest !== settingsDigest)
    this.#catalogue.order = settings.map(({ name }) => name)
    const fresh: HostedServer[] = []
    const now = new Map<string, HostedServer>()
    for (const one of settings) {
      const kept = before.get(one.name)
      if (kept !== undefined && kept.settingsDigest === one.digest) now.set(one.name, kept)
    }
    this.#servers = now
    await Promise.all(gone.map((one) => this.#end(one, wanted.has(one.name))))
    for (const one of settings) {
      if (now.has(one.name)) continue
      const made = this.#make(one)
      now.set(one.name, made)
      fresh.push(made)
      if (!before.has(one.name)) this.#options.emit({ kind: 'added', server: one.name })
    }
    // In the order of the configuration.
    this.#servers = new Map(settings.map(({ name }) => [name, now.get(name) as HostedServer]))
    return fresh
  }

  /** A server that was ended meanwhile ends its own start. */
  async #start(fresh: readonly HostedServer[]): Promise<void> {
    await Promise.all(fresh.map((one) => one.start()))
    if (!this.#isClosed) this.#updateInstructions()
  }

  async #end(one: HostedServer, comesBack: boolean): Promise<void> {
    try {
      await one.close()
    } catch (thrown) {
      this.#options.log('error', `${one.name} could not be shut down: ${toHostProblem(one.name, thrown).message}`)
    }
    if (!comesBack) this.#options.emit({ kind: 'removed', server: one.name })
  }

  #make(settings: ServerSettings): HostedServer {
    const { endpoint } = settings
    if (endpoint.where === 'in-process') return new HostedModule(this.#options.server, settings, endpoint.file)
    this.#reaper ??= new Reaper()
    return new HostedUpstream(settings as UpstreamSettings, {
      ...this.#options,
      catalogue: this.#catalogue,
      reaper: this.#reaper,
      onListing: () => this.#updateInstructions(),
    })
  }

  /** With one server, its instructions stay unchanged. With several, each gets a heading with the server's name. */
  #updateInstructions(): void {
    const said = this.all().filter(({ instructions }) => instructions !== undefined)
    const texts = said.map(({ name, instructions = '' }) => {
      const text = instructions.slice(0, MAX_INSTRUCTIONS)
      return this.#servers.size === 1 ? text : `# ${name}\n\n${text}`
    })
    const all = [this.#ownInstructions, ...texts].filter((text) => text !== undefined)
    this.#options.server.instructions = all.length === 0 ? undefined : all.join('\n\n')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#queue
    await Promise.all([...this.#servers.values()].map((one) => this.#end(one, true)))
    this.#servers = new Map()
    // A reaper from the options belongs to the caller.
    if (this.#options.reaper === undefined) await this.#reaper?.close()
  }
}
