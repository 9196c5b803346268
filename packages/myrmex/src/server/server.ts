/**
 * A server: tools, resources, prompts and methods of one's own, behind one dispatch for both eras. It knows no
 * transport; sessions bring it messages.
 */
import type { Recorder } from '../ledger/audit/group.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { CallMetrics } from '../pipeline/audit/metrics.ts'
import { nextCallId } from '../pipeline/call-id.ts'
import { type ObservedError, Pipeline } from '../pipeline/pipeline.ts'
import type { Constitution } from '../pipeline/rules/constitution.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import type { LogLevel } from '../protocol/content.ts'
import { CODE, RpcError, ToolError } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import { LOCAL, type Principal } from '../tool/context.ts'
import type { Module } from '../tool/discovery/module.ts'
import type { Prompt } from '../tool/prompt.ts'
import { Registry } from '../tool/registry.ts'
import type { Resource } from '../tool/resource.ts'
import type { CustomMethod, ServedAgent } from '../tool/served-agent.ts'
import type { Tool } from '../tool/tool.ts'
import { Catalogue } from './catalogue.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { MethodScope } from './methods/method-scope.ts'
import { LEGACY_METHODS, type Method, MODERN_METHODS } from './methods/method-table.ts'
import { callTool } from './methods/tools.ts'
import { NotificationHub } from './notification-hub.ts'
import { pinDefinitions } from './pin-definitions.ts'
import { StateSigner } from './request-state.ts'
import { ResourceWatch } from './resource-watch.ts'
import { type ModernEnvelope, modernEnvelope } from './results/call-result.ts'
import { type Channel, Session } from './session.ts'
import { Tasks } from './tasks/tasks.ts'

export interface ServerOptions {
  name: string
  version: string
  title?: string
  /** how to use this server, for the model */
  instructions?: string
  tools?: Registry | Iterable<Tool>
  resources?: Iterable<Resource>
  prompts?: Iterable<Prompt>
  methods?: Record<string, CustomMethod>
  /** what must not be forgotten; without one it is kept in memory and ends with the process */
  ledger?: Ledger
  /** where audit lines go, if not into the ledger */
  recorder?: Recorder
  /** what the operator decided: rules for approval, limits */
  policy?: Policy
  /** what no call may do, whoever makes it */
  constitution?: Constitution
  /** hears of everything that went wrong inside; the default writes it to the log */
  observe?: (observed: ObservedError) => void
  /** how many items a list gives at once */
  pageSize?: number
  /** milliseconds a client may keep a list */
  listTtlMs?: number
  /** signs request state; give the same to every replica */
  stateKey?: Uint8Array
}

