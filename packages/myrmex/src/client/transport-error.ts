/** Converts every failure of a peer into one TransportError that says what happened. */
import { ToolError } from '../protocol/errors.ts'

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
  if (thrown instanceof ToolError) return thrown
  const codes = codesOf(thrown)
  // The innermost code is the cause.
  const meaning = codes.map((code) => MEANING[code]).findLast((text) => text !== undefined)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return ToolError.of(
    'TransportError',
    `${peer}: ${meaning ?? message}`,
    { peer, cause: message, codes },
    { cause: thrown },
  )
}

/** The codes of an error and its causes, outermost first. */
function codesOf(thrown: unknown): string[] {
  const codes: string[] = []
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { code } = error as { code?: unknown }
    if (code !== undefined) codes.push(String(code))
    if (error instanceof AggregateError) for (const inner of error.errors) codes.push(...codesOf(inner))
  }
  return codes
}
