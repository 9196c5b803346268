/** The legacy era over HTTP: sessions opened by `initialize`, POST, the standing GET stream, resumption, DELETE. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPromise } from '../../pipeline/outcome.ts'
import { signedIn } from '../../pipeline/rules/profiles.ts'
import { crypto } from '../../protocol/builtin.ts'
import { CODE } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { BATCH_VERSION, isLegacyVersion } from '../../protocol/versions.ts'
import { encode } from '../../server/results/encode.ts'
import type { Server } from '../../server/server.ts'
import type { Reply, Session } from '../../server/session.ts'
import type { Principal } from '../../tool/context.ts'
import { matchesName } from '../../tool/rule-names.ts'
import type { TransportName } from '../transport-name.ts'
import { writeWithGroup } from './grouped-write.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { sendError, sendJson } from './reply.ts'
import { SessionStreams } from './session-streams.ts'

interface OpenSession {
  readonly id: string
  readonly session: Session
  readonly log: SessionStreams
  used: number
}

/** A session without requests or an open stream for this long is ended. */
const IDLE_MS = 30 * 60_000
const SWEEP_MS = 60_000

export class LegacySessions {
  readonly #server: Server
  readonly #maxSessions: number
  readonly #sessions = new Map<string, OpenSession>()
  readonly #sweep: NodeJS.Timeout

