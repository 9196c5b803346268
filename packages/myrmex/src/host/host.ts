/**
 * The host: any number of servers behind one. A server that is down or broken is reported and does not affect the others. Every call
 * goes through the host's pipeline. New settings affect only the servers whose settings changed.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { ToolError } from '../protocol/errors.ts'
import { MYRMEX_VERSION, UI_EXTENSION } from '../protocol/versions.ts'
import { createServer, type Server } from '../server/server.ts'
import type { ServerOptions } from '../server/server-options.ts'
import { ServerView } from '../server/server-view.ts'
import { mayReach } from '../server/visible-items.ts'
import type { Principal } from '../tool/context.ts'
import { assertUniqueNames } from '../tool/name.ts'
import type { Tool } from '../tool/tool.ts'
import type { ServerStatus } from './api/routes/servers.ts'
import { MergedCatalogue } from './catalogue/merged-catalogue.ts'
import { Notifier } from './channels/notifier.ts'
import { Reaper } from './child/reaper.ts'
import type { ProtectedPaths } from './child/sandbox/plan.ts'
import { Sandboxes } from './child/sandbox/sandboxes.ts'
import { type HostProblem, toHostProblem } from './servers/host-problem.ts'
import { HostedModule } from './servers/hosted-module.ts'
import type { HostedServer } from './servers/hosted-server.ts'
import { HostedUpstream } from './servers/hosted-upstream.ts'
import { UnusableServer } from './servers/unusable-server.ts'
import type { ServerSettings } from './settings.ts'
import { UpstreamSignIns } from './sign-in/upstream-sign-ins.ts'
import type { BackoffSettings } from './upstream/backoff.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { LogLevel, UpstreamSettings } from './upstream/upstream-deps.ts'

export type { ServerStatus } from './api/routes/servers.ts'
export type { HostProblem } from './servers/host-problem.ts'
export type { HostedServer } from './servers/hosted-server.ts'

export interface HostOptions extends Partial<Omit<ServerOptions, 'view' | 'log'>> {
  readonly settings: readonly ServerSettings[]
  /** kills child processes when this process dies; default: the host's own */
  readonly reaper?: Reaper
  /** paths to keep from children in a sandbox, besides those in their settings */
  readonly protect?: Partial<ProtectedPaths>
  /** receives events of the host and what its children write; default: no log */
  readonly log?: (level: LogLevel, line: string) => void
  /** receives what tools of this process say with `ctx.log`; default: the log on stderr */
  readonly toolLog?: ServerOptions['log']
  /** folder of the listing cache; without it every lazy server is started once to learn what it offers */
  readonly cacheFolder?: string
  /** how failed servers are retried */
  readonly backoff?: Partial<BackoffSettings>
}

/** An event that the host reports to its listeners. `server` is the name of the server that it is about. */
export type HostChange =
  | { readonly kind: 'state'; readonly server: string; readonly state: string }
  | { readonly kind: 'listing'; readonly server: string }
  /** its first start has succeeded or failed */
  | { readonly kind: 'started'; readonly server: string }
  /** a sign-in is needed, or has been made or ended */
  | { readonly kind: 'sign_in'; readonly server: string }
  /**
   * quarantined: a definition changed since it was pinned. new_tool: it appeared after the first listing of its server. Calls are
   * rejected until a person reviews it.
   */
  | { readonly kind: 'quarantined' | 'new_tool'; readonly server: string; readonly tool: string }
  /** a definition changed, and the host accepted that without a person */
  | { readonly kind: 'accepted'; readonly server: string; readonly tool: string; readonly grade: string }
  /** added or removed by new settings */
  | { readonly kind: 'added' | 'removed'; readonly server: string }

/** Longer instructions of one server are cut. */
const MAX_INSTRUCTIONS = 20_000

/** Resolves when every eager server is up or has failed once. Throws only for invalid settings. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { settings, ...own } = options
  const host = new Host(own)
  await host.replace(settings)
  return host
}

/** Creates a host without servers. */
export const createHost = (options: Omit<HostOptions, 'settings'>): Host => new Host(options)

