/**
 * A server: tools, resources, prompts and custom methods, with one dispatcher for both eras. It knows no transport: sessions bring it
 * messages.
 */

import type { Ledger } from '../ledger/ledger.ts'
import type { CallMetrics } from '../pipeline/audit/metrics.ts'
import { nextCallId } from '../pipeline/call-id.ts'
import { type ObservedError, Pipeline } from '../pipeline/pipeline.ts'
import { CODE, RpcError } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import { canonicalUri } from '../tool/canonical-uri.ts'
import { LOCAL, type Principal } from '../tool/context.ts'
import type { Module } from '../tool/discovery/module.ts'
import { withPossibleResources } from '../tool/possible-resources.ts'
import type { Prompt } from '../tool/prompt.ts'
import { Registry } from '../tool/registry.ts'
import {
  agentMethodDefinition,
  definitionOf,
  ownerName,
  ownPromptDefinition,
  ownResourceDefinition,
  requestDefinition,
  requestName,
  standInOf,
  withDefinition,
} from '../tool/request-definition.ts'
import { type Resource, resourceKey } from '../tool/resource.ts'
import type { CustomMethod, ServedAgent } from '../tool/served-agent.ts'
import type { Tool } from '../tool/tool.ts'
import { upstreamListing } from '../tool/upstream-listing.ts'
import { CallerWatches } from './caller-watches.ts'
import { Catalogue } from './catalogue.ts'
import { checkServerOptions } from './check-server-options.ts'
import type { Exchange } from './exchange.ts'
import { logError } from './log-error.ts'
import { logMessage } from './log-message.ts'
import { gated } from './methods/gated-request.ts'
import { LEGACY_METHODS, type Method, MODERN_METHODS } from './methods/method-table.ts'
import { callTool } from './methods/tools.ts'
import { clashError, sharedServerError, takenMethodError } from './module-clash.ts'
import { NotificationHub } from './notification-hub.ts'
import { pinDefinitions } from './pin-definitions.ts'
import { ClientRecords } from './recorded-client.ts'
import { StateSigner } from './request-state.ts'
import { type FoundResource, ResourceIndex, StepsExhausted } from './resource-index.ts'
import { ResourceWatch } from './resource-watch.ts'
import { type ModernEnvelope, modernEnvelope } from './results/call-result.ts'
import type { ServerOptions } from './server-options.ts'
import { ServerView } from './server-view.ts'
import { type Channel, Session } from './session.ts'
import { Tasks } from './tasks/tasks.ts'
import { toolExistsFor } from './visible-items.ts'

