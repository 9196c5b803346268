/**
 * Asking an agent of the fleet for a plan or a verdict: a request through the fleet's pipeline, like any other. The agent's own calls go
 * through it too, under its own name, and reach only its own tools, as if it ran in its own process.
 */
import { untilAborted } from '../../host/upstream/upstream-errors.ts'
import type { Caller } from '../../pipeline/caller.ts'
import { cancellation, InputRequired, Outcome } from '../../pipeline/outcome.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import type { RequestCall } from '../../pipeline/request-call.ts'
import { ToolError, toErrorDetail } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { plainCaller } from '../../server/exchange.ts'
import type { Tool } from '../../tool/tool.ts'

export interface AgentRequest<T> {
  readonly agent: string
  /** of the method that is asked */
  readonly definition: Tool
  readonly method: string
  readonly params: object
  readonly signal: AbortSignal | undefined
  readonly work: (ctx: RequestCall) => Promise<T>
}

/** Returns when the work is done or the signal aborts, whether or not the agent handles the signal. */
export async function askAgent<T>(pipeline: Pipeline, request: AgentRequest<T>): Promise<T> {
  const { agent, definition, method, params, signal, work } = request
  if (signal?.aborted) throw cancellation()
  let value: T | undefined
  const call = pipeline.prepareRequest(
    callerOf(agent),
    definition,
    { method, ...params } as JsonObject,
    undefined,
    async (ctx) => {
      value = await work(ctx)
      return { value }
    },
  )
  const stop = (): void => call.interrupt(cancellation())
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const ended = await untilAborted(pipeline.complete(call), call)
    if (ended instanceof InputRequired) throw nobodyToAsk(agent)
    if (!(ended instanceof Outcome)) throw asToolError(agent, ended)
    if (ended.error === null) return value as T
    const { error_type, error_message, error_details } = ended.error
    throw new ToolError(error_type, error_message, error_details ?? null)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** A remote agent's JSON-RPC error. */
function asToolError(agent: string, thrown: Error): ToolError {
  const { error_type, error_message, error_details } = toErrorDetail(thrown, agent)
  return new ToolError(error_type, `${agent}: ${error_message}`, error_details, { cause: thrown })
}

const nobodyToAsk = (agent: string): ToolError =>
  ToolError.of('UnavailableError', `Nobody can be asked while ${agent} plans. Put it into the plan's questions.`)

const callerOf = (agent: string): Caller => ({
  // A caller that asks for a plan receives no notifications.
  ...plainCaller(
    'direct',
    Object.freeze({
      id: `agent:${agent}`,
      kind: 'agent',
      scopes: Object.freeze([`${agent}.*`, `agent:${agent}.*`]),
    }),
  ),
  ask: () => {
    throw nobodyToAsk(agent)
  },
})
