/**
 * A fleet: agents in this process, in children and behind URLs, all of whose tools stand behind one server and one pipeline. An
 * agent that is down or broken is told of and takes nothing from the others.
 */

import { createHost, type Host } from '../../host/host.ts'
import type { ServerSettings } from '../../host/settings.ts'
import type { Upstream } from '../../host/upstream/upstream.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { offerDebugError } from '../../server/debug-error.ts'
import type { Server, ServerOptions } from '../../server/server.ts'
import { assertUniqueNames } from '../../tool/name.ts'
import type { Agent } from '../agent.ts'
import type { Brain } from '../brain/brain.ts'
import type { Playbook } from '../playbook.ts'
import { agentAsServer } from './agent-as-server.ts'
import { type FleetConfig, parseFleet } from './config.ts'
import type { FleetAgent, FleetMember } from './fleet-agent.ts'
import { inProcessAgent } from './in-process-agent.ts'
import { loadPlaybooks } from './playbooks.ts'
import type { FleetProblem } from './problem.ts'
import { RemoteAgent } from './remote-agent.ts'
import { type ResolvedAgent, resolveAgents } from './resolve-agents.ts'
import { type ToolView, toolViewOf } from './tool-view.ts'

export type { FleetAgent } from './fleet-agent.ts'
export type { FleetProblem } from './problem.ts'

export interface FleetOptions {
  /** what must not be forgotten; without one it is kept in memory and ends with the process */
  ledger?: Ledger
  policy?: Policy
  constitution?: ServerOptions['constitution']
  /** agents that this program has at hand, beside those of the configuration */
  agents?: readonly Agent[]
  /** playbooks that this program has at hand, before those of the configuration */
  playbooks?: readonly Playbook[]
  /** relative paths start here: the folder of the fleet file; the working directory by default */
  folder?: string
  /** the brain of agents without one; by default the model named by MYRMEX_BRAIN, or the rules */
  brain?: Brain
  /** the variables for the file; those of this process by default */
  env?: NodeJS.ProcessEnv
  /** further servers, whose tools stand beside those of the agents */
  servers?: readonly ServerSettings[]
  /** whether what children write beside messages, and how they are, is written to stderr; it is unless told */
  stderr?: 'inherit' | 'ignore'
  /** timeout for connecting to one agent in milliseconds; 15 s by default */
  openMs?: number
  /** name of the server; `fleet` by default */
  name?: string
  observe?: ServerOptions['observe']
}

export interface Fleet {
  /** all tools of all agents, own or proxied, behind one pipeline */
  readonly server: Server
  /** what keeps those of them that are elsewhere, and shows them all */
  readonly host: Host
  readonly agents: readonly FleetAgent[]
  /** what its owner knows about goals, asked in this order before anybody plans */
  readonly playbooks: readonly Playbook[]
  /** what was wrong when the agents were last looked at */
  readonly problems: readonly FleetProblem[]
  /** Every tool as planners see it, the highest version of each. */
  views(): ToolView[]
  /** Lists remote tools again. What an agent that cannot be reached offered before stays. */
  refresh(): Promise<readonly FleetProblem[]>
  /** Puts these in the place of the further servers there were. Only what changed is touched. */
  replaceServers(settings: readonly ServerSettings[]): Promise<void>
  /** Ends what was started. Does not close the ledger. */
  close(): Promise<void>
}

/** Throws only for a configuration that is wrong in itself. */
export async function openFleet(config: FleetConfig, options: FleetOptions = {}): Promise<Fleet> {
  const { ledger, policy, constitution, folder = process.cwd(), env = process.env, name = 'fleet', observe } = options
  const own = options.agents ?? []
  const places = resolveAgents(parseFleet(config), { folder, env, openMs: options.openMs })
  assertUniqueNames('agents of the fleet', [...own.map((agent) => agent.name), ...places.keys()])
  const host = createHost({
    name,
    ledger,
    policy,
    constitution,
    observe,
    log: (level, line) => {
      if (options.stderr !== 'ignore' && level !== 'debug') process.stderr.write(`${line}\n`)
    },
  })
  const { server } = host
  let chosen: Promise<Brain> | undefined
  const brain = (): Promise<Brain> => {
    chosen ??= options.brain === undefined ? brainOf(env) : Promise.resolve(options.brain)
    return chosen
  }
  const remote = [...places.values()].flatMap((place) => (place.where === 'in-process' ? [] : [place.settings]))
  const opening = host.replace([...remote, ...(options.servers ?? [])])
  const member = async ([agent, place]: [string, ResolvedAgent]): Promise<FleetMember> => {
    if (place.where === 'in-process') return inProcessAgent(agent, { from: place.file, server, brain: options.brain })
    return new RemoteAgent(agent, { where: place.where, host, upstream: host.upstream(agent) as Upstream, brain })
  }
  const given = own.map((agent) => inProcessAgent(agent.name, { from: agent, server, brain: options.brain }))
  await opening
  const members = await Promise.all([...given, ...[...places].map(member)])
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
    playbooks: [...(options.playbooks ?? []), ...books.playbooks],
    get problems() {
      return problems
    },
    // No agent's name has a dot in it, and every tool has its agent's name in front.
    views: () =>
      server.registry.listed().flatMap(({ tool }) => {
        const agent = tool.name.slice(0, tool.name.indexOf('.'))
        return members.some(({ name: known }) => known === agent) ? [toolViewOf(tool, agent)] : []
      }),
    refresh,
    replaceServers: (settings) => host.replace([...remote, ...settings]),
    close: () => host.close(),
  }
}

/** Loaded when an agent that does not think for itself is first asked to. */
const brainOf = async (env: NodeJS.ProcessEnv): Promise<Brain> => (await import('../brain/choose.ts')).brainFrom(env)
