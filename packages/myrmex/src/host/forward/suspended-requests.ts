/** Flights that wait for their client's next round: a bounded number, for a bounded time, each for the principal who began it. */
import { ToolError } from '../../protocol/errors.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

const PATIENCE_MS = 10 * 60_000
const MOST = 256

interface Place {
  readonly flight: ForwardedRequest
  readonly principal: string
  readonly timer: NodeJS.Timeout
}

export class SuspendedRequests {
  readonly #places = new Map<string, Place>()
  readonly #patienceMs: number

  constructor(patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs
  }

  get size(): number {
    return this.#places.size
  }

  get isFull(): boolean {
    return this.#places.size >= MOST
  }

  /** `onExpire` ends what nobody will come back for. */
  add(flight: ForwardedRequest, onExpire: () => void): void {
    const timer = setTimeout(() => {
      this.#places.delete(flight.id)
      flight.refuse('The client did not answer in time.')
      onExpire()
    }, this.#patienceMs).unref()
    this.#places.set(flight.id, { flight, principal: flight.scope.principal.id, timer })
  }

  /** Once: of two who bring the same answers only the first goes on. */
  take(id: unknown, principal: string): ForwardedRequest {
    const place = typeof id === 'string' ? this.#places.get(id) : undefined
    if (place === undefined || place.principal !== principal) {
      const why =
        'What this answers is not waiting any more: it was answered already, waited too long, or its server went away. Make the request anew.'
      throw ToolError.of('UnavailableError', why, { retry_after_ms: 0 })
    }
    clearTimeout(place.timer)
    this.#places.delete(place.flight.id)
    return place.flight
  }

  close(): void {
    for (const { flight, timer } of this.#places.values()) {
      clearTimeout(timer)
      flight.refuse('The host was closed.')
    }
    this.#places.clear()
  }
}
