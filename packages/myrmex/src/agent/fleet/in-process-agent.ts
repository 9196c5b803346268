/** An agent in this process: its file is loaded, its tools are added to the fleet's server, its functions are called. */
import { type HostedServer, inProcessStatus } from '../../host/servers/hosted-server.ts'
import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Server } from '../../server/server.ts'
import { LoadError } from '../../tool/discovery/load-error.ts'
import { loadModule, type Module } from '../../tool/discovery/module.ts'
import { agentMethodDefinition } from '../../tool/request-definition.ts'
import type { Tool } from '../../tool/tool.ts'
import { type Agent, agent } from '../agent.ts'
import type { Brain } from '../brain/brain.ts'
import { CRITIQUE_METHOD, PLAN_METHOD } from '../methods.ts'
import { planByAgent, verdictByAgent } from '../plan-and-critique.ts'
import { type AgentRequest, askAgent } from './agent-scope.ts'
import { type FleetMember, type FleetProblem, fleetProblem } from './fleet-agent.ts'

export interface InProcessOptions {
  /** the agent itself, or the file that exports it */
  readonly from: Agent | string
  readonly server: Server
  readonly brain: Brain | undefined
}

/** If its file does not load, the agent still exists and reports the problem when it is asked. */
export async function inProcessAgent(name: string, { from, server, brain }: InProcessOptions): Promise<FleetMember> {
  let loaded: Agent | undefined
  let problem: FleetProblem | undefined
  let reason = ''
  try {
    loaded = typeof from === 'string' ? agentIn(await loadModule(from), name) : from
    const { tools, resources, prompts } = loaded
    const file = typeof from === 'string' ? from : `agent ${name}`
    // Plan and critique belong to this agent, not to the fleet's server.
    server.add({ file, agents: [], tools, resources, prompts, scratch: undefined })
  } catch (thrown) {
    loaded = undefined
    problem = fleetProblem(name, thrown)
    // For callers, who need not know where files are.
    reason = thrown instanceof LoadError ? thrown.failure.error : problem.message
  }
  const problems = problem === undefined ? [] : [problem]
  const known = (): Agent => {
    if (loaded !== undefined) return loaded
    throw ToolError.of('UnavailableError', `${name} could not be loaded: ${reason}`, { agent: name })
  }
  const definitions = new Map<string, Tool>()
  const definitionOf = async (method: string): Promise<Tool> => {
    const secrets = await known().secretNames()
    return getOrMake(definitions, method, () => agentMethodDefinition(name, method, { origin: 'own', secrets }))
  }
  const ask = async <T>(
    method: string,
    params: object,
    signal: AbortSignal | undefined,
    work: AgentRequest<T>['work'],
  ): Promise<T> =>
    askAgent(server.pipeline, { agent: name, definition: await definitionOf(method), method, params, signal, work })
  return {
    name,
    where: 'in-process',
    hasOwnPlan: loaded?.plan !== undefined,
    async plan(goal, context, signal) {
      const request = { goal, context }
      const { value } = await ask(PLAN_METHOD, request, signal, (ctx) => planByAgent(known(), request, ctx, brain))
      return value.plan
    },
    async critique(request, signal) {
      const { value } = await ask(CRITIQUE_METHOD, request, signal, (ctx) =>
        verdictByAgent(known(), request, ctx, brain),
      )
      return value
    },
    problems,
    refresh: async () => problems,
  }
}

/** A file that exports only tools of that module counts as an agent. */
function agentIn({ agents, tools, resources, prompts, file }: Module, name: string): Agent {
  const found = agents.find((one) => one.name === name)
  if (found !== undefined) return found as Agent
  if (agents.length > 0) {
    const names = agents.map((one) => one.name).join(', ')
    throw ToolError.of('RegistrationError', `${file} exports the agent ${names}, and the fleet calls it ${name}.`)
  }
  return agent({ name, tools, resources, prompts })
}

/** The agent as a server of the host. It cannot be started or stopped by itself. */
export function agentAsServer({ name, problems }: FleetMember, server: Server): HostedServer {
  const since = new Date().toISOString()
  const [first] = problems
  const refuse = async (): Promise<never> => {
    throw ToolError.of('ValidationError', `${name} is part of this program: it is started and ended with it.`)
  }
  return {
    name,
    settingsDigest: `agent ${name}`,
    upstream: undefined,
    // The tools of an agent in this process are loaded together, so its only problem is about all of them.
    problems: problems.map(({ error_type, message }) => ({ server: name, error_type, message })),
    instructions: undefined,
    status: () =>
      inProcessStatus({
        name,
        state: first === undefined ? 'ready' : 'failed',
        since,
        last_error: first === undefined ? null : { at: since, error_type: first.error_type, message: first.message },
        tools: [...server.registry].filter((tool) => tool.name.startsWith(`${name}.`)).length,
      }),
    start: refuse,
    refresh: async () => {},
    stop: refuse,
    restart: refuse,
    close: async () => {},
  }
}
