/** Every way a peer can be broken comes out as one TransportError that says which way. */
import { ToolError } from '../protocol/errors.ts'

/** What the official client and Node throw, by the code they carry. Anything unlisted keeps its own message. */
const MEANING: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host is unknown',
  ENOENT: 'the command does not exist',
  EACCES: 'the command may not be run',
  EHOSTUNREACH: 'there is no way to the host',
  UND_ERR_SOCKET: 'the connection was reset',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answers there',
  UND_ERR_HEADERS_TIMEOUT: 'the peer did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'the peer did not answer in time',
  EPIPE: 'the peer closed its input',
  CONNECTION_CLOSED: 'the peer closed the connection',
  NOT_CONNECTED: 'the connection is closed',
  REQUEST_TIMEOUT: 'the peer did not answer in time',
  ERA_NEGOTIATION_FAILED: 'no protocol version is spoken by both',
  MESSAGE_TOO_LARGE: 'the peer sent more at once than is taken from anybody',
  INVALID_RESULT: 'the peer answered with something that is no MCP',
}

export function transportError(thrown: unknown, peer: string): ToolError {
  if (thrown instanceof ToolError) return thrown
  const codes = codesOf(thrown)
  // The innermost is the cause; those around it only say what it kept from happening.
  const meaning = codes.map((code) => MEANING[code]).findLast((text) => text !== undefined)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return ToolError.of(
    'TransportError',
    `${peer}: ${meaning ?? message}`,
    { peer, cause: message, codes },
    { cause: thrown },
  )
}

/** The codes of an error and of what caused it, outermost first. */
function codesOf(thrown: unknown): string[] {
  const codes: string[] = []
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { code } = error as { code?: unknown }
    if (code !== undefined) codes.push(String(code))
    if (error instanceof AggregateError) for (const inner of error.errors) codes.push(...codesOf(inner))
  }
  return codes
}
