/**
 * The host: any number of servers behind one. A server that is down or broken is reported and does not affect the others. Every call
 * goes through the host's pipeline.
 */
import { ToolError } from '../protocol/errors.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { createServer, type Server, type ServerOptions } from '../server/server.ts'
import { assertUniqueNames } from '../tool/name.ts'
import type { Reaper } from './child/reaper.ts'
import { HostServerView } from './host-server-view.ts'
import type { HostChange } from './servers/host-change.ts'
import type { HostProblem } from './servers/host-problem.ts'
import type { HostedServer, HostedServerStatus } from './servers/hosted-server.ts'
import { HostedServers } from './servers/hosted-servers.ts'
import type { ServerSettings } from './settings.ts'
import type { BackoffSettings } from './upstream/backoff.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { LogLevel } from './upstream/upstream-deps.ts'

export type { HostChange } from './servers/host-change.ts'
export type { HostProblem } from './servers/host-problem.ts'
export type { HostedServer, HostedServerStatus as ServerStatus } from './servers/hosted-server.ts'

export interface HostOptions extends Partial<Omit<ServerOptions, 'view'>> {
  readonly settings: readonly ServerSettings[]
  /** kills child processes when this process dies; default: the host's own */
  readonly reaper?: Reaper
  /** default: no log */
  readonly log?: (level: LogLevel, line: string) => void
  /** folder of the listing cache; without it every lazy server is started once to learn what it offers */
  readonly cacheFolder?: string
  /** how failed servers are retried */
  readonly backoff?: Partial<BackoffSettings>
}

export interface Host {
  readonly server: Server
  readonly view: HostServerView
  /** current problems */
  readonly problems: readonly HostProblem[]
  servers(): HostedServerStatus[]
  /** undefined if there is no such server or it is loaded into this process */
  upstream(name: string): Upstream | undefined
  /** Adds a server that another component starts and ends. */
  adopt(one: HostedServer): void
  /** Hot reload: only changed servers are touched. Resolves when new servers are known or have failed. Never rejects. */
  replace(settings: readonly ServerSettings[]): Promise<void>
  /** Reads the listing of one server, or of every server, again. */
  refresh(name?: string): Promise<void>
  start(name: string): Promise<void>
  stop(name: string): Promise<void>
  restart(name: string): Promise<void>
  onChange(listener: (change: HostChange) => void): () => void
  /** Ends all servers. The ledger stays open. */
  close(): Promise<void>
}

const quiet = (): void => {}

/** Resolves when every eager server is up or has failed once. Throws only for invalid settings. */
export async function openHost(options: HostOptions): Promise<Host> {
  const host = createHost(options)
  await host.replace(options.settings)
  return host
}

/** Creates a host without servers. */
export function createHost(options: Omit<HostOptions, 'settings'>): Host {
  const view = new HostServerView()
  const { reaper, log = quiet, cacheFolder, backoff, ...serverOptions } = options
  const server = createServer({ name: 'myrmex', version: MYRMEX_VERSION, ...serverOptions, view })
  const listeners = new Set<(change: HostChange) => void>()
  const emit = (change: HostChange): void => {
    for (const listener of listeners) listener(change)
  }
  const hosted = new HostedServers({ server, view, log, emit, reaper, cacheFolder, backoff })
  view.explainMissingTool = (name) => explainMissingTool(hosted, name)
  return {
    server,
    view,
    get problems() {
      return hosted.problems
    },
    servers: () => hosted.all().map((one) => one.status()),
    upstream: (name) => hosted.find(name)?.upstream,
    adopt: (one) => {
      assertUniqueNames('servers of the host', [one.name, ...hosted.all().map(({ name }) => name)])
      hosted.adopt(one)
    },
    replace: async (settings) => {
      assertUniqueNames('servers of the host', [...hosted.adopted, ...settings.map(({ name }) => name)])
      return hosted.replace(settings)
    },
    async refresh(name) {
      await Promise.all((name === undefined ? hosted.all() : [requireServer(hosted, name)]).map((one) => one.refresh()))
    },
    start: (name) => requireServer(hosted, name).start(),
    stop: (name) => requireServer(hosted, name).stop(),
    restart: (name) => requireServer(hosted, name).restart(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      server.close()
      await hosted.close()
    },
  }
}

/** A server that was never reached has no known tools. */
function explainMissingTool(hosted: HostedServers, name: string): string | undefined {
  const server = hosted.all().find((one) => name.startsWith(`${one.name}.`) || name.startsWith(`${one.name}_`))
  const status = server?.status()
  if (status === undefined || status.state === 'ready' || status.tools > 0) return undefined
  return `Its server ${status.name} has not been reached yet, so its tools are unknown. Try again later.`
}

function requireServer(hosted: HostedServers, name: string): HostedServer {
  const found = hosted.find(name)
  if (found !== undefined) return found
  const names = hosted.all().map((one) => one.name)
  throw ToolError.of('ValidationError', `Unknown server ${name}. Servers of this host: ${names.join(', ') || 'none'}.`)
}
