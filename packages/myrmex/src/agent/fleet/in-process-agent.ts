/** An agent in this process: its file is loaded, its tools are the fleet's as they are, its functions are called. */
import { ToolError } from '../../protocol/errors.ts'
import type { Server } from '../../server/server.ts'
import { loadModule, type Module } from '../../tool/discovery/module.ts'
import { type Agent, agent } from '../agent.ts'
import type { Brain } from '../brain/brain.ts'
import { planByAgent, verdictByAgent } from '../plan-and-critique.ts'
import { AgentScope } from './agent-scope.ts'
import type { FleetMember } from './fleet-agent.ts'
import { type FleetProblem, fleetProblem } from './problem.ts'

export interface InProcessOptions {
  /** the agent itself, or the file that exports it */
  readonly from: Agent | string
  readonly server: Server
  readonly brain: Brain | undefined
}

/** A file that does not load is a problem of this agent alone: it is there, and says so when it is asked. */
export async function inProcessAgent(name: string, { from, server, brain }: InProcessOptions): Promise<FleetMember> {
  let made: Agent | undefined
  let wrong: FleetProblem | undefined
  try {
    made = typeof from === 'string' ? agentIn(await loadModule(from), name) : from
    const { tools, resources, prompts } = made
    const file = typeof from === 'string' ? from : `agent ${name}`
    // Plan and critique are this agent's, not those of the fleet's server.
    server.add({ file, agents: [], tools, resources, prompts, scratch: undefined })
  } catch (thrown) {
    made = undefined
    wrong = fleetProblem(name, thrown)
  }
  const known = (): Agent => {
    if (made !== undefined) return made
    throw ToolError.of('UnavailableError', `${name} could not be loaded: ${wrong?.message}`, { agent: name })
  }
  return {
    name,
    where: 'in-process',
    hasOwnPlan: made?.plan !== undefined,
    async plan(goal, context, signal) {
      const scope = new AgentScope(server.pipeline, name)
      const { value } = await scope.until(signal, async () => planByAgent(known(), { goal, context }, scope, brain))
      return value.plan
    },
    async critique(request, signal) {
      const scope = new AgentScope(server.pipeline, name)
      const { value } = await scope.until(signal, async () => verdictByAgent(known(), request, scope, brain))
      return value
    },
    problems: wrong === undefined ? [] : [wrong],
    refresh: async () => (wrong === undefined ? [] : [wrong]),
  }
}

/** The agent of that name; a file with nothing but tools of that module is one too. */
function agentIn({ agents, tools, resources, prompts, file }: Module, name: string): Agent {
  const found = agents.find((one) => one.name === name)
  if (found !== undefined) return found as Agent
  if (agents.length > 0) {
    const names = agents.map((one) => one.name).join(', ')
    throw ToolError.of('RegistrationError', `${file} exports the agent ${names}, and the fleet calls it ${name}.`)
  }
  return agent({ name, tools, resources, prompts })
}
