/** All servers of a host, and what happens when the settings change: only those whose settings changed are touched. */
import type { Server } from '../../server/server.ts'
import { Keeper } from '../child/keeper.ts'
import type { ServerSettings } from '../settings.ts'
import type { LogLevel, UpstreamSettings } from '../upstream/around.ts'
import type { Pace } from '../upstream/pace.ts'
import type { HostChange } from './change.ts'
import { type HostProblem, problem } from './problem.ts'
import type { Served } from './served.ts'
import { ServedModule } from './served-module.ts'
import { ServedUpstream } from './served-upstream.ts'
import { Shelf } from './shelf.ts'

export interface ServingOptions {
  readonly server: Server
  readonly log: (level: LogLevel, line: string) => void
  readonly tell: (change: HostChange) => void
  readonly keeper?: Keeper
  readonly folder?: string
  readonly pace?: Partial<Pace>
}

/** What one server may say about its use: more is a flood. */
const LONGEST_INSTRUCTIONS = 20_000

export class Serving {
  readonly #options: ServingOptions
  readonly #shelf: Shelf
  readonly #own: string | undefined
  #keeper: Keeper | undefined
  #served = new Map<string, Served>()
  /** those that somebody else loads and ends */
  readonly #adopted = new Map<string, Served>()
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: ServingOptions) {
    this.#options = options
    this.#shelf = new Shelf(options.server)
    this.#own = options.server.instructions
    this.#keeper = options.keeper
  }

  all(): Served[] {
    return [...this.#adopted.values(), ...this.#served.values()]
  }

  find(name: string): Served | undefined {
    return this.#adopted.get(name) ?? this.#served.get(name)
  }

  adopt(one: Served): void {
    this.#adopted.set(one.name, one)
    this.#options.tell({ kind: 'added', server: one.name })
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
  async #exchange(settings: readonly ServerSettings[]): Promise<Served[]> {
    if (this.#isClosed) return []
    const before = this.#served
    const wanted = new Map(settings.map((one) => [one.name, one]))
    const gone = [...before.values()].filter(({ name, digest }) => wanted.get(name)?.digest !== digest)
    this.#shelf.order = settings.map(({ name }) => name)
    const fresh: Served[] = []
    const now = new Map<string, Served>()
    for (const one of settings) {
      const kept = before.get(one.name)
      if (kept !== undefined && kept.digest === one.digest) now.set(one.name, kept)
    }
    this.#served = now
    await Promise.all(gone.map((one) => this.#end(one, wanted.has(one.name))))
    for (const one of settings) {
      if (now.has(one.name)) continue
      const made = this.#make(one)
      now.set(one.name, made)
      fresh.push(made)
      if (!before.has(one.name)) this.#options.tell({ kind: 'added', server: one.name })
    }
    // In the order of the configuration, whatever was there before.
    this.#served = new Map(settings.map(({ name }) => [name, now.get(name) as Served]))
    return fresh
  }

  /** One that was ended again meanwhile ends its start by itself. */
  async #start(fresh: readonly Served[]): Promise<void> {
    await Promise.all(fresh.map((one) => one.start()))
    if (!this.#isClosed) this.#instruct()
  }

  async #end(one: Served, comesBack: boolean): Promise<void> {
    try {
      await one.close()
    } catch (thrown) {
      this.#options.log('error', `${one.name} could not be ended: ${problem(one.name, thrown).message}`)
    }
    if (!comesBack) this.#options.tell({ kind: 'removed', server: one.name })
  }

  #make(settings: ServerSettings): Served {
    const { server, log, tell, folder, pace } = this.#options
    const { place } = settings
    if (place.where === 'in-process') return new ServedModule(server, settings, place.file)
    this.#keeper ??= new Keeper()
    return new ServedUpstream(settings as UpstreamSettings, {
      server,
      shelf: this.#shelf,
      keeper: this.#keeper,
      log,
      tell,
      onListing: () => this.#instruct(),
      ...(folder !== undefined && { folder }),
      ...(pace !== undefined && { pace }),
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
    if (this.#options.keeper === undefined) await this.#keeper?.close()
  }
}
