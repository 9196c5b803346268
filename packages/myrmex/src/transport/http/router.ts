/**
 * Routes each request that the guard admitted: `/mcp`, `/call`, `/batch`, the same in a profile, `/metrics`. Without a token: `/healthz`, OAuth metadata, and
 * mounted pages such as the operator's API. If the token is known or none is needed, no promise is created.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Counter } from '../../pipeline/audit/metrics.ts'
import { isInScope } from '../../pipeline/gates/authorise.ts'
import { isPromise } from '../../pipeline/outcome.ts'
import { inProfile } from '../../pipeline/rules/profiles.ts'
import { CODE } from '../../protocol/errors.ts'
import { clip, didYouMean } from '../../protocol/text.ts'
import { visibleTools } from '../../server/methods/tools.ts'
import type { Server } from '../../server/server.ts'
import type { Principal } from '../../tool/context.ts'
import { nearest } from '../../tool/nearest.ts'
import { readJson, type WholeRequest } from './body.ts'
import type { Cors } from './cors.ts'
import { isForwarded } from './forwarded.ts'
import { type Admission, type CallerTokens, type Guard, peerRefusal, type TokenAdmission } from './guard.ts'
import { HealthCheck } from './health.ts'
import { LegacySessions } from './legacy.ts'
import type { LocalPeers } from './local-peers.ts'
import type { Metrics } from './metrics.ts'
import { isModern, postModern } from './modern.ts'
import { OpenStreams } from './open-streams.ts'
import type { OriginCheck } from './origin-check.ts'
import type { Pages } from './pages.ts'
import { type PlainHandler, postBatch, postCall } from './plain-call.ts'
import { isMetadataPath, type ProtectedResource } from './protected-resource.ts'
import { isPeerRefusal, type Refusal, THROUGH_PROXY } from './refusals.ts'
import { pathOf, sendError, sendJson } from './reply.ts'

/** What decides who may call, and what they see. */
export interface RouterParts {
  readonly guard: Guard
  readonly checkOrigin: OriginCheck
  readonly cors: Cors | undefined
  readonly peers: LocalPeers | undefined
  readonly resource: ProtectedResource | undefined
  readonly mounted: readonly Pages[]
  /** those of the ledger */
  readonly tokens?: CallerTokens | undefined
  /** the embedded issuer */
  readonly signIn?: TokenAdmission | undefined
  /** no caller needs a token */
  readonly isOpen: boolean
}

export class HttpRouter {
  readonly #server: Server
  #parts: RouterParts
  readonly #maxBody: number
  readonly #started = performance.now()
  readonly #requests: Counter
  readonly #refused: Counter
  readonly #removeGauge: () => void
  readonly #sessions: LegacySessions
  readonly #health: HealthCheck
  readonly #streams = new OpenStreams()
  readonly #stopFollowing: readonly ((() => void) | undefined)[]
  #metrics: Promise<Metrics> | undefined

