/**
 * HTTP on node:http: `/mcp` for both eras, `/call`, `/batch`, `/healthz`. Listens on 127.0.0.1 unless told otherwise,
 * and then only with a token. Bodies, headers, connections and time are limited; closing answers what is in flight.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { http } from '../../protocol/builtin.ts'
import { CODE } from '../../protocol/errors.ts'
import type { Server } from '../../server/server.ts'
import type { Principal } from '../../tool/context.ts'
import { readJson, wholeRequests } from './body.ts'
import { type GuardOptions, guard } from './guard.ts'
import { LegacySessions } from './legacy.ts'
import { isModern, postModern } from './modern.ts'
import { postBatch, postCall } from './plain.ts'
import { sendError, sendJson } from './reply.ts'

export interface HttpOptions extends Partial<GuardOptions> {
  /** 0: any free one */
  port?: number
  maxBodyBytes?: number
  maxConnections?: number
  maxSessions?: number
  /** a request must be whole within this time */
  requestTimeoutMs?: number
  /** a connection that says nothing is closed after this time */
  idleTimeoutMs?: number
  /** how long calls in flight may take once `close` is called */
  drainMs?: number
}

export interface Listening {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const DEFAULTS = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxConnections: 2000,
  maxSessions: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  drainMs: 10_000,
}
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS_MS = 10_000
const IDLE_CHECK_MS = 20

export async function listenHttp(server: Server, options: HttpOptions = {}): Promise<Listening> {
  const limits = { ...DEFAULTS, ...options }
  const host = options.host ?? '127.0.0.1'
  const front = new Front(server, guard({ ...options, host }), limits)
  const listener = http().createServer(
    {
      IncomingMessage: wholeRequests(),
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: limits.requestTimeoutMs,
      // Node looks for slow requests twice a minute unless told: a limit of 30 s would mean up to a minute.
      connectionsCheckingInterval: Math.min(limits.requestTimeoutMs / 2, 2000),
    },
    (request, response) => {
      try {
        front.route(request, response)
      } catch (thrown) {
        front.fault(response, thrown)
      }
    },
  )
  listener.headersTimeout = Math.min(limits.requestTimeoutMs, MAX_HEADERS_MS)
  listener.keepAliveTimeout = limits.idleTimeoutMs
  listener.maxConnections = limits.maxConnections
  const port = await listening(listener, options.port ?? 0, host)
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    async close() {
      server.close()
      front.sessions.close()
      await drained(listener, limits.drainMs)
    },
  }
}

/** Which path goes where, after the guard has let it in. */
class Front {
  readonly #server: Server
  readonly #check: ReturnType<typeof guard>
  readonly #maxBody: number
  readonly #started = performance.now()
  readonly sessions: LegacySessions

  constructor(server: Server, check: ReturnType<typeof guard>, limits: { maxBodyBytes: number; maxSessions: number }) {
    this.#server = server
    this.#check = check
    this.#maxBody = limits.maxBodyBytes
    this.sessions = new LegacySessions(server, limits.maxSessions)
  }

  /** Our own fault must end neither the connection nor the process. */
  fault(response: ServerResponse, thrown: unknown): void {
    const reference = this.#server.fault(thrown)
    sendError(response, 500, `Internal error. The log has the cause under ${reference}.`, CODE.internal)
  }

  route(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/' } = request
    const query = url.indexOf('?')
    const path = query === -1 ? url : url.slice(0, query)
    const verdict = this.#check(request)
    if ('status' in verdict) {
      // Health is no secret, and whoever watches over it has no token.
      if (path === '/healthz' && verdict.status === 401) return this.#health(request, response)
      if (verdict.status === 401) response.setHeader('www-authenticate', 'Bearer realm="myrmex"')
      return sendError(response, verdict.status, verdict.message)
    }
    switch (path) {
      case '/mcp':
        return this.#mcp(request, response, verdict.principal)
      case '/call':
        return this.#plain(request, response, verdict.principal, postCall)
      case '/batch':
        return this.#plain(request, response, verdict.principal, postBatch)
      case '/healthz':
        return this.#health(request, response)
      default:
        return sendError(response, 404, `Nothing is served at ${path}. MCP is at /mcp.`)
    }
  }

  #mcp(request: IncomingMessage, response: ServerResponse, principal: Principal): void {
    if (request.method === 'POST') {
      return this.#read(request, response, (body) =>
        isModern(request, body)
          ? postModern(this.#server, request, response, body, principal)
          : this.sessions.post(request, response, body, principal),
      )
    }
    // GET and DELETE belong to legacy sessions; without one they are what the modern era says: not allowed.
    const known = request.headers['mcp-session-id'] !== undefined
    if (request.method === 'GET' && known) return this.sessions.get(request, response, principal)
    if (request.method === 'DELETE' && known) return this.sessions.delete(request, response, principal)
    notAllowed(response, 'POST')
  }

  #plain(request: IncomingMessage, response: ServerResponse, principal: Principal, serve: typeof postCall): void {
    if (request.method !== 'POST') return notAllowed(response, 'POST')
    this.#read(request, response, (body) => void serve(this.#server, response, body, principal))
  }

  #read(request: IncomingMessage, response: ServerResponse, use: (body: unknown) => void): void {
    readJson(request, response, this.#maxBody, (body) => {
      try {
        use(body)
      } catch (thrown) {
        this.fault(response, thrown)
      }
    })
  }

  #health(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(response, 'GET')
    const { name, version } = this.#server.info
    const uptime_s = Math.round((performance.now() - this.#started) / 1000)
    const tools_count = this.#server.registry.size
    sendJson(response, 200, JSON.stringify({ status: 'ok', name, version, uptime_s, tools_count }))
  }
}

function notAllowed(response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow)
  sendError(response, 405, `Method not allowed; use ${allow}`)
}

function listening(listener: HttpServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, host, () => {
      listener.off('error', reject)
      resolve((listener.address() as AddressInfo).port)
    })
  })
}

/** No new connections; what is in flight is answered; what takes too long is cut off. */
function drained(listener: HttpServer, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => listener.closeAllConnections(), drainMs)
    // Node closes the connections that are idle now; those that become so as the last answers leave are ours to close.
    const idle = setInterval(() => listener.closeIdleConnections(), IDLE_CHECK_MS)
    listener.close(() => {
      clearTimeout(cut)
      clearInterval(idle)
      resolve()
    })
    listener.closeIdleConnections()
  })
}