export class Host {
  readonly server: Server
  readonly view = new ServerView()
  /** Reads the configuration again, for a program that has one. */
  reload: () => Promise<void> = async () => {}
  readonly signIns: UpstreamSignIns
  /** Announces waiting calls; without channels it does nothing. */
  readonly notifier: Notifier
  readonly #options: { readonly [Name in 'reaper' | 'cacheFolder' | 'backoff']: HostOptions[Name] }
  readonly #log: NonNullable<HostOptions['log']>
  readonly #catalogue: MergedCatalogue
  readonly #listeners = new Set<(change: HostChange) => void>()
  readonly #ownInstructions: string | undefined
  readonly #sandboxes: Sandboxes
  #reaper: Reaper | undefined
  #servers = new Map<string, HostedServer>()
  /** servers that another component starts and ends */
  readonly #adopted = new Map<string, HostedServer>()
  #queue: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: Omit<HostOptions, 'settings'>) {
    const { reaper, protect, log, toolLog, cacheFolder, backoff, ...served } = options
    this.server = createServer({
      name: 'myrmex',
      version: MYRMEX_VERSION,
      ...served,
      log: toolLog,
      view: this.view,
    })
    this.#options = { reaper, cacheFolder, backoff }
    this.view.hostId = hostIdOf(options)
    this.#log = log ?? (() => {})
    this.#catalogue = new MergedCatalogue(this.server, this.view)
    this.#ownInstructions = this.server.instructions
    this.#reaper = reaper
    this.view.instructions = (principal) => this.#instructions(principal)
    this.#sandboxes = new Sandboxes(protect, (line) => this.#log('warn', line))
    this.view.modules = () => [...this.#servers.keys(), ...this.#adopted.keys()]
    this.view.extensions = { [UI_EXTENSION]: {} }
    this.view.endCallers = (isOver) => {
      for (const one of this.#all()) one.endCallers?.(isOver)
    }
    this.notifier = new Notifier({ ledger: () => this.server.ledger, log: this.#log })
    this.signIns = new UpstreamSignIns({
      ledger: () => this.server.ledger,
      log: this.#log,
      onSignedIn: async (server, principal) => await this.#find(server)?.signInChanged?.(principal, undefined),
      onSignedOut: async (server, principal, needed) => await this.#find(server)?.signInChanged?.(principal, needed),
      onChange: (server) => this.#emit({ kind: 'sign_in', server }),
      onDead: (dead) => this.notifier.announceDead(dead),
    })
    this.view.explainMissingTool = (name, principal) => this.#explainMissingTool(name, principal)
  }

  /** current problems */
  get problems(): readonly HostProblem[] {
    return [...this.#all().flatMap((one) => one.problems), ...this.#catalogue.problems]
  }

  /** Computed from all definitions of each server: not for every call or line of a log. */
  servers(): ServerStatus[] {
    return this.#all().map((one) => one.status())
  }

  /** The same of one server; undefined if there is no such server. */
  status(name: string): ServerStatus | undefined {
    return this.#find(name)?.status()
  }

  serverNames(): string[] {
    return this.#all().map(({ name }) => name)
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  /** Returns undefined if there is no such server or it is loaded into this process. */
  upstream(name: string): Upstream | undefined {
    return this.#find(name)?.upstream
  }

  /** The definition of a resource, a prompt or an agent method of an upstream, by its name. */
  definition(name: string): Tool | undefined {
    return this.#catalogue.definition(name)
  }

  /** Adds a server that another component starts and ends. */
  adopt(one: HostedServer): void {
    assertUniqueNames('servers of the host', [one.name, ...this.serverNames()])
    this.#adopted.set(one.name, one)
    this.#reserveNames()
    this.#emit({ kind: 'added', server: one.name })
  }

  /**
   * Hot reload: only changed servers are touched. Resolves when new servers are known or have failed. Replacements run one after
   * another, so two reloads never open a server twice. Slow starts do not delay the next one.
   */
  async replace(settings: readonly ServerSettings[]): Promise<void> {
    assertUniqueNames('servers of the host', [...this.#adopted.keys(), ...settings.map(({ name }) => name)])
    const exchanged = this.#queue.then(() => this.#exchange(settings))
    this.#queue = exchanged.then(() => {})
    // A server that is ended meanwhile ends its own start.
    await Promise.all(
      (await exchanged).map(async (one) => {
        await one.start()
        this.#emit({ kind: 'started', server: one.name })
      }),
    )
  }

  /** Finds the sandbox of the first child ahead of its start: the others will get the same. A failure is reported when the child starts. */
  prepareSandbox(settings: readonly ServerSettings[]): void {
    for (const { name, endpoint, sandbox, problem } of settings) {
      if (endpoint.where !== 'child' || sandbox === undefined || problem !== undefined) continue
      this.#sandboxes.prepare(name, endpoint, sandbox).catch(() => {})
      return
    }
  }

  /** Reads the listing of one server, or of every server, again. */
  async refresh(name?: string): Promise<void> {
    await Promise.all((name === undefined ? this.#all() : [this.#require(name)]).map((one) => one.refresh()))
  }

  start(name: string): Promise<void> {
    const one = this.#require(name)
    return one instanceof UnusableServer ? one.restart() : one.start()
  }

  stop(name: string): Promise<void> {
    return this.#require(name).stop()
  }

  restart(name: string): Promise<void> {
    return this.#require(name).restart()
  }

  onChange(listener: (change: HostChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends all servers. The ledger stays open. */
  async close(): Promise<void> {
    this.server.close()
    this.#isClosed = true
    await this.#queue
    await Promise.all([this.signIns.close(), this.notifier.close()])
    await Promise.all([...this.#servers.values()].map((one) => this.#end(one, true)))
    this.#servers = new Map()
    // A reaper from the options belongs to the caller.
    if (this.#options.reaper === undefined) await this.#reaper?.close()
  }

  #all(): HostedServer[] {
    return [...this.#adopted.values(), ...this.#servers.values()]
  }

  #find(name: string): HostedServer | undefined {
    return this.#adopted.get(name) ?? this.#servers.get(name)
  }

  #require(name: string): HostedServer {
    const found = this.#find(name)
    if (found !== undefined) return found
    throw ToolError.of(
      'ValidationError',
      `Unknown server ${name}. Servers of this host: ${this.serverNames().join(', ') || 'none'}.`,
    )
  }

  #emit(change: HostChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Ends servers that are no longer configured and creates new ones without starting them. */
  async #exchange(settings: readonly ServerSettings[]): Promise<HostedServer[]> {
    if (this.#isClosed) return []
    const before = this.#servers
    const wanted = new Map(settings.map((one) => [one.name, one]))
    const [gone, kept] = [[] as HostedServer[], new Map<string, HostedServer>()]
    for (const [name, one] of before) {
      if (wanted.get(name)?.digest === one.settingsDigest) kept.set(name, one)
      else gone.push(one)
    }
    this.#catalogue.order = [...wanted.keys()]
    this.#servers = kept
    await Promise.all(gone.map((one) => this.#end(one, wanted.has(one.name))))
    // In the order of the configuration.
    this.#servers = new Map(settings.map((one) => [one.name, kept.get(one.name) ?? this.#make(one)]))
    this.#reserveNames()
    for (const server of wanted.keys()) if (!before.has(server)) this.#emit({ kind: 'added', server })
    return [...this.#servers.values()].filter(({ name }) => !kept.has(name))
  }

  /**
   * Before any server is started: its names are its own from the first call on, also while it cannot be reached. Modules of this process
   * have the names that their files give them.
   */
  #reserveNames(): void {
    const upstreams = this.#all().filter((one) => connectionStatus(one).where !== 'in-process')
    const names = new Set(upstreams.map(({ name }) => name))
    this.server.registry.reserve(names)
    this.#catalogue.reserve(names)
  }

  async #end(one: HostedServer, comesBack: boolean): Promise<void> {
    try {
      await one.close(this.#isClosed ? 'ending' : comesBack ? 'changed' : 'removed')
    } catch (thrown) {
      this.#log('error', `${one.name} could not be shut down: ${toHostProblem(one.name, thrown).message}`)
    }
    if (comesBack) return
    this.signIns.forget(one.name)
    await this.#forgetListing(one.name)
    this.#emit({ kind: 'removed', server: one.name })
  }

  /** Nothing of it is listed any more. */
  async #forgetListing(name: string): Promise<void> {
    try {
      await this.server.ledger.listedDefinitions.record(name, [])
    } catch (thrown) {
      this.#log('error', `${name}: ${toHostProblem(name, thrown).message}`)
    }
  }

  #make(settings: ServerSettings): HostedServer {
    const { endpoint, problem } = settings
    if (problem !== undefined) return new UnusableServer(settings, problem, () => this.reload())
    if (endpoint.where === 'in-process') return new HostedModule(this.server, settings, endpoint.file)
    this.#reaper ??= new Reaper((line) => this.#log('warn', line))
    return new HostedUpstream(settings as UpstreamSettings, {
      server: this.server,
      catalogue: this.#catalogue,
      log: this.#log,
      emit: (change) => this.#emit(change),
      reaper: this.#reaper,
      sandboxes: this.#sandboxes,
      signIns: this.signIns,
      cacheFolder: this.#options.cacheFolder,
      backoff: this.#options.backoff,
    })
  }

  /** With one server, its instructions stay unchanged. With several, each gets a heading with the server's name. */
  #instructions(principal: Principal | undefined): string | undefined {
    const texts = this.#all().flatMap(({ name, instructions }) => {
      // A caller that may use nothing of a server needs no instructions for it.
      if (principal !== undefined && !mayReach(this.server, principal, name)) return []
      const text = instructions?.slice(0, MAX_INSTRUCTIONS)
      if (text === undefined) return []
      return [this.#servers.size === 1 ? text : `# ${name}\n\n${text}`]
    })
    const all = [this.#ownInstructions, ...texts].filter((text) => text !== undefined)
    return all.length === 0 ? undefined : all.join('\n\n')
  }

  /** A server that was never reached, or whose tools are being reviewed, has no known tools. Only callers that may reach it learn that it exists. */
  #explainMissingTool(name: string, principal: Principal): string | undefined {
    const [server] = this.#all()
      .filter((one) => name.startsWith(`${one.name}.`) || name.startsWith(`${one.name}_`))
      .sort((a, b) => b.name.length - a.name.length)
    if (server === undefined || !mayReach(this.server, principal, server.name)) return undefined
    const { name: owner, state } = connectionStatus(server)
    const { registry } = this.server
    const hasTools = () => registry.listed().some(({ tool }) => tool.name.startsWith(`${owner}.`))
    if (state === 'ready' || hasTools()) return undefined
    if (state === 'needs_sign_in')
      return `Its server ${owner} needs a sign-in by the operator, so its tools are unknown.`
    return `Its server ${owner} has not been reached yet, so its tools are unknown. Try again later.`
  }
}

/** The same after a restart, because other servers keep what this host listed. Nobody can tell from it where the host is. */
function hostIdOf({ ledger, cacheFolder }: Omit<HostOptions, 'settings'>): string {
  if (ledger === undefined || cacheFolder === undefined) return randomBytes(16).toString('hex')
  return ledger.key.mac(`host ${JSON.stringify([hostname(), resolve(cacheFolder)])}`).slice(0, 32)
}

/** Without what takes a look at all of its definitions. */
const connectionStatus = (one: HostedServer): ServerStatus => (one.upstream ?? one).status()
