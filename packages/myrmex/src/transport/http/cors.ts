/**
 * Cross-origin requests of browsers (CORS), for the origins that the operator named and for no others. Preflights are answered before
 * authentication, because browsers send them without credentials. No answer allows all origins or cookies: a caller is known by its
 * Authorization header, which a page must have been given.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ToolError } from '../../protocol/errors.ts'

/** What a page may send, besides every header that begins with `mcp-`. */
const ALLOWED_HEADERS = new Set([
  'accept',
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'myrmex-dry-run',
  'traceparent',
  'tracestate',
])
const ALWAYS_ALLOWED =
  'Authorization, Content-Type, Accept, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name'
const EXPOSED_HEADERS = 'Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Retry-After'
const METHODS = 'GET, POST, DELETE'
/** How long a browser may remember the answer to a preflight. */
const MAX_AGE_S = 600

/** Adds the headers for the request's origin. Returns true if it was a preflight, which is then answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean

/** Call it after the origin was checked. Undefined if no origin was named. Throws RegistrationError if one is malformed. */
export function cors(allowedOrigins: readonly string[] = []): Cors | undefined {
  if (allowedOrigins.length === 0) return undefined
  const origins = new Set(allowedOrigins.map(checkedOrigin))
  return (request, response) => {
    // Also without an origin: a cache must not give the answer to a page of another one.
    response.setHeader('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return false
    response.setHeader('access-control-allow-origin', origin)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
      return false
    }
    answerPreflight(request, response)
    return true
  }
}

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const wanted = String(headers['access-control-request-headers'] ?? '').split(',')
  const more = wanted.map((name) => name.trim().toLowerCase()).filter((name) => isAllowed(name))
  response.setHeader('vary', 'Origin, Access-Control-Request-Headers')
  response.setHeader('access-control-allow-methods', METHODS)
  response.setHeader('access-control-allow-headers', [ALWAYS_ALLOWED, ...new Set(more)].join(', '))
  response.setHeader('access-control-max-age', MAX_AGE_S)
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true')
  response.writeHead(204).end()
}

const MCP_HEADER = /^mcp-[a-z0-9!#$%&'*+.^_`|~-]{1,200}$/

const isAllowed = (name: string): boolean => ALLOWED_HEADERS.has(name) || MCP_HEADER.test(name)

/** An origin as browsers write it. */
export function checkedOrigin(given: string): string {
  const refuse = (why: string): ToolError =>
    ToolError.of('RegistrationError', `The allowed origin ${JSON.stringify(given)} ${why}`)
  if (given === '*') throw refuse('would let every page call. Name each origin')
  if (given === 'null')
    throw refuse('is that of every sandboxed page and local file. Serve the page from an origin of its own')
  if (given.includes('*')) throw refuse('is a pattern. Name each origin')
  const url = URL.parse(given)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse('is not an origin, such as https://console.example')
  if (url.origin !== given) throw refuse(`must be written as browsers send it: ${url.origin}`)
  return given
}
