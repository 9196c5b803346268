/** The methods `agent/plan` and `agent/critique`. Their code is loaded by the first request, because most servers get none. */
import type { CustomMethod } from '../tool/served-agent.ts'
import type { Agent } from './agent.ts'

export const PLAN_METHOD = 'agent/plan'
export const CRITIQUE_METHOD = 'agent/critique'

export const methodsOf = (agent: Agent): Readonly<Record<string, CustomMethod>> =>
  Object.freeze({
    [PLAN_METHOD]: async (params, ctx) => (await import('./method-results.ts')).answerPlan(agent, params, ctx),
    [CRITIQUE_METHOD]: async (params, ctx) => (await import('./method-results.ts')).answerCritique(agent, params, ctx),
  } satisfies Record<string, CustomMethod>)
