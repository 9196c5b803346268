/**
 * The requests an upstream is working on. Finds the client that a question or log message belongs to if the message names no request.
 * If that is ambiguous it belongs to nobody: one client's question must never reach another client.
 */
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

/** How long an upstream may keep working on a request that its client gave up. */
const ABANDONED_MS = 60_000

export class ForwardedRequests {
  readonly #active = new ChurnMap<ForwardedRequest, ForwardedRequest>()
  /** principals who gave up a request, and until when the upstream may still send messages about it */
  readonly #abandoned = new Map<string, number>()

  get size(): number {
    return this.#active.size
  }

  /** No message of the upstream can belong to a request. */
  get isIdle(): boolean {
    this.#expire()
    return this.#active.size + this.#abandoned.size === 0
  }

  add(request: ForwardedRequest): void {
    this.#active.set(request, request)
  }

  delete(request: ForwardedRequest): void {
    this.#active.delete(request)
  }

  /** The client gave up. The upstream may keep working and asking, and its questions still belong to nobody else. */
  abandon(request: ForwardedRequest): void {
    this.#active.delete(request)
    this.#abandoned.set(request.scope.principal.id, performance.now() + ABANDONED_MS)
  }

  /** The connection ended: a new one knows nothing of abandoned requests. */
  forgetAbandoned(): void {
    this.#abandoned.clear()
  }

  /** The latest request if all requests belong to one client; undefined if there is none or several clients have some. */
  soleOwner(): ForwardedRequest | undefined {
    this.#expire()
    let latest: ForwardedRequest | undefined
    for (const request of this.#active.values()) {
      if (latest !== undefined && latest.scope.session !== request.scope.session) return undefined
      latest = request
    }
    for (const principal of this.#abandoned.keys()) if (latest?.scope.principal.id !== principal) return undefined
    return latest
  }

  #expire(): void {
    if (this.#abandoned.size === 0) return
    const now = performance.now()
    for (const [principal, until] of this.#abandoned) if (until <= now) this.#abandoned.delete(principal)
  }
}
