/** The results of `agent/plan` and `agent/critique`: a text for people and data for programs. Params are read strictly. */
import { CODE, RpcError, ToolError } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { readParams } from '../protocol/messages.ts'
import type { MethodContext } from '../tool/context.ts'
import type { Agent } from './agent.ts'
import type { Thought } from './brain/brain.ts'
import { CRITIQUE_METHOD, PLAN_METHOD } from './methods.ts'
import { planByAgent, verdictByAgent } from './plan-and-critique.ts'
import { renderPlan } from './render-plan.ts'
import { renderVerdict } from './render-verdict.ts'
import { CritiqueRequestSchema, PlanRequestSchema } from './request-schemas.ts'

export const answerPlan = (agent: Agent, params: Params, ctx: MethodContext): Promise<object> =>
  asRpcError(async () => {
    const thought = await planByAgent(agent, readParams(PlanRequestSchema.shape.params, params, PLAN_METHOD), ctx)
    const { plan, cost, levels } = thought.value
    return answer(renderPlan(plan, { cost, levels }), plan, thought)
  })

export const answerCritique = (agent: Agent, params: Params, ctx: MethodContext): Promise<object> =>
  asRpcError(async () => {
    const { _meta, ...request } = readParams(CritiqueRequestSchema.shape.params, params, CRITIQUE_METHOD)
    const thought = await verdictByAgent(agent, request, ctx)
    return answer(renderVerdict(thought.value), thought.value, thought)
  })

/** Notes are part of the text, so that people see them. */
function answer(text: string, structuredContent: object, { notes }: Pick<Thought<unknown>, 'notes'>): object {
  const full = notes.length === 0 ? text : `${text}\n\n${notes.map((note) => `Note: ${note}`).join('\n')}`
  return { content: [{ type: 'text', text: full }], structuredContent }
}

/** Only wrong params are the mistake of the caller. Any other failure is an internal error. */
async function asRpcError(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown
    const { error_type, error_details: details, message } = thrown
    const data: JsonObject = { error_type, ...(isObject(details) ? (details as JsonObject) : {}) }
    throw new RpcError(error_type === 'ValidationError' ? CODE.invalidParams : CODE.internal, message, data)
  }
}
