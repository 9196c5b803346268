/** A module file loaded into this process. Its tools are registered on the host's server directly. */
import type { Server } from '../../server/server.ts'
import { loadModule, type Module } from '../../tool/discovery/module.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import { settingsForTool } from '../catalogue/tool-settings.ts'
import type { ServerSettings } from '../settings.ts'
import { type HostProblem, toHostProblem } from './host-problem.ts'
import { type HostedServer, inProcessStatus } from './hosted-server.ts'

export class HostedModule implements HostedServer {
  readonly name: string
  readonly settingsDigest: string
  readonly upstream = undefined
  readonly instructions = undefined
  readonly #server: Server
  readonly #file: string
  readonly #rules: ServerSettings['tools']
  #module: Module | undefined
  #problem: HostProblem | undefined
  #since = new Date()
  #reloads = 0
  #isStopped = false

  constructor(server: Server, { name, digest, tools }: ServerSettings, file: string) {
    this.name = name
    this.settingsDigest = digest
    this.#rules = tools
    this.#server = server
    this.#file = file
  }

  get problems(): readonly HostProblem[] {
    return this.#problem === undefined ? [] : [this.#problem]
  }

  async start(): Promise<void> {
    this.#isStopped = false
    if (this.#module === undefined) await this.#load(undefined)
  }

  /** Keeps the old module until the new one is loaded, unless the server was stopped meanwhile. */
  async #load(reload: string | undefined): Promise<void> {
    try {
      const now = this.#enabled(withoutAgents(await loadModule(this.#file, reload)))
      if (this.#isStopped) return
      this.#server.replace(this.#module, now)
      this.#module = now
      this.#problem = undefined
    } catch (thrown) {
      this.#problem = toHostProblem(this.name, thrown)
    }
    this.#since = new Date()
  }

  /** Of the rules for tools, only `enabled` has an effect: the rest is in the code of the module. */
  #enabled(module: Module): Module {
    const isEnabled = ({ name }: Tool): boolean =>
      settingsForTool(this.#rules, { server: this.name, name, original: name }).enabled !== false
    return { ...module, tools: module.tools.filter(isEnabled) }
  }

  /** A loaded module does not change by itself. */
  async refresh(): Promise<void> {}

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#server.replace(this.#module, undefined)
    this.#module = undefined
    this.#since = new Date()
  }

  restart(): Promise<void> {
    this.#isStopped = false
    return this.#load(`${process.pid}.${++this.#reloads}`)
  }

  close(): Promise<void> {
    return this.stop()
  }

  status(): ServerStatus {
    const { tools = [], resources = [], prompts = [] } = this.#module ?? {}
    const since = this.#since.toISOString()
    const templates = resources.filter(({ template }) => template !== undefined).length
    return inProcessStatus({
      name: this.name,
      state: this.#module === undefined ? (this.#problem === undefined ? 'stopped' : 'failed') : 'ready',
      since,
      restarts: this.#reloads,
      last_error:
        this.#problem === undefined
          ? null
          : { at: since, error_type: this.#problem.error_type, message: this.#problem.message },
      tools: tools.length,
      resources: resources.length - templates,
      templates,
      prompts: prompts.length,
    })
  }
}

/** A request for agent/plan does not name an agent, so a host serves none. The agents' tools are served like all others. */
const withoutAgents = (module: Module): Module => ({ ...module, agents: [] })