  constructor(server: Server, limits: { maxBodyBytes: number; maxSessions: number }, parts: RouterParts) {
    this.#server = server
    this.#parts = parts
    this.#maxBody = limits.maxBodyBytes
    this.#sessions = new LegacySessions(server, limits.maxSessions)
    this.#health = new HealthCheck(server.pipeline)
    const { tokens, signIn } = parts
    this.#stopFollowing = [
      tokens?.onEnd((ended) => this.#endCallers((principal) => principal === ended)),
      signIn?.onChange(() => this.#endCallers((principal) => !signIn.isCurrent(principal))),
    ]
    const { measures } = server
    this.#requests = measures.counter('myrmex_http_requests_total', 'HTTP requests received.')
    this.#refused = measures.counter(
      'myrmex_http_refused_total',
      'HTTP requests rejected because of Host, Origin or token.',
    )
    this.#removeGauge = measures.gauge(
      'myrmex_http_sessions',
      'Open sessions of the legacy era.',
      () => this.#sessions.size,
    )
  }

  close(): void {
    for (const stop of this.#stopFollowing) stop?.()
    this.#sessions.close()
    this.#removeGauge()
  }

  /**
   * Other rules about who may call. Sessions and streams end, so that none goes on with rights that its caller lost: clients open new ones.
   */
  replaceParts(parts: RouterParts): void {
    this.#parts = parts
    this.#endWhere(() => true)
  }

  #endCallers(isOver: (principal: Principal) => boolean): void {
    this.#endWhere(isOver)
    this.#server.view.endCallers?.(isOver)
  }

  #endWhere(isOver: (principal: Principal) => boolean): void {
    this.#sessions.endWhere(isOver)
    this.#streams.endWhere(isOver)
  }

  /** An internal error must end neither the connection nor the process. */
  fault(response: ServerResponse, thrown: unknown): void {
    const reference = this.#server.fault(thrown)
    const message = `Internal error. The log has the cause under ${reference}.`
    sendError(response, 500, message, CODE.internal, { reference })
  }

  route(request: IncomingMessage, response: ServerResponse): void {
    this.#requests.inc()
    const { mounted, cors, guard } = this.#parts
    if (mounted.length > 0) {
      const path = pathOf(request)
      for (const pages of mounted) if (pages.has(path)) return this.#serveMounted(request, response, pages)
    }
    if (cors !== undefined && this.#crossOrigin(request, response, cors)) return
    const verdict = guard(request)
    if (!isPromise(verdict)) return this.#serve(request, response, verdict)
    this.#collectBody(request)
    verdict.then((late) => this.#serve(request, response, late)).catch((thrown) => this.fault(response, thrown))
  }

  /** Returns true if the request is answered. A preflight comes without credentials, so the guard does not see it. */
  #crossOrigin(request: IncomingMessage, response: ServerResponse, cors: Cors): boolean {
    // The guard refuses it, without a header for its origin.
    if (request.headers.origin !== undefined && this.#parts.checkOrigin(request) !== undefined) return false
    return cors(request, response)
  }

  #serveMounted(request: IncomingMessage, response: ServerResponse, pages: Pages): void {
    const refusal = this.#parts.checkOrigin(request)
    if (refusal !== undefined) {
      this.#refused.inc()
      return refuse(response, refusal)
    }
    this.#servePages(request, response, pages).catch((thrown) => this.fault(response, thrown))
  }

  async #servePages(request: IncomingMessage, response: ServerResponse, pages: Pages): Promise<void> {
    const refusal = pages.hasToken ? undefined : await this.#strangerRefusal(request)
    if (refusal === undefined) return pages.serve(request, response)
    this.#refused.inc()
    refuse(response, refusal)
  }

  /** Where callers need no token, pages are for the same people. */
  async #strangerRefusal(request: IncomingMessage): Promise<Refusal | undefined> {
    const { isOpen, peers } = this.#parts
    if (isOpen && isForwarded(request)) return THROUGH_PROXY
    return peers && peerRefusal(await peers.peerOf(request.socket))
  }

  /** Collects the body while the token is checked, because it must be requested before it arrives. */
  #collectBody(request: IncomingMessage): void {
    const early = request as WholeRequest
    const whole = new Promise<Buffer | undefined>((resolve) => early.collect(this.#maxBody, resolve))
    // Named first, like the function in `Deadline.race`.
    const collect: WholeRequest['collect'] = (_limit, done) => void whole.then(done)
    early.collect = collect
  }

  #serve(request: IncomingMessage, response: ServerResponse, verdict: Admission): void {
    const path = pathOf(request)
    if ('status' in verdict) {
      // Public, and their readers have no token yet.
      const open = verdict.status === 401 || verdict.status === 503 || isPeerRefusal(verdict)
      if (open && path === '/healthz') return this.#serveHealth(request, response)
      if (open && isMetadataPath(path)) return this.#serveMetadata(request, response)
      this.#refused.inc()
      return refuse(response, verdict)
    }
    if (verdict.principal.profile !== undefined && !this.#isProfile(verdict.principal.profile))
      return this.#forbid(response, lostProfile(verdict.principal.profile))
    switch (path) {
      case '/mcp':
        return this.#mcp(request, response, verdict)
      case '/call':
        return this.#plainCall(request, response, verdict, postCall)
      case '/batch':
        return this.#plainCall(request, response, verdict, postBatch)
      case '/metrics':
        return this.#serveMetrics(request, response, verdict)
      case '/healthz':
        return this.#serveHealth(request, response, verdict.principal)
      default:
        if (isMetadataPath(path)) return this.#serveMetadata(request, response)
        if (profilePath(path) !== undefined) return this.#inProfile(request, response, verdict, path)
        return sendError(response, 404, `Nothing is served at ${path}. MCP is at /mcp.`)
    }
  }

  #isProfile(name: string): boolean {
    return this.#server.pipeline.profiles.get(name) !== undefined
  }

  #forbid(response: ServerResponse, message: string): void {
    this.#refused.inc()
    refuse(response, { status: 403, message, error_type: 'PermissionError' })
  }

  /** The URLs of a profile. A caller that is limited to one has no other, and does not learn which others there are. */
  #inProfile(request: IncomingMessage, response: ServerResponse, verdict: Admitted, path: string): void {
    const { profile, rest } = profilePath(path) as ProfilePath
    const { principal } = verdict
    if (principal.profile !== undefined && principal.profile !== profile)
      return this.#forbid(
        response,
        `${principal.id} is limited to the profile ${principal.profile}: use its URL, or /mcp.`,
      )
    if (!this.#isProfile(profile)) {
      const near = nearest(
        profile,
        this.#server.pipeline.profiles.all().map(({ name }) => name),
      )
      return sendError(response, 404, `There is no profile ${JSON.stringify(clip(profile, 100))}.${didYouMean(near)}`)
    }
    const within: Admitted = { ...verdict, principal: inProfile(principal, profile) }
    if (rest === 'mcp') return this.#mcp(request, response, within)
    return this.#plainCall(request, response, within, rest === 'call' ? postCall : postBatch)
  }

  #mcp(request: IncomingMessage, response: ServerResponse, { principal, isOAuth }: Admitted): void {
    if (request.method === 'POST') {
      const resource = isOAuth ? this.#parts.resource : undefined
      return this.#read(request, response, (body) =>
        isModern(request, body)
          ? postModern(this.#server, request, response, body, principal, resource, this.#streams)
          : this.#sessions.post(request, response, body, principal, resource),
      )
    }
    // GET and DELETE belong to legacy sessions. The modern era does not allow them.
    const known = request.headers['mcp-session-id'] !== undefined
    if (request.method === 'GET' && known) return this.#sessions.get(request, response, principal)
    if (request.method === 'DELETE' && known) return this.#sessions.delete(request, response, principal)
    notAllowed(response, 'POST')
  }

  #plainCall(request: IncomingMessage, response: ServerResponse, admitted: Admitted, serve: PlainHandler): void {
    if (request.method !== 'POST') return notAllowed(response, 'POST')
    const { principal, isOAuth } = admitted
    const resource = isOAuth ? this.#parts.resource : undefined
    this.#read(request, response, (body) => {
      const served = serve(this.#server, request, response, body, principal, resource)
      const settled = served.catch((thrown) => this.fault(response, thrown))
      // Nobody else's rights can end while a request is answered. What is held for approval ends with the connection.
      if (principal.kind === 'bearer') settled.finally(this.#streams.add(principal, () => {}, response))
    })
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

  /** They name every tool and count the calls of every caller, so they have a scope of their own. */
  #serveMetrics(request: IncomingMessage, response: ServerResponse, { principal, isOAuth }: Admitted): void {
    if (!isRead(request)) return notAllowed(response, 'GET')
    if (!isInScope(principal, METRICS_SCOPE) || principal.profile !== undefined) {
      this.#refused.inc()
      const resource = isOAuth ? this.#parts.resource : undefined
      const challenge = resource?.insufficientScope(request, METRICS_SCOPE)
      return refuse(response, { ...NO_METRICS, ...(challenge !== undefined && { challenge }) })
    }
    this.#metrics ??= import('./metrics.ts').then(({ openMetrics }) => openMetrics(this.#server.measures))
    this.#metrics
      .then(async (metrics) => {
        const text = await metrics.text()
        response.writeHead(200, { 'content-type': metrics.contentType, 'content-length': Buffer.byteLength(text) })
        response.end(text)
      })
      .catch((thrown) => this.fault(response, thrown))
  }

  #serveMetadata(request: IncomingMessage, response: ServerResponse): void {
    const { resource } = this.#parts
    if (resource === undefined) return sendError(response, 404, 'No token issuer is configured.')
    if (!isRead(request)) return notAllowed(response, 'GET')
    sendJson(response, 200, resource.metadata(this.#server.info.name, request))
  }

  /** `principal`: who asks, if that is known. Nobody else learns how many tools there are. */
  #serveHealth(request: IncomingMessage, response: ServerResponse, principal?: Principal): void {
    if (!isRead(request)) return notAllowed(response, 'GET')
    this.#health
      .problem()
      .then((reason) => {
        const { name, version } = this.#server.info
        const uptime_s = Math.round((performance.now() - this.#started) / 1000)
        const status = reason === undefined ? { status: 'ok' } : { status: 'failing', reason }
        if (reason !== undefined) response.setHeader('retry-after', RETRY_AFTER_S)
        const counts = principal && { tools_count: visibleTools(this.#server, principal).length }
        const text = JSON.stringify({ ...status, name, version, uptime_s, ...counts })
        sendJson(response, reason === undefined ? 200 : 503, text)
      })
      .catch((thrown) => this.fault(response, thrown))
  }
}

type Admitted = Exclude<Admission, Refusal>

interface ProfilePath {
  readonly profile: string
  readonly rest: 'mcp' | 'call' | 'batch'
}

/** `/mcp/p/NAME`, `/p/NAME/call`, `/p/NAME/batch`. */
function profilePath(path: string): ProfilePath | undefined {
  const [, mcp, plain, rest] = /^\/(?:mcp\/p\/([^/]+)|p\/([^/]+)\/(call|batch))$/.exec(path) ?? []
  if (mcp !== undefined) return { profile: mcp, rest: 'mcp' }
  return plain === undefined ? undefined : { profile: plain, rest: rest as 'call' | 'batch' }
}

const lostProfile = (profile: string): string =>
  `You are limited to the profile ${profile}, which does not exist now. Ask the operator.`

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

const METRICS_SCOPE = 'method:metrics'
const NO_METRICS: Refusal = {
  status: 403,
  message: `The scope ${METRICS_SCOPE} is missing. Ask the operator for it.`,
  error_type: 'PermissionError',
}

/** Retry hint for errors on our side. */
const RETRY_AFTER_S = 1

function refuse(response: ServerResponse, { status, message, error_type, challenge }: Refusal): void {
  if (challenge !== undefined) response.setHeader('www-authenticate', challenge)
  if (status === 503) response.setHeader('retry-after', RETRY_AFTER_S)
  const parts = { error_type, ...(status === 503 && { retry_after_ms: RETRY_AFTER_S * 1000 }) }
  sendError(response, status, message, CODE.invalidRequest, parts)
}

function notAllowed(response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow)
  sendError(response, 405, `Method not allowed; use ${allow}`)
}
