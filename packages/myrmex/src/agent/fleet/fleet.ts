/**
 * A fleet: agents in this process, in children and behind URLs. One server and one pipeline serve all their tools. An agent that is
 * down or broken is reported and does not affect the others.
 */
import { pathToFileURL } from 'node:url'
import { moduleFile } from '../../host/config/module-file.ts'
import { createHost, type Host } from '../../host/host.ts'
import type { ServerSettings } from '../../host/settings.ts'
import type { Upstream } from '../../host/upstream/upstream.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { isReviewed } from '../../pipeline/gates/trust.ts'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { offerDebugError } from '../../server/debug-error.ts'
import type { Server } from '../../server/server.ts'
import type { ServerOptions } from '../../server/server-options.ts'
import { madeList } from '../../tool/assert-made.ts'
import { assertUniqueNames } from '../../tool/name.ts'
import type { Agent } from '../agent.ts'
import type { Brain } from '../brain/brain.ts'
import { isPlaybook, type Playbook } from '../playbook.ts'
import { type FleetConfig, parseFleet } from './config.ts'
import { type FleetAgent, type FleetMember, type FleetProblem, fleetProblem } from './fleet-agent.ts'
import { agentAsServer, inProcessAgent } from './in-process-agent.ts'
import { remoteAgent } from './remote-agent.ts'
import { type ResolvedAgent, resolveAgents } from './resolve-agents.ts'
import { type ToolView, toolViewOf } from './tool-view.ts'

export type { FleetAgent, FleetProblem } from './fleet-agent.ts'

export interface FleetOptions {
  /** default: in memory, until the process ends */
  ledger?: Ledger
  policy?: Policy
  constitution?: ServerOptions['constitution']
  /** agents of this program, besides those of the configuration */
  agents?: readonly Agent[]
  /** playbooks of this program, used before those of the configuration */
  playbooks?: readonly Playbook[]
  /** relative paths start here; default: the working directory */
  folder?: string
  /** the brain of agents without one; default: the model named by MYRMEX_BRAIN, or the rules */
  brain?: Brain
  /** the variables for the file; default: those of this process */
  env?: NodeJS.ProcessEnv
  /** further servers, whose tools are served beside those of the agents */
  servers?: readonly ServerSettings[]
  /** whether output and status of child processes are written to stderr; default: inherit */
  stderr?: 'inherit' | 'ignore'
  /** timeout for connecting to one agent in milliseconds; default: 15 s */
  openMs?: number
  /** name of the server; default: `fleet` */
  name?: string
  observe?: ServerOptions['observe']
  /** receives what tools of this process say with `ctx.log`; default: the log on stderr */
  toolLog?: ServerOptions['log']
}

export interface Fleet {
  /** all tools of all agents, own or proxied, behind one pipeline */
  readonly server: Server
  /** connects to the remote agents, and lists all of them */
  readonly host: Host
  readonly agents: readonly FleetAgent[]
  /** asked in this order before a brain plans */
  readonly playbooks: readonly Playbook[]
  /** as of the last refresh */
  readonly problems: readonly FleetProblem[]
  /** The highest version of every tool, as planners see it. */
  views(): ToolView[]
  /** Lists remote tools again. An agent that cannot be reached keeps its earlier tools. */
  refresh(): Promise<readonly FleetProblem[]>
  /** Replaces the further servers. Unchanged servers keep their connection. */
  replaceServers(settings: readonly ServerSettings[]): Promise<void>
  /** Ends child processes and connections. Does not close the ledger. */
  close(): Promise<void>
}

/** Throws only if the configuration is invalid. */
export async function openFleet(config: FleetConfig, options: FleetOptions = {}): Promise<Fleet> {
  const { ledger, policy, constitution, folder = process.cwd(), env = process.env, name = 'fleet', observe } = options
  const own = madeList(options.agents ?? [], 'agent')
  const ownPlaybooks = madeList(options.playbooks ?? [], 'playbook')
  const resolved = resolveAgents(parseFleet(config), { folder, env, openMs: options.openMs })
  assertUniqueNames('agents of the fleet', [...own.map((agent) => agent.name), ...resolved.keys()])
  const host = createHost({
    name,
    ledger,
    policy,
    constitution,
    observe,
    toolLog: options.toolLog,
    log: (level, line) => {
      if (options.stderr !== 'ignore' && level !== 'debug') process.stderr.write(`${line}\n`)
    },
  })
  const { server } = host
  let chosen: Promise<Brain> | undefined
  /** Loaded when an agent without its own plan or critique is first asked. */
  const brain = (): Promise<Brain> => {
    chosen ??= (async () => options.brain ?? (await import('../brain/choose.ts')).brainFrom(env))()
    return chosen
  }
  const remote = [...resolved.values()].flatMap((one) => (one.where === 'in-process' ? [] : [one.settings]))
  const opening = host.replace([...remote, ...(options.servers ?? [])])
  const member = async ([agent, found]: [string, ResolvedAgent]): Promise<FleetMember> => {
    if (found.where === 'in-process') return inProcessAgent(agent, { from: found.file, server, brain: options.brain })
    return remoteAgent(agent, { where: found.where, host, upstream: host.upstream(agent) as Upstream, brain })
  }
  const given = own.map((agent) => inProcessAgent(agent.name, { from: agent, server, brain: options.brain }))
  await opening
  const members = await Promise.all([...given, ...[...resolved].map(member)])
  for (const one of members) if (one.where === 'in-process') host.adopt(agentAsServer(one, server))
  if (ledger !== undefined) offerDebugError(server)
  const books = await loadPlaybooks(config.playbooks ?? [], folder)
  let problems: readonly FleetProblem[] = [...members.flatMap((one) => one.problems), ...books.problems]
  const refresh = async (): Promise<readonly FleetProblem[]> => {
    problems = [...(await Promise.all(members.map((one) => one.refresh()))).flat(), ...books.problems]
    return problems
  }
  return {
    server,
    host,
    agents: members,
    playbooks: [...ownPlaybooks, ...books.playbooks],
    get problems() {
      return problems
    },
    // Agent names have no dot, and every tool name starts with its agent's name.
    views: () =>
      server.registry.listed().flatMap(({ tool }) => {
        const agent = tool.name.slice(0, tool.name.indexOf('.'))
        if (!members.some(({ name: known }) => known === agent)) return []
        return [toolViewOf(tool, agent, tool.origin === 'upstream' && !isReviewed(tool, server.ledger.trust))]
      }),
    refresh,
    replaceServers: (settings) => host.replace([...remote, ...settings]),
    close: () => host.close(),
  }
}

/** A file that does not load is a problem, and the other files are used. */
async function loadPlaybooks(files: readonly string[], folder: string) {
  const playbooks: Playbook[] = []
  const problems: FleetProblem[] = []
  for (const file of files) {
    try {
      const exported = (await import(pathToFileURL(moduleFile(file, folder)).href)) as Record<string, unknown>
      const found = Object.values(exported).flat().filter(isPlaybook)
      if (found.length === 0) throw new Error(`${file} exports no playbook. Export what playbook({…}) returns.`)
      playbooks.push(...found)
    } catch (thrown) {
      problems.push(fleetProblem(file, thrown))
    }
  }
  return { playbooks, problems }
}
