/** What went wrong with one request over HTTP, for whoever waits for its answer: an answer after all, or why there is none. */
import { transportError } from '../../client/transport-error.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json } from '../../protocol/json.ts'

/** What a server says beside its status may be a whole page. */
const MOST_SHOWN = 500
/** Nobody is there at all, whatever is asked. */
const NOBODY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** The HTTP status that the official transports failed with, where it was one. */
export function failedStatus(thrown: unknown): number | undefined {
  const data: unknown = isObject(thrown) ? thrown.data : undefined
  return isObject(data) && typeof data.status === 'number' ? data.status : undefined
}

export function httpFailure(thrown: unknown, name: string): ToolError | RpcError {
  if (thrown instanceof ToolError) return thrown
  const status = failedStatus(thrown)
  if (status === undefined) return shortened(transportError(thrown, name))
  const told = rpcErrorIn((thrown as { data: { text?: unknown } }).data.text)
  if (told !== undefined) return told
  const cause = (thrown as Error).message.slice(0, MOST_SHOWN)
  return ToolError.of('TransportError', `${name}: ${meaningOf(status) ?? cause}`, {
    peer: name,
    status,
    cause,
    codes: [],
  })
}

/** That the session is unknown: 404 by the specification, 400 with a word about it by many servers. */
export function isSessionOver(thrown: unknown): boolean {
  const status = failedStatus(thrown)
  return status === 404 || (status === 400 && /session/i.test((thrown as Error).message))
}

export function isUnreachable(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (NOBODY.has(String((error as { code?: unknown }).code))) return true
    if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true
  }
  return false
}

function meaningOf(status: number): string | undefined {
  if (status === 401) return 'it wants to know who asks (HTTP 401). Give its headers the right authorization'
  if (status === 403) return 'it does not let us in (HTTP 403). Look at the authorization in its headers'
  if (status === 404) return 'nothing is served under that URL, or the session is over (HTTP 404)'
  if (status >= 500) return `it failed (HTTP ${status})`
  return undefined
}

/** Some statuses come with a JSON-RPC error, and then that is the answer. */
function rpcErrorIn(text: unknown): RpcError | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  const error: unknown = isObject(said) ? said.error : undefined
  if (!isObject(error) || !Number.isSafeInteger(error.code) || typeof error.message !== 'string') return undefined
  return new RpcError(error.code as number, error.message, error.data as Json | undefined)
}

function shortened(error: ToolError): ToolError {
  if (error.message.length <= MOST_SHOWN) return error
  const { codes } = error.error_details as { codes: string[] }
  return new ToolError(error.error_type, `${error.message.slice(0, MOST_SHOWN)} …`, { codes })
}