export class Server {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string }
  /** how to use this server, for the model */
  instructions: string | undefined
  readonly registry: Registry
  readonly resources: Catalogue<Resource>
  readonly prompts: Catalogue<Prompt>
  readonly pipeline: Pipeline
  readonly hub = new NotificationHub()
  readonly watch: ResourceWatch
  readonly tasks: Tasks
  readonly signer: StateSigner
  readonly pageSize: number
  readonly listTtlMs: number
  /** `_meta` of every modern result that has no other */
  readonly meta: Readonly<Params>
  readonly modernParts: ModernEnvelope
  /** Another tool and other arguments that a call is meant for; undefined: it is meant as it is. */
  alias: ((name: string, args: unknown) => { name: string; arguments: unknown } | undefined) | undefined
  /** Tools whose words no model should read before somebody has trusted them: until then only their names are listed. */
  readonly veiled = new Set<Tool>()
  /** grows whenever `shown` is set */
  viewRevision = 0
  #shown: ((tool: Tool) => boolean) | undefined
  readonly #observe: (observed: ObservedError) => void
  readonly #onClose = new Set<() => void>()
  readonly #methods: Map<string, CustomMethod>
  #agent: ServedAgent | undefined

  constructor(options: ServerOptions) {
    const { name, version, title } = options
    this.info = Object.freeze({ name, version, ...(title !== undefined && { title }) })
    this.meta = Object.freeze({ [META.serverInfo]: this.info })
    this.modernParts = modernEnvelope(this.info)
    this.instructions = options.instructions
    this.registry = options.tools instanceof Registry ? options.tools : new Registry(options.tools)
    this.resources = new Catalogue('resource', (item) => item.uri ?? item.template?.text ?? '', options.resources)
    this.prompts = new Catalogue('prompt', (item) => item.name, options.prompts)
    this.#methods = new Map(Object.entries(options.methods ?? {}))
    for (const own of this.#methods.keys()) {
      if (!own.includes('/') || MODERN_METHODS.has(own) || LEGACY_METHODS.has(own)) {
        throw ToolError.of(
          'RegistrationError',
          `${own} cannot be a method of one's own: it is taken, or has no vendor/ part`,
        )
      }
    }
    this.#observe = options.observe ?? toLog
    this.pipeline = new Pipeline(this.registry, {
      ...(options.ledger && { ledger: options.ledger }),
      ...(options.recorder && { recorder: options.recorder }),
      ...(options.policy && { policy: options.policy }),
      ...(options.constitution && { constitution: options.constitution }),
      observe: this.#observe,
    })
    this.tasks = new Tasks({
      hub: this.hub,
      parts: this.modernParts,
      ledger: () => this.pipeline.ledger,
      onFailure: (thrown) => void this.fault(thrown),
    })
    this.watch = new ResourceWatch(
      this.hub,
      (uri) => this.findResource(uri),
      (thrown) => void this.fault(thrown),
    )
    this.signer = new StateSigner(options.stateKey)
    this.pageSize = options.pageSize ?? 1000
    this.listTtlMs = options.listTtlMs ?? 300_000
    this.registry.onChange(() => this.hub.listChanged('tools'))
    this.resources.onChange(() => this.hub.listChanged('resources'))
    this.prompts.onChange(() => this.hub.listChanged('prompts'))
    if (options.ledger !== undefined) pinDefinitions(this)
  }

  /** Trust, approvals, grants, tasks and the audit, for consoles and programs. */
  get ledger(): Ledger {
    return this.pipeline.ledger
  }

  get measures(): CallMetrics {
    return this.pipeline.metrics
  }

  /** Which tools are listed; undefined: all of them. Those that are not can be called all the same. */
  get shown(): ((tool: Tool) => boolean) | undefined {
    return this.#shown
  }

  set shown(shown: ((tool: Tool) => boolean) | undefined) {
    this.#shown = shown
    this.viewRevision++
    this.hub.listChanged('tools')
  }

  /** Methods of one's own, by name. */
  get methods(): ReadonlyMap<string, CustomMethod> {
    return this.#methods
  }

  /** The agent whose plan and critique this server answers with. */
  get agent(): ServedAgent | undefined {
    return this.#agent
  }

  /** Everything a module file offers. */
  add(module: Module): void {
    this.replace(undefined, module)
  }

  /** For watch mode, where the file is the truth: a definition may change there without a new version. */
  replace(before: Module | undefined, now: Module | undefined): void {
    if (now !== undefined) this.#refuseClashes(before, now)
    for (const tool of before?.tools ?? []) this.registry.unregister(tool.name, tool.version)
    for (const item of before?.resources ?? []) this.resources.remove(this.resources.keyOf(item))
    for (const item of before?.prompts ?? []) this.prompts.remove(item.name)
    for (const tool of now?.tools ?? []) this.registry.register(tool)
    for (const item of now?.resources ?? []) this.resources.add(item)
    for (const item of now?.prompts ?? []) this.prompts.add(item)
    this.#replaceAgent(before?.agents[0], now?.agents[0])
  }

  #replaceAgent(before: ServedAgent | undefined, now: ServedAgent | undefined): void {
    if (before !== undefined && before === this.#agent) {
      for (const method of Object.keys(before.methods)) this.#methods.delete(method)
      this.#agent = undefined
    }
    if (now === undefined) return
    for (const [name, method] of Object.entries(now.methods)) this.#methods.set(name, method)
    this.#agent = now
  }

  /** Before anything is touched: a file that claims another's name must not cost the first file its tools. */
  #refuseClashes(before: Module | undefined, now: Module): void {
    const clash =
      now.tools.find((tool) => {
        const same = this.registry.versions(tool.name).find(({ version }) => version === tool.version)
        return same !== undefined && same.hash !== tool.hash && !before?.tools.includes(same)
      }) ??
      now.resources.find((item) => {
        const same = this.resources.get(this.resources.keyOf(item))
        return same !== undefined && same !== item && !before?.resources.includes(same)
      }) ??
      now.prompts.find((item) => {
        const same = this.prompts.get(item.name)
        return same !== undefined && same !== item && !before?.prompts.includes(same)
      })
    if (clash !== undefined) {
      throw ToolError.of('RegistrationError', `${now.file}: ${clash.kind} ${clash.name} is registered by another file`)
    }
    this.#refuseAgents(before, now)
  }

  /** A request for agent/plan does not say whom it asks, so one server can only be one agent. */
  #refuseAgents(before: Module | undefined, { file, agents }: Module): void {
    const there = this.#agent === undefined || before?.agents.includes(this.#agent) ? [] : [this.#agent]
    const [one, ...others] = new Set([...there, ...agents])
    if (one === undefined) return
    if (others.length > 0) {
      const names = [one, ...others].map(({ name }) => name).join(' and ')
      throw ToolError.of(
        'RegistrationError',
        `${file}: ${names} cannot share a server, since its agent/plan and agent/critique are one agent's. Serve each by itself.`,
      )
    }
    const known = [...there, ...(before?.agents ?? [])].flatMap(({ methods }) => Object.keys(methods))
    const taken = Object.keys(one.methods).find((method) => this.#methods.has(method) && !known.includes(method))
    if (taken !== undefined) {
      throw ToolError.of('RegistrationError', `${file}: agent ${one.name} answers ${taken}, and so does this server`)
    }
  }

  session(transport: string, channel: Channel, principal: Principal = LOCAL): Session {
    return new Session(this, transport, principal, channel)
  }

  /** The result of one request. Throws what the session turns into a JSON-RPC error. */
  dispatch(exchange: Exchange): object | Promise<object> {
    // Nearly every request is this one, and comparing it is cheaper than hashing a freshly parsed string.
    if (exchange.method === 'tools/call') return callTool(exchange, this)
    const method: Method | undefined = (exchange.modern ? MODERN_METHODS : LEGACY_METHODS).get(exchange.method)
    if (method !== undefined) return method(exchange, this)
    const own = this.#methods.get(exchange.method)
    if (own === undefined) throw new RpcError(CODE.methodNotFound, `Method not found: ${exchange.method}`)
    return this.#custom(own, exchange)
  }

  async #custom(own: CustomMethod, exchange: Exchange): Promise<object> {
    const scope = new MethodScope(this.pipeline, exchange)
    exchange.scope = scope
    const result = await own(exchange.params ?? {}, scope)
    return exchange.modern ? { resultType: 'complete', ...result, _meta: { ...this.meta, ...meta(result) } } : result
  }

  /** The resource at a URI and, for a template, what its variables stand for. */
  findResource(uri: string): { item: Resource; variables: Record<string, string> } | undefined {
    const exact = this.resources.get(uri)
    if (exact !== undefined && exact.template === undefined) return { item: exact, variables: {} }
    for (const item of this.resources.all()) {
      const variables = item.template?.match(uri)
      if (variables !== undefined) return { item, variables }
    }
    const unlisted = this.resources.unlisted?.(uri)
    return unlisted && { item: unlisted, variables: {} }
  }

  /** Tells subscribers that what stands at a URI has changed. */
  resourceUpdated(uri: string): void {
    this.hub.resourceUpdated(uri)
  }

  /** A log line that belongs to no request: to every legacy session that wants to hear its level. */
  logged(level: LogLevel, data: unknown, logger?: string): void {
    this.hub.logged(level, { level, ...(logger !== undefined && { logger }), data })
  }

  /** Our own fault, written down under the reference the caller is given. */
  fault(thrown: unknown): string {
    const reference = nextCallId()
    this.#observe({ call_id: reference, tool: '', thrown })
    return reference
  }

  onClose(listener: () => void): () => void {
    this.#onClose.add(listener)
    return () => this.#onClose.delete(listener)
  }

  /** Ends open subscriptions with a word, so that clients know it was on purpose. */
  close(): void {
    for (const listener of [...this.#onClose]) listener()
    this.#onClose.clear()
    this.watch.close()
    this.tasks.close()
  }
}

const meta = (result: object): Params => ('_meta' in result ? (result._meta as Params) : {})

function toLog({ call_id, tool, thrown }: ObservedError): void {
  if (tool === '') log.error({ call_id, thrown }, 'internal fault')
  else log.error({ call_id, tool, thrown }, 'a tool failed in a way it did not declare')
}

export const createServer = (options: ServerOptions): Server => new Server(options)