export class Server {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string }
  readonly registry: Registry
  readonly resources: Catalogue<Resource>
  readonly prompts: Catalogue<Prompt>
  readonly pipeline: Pipeline
  readonly hub = new NotificationHub()
  /** of clients without a session that lasts */
  readonly clientRecords = new ClientRecords()
  readonly watch: ResourceWatch
  readonly callerWatches: CallerWatches
  readonly tasks: Tasks
  readonly signer: StateSigner
  readonly pageSize: number
  readonly listTtlMs: number | undefined
  /** `_meta` of every modern result without its own */
  readonly meta: Readonly<Params>
  readonly modernParts: ModernEnvelope
  readonly view: ServerView
  readonly #observe: (observed: ObservedError) => void
  readonly #onClose = new Set<() => void>()
  readonly #methods: Map<string, CustomMethod>
  readonly #methodDefinitions = new Map<string, Tool>()
  /** the module of each resource and prompt that came with one */
  readonly #owners = new WeakMap<Resource | Prompt, string>()
  readonly #instructions: string | undefined
  #resourceIndex: ResourceIndex | undefined
  #agent: ServedAgent | undefined

  constructor(options: ServerOptions) {
    const parts = checkServerOptions(options)
    const { name, version, title } = options
    this.info = Object.freeze({ name, version, ...(title !== undefined && { title }) })
    this.meta = Object.freeze({ [META.serverInfo]: this.info })
    this.modernParts = modernEnvelope(this.info)
    this.#instructions = options.instructions
    this.view = options.view ?? new ServerView()
    this.registry = parts.tools instanceof Registry ? parts.tools : new Registry(parts.tools)
    this.resources = new Catalogue('resource', resourceKey, parts.resources)
    this.prompts = new Catalogue('prompt', (item) => item.name, parts.prompts)
    this.#methods = new Map(Object.entries(options.methods ?? {}))
    this.#observe = options.observe ?? logError
    this.pipeline = new Pipeline(this.registry, {
      ledger: options.ledger,
      recorder: options.recorder,
      policy: options.policy,
      constitution: options.constitution,
      profiles: options.profiles,
      approvals: options.approvals,
      use: options.use,
      observe: this.#observe,
      log: options.log ?? logMessage,
      explainMissingTool: (missing, principal) => this.view.explainMissingTool?.(missing, principal),
    })
    this.tasks = new Tasks({
      hub: this.hub,
      parts: this.modernParts,
      ledger: () => this.pipeline.ledger,
      onFailure: (thrown) => void this.fault(thrown),
      exists: (tool, principal) => toolExistsFor(this, principal, tool),
    })
    this.callerWatches = new CallerWatches(this.hub, (thrown) => this.fault(thrown))
    this.watch = new ResourceWatch(
      this.hub,
      (uri) => this.findResource(uri),
      (thrown) => void this.fault(thrown),
    )
    this.signer = new StateSigner(options.stateKey)
    this.pageSize = options.pageSize ?? 1000
    this.listTtlMs = options.listTtlMs
    this.registry.onChange(() => this.hub.listChanged('tools'))
    this.resources.onChange(() => {
      this.#resourceIndex = undefined
      this.hub.listChanged('resources')
    })
    this.prompts.onChange(() => this.hub.listChanged('prompts'))
    this.pipeline.profiles.onChange(() => this.hub.profilesChanged())
    if (options.ledger !== undefined) pinDefinitions(this)
  }

  /** instructions for the model */
  get instructions(): string | undefined {
    return this.instructionsFor(undefined)
  }

  /** A caller gets those of the servers that it may use. */
  instructionsFor(principal: Principal | undefined): string | undefined {
    return this.view.instructions === undefined ? this.#instructions : this.view.instructions(principal)
  }

  get ledger(): Ledger {
    return this.pipeline.ledger
  }

  get measures(): CallMetrics {
    return this.pipeline.metrics
  }

  get methods(): ReadonlyMap<string, CustomMethod> {
    return this.#methods
  }

  /** The agent behind agent/plan and agent/critique. */
  get agent(): ServedAgent | undefined {
    return this.#agent
  }

  add(module: Module): void {
    this.replace(undefined, module)
  }

  /** For watch mode: a definition may change without a new version. */
  replace(before: Module | undefined, now: Module | undefined): void {
    if (now !== undefined) {
      const keys = now.resources.map((item) => this.resources.keyOf(item))
      this.view.makeRoom?.(
        keys,
        now.prompts.map(({ name }) => name),
      )
      this.#refuseClashes(before, now)
    }
    if (before !== undefined) this.#removeItems(before)
    for (const tool of now?.tools ?? []) this.registry.register(tool)
    const owner = now && (now.agents[0]?.name ?? now.tools[0]?.module)
    for (const item of [...(now?.resources ?? []), ...(now?.prompts ?? [])])
      if (owner !== undefined) this.#owners.set(item, owner)
    for (const item of now?.resources ?? []) this.resources.add(item)
    for (const item of now?.prompts ?? []) this.prompts.add(item)
    this.#replaceAgent(before?.agents[0], now?.agents[0])
  }

  /** Never removes an item that another module has registered under the same name. */
  #removeItems({ tools, resources, prompts }: Module): void {
    for (const tool of tools) if (this.#registered(tool) === tool) this.registry.unregister(tool.name, tool.version)
    for (const item of resources) {
      const key = this.resources.keyOf(item)
      if (this.resources.get(key) === item) this.resources.remove(key)
    }
    for (const item of prompts) if (this.prompts.get(item.name) === item) this.prompts.remove(item.name)
  }

  /** The tool that has the name and version of this one. */
  #registered({ name, version }: Tool): Tool | undefined {
    return this.registry.versions(name).find((other) => other.name === name && other.version === version)
  }

  #replaceAgent(before: ServedAgent | undefined, now: ServedAgent | undefined): void {
    this.#methodDefinitions.clear()
    if (before !== undefined && before === this.#agent) {
      for (const method of Object.keys(before.methods)) this.#methods.delete(method)
      this.#agent = undefined
    }
    if (now === undefined) return
    for (const [name, method] of Object.entries(now.methods)) this.#methods.set(name, method)
    this.#agent = now
  }

  /** Checked before anything changes, so that a conflict costs no file its tools. */
  #refuseClashes(before: Module | undefined, now: Module): void {
    const isTaken = <T>(same: T | undefined, item: T, own: readonly T[] = []): boolean =>
      same !== undefined && same !== item && !own.includes(same)
    const clash =
      // A tool with the same definition is another one, too: its code may differ.
      now.tools.find((tool) => isTaken(this.#registered(tool), tool, before?.tools)) ??
      now.resources.find((item) => isTaken(this.resources.get(this.resources.keyOf(item)), item, before?.resources)) ??
      now.prompts.find((item) => isTaken(this.prompts.get(item.name), item, before?.prompts))
    if (clash !== undefined)
      throw clashError(now.file, clash, clash.kind === 'tool' ? this.#registered(clash) : undefined)
    this.#refuseAgents(before, now)
  }

  /** A request for agent/plan does not name an agent, so a server can have only one. */
  #refuseAgents(before: Module | undefined, { file, agents }: Module): void {
    const there = this.#agent === undefined || before?.agents.includes(this.#agent) ? [] : [this.#agent]
    const [one, ...others] = new Set([...there, ...agents])
    if (one === undefined) return
    if (others.length > 0) throw sharedServerError(file, [one, ...others])
    const known = [...there, ...(before?.agents ?? [])].flatMap(({ methods }) => Object.keys(methods))
    const taken = Object.keys(one.methods).find((method) => this.#methods.has(method) && !known.includes(method))
    if (taken !== undefined) throw takenMethodError(file, one, taken)
  }

  session(transport: string, channel: Channel, principal: Principal = LOCAL): Session {
    return new Session(this, transport, principal, channel)
  }

  /** Returns the result of one request. Throws what the session converts to a JSON-RPC error. */
  dispatch(exchange: Exchange): object | Promise<object> {
    // Nearly every request. Comparing is cheaper than hashing a freshly parsed string.
    if (exchange.method === 'tools/call') return callTool(exchange, this)
    const method: Method | undefined = (exchange.modern ? MODERN_METHODS : LEGACY_METHODS).get(exchange.method)
    if (method !== undefined) return method(exchange, this)
    const own = this.#methods.get(exchange.method)
    if (own === undefined) throw new RpcError(CODE.methodNotFound, `Method not found: ${exchange.method}`)
    return this.#custom(own, exchange)
  }

  async #custom(own: CustomMethod, exchange: Exchange): Promise<object> {
    const { params = {}, method } = exchange
    const definition = this.#methodDefinitions.get(method) ?? (await this.#defineMethod(method))
    return gated(exchange, this, { definition, work: (call) => own(params, call) }, ({ data }) => {
      const result = data ?? {}
      return exchange.modern ? { resultType: 'complete', ...result, _meta: { ...this.meta, ...meta(result) } } : result
    })
  }

  async #defineMethod(method: string): Promise<Tool> {
    const agent = this.#agent !== undefined && Object.hasOwn(this.#agent.methods, method) ? this.#agent : undefined
    const definition =
      agent === undefined
        ? requestDefinition({
            name: requestName('method', '', method),
            description: `The method ${method}.`,
            listing: { method },
            origin: 'own',
          })
        : agentMethodDefinition(agent.name, method, { origin: 'own', secrets: await agent.secretNames() })
    this.#methodDefinitions.set(method, definition)
    return definition
  }

  /** The definition of a registered resource or prompt; see tool/request-definition.ts. */
  definitionOf(item: Resource | Prompt): Tool {
    return definitionOf(item) ?? this.#define(item)
  }

  /**
   * The definition that judges requests for an item. A resource that its server lists only later is data like one that it does not list:
   * it can be read, but what the server says about it is hidden until somebody has reviewed it.
   */
  gateDefinition(item: Resource | Prompt): Tool {
    const own = this.definitionOf(item)
    const standIn = standInOf(item)
    return standIn !== undefined && this.ledger.trust.isLate(own) ? standIn : own
  }

  #define(item: Resource | Prompt): Tool {
    const owner = this.#owners.get(item) ?? ownerName(this.info.name)
    const definition = requestDefinition(
      item.kind === 'prompt' ? ownPromptDefinition(owner, item) : ownResourceDefinition(owner, item),
    )
    withDefinition(item, definition)
    const template = item.kind === 'prompt' ? undefined : item.template
    if (template !== undefined) {
      // A template of our own may cover a resource that is registered on its own, under another URI.
      const mayMean = (uri: string): boolean => template.match(canonicalUri(uri)) !== undefined
      withPossibleResources(definition, { owner, mayMean, listed: [] })
    }
    return definition
  }

  /** The resource at a URI in any spelling and, for a template, its variables. */
  findResource(uri: string, principal?: Principal): FoundResource | undefined {
    const exact = this.resources.get(uri)
    if (exact !== undefined) return { item: exact, variables: {}, uri }
    const canonical = canonicalUri(uri)
    const own = this.#ownResources
    try {
      return own.listed(canonical) ?? own.matching(canonical) ?? this.view.findResource?.(canonical, principal)
    } catch (thrown) {
      // Without an answer from every template it is not known which gates apply.
      if (thrown instanceof StepsExhausted) return undefined
      throw thrown
    }
  }

  /** The server's own resources, not those of its upstreams. */
  get #ownResources(): ResourceIndex {
    this.#resourceIndex ??= new ResourceIndex(
      this.resources.all().filter((item) => upstreamListing(item) === undefined),
    )
    return this.#resourceIndex
  }

  /** The URI under which a resource is watched: as it is listed, otherwise its canonical form. */
  watchedUri(uri: string): string {
    const isListed = this.resources.get(uri) !== undefined
    return isListed ? uri : (this.#ownResources.listed(uri)?.uri ?? canonicalUri(uri))
  }

  /** Notifies the subscribers of a URI. */
  resourceUpdated(uri: string): void {
    this.hub.resourceUpdated(this.watchedUri(uri))
  }

  /** Reports an internal error and returns the reference for the caller. */
  fault(thrown: unknown): string {
    const reference = nextCallId()
    this.#observe({ call_id: reference, tool: '', thrown })
    return reference
  }

  onClose(listener: () => void): () => void {
    this.#onClose.add(listener)
    return () => this.#onClose.delete(listener)
  }

  /** Ends open subscriptions properly, so that clients know it was on purpose, and the hold of calls that wait for a person. */
  close(): void {
    this.pipeline.heldCalls.endAll()
    for (const listener of [...this.#onClose]) listener()
    this.#onClose.clear()
    this.watch.close()
    this.callerWatches.close()
  }
}

const meta = (result: object): Params => ('_meta' in result ? (result._meta as Params) : {})

export const createServer = (options: ServerOptions): Server => new Server(options)
