/**
 * The requests that an upstream is at work on, and whose a word of it is that names none of them. What cannot be told for certain is
 * nobody's: one client's question must never reach another.
 */
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

/** How long an upstream may still be at work on what nobody waits for any more. */
const LINGERS_MS = 60_000

export class ForwardedRequests {
  readonly #all = new ChurnMap<ForwardedRequest, ForwardedRequest>()
  /** principals who have given one up, and until when the upstream may still speak of it */
  readonly #left = new Map<string, number>()

  get size(): number {
    return this.#all.size
  }

  /** Nothing that the upstream says can be about anybody's request. */
  get isIdle(): boolean {
    this.#expire()
    return this.#all.size + this.#left.size === 0
  }

  add(flight: ForwardedRequest): void {
    this.#all.set(flight, flight)
  }

  /** The upstream has answered, or is gone. */
  delete(flight: ForwardedRequest): void {
    this.#all.delete(flight)
  }

  /** Its client has given it up. The upstream may not know yet, or not care: what it asks is still nobody else's business. */
  abandon(flight: ForwardedRequest): void {
    this.#all.delete(flight)
    this.#left.set(flight.scope.principal.id, performance.now() + LINGERS_MS)
  }

  /** The upstream is gone, and one that comes back knows nothing of what was. */
  forgetAbandoned(): void {
    this.#left.clear()
  }

  /** The only one; of several of one client the latest; undefined where there is none, or several clients have some. */
  soleOwner(): ForwardedRequest | undefined {
    this.#expire()
    let latest: ForwardedRequest | undefined
    for (const flight of this.#all.values()) {
      if (latest !== undefined && latest.scope.session !== flight.scope.session) return undefined
      latest = flight
    }
    for (const principal of this.#left.keys()) if (latest?.scope.principal.id !== principal) return undefined
    return latest
  }

  #expire(): void {
    if (this.#left.size === 0) return
    const now = performance.now()
    for (const [principal, until] of this.#left) if (until <= now) this.#left.delete(principal)
  }
}
