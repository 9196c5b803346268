/** Questions of an upstream, as far as they are ones that a client can be asked, and why one was not answered. */
import type { InputRequests } from '../../protocol/content.ts'
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'

const KINDS = ['elicitation/create', 'sampling/createMessage', 'roots/list']

/** Throws RpcError for whatever else an upstream may send. */
export function readQuestions(given: unknown, server: string): InputRequests {
  if (!isObject(given)) return {}
  for (const [key, request] of Object.entries(given)) {
    const method = isObject(request) ? request.method : undefined
    if (typeof method !== 'string' || !KINDS.includes(method)) {
      throw new RpcError(CODE.methodNotFound, `${server} asks ${JSON.stringify(key)}: no client can be asked that.`)
    }
    const { params } = request as { params?: unknown }
    if (params === undefined ? method !== 'roots/list' : !isObject(params)) {
      throw new RpcError(CODE.invalidParams, `${server} asks ${method} without params.`)
    }
  }
  return given as InputRequests
}

/** For the upstream: what its own client would have answered. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError && thrown.code !== CODE.missingCapability) return thrown
  if (thrown instanceof RpcError || (thrown instanceof ToolError && thrown.error_type === 'UnavailableError')) {
    return new RpcError(CODE.methodNotFound, `Method not found: ${thrown.message}`)
  }
  if (thrown instanceof ToolError) return new RpcError(CODE.internal, thrown.message)
  // Ours, and not for a stranger to read.
  return new RpcError(CODE.internal, 'The host could not ask.')
}
