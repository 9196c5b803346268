/**
 * Listens on node:http (default: 127.0.0.1). Other addresses require a token. Headers, connections, time and what waits to be read
 * are limited. Closing answers everything in flight.
 */
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Policy } from '../../pipeline/rules/policy.ts'
import { http } from '../../protocol/builtin.ts'
import type { Server } from '../../server/server.ts'
import { wholeRequests } from './body.ts'
import { checkHttpOptions } from './check-http-options.ts'
import { cors } from './cors.ts'
import { type GuardOptions, guard, needsToken, peersOf, protectedResource } from './guard.ts'
import { moduleScopes } from './module-scopes.ts'
import { oneAtATime, watchedResponses } from './one-at-a-time.ts'
import { originCheck } from './origin-check.ts'
import type { Pages } from './pages.ts'
import { HttpRouter, type RouterParts } from './router.ts'
import { UnreadWatch } from './unread-watch.ts'

export interface HttpOptions extends Partial<GuardOptions> {
  /** 0: any free port */
  port?: number
  maxBodyBytes?: number
  maxConnections?: number
  maxSessions?: number
  /** time limit for receiving a request */
  requestTimeoutMs?: number
  /** idle connections are closed after this time */
  idleTimeoutMs?: number
  /** time limit for calls in flight after `close` */
  drainMs?: number
  /** pages for people on the same port */
  pages?: Pages
  /** the operator's API, under its own path */
  api?: Pages
  /** the pages of the embedded issuer */
  signInPages?: Pages
}

export interface HttpListener {
  readonly url: string
  readonly port: number
  /** From now on callers are admitted as this policy says. Throws if that is not possible here, and then nothing changes. */
  setPolicy(policy: Policy): void
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

/** An option that is there and undefined must not take away its limit. */
function limitsOf(options: HttpOptions): typeof DEFAULTS {
  const limits = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) limits[name] = options[name] ?? DEFAULTS[name]
  return limits
}

export async function listen(server: Server, options: HttpOptions = {}): Promise<HttpListener> {
  checkHttpOptions(options)
  const limits = limitsOf(options)
  const host = options.host ?? '127.0.0.1'
  const mounted = [options.api, options.signInPages, options.pages].filter((pages) => pages !== undefined)
  const partsFor = (policy: NonNullable<GuardOptions['policy']>): RouterParts => {
    const guarded = { ...options, host, policy }
    const parts = { peers: peersOf(guarded), resource: protectedResource(guarded, () => moduleScopes(server)) }
    return {
      ...parts,
      guard: guard(guarded, parts),
      checkOrigin: originCheck(guarded, { ownForms: true }),
      cors: cors(options.allowedOrigins),
      mounted,
      tokens: options.tokens,
      signIn: options.signIn,
      isOpen: !needsToken(guarded),
    }
  }
  const router = new HttpRouter(server, limits, partsFor(options.policy ?? server.pipeline.policy))
  const unread = new UnreadWatch()
  const listener = http().createServer(
    {
      IncomingMessage: wholeRequests(),
      ServerResponse: watchedResponses(unread),
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: limits.requestTimeoutMs,
      // Node's default of 30 s would allow a request twice its limit.
      connectionsCheckingInterval: Math.min(limits.requestTimeoutMs / 2, 2000),
    },
    oneAtATime(unread, (request, response) => {
      try {
        router.route(request, response)
      } catch (thrown) {
        router.fault(response, thrown)
      }
    }),
  )
  // Their size is limited. Node would drop all after the first thousand, with what a proxy adds at the end.
  listener.maxHeadersCount = 0
  listener.headersTimeout = Math.min(limits.requestTimeoutMs, MAX_HEADERS_MS)
  listener.keepAliveTimeout = limits.idleTimeoutMs
  listener.maxConnections = limits.maxConnections
  listener.on('connection', (socket) => unread.add(socket))
  const port = await listening(listener, options.port ?? 0, host, limits.maxConnections)
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    setPolicy: (policy) => router.replaceParts(partsFor(policy)),
    async close() {
      server.close()
      router.close()
      await drained(listener, limits.drainMs)
      unread.close()
    },
  }
}

/** The kernel resets connections beyond its queue. Node's default queue of 511 is shorter than our limit. */
function listening(listener: HttpServer, port: number, host: string, queueLength: number): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, host, queueLength, () => {
      listener.off('error', reject)
      resolve((listener.address() as AddressInfo).port)
    })
  })
}

/** Accepts no new connections, answers what is in flight, and cuts what takes too long. */
function drained(listener: HttpServer, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => listener.closeAllConnections(), drainMs)
    // Node closes idle connections once. Those that become idle later are closed here.
    const idle = setInterval(() => listener.closeIdleConnections(), IDLE_CHECK_MS)
    listener.close(() => {
      clearTimeout(cut)
      clearInterval(idle)
      resolve()
    })
    listener.closeIdleConnections()
  })
}
