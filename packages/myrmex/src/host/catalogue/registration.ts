/**
 * What one upstream offers, made into tools, resources and prompts of a server. When its listing changes only what is different is
 * touched, since every client is told of every change. What cannot be used is left out and told.
 */
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Server } from '../../server/server.ts'
import type { Tool } from '../../tool/tool.ts'
import { hasTasks } from '../forward/forwarded-meta.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { type HostProblem, toHostProblem } from '../servers/host-problem.ts'
import type { ServerSettings } from '../settings.ts'
import { scanItems } from '../trust/suspicious-text.ts'
import { applyConfiguredTrust } from '../trust/trust-from-config.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import type { LogLevel } from '../upstream/upstream-deps.ts'
import type { MergedCatalogue } from './merged-catalogue.ts'
import { type DefinitionState, proxiedTool } from './proxied-tool.ts'
import type { ResourceSubscribers } from './resource-subscribers.ts'
import { toolNames } from './tool-names.ts'
import { settingsForTool } from './tool-settings.ts'

export interface RegistrationOptions {
  readonly server: Server
  readonly catalogue: MergedCatalogue
  readonly settings: ServerSettings
  readonly forwarder: Forwarder
  readonly subscribers: ResourceSubscribers
  readonly log: (level: LogLevel, line: string) => void
  readonly onQuarantine: (tool: string) => void
}

/** Compiling the schemas of one tool takes about a millisecond: others must have their turn in between. */
const PORTION = 10

/** Schemas are compiled on first use. What a stranger sent is tried now: a call is too late to find out. */
function tried(tool: Tool): Tool {
  for (const schema of [tool.input, tool.output]) {
    try {
      schema.parse({})
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      throw ToolError.of('RegistrationError', `A schema of it cannot be used: ${why}`, null, { cause: thrown })
    }
  }
  return tool
}

const saidOf = (listed: JsonObject, mayTakeLong: boolean): string => `${mayTakeLong} ${JSON.stringify(listed)}`

interface Offered {
  readonly tool: Tool
  /** all that the upstream said of it */
  readonly said: string
  readonly standing: DefinitionState
}

export class Registration {
  readonly #options: RegistrationOptions
  #tools: ReadonlyMap<string, Offered> = new Map()
  #problems: HostProblem[] = []
  /** tools that were found wanting when they were looked at */
  readonly #doubts = new Map<Tool, HostProblem>()
  #listing: Listing | undefined
  /** what was said last, looked at or not */
  #latest: Listing | undefined
  #turn: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  get problems(): readonly HostProblem[] {
    return [...this.#problems, ...this.#doubts.values()]
  }

  /** Resolves when it is all there. One listing after the other. What is another by now takes no call from here on. */
  replace(listing: Listing): Promise<void> {
    this.#latest = listing
    this.#hold(this.#tools.values())
    this.#turn = this.#turn.then(() => this.#replace(listing)).catch((thrown) => this.#failed(thrown))
    return this.#turn
  }

