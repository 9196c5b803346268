/** `agent/plan` and `agent/critique` on the wire. What answers them is loaded when somebody first asks: most servers are never asked. */
import type { CustomMethod } from '../tool/served-agent.ts'
import type { Agent } from './agent.ts'

export const PLAN = 'agent/plan'
export const CRITIQUE = 'agent/critique'

export const methodsOf = (agent: Agent): Readonly<Record<string, CustomMethod>> =>
  Object.freeze({
    [PLAN]: async (params, ctx) => (await import('./answers.ts')).answerPlan(agent, params, ctx),
    [CRITIQUE]: async (params, ctx) => (await import('./answers.ts')).answerCritique(agent, params, ctx),
  } satisfies Record<string, CustomMethod>)