  constructor(server: Server, maxSessions: number) {
    this.#server = server
    this.#maxSessions = maxSessions
    this.#sweep = setInterval(() => this.#endIdle(), SWEEP_MS).unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** `resource`: the token is of its issuer. */
  post(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    principal: Principal,
    resource?: ProtectedResource,
  ): void {
    if (isObject(body) && body.method === 'initialize' && request.headers['mcp-session-id'] === undefined) {
      return this.#initialize(response, body, principal)
    }
    const open = this.#find(request, response, principal, body)
    if (open === undefined) return
    const stream = open.log.open(response, principal, resource)
    const reply = open.session.receive(body, stream)
    if (isPromise(reply)) reply.then((late) => writeWithGroup(late, () => stream.end(late)))
    else if (isMalformed(reply)) sendJson(response, 400, encode(reply))
    else writeWithGroup(reply, () => stream.end(reply))
  }

  #initialize(response: ServerResponse, body: object, principal: Principal): void {
    if (this.#sessions.size >= this.#maxSessions && !this.#makeRoom(principal))
      return sendError(response, 503, 'Too many sessions are open. Try again later.')
    const log = new SessionStreams()
    const session = this.#server.session('http' satisfies TransportName, log.standing(), principal)
    const reply = session.receive(body)
    // The ledger may answer later which instructions the caller may see.
    if (isPromise(reply)) reply.then((late) => this.#opened(response, session, log, late))
    else this.#opened(response, session, log, reply)
  }

  #opened(response: ServerResponse, session: Session, log: SessionStreams, reply: Reply): void {
    if (reply === undefined) return sendError(response, 400, 'Invalid Request: initialize must carry an id')
    // Nobody would ever know its id.
    if (response.destroyed) return session.close('the client left')
    if (session.version !== undefined) {
      log.priming = session.version >= '2025-11-25'
      const open: OpenSession = { id: crypto.randomUUID(), session, log, used: performance.now() }
      this.#sessions.set(open.id, open)
      response.setHeader('mcp-session-id', open.id)
    }
    sendJson(response, isMalformed(reply) ? 400 : 200, encode(reply))
  }

  /** The standing stream, or the rest of a lost stream. */
  get(request: IncomingMessage, response: ServerResponse, principal: Principal): void {
    const open = this.#find(request, response, principal)
    if (open === undefined) return
    const last = request.headers['last-event-id']
    if (typeof last === 'string') {
      const found = open.log.find(last)
      if (found === undefined) return sendError(response, 404, 'No stream has that event.')
      return found.stream.attach(response, found.seen)
    }
    const standing = open.log.standing()
    if (standing.attached) return sendError(response, 409, 'The standing stream of this session is already open.')
    standing.attach(response, 0)
  }

  delete(request: IncomingMessage, response: ServerResponse, principal: Principal): void {
    const open = this.#find(request, response, principal)
    if (open === undefined) return
    this.#end(open)
    response.writeHead(200).end()
  }

  #find(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    body?: unknown,
  ): OpenSession | undefined {
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string') {
      this.#withoutSession(response, body, principal)
      return undefined
    }
    const open = this.#sessions.get(id)
    // Sessions of other principals are reported as unknown.
    if (open === undefined || !hasRightsOf(open.session.principal, principal)) {
      sendError(response, 404, 'Session not found. Open a new one with initialize.')
      return undefined
    }
    const version = request.headers['mcp-protocol-version']
    if (version !== undefined && !isLegacyVersion(version)) {
      sendError(response, 400, `Unsupported protocol version: ${version}`)
      return undefined
    }
    open.used = performance.now()
    open.session.principal = principal
    return open
  }

  /** Neither a session nor modern metadata: the server says what is missing. */
  #withoutSession(response: ServerResponse, body: unknown, principal: Principal): void {
    if (body === undefined || Array.isArray(body)) {
      return sendError(
        response,
        400,
        `Invalid Request: Mcp-Session-Id is missing (batches exist only in ${BATCH_VERSION} sessions)`,
      )
    }
    const reply = this.#server
      .session('http' satisfies TransportName, { send: () => {} }, principal)
      .receive(body) as Reply
    if (reply === undefined) response.writeHead(202).end()
    else sendJson(response, 'error' in (reply as object) ? 400 : 200, encode(reply))
  }

  /**
   * Ends a session of the principal that has the most, so that no principal can keep the others out: the one that was not used for the
   * longest time. A busy one is ended only in favour of another principal. Returns whether there is room now.
   */
  #makeRoom({ id }: Principal): boolean {
    const largest = this.#largestPrincipal()
    let ended: OpenSession | undefined
    for (const open of this.#sessions.values()) {
      if (open.session.principal.id !== largest) continue
      if (ended === undefined || isBefore(open, ended)) ended = open
    }
    if (ended !== undefined && isBusy(ended) && largest === id) return false
    if (ended !== undefined) this.#end(ended)
    return ended !== undefined
  }

  #largestPrincipal(): string | undefined {
    const counts = new Map<string, number>()
    for (const { session } of this.#sessions.values()) {
      const { id } = session.principal
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    let largest: string | undefined
    for (const [id, count] of counts) {
      if (largest === undefined || count > (counts.get(largest) ?? 0)) largest = id
    }
    return largest
  }

  /** `isOver`: whether a caller has lost its rights. */
  endWhere(isOver: (principal: Principal) => boolean): void {
    for (const open of [...this.#sessions.values()]) if (isOver(signedIn(open.session.principal))) this.#end(open)
  }

  #endIdle(): void {
    const now = performance.now()
    for (const open of this.#sessions.values()) {
      if (!isBusy(open) && now - open.used > IDLE_MS) this.#end(open)
    }
  }

  #end(open: OpenSession): void {
    this.#sessions.delete(open.id)
    open.session.close('the session ended')
    open.log.close()
  }

  /** Ends the standing streams, which would keep the HTTP server open. */
  close(): void {
    clearInterval(this.#sweep)
    for (const open of this.#sessions.values()) open.log.standing().close()
  }
}

const isBusy = ({ session, log }: OpenSession): boolean => session.inFlight > 0 || log.standing().attached

/** Idle ones first, of those the one that was used first. */
const isBefore = (one: OpenSession, other: OpenSession): boolean =>
  isBusy(one) === isBusy(other) ? one.used < other.used : isBusy(other)

/**
 * A session has the rights of the token that it was last used with. A token of the same caller with more rights goes on with it, as a
 * client does that asked for more scopes. One with fewer rights needs its own session: streams of this one would do more for it.
 */
function hasRightsOf(session: Principal, caller: Principal): boolean {
  if (session === caller) return true
  if (session.id !== caller.id || session.profile !== caller.profile) return false
  if (session.scopes === undefined || caller.scopes === undefined) return session.scopes === caller.scopes
  const { scopes } = caller
  return session.scopes.every((scope) => scopes.some((one) => matchesName(one, scope)))
}

/** Not a message, so the HTTP status says so too. */
function isMalformed(reply: Reply): reply is Exclude<Reply, undefined> {
  return (
    reply !== undefined &&
    !Array.isArray(reply) &&
    'error' in reply &&
    reply.error.code === CODE.invalidRequest &&
    reply.id === undefined
  )
}