  /** Looking at a listing takes its time, and calls that were let through before may come meanwhile, or long after. */
  #hold(offered: Iterable<Offered>): void {
    const listing = this.#latest
    if (listing === undefined) return
    const mayTakeLong = hasTasks(listing)
    const now = new Map(listing.tools.map((listed) => [listed.name, listed]))
    for (const { tool, said, standing } of offered) {
      const listed = now.get(tool.listing?.name ?? '')
      if (listed === undefined || saidOf(listed, mayTakeLong) !== said) standing.isOutdated = true
    }
  }

  async #replace(listing: Listing): Promise<void> {
    if (this.#isOver || listing === this.#listing) return
    this.#problems = []
    const now = await this.#read(listing)
    const fresh = [...now].filter(([name, { tool }]) => this.#tools.get(name)?.tool !== tool)
    // Before they can be called, so that no call finds them undecided.
    await this.#look(fresh.map(([, { tool }]) => tool))
    await scanItems([...listing.resources, ...listing.templates, ...listing.prompts])
    if (this.#isOver) return
    this.#hold(now.values())
    this.#register(now)
    const { catalogue, settings, forwarder, subscribers } = this.#options
    catalogue.put(settings.name, { forwarder, subscribers, listing })
    this.#listing = listing
  }

  async #read(listing: Listing): Promise<Map<string, Offered>> {
    const { settings, forwarder } = this.#options
    const now = new Map<string, Offered>()
    const mayTakeLong = hasTasks(listing)
    const tools = this.#offeredOnce(listing.tools)
    const names = toolNames(settings.name, tools)
    for (const [index, listed] of tools.entries()) {
      const name = names[index] as string
      const own = settingsForTool(settings.tools, String(listed.name))
      if (own.enabled === false) continue
      try {
        const said = saidOf(listed, mayTakeLong)
        const known = this.#tools.get(name)
        const { timeoutMs } = settings
        const standing: DefinitionState = { isOutdated: false }
        const make = (): Tool =>
          proxiedTool({
            forwarder,
            listed,
            name,
            settings: own,
            timeoutMs,
            mayReturnTask: mayTakeLong,
            definition: standing,
          })
        const isKnown = known?.said === said && !known.standing.isOutdated
        now.set(name, isKnown ? known : { tool: tried(make()), said, standing })
        if (!isKnown && now.size % PORTION === 0) await new Promise(setImmediate)
      } catch (thrown) {
        this.#problems.push(toHostProblem(settings.name, thrown, String(listed.name)))
      }
    }
    return now
  }

  #offeredOnce(tools: readonly JsonObject[]): JsonObject[] {
    const seen = new Set<unknown>()
    return tools.filter((listed) => {
      if (!seen.has(listed.name)) return seen.add(listed.name)
      const why = `${this.#options.settings.name} lists the tool ${JSON.stringify(listed.name)} twice; the second is left out.`
      const thrown = ToolError.of('RegistrationError', why)
      this.#problems.push(toHostProblem(this.#options.settings.name, thrown, String(listed.name)))
      return false
    })
  }

  async #look(fresh: readonly Tool[]): Promise<void> {
    const { server, settings, log, onQuarantine } = this.#options
    if (fresh.length === 0) return
    const { changed, suspicious } = await applyConfiguredTrust(server.ledger, fresh, settings.trust)
    for (const { name } of changed) {
      log(
        'warn',
        `${name} is not what it was when it was first seen, and is held back. Look: npx myrmex trust status ${name}`,
      )
      onQuarantine(name)
    }
    for (const { tool, why } of suspicious) {
      const message = `${tool.name} is held back: ${why} Look: npx myrmex trust status ${tool.name}`
      log('warn', message)
      // Models read what is listed.
      server.veiled.add(tool)
      this.#doubts.set(tool, { server: settings.name, item: tool.name, error_type: 'PermissionError', message })
    }
  }

  #register(now: ReadonlyMap<string, Offered>): void {
    const { registry } = this.#options.server
    for (const [name, { tool }] of this.#tools) {
      if (now.get(name)?.tool === tool) continue
      registry.unregister(name, tool.version)
      this.#doubts.delete(tool)
      this.#options.server.veiled.delete(tool)
    }
    for (const [name, { tool }] of now) {
      if (this.#tools.get(name)?.tool === tool) continue
      try {
        registry.register(tool)
      } catch (thrown) {
        // Something of the server's own has that name.
        this.#problems.push(toHostProblem(this.#options.settings.name, thrown, name))
      }
    }
    this.#tools = now
  }

  #failed(thrown: unknown): void {
    const { settings, log } = this.#options
    const told = toHostProblem(settings.name, thrown)
    this.#problems.push(told)
    log('error', `${settings.name}: what it offers could not be taken in: ${told.message}`)
  }

  /** Takes everything back. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#turn
    this.#register(new Map())
    for (const tool of this.#doubts.keys()) this.#options.server.veiled.delete(tool)
    this.#options.catalogue.remove(this.#options.settings.name)
  }
}
