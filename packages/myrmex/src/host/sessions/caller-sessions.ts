/**
 * The caller sessions of one server with `sessions: "caller"`, or with an account for each caller:
 *
 * - The first request of a caller opens a connection of its own: a child process, or an MCP session at a URL.
 * - It ends with the caller's connection, after `idle_ms` without requests, with the token that used it last, or when the server is stopped.
 * - Their number is limited. A principal gets a place of one that has more, but nobody loses a session to a client of the same principal,
 *   unless its own client has left.
 * - Definitions, trust and listing are those of the server's own connection (`ListingGuard`).
 */

import { RequestScope } from '../../pipeline/request-scope.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import type { Session } from '../../server/session.ts'
import type { Principal, RequestContext } from '../../tool/context.ts'
import type { Forwarder, SessionForwarders } from '../forward/forwarder.ts'
import type { RecentSecrets } from '../forward/recent-secrets.ts'
import type { Listing } from '../upstream/listing/listing.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { UpstreamDeps } from '../upstream/upstream-deps.ts'
import { describeFailure } from '../upstream/upstream-errors.ts'
import type { CallerKey } from './caller-key.ts'
import { CallerSession, type SessionStatus } from './caller-session.ts'
import { isSameOffer } from './listing-guard.ts'

export const DEFAULT_MAX_SESSIONS = 20
/** minimum time between two reads of the server's own listing because sessions list something else */
const MIN_REFRESH_MS = 1000
/** retry_after_ms while all places are taken */
const FULL_RETRY_MS = 5000

export interface CallerSessionsOptions {
  readonly base: () => Upstream
  readonly deps: Omit<UpstreamDeps, 'onRequest'>
  readonly secrets: RecentSecrets
  readonly maxSessions: number
  /** which requests share a session */
  readonly keyOf: (scope: RequestScope) => CallerKey
  readonly onNotification: (method: string, params: JsonObject, forwarder: Forwarder) => void
  /** a session was opened, ended or failed */
  readonly onChange: () => void
}

export class CallerSessions implements SessionForwarders {
  readonly #options: CallerSessionsOptions
  readonly #sessions = new Map<CallerKey['id'], CallerSession>()
  /** connections whose end is awaited */
  readonly #awaited = new WeakSet<Session>()
  readonly #endings = new Set<Promise<void>>()
  #refreshing: NodeJS.Timeout | undefined
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(options: CallerSessionsOptions) {
    this.#options = options
  }

