/** JSON-RPC 2.0 as MCP narrows it: the message types and the one structural check every incoming message passes. */
import { parseFailure } from './bounded-json.ts'
import { CODE, type RpcError } from './errors.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { MAX_ID_LENGTH, MAX_METHOD_LENGTH } from './message-limits.ts'

export type RequestId = string | number
export type Params = Record<string, unknown>

export interface Request {
  jsonrpc: '2.0'
  id: RequestId
  method: string
  params?: Params
}
export interface Notification {
  jsonrpc: '2.0'
  method: string
  params?: Params
}
export interface SuccessResponse {
  jsonrpc: '2.0'
  id: RequestId
  result: object
}
export interface ErrorResponse {
  jsonrpc: '2.0'
  /** absent where the id could not be read: MCP forbids the null that JSON-RPC 2.0 would put here */
  id?: RequestId
  error: { code: number; message: string; data?: Json }
}
export type Response = SuccessResponse | ErrorResponse
export type Message = Request | Notification | Response

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' ? id.length <= MAX_ID_LENGTH : typeof id === 'number' && Number.isSafeInteger(id)

/**
 * The kind of a parsed message, or the ErrorResponse for a value that is not a message. The check is structural and done once.
 */
export function classify(value: unknown): 'request' | 'notification' | 'response' | ErrorResponse {
  if (!isObject(value)) return invalid(undefined, 'a message is a JSON object')
  const { jsonrpc, id, method } = value
  const readable = isRequestId(id) ? id : undefined
  if (jsonrpc !== '2.0') return invalid(readable, 'jsonrpc must be "2.0"')
  if (typeof method === 'string') {
    // A notification is never answered, however broken; its handler checks the params.
    if (!Object.hasOwn(value, 'id')) return 'notification'
    if (readable === undefined)
      return invalid(undefined, `id must be an integer or a string of at most ${MAX_ID_LENGTH} characters`)
    if (method.length > MAX_METHOD_LENGTH)
      return invalid(readable, `method has more than ${MAX_METHOD_LENGTH} characters`)
    if (value.params !== undefined && !isObject(value.params)) return invalid(readable, 'params must be an object')
    return 'request'
  }
  const answers = isObject(value.result) || isObject(value.error)
  if (method === undefined && readable !== undefined && answers) return 'response'
  return invalid(readable, 'a message has a method, a result or an error')
}

const invalid = (id: RequestId | undefined, why: string): ErrorResponse =>
  errorResponse(id, CODE.invalidRequest, `Invalid Request: ${why}`)

export function errorResponse(id: RequestId | undefined, code: number, message: string, data?: Json): ErrorResponse {
  const error = data === undefined ? { code, message } : { code, message, data }
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error }
}

export const fromRpcError = (id: RequestId | undefined, error: RpcError): ErrorResponse =>
  errorResponse(id, error.code, error.message, error.data)

export const parseError = (thrown: unknown): ErrorResponse => errorResponse(undefined, CODE.parse, parseFailure(thrown))

export const notification = (method: string, params?: JsonObject | Params): Notification =>
  params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params: params as Params }
