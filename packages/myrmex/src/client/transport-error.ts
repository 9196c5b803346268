/**
 * Converts every failure of a peer into one ToolError that says what happened: AuthenticationError if it answers 401, PermissionError if
 * it answers 403, TransportError in all other cases.
 */
import { type ErrorType, messageOf, ToolError } from '../protocol/errors.ts'
import { parseJson, valueAtPath } from '../protocol/json.ts'
import { clip, withFullStop } from '../protocol/text.ts'

/** By the error codes of the official client and Node. Other errors keep their message. */
const MEANING: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host is unknown',
  ENOENT: 'the command does not exist',
  EACCES: 'the command is not executable',
  EHOSTUNREACH: 'the host cannot be reached',
  UND_ERR_SOCKET: 'the connection was reset',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'the peer did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the peer did not answer in time',
  EPIPE: 'the peer closed its input',
  CONNECTION_CLOSED: 'the peer closed the connection',
  NOT_CONNECTED: 'the connection is closed',
  REQUEST_TIMEOUT: 'the peer did not answer in time',
  ERA_NEGOTIATION_FAILED: 'it is not an MCP server, or has no protocol version in common with us; check the address',
  MESSAGE_TOO_LARGE: 'the peer sent a message that is too large',
  INVALID_RESULT: 'the peer sent an invalid MCP answer',
}

export function transportError(thrown: unknown, peer: string): ToolError {
  // The official client wraps what its `fetch` throws, also where that is an error of ours.
  const own = chainOf(thrown).find((error) => error instanceof ToolError)
  if (own !== undefined) return own
  const refused = refusal(thrown, peer)
  if (refused !== undefined) return refused
  const codes = codesOf(thrown)
  // The innermost code is the cause.
  const meaning = codes.map((code) => MEANING[code]).findLast((text) => text !== undefined)
  const message = messageOf(thrown)
  return ToolError.of(
    'TransportError',
    `${peer}: ${meaning ?? message}`,
    { peer, cause: message, codes },
    { cause: thrown },
  )
}

/** By status: the type of the error, what happened and what to do. */
const REFUSALS: Readonly<Record<number, readonly [type: ErrorType, what: string, advice: string]>> = {
  401: ['AuthenticationError', 'the server requires authentication (HTTP 401)', 'Send a valid token.'],
  403: ['PermissionError', 'the server refuses access (HTTP 403)', 'Use a token or an address that it accepts.'],
}

/** The reason comes from the peer, and a page of it would help nobody. */
const MAX_REASON = 300

function refusal(thrown: unknown, peer: string): ToolError | undefined {
  for (const error of chainOf(thrown)) {
    const status = valueAtPath(error, ['data', 'status']) ?? (error.name === 'UnauthorizedError' ? 401 : undefined)
    const known = typeof status === 'number' && Object.hasOwn(REFUSALS, status) ? REFUSALS[status] : undefined
    if (known === undefined) continue
    const [type, what, advice] = known
    const reason = reasonIn(valueAtPath(error, ['data', 'text']))
    const message = `${peer}: ${withFullStop(reason === undefined ? what : `${what}: ${reason}`)} ${advice}`
    return ToolError.of(type, message, { peer, status: status as number }, { cause: thrown })
  }
  return undefined
}

/** What the peer says in its JSON-RPC error. */
function reasonIn(body: unknown): string | undefined {
  const message = typeof body === 'string' ? valueAtPath(parseJson(body), ['error', 'message']) : undefined
  return typeof message === 'string' ? clip(message.replace(/[\s\p{Cc}]+/gu, ' ').trim(), MAX_REASON) : undefined
}

/** An error and its causes, outermost first. */
function chainOf(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (let error = thrown; error instanceof Error && chain.length < 5; error = error.cause) chain.push(error)
  return chain
}

/** The codes of an error and its causes, outermost first. */
function codesOf(thrown: unknown): string[] {
  return chainOf(thrown).flatMap((error) => {
    const { code } = error as { code?: unknown }
    const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
    return [...(code === undefined ? [] : [String(code)]), ...inner]
  })
}
