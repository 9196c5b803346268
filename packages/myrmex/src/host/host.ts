/**
 * The host: any number of servers behind one. Each has its own life; one that is down or broken is told of and takes nothing from
 * the others. Whatever is called through it passes the one pipeline.
 */

import type { Ledger } from '../ledger/ledger.ts'
import type { Constitution } from '../pipeline/rules/constitution.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import { ToolError } from '../protocol/errors.ts'
import { MYRMEX_VERSION } from '../protocol/versions.ts'
import { createServer, type Server, type ServerOptions } from '../server/server.ts'
import type { Reaper } from './child/reaper.ts'
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

export interface HostOptions {
  /** in the order of the configuration */
  readonly settings: readonly ServerSettings[]
  /** one that is there already; else one is made of what follows */
  readonly server?: Server
  readonly name?: string
  readonly version?: string
  /** what must not be forgotten; without one it is kept in memory and ends with the process */
  readonly ledger?: Ledger
  readonly policy?: Policy
  readonly constitution?: Constitution
  readonly observe?: ServerOptions['observe']
  /** kills children when this process dies; one of the host's own unless told */
  readonly reaper?: Reaper
  /** told of all that an operator wants to read; nothing is told unless given */
  readonly log?: (level: LogLevel, line: string) => void
  /** where listings are remembered; without one they are not, and lazy servers are started once to be known */
  readonly cacheFolder?: string
  /** how patient it is with servers that go down */
  readonly backoff?: Partial<BackoffSettings>
}

export interface Host {
  readonly server: Server
  /** what is wrong now */
  readonly problems: readonly HostProblem[]
  /** in the order of the configuration */
  servers(): HostedServerStatus[]
  /** undefined: no such server, or one that is loaded into this process */
  upstream(name: string): Upstream | undefined
  /** Shows one that somebody else loads and ends among the others. */
  adopt(one: HostedServer): void
  /** Hot reload: only what changed is touched. Resolves when what was added is known or has failed; never rejects. */
  replace(settings: readonly ServerSettings[]): Promise<void>
  /** Lists anew what one server, or every one, offers. */
  refresh(name?: string): Promise<void>
  start(name: string): Promise<void>
  stop(name: string): Promise<void>
  restart(name: string): Promise<void>
  onChange(listener: (change: HostChange) => void): () => void
  /** Ends what was started; the ledger is left to whoever opened it. */
  close(): Promise<void>
}

const quiet = (): void => {}

/** Resolves when every eager server is up or has failed once. Throws only for settings that are wrong in themselves. */
export async function openHost(options: HostOptions): Promise<Host> {
  const host = createHost(options)
  await host.replace(options.settings)
  return host
}

/** One that has no servers yet. */
export function createHost(options: Omit<HostOptions, 'settings'>): Host {
  const server = options.server ?? ownServer(options)
  const listeners = new Set<(change: HostChange) => void>()
  const serving = new HostedServers({
    server,
    log: options.log ?? quiet,
    emit: (change) => {
      for (const listener of listeners) listener(change)
    },
    ...(options.reaper !== undefined && { reaper: options.reaper }),
    ...(options.cacheFolder !== undefined && { cacheFolder: options.cacheFolder }),
    ...(options.backoff !== undefined && { backoff: options.backoff }),
  })
  server.registry.absence = (name) => absence(serving, name)
  return {
    server,
    get problems() {
      return serving.problems
    },
    servers: () => serving.all().map((one) => one.status()),
    upstream: (name) => serving.find(name)?.upstream,
    adopt: (one) => {
      refuseTwins([one.name, ...serving.all().map(({ name }) => name)])
      serving.adopt(one)
    },
    replace: async (settings) => {
      refuseTwins([...serving.adopted, ...settings.map(({ name }) => name)])
      return serving.replace(settings)
    },
    async refresh(name) {
      await Promise.all((name === undefined ? serving.all() : [known(serving, name)]).map((one) => one.refresh()))
    },
    start: (name) => known(serving, name).start(),
    stop: (name) => known(serving, name).stop(),
    restart: (name) => known(serving, name).restart(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      if (options.server === undefined) server.close()
      await serving.close()
    },
  }
}

/** A tool of a server that was never reached is not known, and that is all that is wrong with its name. */
function absence(serving: HostedServers, name: string): string | undefined {
  const served = serving.all().find((one) => name.startsWith(`${one.name}.`) || name.startsWith(`${one.name}_`))
  const status = served?.status()
  if (status === undefined || status.state === 'ready' || status.tools > 0) return undefined
  return `Its server ${status.name} has not been reached yet, so its tools are not known. Try again later.`
}

function ownServer(options: Omit<HostOptions, 'settings'>): Server {
  const { name = 'myrmex', version = MYRMEX_VERSION, ledger, policy, constitution, observe } = options
  return createServer({
    name,
    version,
    ...(ledger !== undefined && { ledger }),
    ...(policy !== undefined && { policy }),
    ...(constitution !== undefined && { constitution }),
    ...(observe !== undefined && { observe }),
  })
}

function known(serving: HostedServers, name: string): NonNullable<ReturnType<HostedServers['find']>> {
  const found = serving.find(name)
  if (found !== undefined) return found
  const names = serving.all().map((one) => one.name)
  throw ToolError.of('ValidationError', `There is no server ${name} here; there are: ${names.join(', ') || 'none'}.`)
}

function refuseTwins(names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) < index)
  if (twin !== undefined) throw ToolError.of('RegistrationError', `Two servers of the host are called ${twin}.`)
}
