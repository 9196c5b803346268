/** Questions of an upstream: checks that a client can be asked, and converts a failure into the answer for the upstream. */
import type { InputRequest, InputRequests } from '../../protocol/content.ts'
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'

/** A kind of request that a client can answer. */
const isKind = (method: unknown): method is InputRequest['method'] =>
  method === 'elicitation/create' || method === 'sampling/createMessage' || method === 'roots/list'

/** The requests as a client gets them. Throws RpcError if one is not of a kind that a client can answer, or is malformed. */
export async function readQuestions(given: unknown, server: string): Promise<InputRequests> {
  if (!isObject(given)) return {}
  // Few servers ask, and the schemas take a while to make.
  const { buildQuestion } = await import('./question-schema.ts')
  const questions = Object.entries(given).map(([key, request]) => {
    const { method, params } = isObject(request) ? request : {}
    if (!isKind(method)) {
      throw new RpcError(
        CODE.methodNotFound,
        `${server} asks ${JSON.stringify(key)}: clients cannot answer this kind of request.`,
      )
    }
    const question = buildQuestion(method, params, server)
    if (typeof question === 'string')
      throw new RpcError(CODE.invalidParams, `${server} asks ${method}, and the question ${question}.`)
    return [key, question]
  })
  return Object.fromEntries(questions) as InputRequests
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