  /** Opens nothing: the first request does. Throws ToolError if no session is possible. */
  async use<T>(scope: RequestContext, work: (own: Forwarder) => Promise<T>): Promise<T> {
    if (!(scope instanceof RequestScope))
      throw ToolError.of('ToolExecutionError', 'A tool of an upstream can only be called through a server.')
    const base = this.#options.base()
    const refused = base.stopReason
    if (refused !== undefined) throw refused
    const key = this.#options.keyOf(scope)
    let session = this.#sessions.get(key.id)
    while (session === undefined) {
      // Checked and taken in one turn: many callers may wait here.
      if (this.#sessions.size + this.#endings.size < this.#options.maxSessions) session = this.#add(key, scope)
      else {
        await this.#makeRoom(scope.principal.id)
        session = this.#sessions.get(key.id)
      }
    }
    return session.use(scope.principal, work)
  }

  /** of the sessions with a connection, and of those that are being opened or retried */
  statuses(): SessionStatus[] {
    return [...this.#sessions.values()].map((one) => one.status())
  }

  counters(): { calls: number; failures: number; in_flight: number; subscriptions: number } {
    const sum = { calls: 0, failures: 0, in_flight: 0, subscriptions: 0 }
    for (const { upstream } of this.#sessions.values()) addTo(sum, upstream)
    for (const name of ['calls', 'failures'] as const) sum[name] += this.#ended[name]
    return sum
  }

  readonly #ended = { calls: 0, failures: 0, in_flight: 0, subscriptions: 0 }

  /** Reads the listing of every open session again. Never rejects: a failed one is in the log. */
  async refresh(): Promise<void> {
    const open = [...this.#sessions.values()].filter(({ isLive }) => isLive)
    await Promise.all(open.map(({ upstream }) => upstream.refresh().catch(this.#logUnread)))
  }

  /** Somebody signed this caller in or out: its sessions are of the account before. */
  async endOf(principal: string): Promise<void> {
    this.endWhere((caller) => caller.id === principal)
    await Promise.all(this.#endings)
  }

  /** `isOver`: whether a caller, as it signed in, has lost its rights. */
  endWhere(isOver: (caller: Principal) => boolean): void {
    for (const session of this.#sessions.values()) if (isOver(session.usedBy)) this.#end(session)
  }

  /** Ends all of them. New ones can be opened if the server is not stopped. */
  async endAll(): Promise<void> {
    clearTimeout(this.#refreshing)
    this.#refreshing = undefined
    this.endWhere(() => true)
    await Promise.all(this.#endings)
  }

  #add(key: CallerKey, { principal }: RequestScope): CallerSession {
    const { connection } = key
    if (connection?.isClosed) throw ToolError.of('CancelledError', 'The session of this call has ended.')
    const { base, deps, secrets, onNotification, onChange } = this.#options
    const session: CallerSession = new CallerSession({
      key,
      principal,
      base: base(),
      deps,
      secrets,
      onNotification,
      onListing: (listing) => this.#onListing(listing),
      onState: (isOver) => {
        if (isOver) this.#end(session)
        else onChange()
      },
    })
    this.#sessions.set(key.id, session)
    if (connection !== undefined && !this.#awaited.has(connection)) {
      this.#awaited.add(connection)
      connection.onClose(() => {
        const last = this.#sessions.get(connection)
        if (last !== undefined) this.#end(last)
      })
    }
    return session
  }

  #end(session: CallerSession): void {
    if (this.#sessions.get(session.key.id) !== session) return
    this.#sessions.delete(session.key.id)
    const ending = session
      .close()
      .catch((thrown: unknown) => this.#options.deps.log('error', `a session could not be ended: ${String(thrown)}`))
      .finally(() => {
        addTo(this.#ended, session.upstream)
        this.#endings.delete(ending)
        this.#options.onChange()
      })
    this.#endings.add(ending)
  }

  /** Waits for the end of sessions that were ended: there are never more processes than allowed. */
  async #makeRoom(principal: string): Promise<void> {
    if (this.#sessions.size >= this.#options.maxSessions) {
      const victim = this.#unused(principal)
      if (victim === undefined) throw this.#full()
      this.#end(victim)
    }
    await Promise.all(this.#endings)
  }

  /**
   * First one without a connection, then one of this principal whose client has left; otherwise the idle one of the principal that has the
   * most, if it has more than this one. Of several, the one that was used first.
   */
  #unused(principal: string): CallerSession | undefined {
    const all = [...this.#sessions.values()].sort((a, b) => a.usedAt - b.usedAt)
    const dead = all.find((one) => !one.isLive && one.isUnused)
    if (dead !== undefined) return dead
    const left = all.find((one) => one.isLeft && one.isUnused && one.principal.id === principal)
    if (left !== undefined) return left
    const byPrincipal = Map.groupBy(all, (one) => one.principal.id)
    const own = byPrincipal.get(principal)?.length ?? 0
    const [largest = []] = [...byPrincipal.values()].sort((a, b) => b.length - a.length)
    // With one more, this principal would have as many as the other has left.
    if (own + 1 >= largest.length) return undefined
    return largest.find((one) => one.isUnused)
  }

  #full(): ToolError {
    const { base, maxSessions } = this.#options
    const { name } = base()
    const message = `${name}: all of its ${plural(maxSessions, 'session is', 'sessions are')} in use (max_sessions). Close another client, or try again in ${FULL_RETRY_MS} ms.`
    return ToolError.of('UnavailableError', message, { server: name, retry_after_ms: FULL_RETRY_MS })
  }

  readonly #logUnread = (thrown: unknown): void => {
    const { base, deps } = this.#options
    deps.log('warn', `${base().name}: the listing could not be read again: ${describeFailure(thrown)}`)
  }

  /** A server that changed is judged by its own connection, so that connection reads its listing again. */
  #onListing(listing: Listing): void {
    const { base, deps } = this.#options
    const { name, listing: reviewed } = base()
    if (reviewed === undefined || isSameOffer(listing, reviewed)) return
    if (this.#refreshing !== undefined) return
    deps.log('warn', `${name}: a session lists something else than the server did. Its listing is read again.`)
    const wait = Math.max(0, this.#refreshedAt + MIN_REFRESH_MS - performance.now())
    this.#refreshing = setTimeout(() => {
      this.#refreshing = undefined
      this.#refreshedAt = performance.now()
      base().refresh().catch(this.#logUnread)
    }, wait)
    this.#refreshing.unref()
  }
}

type Counters = Record<'calls' | 'failures' | 'in_flight' | 'subscriptions', number>

function addTo(sum: Counters, upstream: Upstream): void {
  const status = upstream.status()
  for (const name of ['calls', 'failures', 'in_flight', 'subscriptions'] as const) sum[name] += status[name]
}
