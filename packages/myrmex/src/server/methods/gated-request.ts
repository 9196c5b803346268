/**
 * Requests that are not tool calls, sent through the pipeline: resources, prompts, completion, agent methods. Each passes the gates of
 * the definition it reaches and leaves one audit record. Its end becomes a result, a question or a JSON-RPC error of its era.
 */
import type { Call } from '../../pipeline/call.ts'
import { type CallEnd, InputRequired, Outcome } from '../../pipeline/outcome.ts'
import type { RequestWork } from '../../pipeline/request-call.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { CODE, httpStatusOf, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { contextError } from '../../protocol/work-context.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Exchange } from '../exchange.ts'
import type { Server } from '../server.ts'

export interface GatedRequest {
  readonly definition: Tool
  /** what is recorded; default: the params of the request */
  readonly params?: JsonObject
  readonly work: RequestWork
}

/** `onWire` makes the result of the outcome. */
export async function gated(
  exchange: Exchange,
  server: Server,
  request: GatedRequest,
  onWire: (outcome: Outcome) => object,
): Promise<object> {
  const call = prepared(exchange, server, request)
  exchange.scope = call
  const ended = await server.pipeline.complete(call)
  if (ended instanceof InputRequired) return exchange.inputRequired(ended)
  return onWire(succeeded(call, ended))
}

function prepared(exchange: Exchange, { pipeline }: Server, { definition, params, work }: GatedRequest): Call {
  const args = { method: exchange.method, ...(params ?? recordedParams(exchange)) }
  const malformed = contextError(exchange.meta)
  if (malformed !== undefined) return pipeline.malformed(exchange, definition.name, malformed)
  try {
    if (exchange.modern) exchange.checkState()
  } catch (thrown) {
    if (thrown instanceof RpcError) return pipeline.malformed(exchange, definition.name, thrown)
    throw thrown
  }
  return pipeline.prepareRequest(exchange, definition, args, exchange.meta, work)
}

/** The params of a request without what belongs to its era. */
export function recordedParams({ params = {} }: Exchange): JsonObject {
  const { _meta, inputResponses: _answers, requestState: _state, ...rest } = params
  return rest as JsonObject
}

/** Records a request for something that does not exist, and throws its error. */
export async function refuseUnknown(
  exchange: Exchange,
  { pipeline }: Server,
  name: string,
  error: RpcError,
): Promise<never> {
  const call = pipeline.malformed(exchange, name, error)
  succeeded(call, await pipeline.complete(call))
  throw error
}

function succeeded(call: Call, ended: CallEnd): Outcome {
  if (!(ended instanceof Outcome)) throw ended
  if (ended.error !== null && ended.status === 'failure') throw toRpcError(ended.error, call)
  return ended
}

/** These requests have no result for a failure. Errors that the caller can correct are about its params; all others are the server's. */
function toRpcError({ error_type, error_message, error_details }: ErrorDetail, { id, started }: Call): RpcError {
  const details = isObject(error_details) ? (error_details as JsonObject) : {}
  if (details.call_id === id) {
    return new RpcError(CODE.internal, `Internal error. The log has the cause under ${id}.`, { reference: id })
  }
  // Before the work has started, only the params can have held what JSON cannot.
  const isTheirs = (httpStatusOf(error_type) ?? 400) < 500 || (error_type === 'SerializationError' && !started)
  return new RpcError(isTheirs ? CODE.invalidParams : CODE.internal, error_message, { error_type, ...details })
}
