/** Converts a failed HTTP request into an answer (a JSON-RPC error) or the reason for having none. */
import { transportError } from '../../client/transport-error.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json, parseJson } from '../../protocol/json.ts'

/** An error response may contain a whole page. */
const MAX_SHOWN = 500
/** Codes that mean that the server cannot be reached at all. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The HTTP status in an error of the official transports. */
export function failedStatus(thrown: unknown): number | undefined {
  const data: unknown = isObject(thrown) ? thrown.data : undefined
  return isObject(data) && typeof data.status === 'number' ? data.status : undefined
}

export function httpFailure(thrown: unknown, name: string): ToolError | RpcError {
  if (thrown instanceof ToolError) return thrown
  const status = failedStatus(thrown)
  if (status === undefined) return clipped(transportError(thrown, name))
  const answer = rpcErrorIn((thrown as { data: { text?: unknown } }).data.text)
  if (answer !== undefined) return answer
  const cause = (thrown as Error).message.slice(0, MAX_SHOWN)
  return ToolError.of('TransportError', `${name}: ${statusMeaning(status) ?? cause}`, {
    peer: name,
    status,
    cause,
    codes: [],
  })
}

/** The session is unknown: 404 by the specification, but many servers answer 400 with a message about the session. */
export function isSessionOver(thrown: unknown): boolean {
  const status = failedStatus(thrown)
  return status === 404 || (status === 400 && /session/i.test((thrown as Error).message))
}

export function isUnreachable(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (UNREACHABLE_CODES.has(String((error as { code?: unknown }).code))) return true
    if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true
  }
  return false
}

function statusMeaning(status: number): string | undefined {
  if (status === 401) return 'authentication required (HTTP 401). Set the right authorization in headers'
  if (status === 403) return 'access denied (HTTP 403). Check the authorization in headers'
  if (status === 404) return 'nothing is served at that URL, or the session has ended (HTTP 404)'
  if (status >= 500) return `the server failed (HTTP ${status})`
  return undefined
}

/** Some error statuses carry a JSON-RPC error, which is the answer. */
function rpcErrorIn(text: unknown): RpcError | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined
  const body = parseJson(text)
  const error: unknown = isObject(body) ? body.error : undefined
  if (!isObject(error) || !Number.isSafeInteger(error.code) || typeof error.message !== 'string') return undefined
  return new RpcError(error.code as number, error.message, error.data as Json | undefined)
}

function clipped(error: ToolError): ToolError {
  if (error.message.length <= MAX_SHOWN) return error
  const { codes } = error.error_details as { codes: string[] }
  return new ToolError(error.error_type, `${error.message.slice(0, MAX_SHOWN)} …`, { codes })
}
