/**
 * The requests an upstream is working on. Finds the client that a question or log message belongs to if the message names no request.
 * If that is ambiguous it belongs to nobody: one client's question must never reach another client. A client is known by its session
 * object alone, never by what it declares or by its credential, which it may share.
 *
 * Servers ask before they answer, but many log afterwards. So a log message also belongs to nobody for a minute after a request of
 * another principal has ended. Principals count here, because over modern HTTP each request of one client is a session.
 */
import { ChurnMap } from '../../protocol/churn-map.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

interface EndedRequest {
  readonly principal: string
  at: number
}

/** How long an upstream may keep working on a request that its client gave up. */
const ABANDONED_MS = 60_000
const MAX_ABANDONED = 2
/** How long an upstream may log about a request that has ended. */
const ENDED_MS = 60_000

export class ForwardedRequests {
  readonly #active = new ChurnMap<ForwardedRequest, ForwardedRequest>()
  /**
   * The latest sessions that gave up a request, by number, and until when the upstream may still send messages about it. Two are enough:
   * for every session, one of them is the last other one to give up. Over modern HTTP each request is a session, so all would be too many.
   */
  readonly #abandoned = new Map<number, number>()
  /** Sessions are numbered when they give up a request. No session is kept alive by that. */
  readonly #numbers = new WeakMap<object, number>()
  #sessionCount = 0
  /** The principal of the request that ended last, and the last other one. For every principal, one of them is the last other one. */
  #lastEnded: EndedRequest | undefined
  #otherEnded: EndedRequest | undefined
  readonly #client: object | undefined

  /** `client`: the only one whose requests come here, known by other means than the session objects of its requests. */
  constructor(client?: object) {
    this.#client = client
  }

  #sessionOf(request: ForwardedRequest): object {
    return this.#client ?? request.scope.session
  }

  get size(): number {
    return this.#active.size
  }

  /** How many sessions that gave up are remembered. */
  get abandonedCount(): number {
    return this.#abandoned.size
  }

  add(request: ForwardedRequest): void {
    this.#active.set(request, request)
  }

  delete(request: ForwardedRequest): void {
    this.#active.delete(request)
    const { id } = request.scope.principal
    const now = performance.now()
    if (this.#lastEnded?.principal === id) this.#lastEnded.at = now
    else {
      this.#otherEnded = this.#lastEnded
      this.#lastEnded = { principal: id, at: now }
    }
  }

  /** The client gave up. The upstream may keep working and asking, and its questions still belong to nobody else. */
  abandon(request: ForwardedRequest): void {
    this.#active.delete(request)
    const session = this.#sessionOf(request)
    const number = this.#numbers.get(session) ?? ++this.#sessionCount
    this.#numbers.set(session, number)
    this.#abandoned.delete(number)
    this.#abandoned.set(number, performance.now() + ABANDONED_MS)
    const [oldest] = this.#abandoned.keys()
    if (this.#abandoned.size > MAX_ABANDONED && oldest !== undefined) this.#abandoned.delete(oldest)
  }

  /** The connection ended: a new one knows nothing of abandoned requests. */
  forgetAbandoned(): void {
    this.#abandoned.clear()
    this.#lastEnded = undefined
    this.#otherEnded = undefined
  }

  /** The request that a log message belongs to: the sole owner, unless a request of another principal ended within the last minute. */
  logOwner(): ForwardedRequest | undefined {
    const owner = this.soleOwner()
    if (owner === undefined) return undefined
    const { id } = owner.scope.principal
    const other = this.#lastEnded?.principal === id ? this.#otherEnded : this.#lastEnded
    return other === undefined || other.at + ENDED_MS <= performance.now() ? owner : undefined
  }

  /** The request that a question belongs to: the one whose task it names, or the sole owner. */
  ownerOf(question: JsonObject): ForwardedRequest | undefined {
    const task = namedTask(question)
    if (task === undefined) return this.soleOwner()
    return [...this.#active.values()].find((request) => request.task === task)
  }

  /** The latest request if all requests, also those given up, are of one session. Otherwise undefined. */
  soleOwner(): ForwardedRequest | undefined {
    this.#expire()
    let latest: ForwardedRequest | undefined
    for (const request of this.#active.values()) {
      if (latest !== undefined && this.#sessionOf(latest) !== this.#sessionOf(request)) return undefined
      latest = request
    }
    if (latest === undefined || this.#abandoned.size === 0) return latest
    const number = this.#numbers.get(this.#sessionOf(latest))
    for (const abandoned of this.#abandoned.keys()) if (abandoned !== number) return undefined
    return latest
  }

  #expire(): void {
    if (this.#abandoned.size === 0) return
    const now = performance.now()
    for (const [session, until] of this.#abandoned) if (until <= now) this.#abandoned.delete(session)
  }
}

/** Servers of the legacy era name the task that a question is about. */
function namedTask({ _meta }: JsonObject): unknown {
  const related = isObject(_meta) ? _meta[META.relatedTask] : undefined
  return isObject(related) ? related.taskId : undefined
}

export const namesTask = (question: JsonObject): boolean => namedTask(question) !== undefined
