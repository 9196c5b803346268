/** Questions of an upstream: checks that a client can be asked, and converts a failure into the answer for the upstream. */
import type { InputRequests } from '../../protocol/content.ts'
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { attributedQuestion } from './attribution.ts'

const KINDS = ['elicitation/create', 'sampling/createMessage', 'roots/list']

/** The requests as a client gets them. Throws RpcError if one is not of a kind that a client can answer. */
export function readQuestions(given: unknown, server: string): InputRequests {
  if (!isObject(given)) return {}
  for (const [key, request] of Object.entries(given)) {
    const method = isObject(request) ? request.method : undefined
    if (typeof method !== 'string' || !KINDS.includes(method)) {
      throw new RpcError(
        CODE.methodNotFound,
        `${server} asks ${JSON.stringify(key)}: clients cannot answer this kind of request.`,
      )
    }
    const { params } = request as { params?: unknown }
    if (params === undefined ? method !== 'roots/list' : !isObject(params)) {
      throw new RpcError(CODE.invalidParams, `${server} asks ${method} without params.`)
    }
  }
  const attributed = Object.entries(given).map(([key, request]) => [
    key,
    attributedQuestion(request as JsonObject, server),
  ])
  return Object.fromEntries(attributed) as InputRequests
}

/** The error to send to the upstream, as a client of its own would answer. */
export function questionError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError && thrown.code !== CODE.missingCapability) return thrown
  if (thrown instanceof RpcError || (thrown instanceof ToolError && thrown.error_type === 'UnavailableError')) {
    return new RpcError(CODE.methodNotFound, `Method not found: ${thrown.message}`)
  }
  // Which approval it waits for is nothing that an upstream has to know.
  if (thrown instanceof ToolError && thrown.error_type === 'PermissionError')
    return new RpcError(CODE.internal, 'The answer needs an approval first.')
  if (thrown instanceof ToolError) return new RpcError(CODE.internal, thrown.message)
  // An internal error: hide the details from the upstream.
  return new RpcError(CODE.internal, 'The host could not ask the client.')
}
