/**
 * Requests suspended until their client's next round. Their number and waiting time are bounded, and only the same principal can resume
 * one. If all places are taken, a principal with fewer of them gets a place of the one that has the most.
 */
import { ToolError } from '../../protocol/errors.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

const MAX_WAIT_MS = 10 * 60_000
const MAX_SUSPENDED = 256

interface SuspendedRequest {
  readonly request: ForwardedRequest
  readonly timer: NodeJS.Timeout
  readonly onExpire: () => void
}

const ownerOf = ({ request }: SuspendedRequest): string => request.scope.principal.id

export class SuspendedRequests {
  readonly #entries = new Map<string, SuspendedRequest>()
  readonly #maxWaitMs: number

  constructor(maxWaitMs: number = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs
  }

  get size(): number {
    return this.#entries.size
  }

  /** Whether there is room for one more request of this principal. It may end the oldest request of a principal that has more. */
  makeRoom(principal: string): boolean {
    if (this.#entries.size < MAX_SUSPENDED) return true
    const counts = new Map<string, number>()
    for (const entry of this.#entries.values()) counts.set(ownerOf(entry), (counts.get(ownerOf(entry)) ?? 0) + 1)
    const [largest = principal, most = 0] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))
    // One more would give this principal as many as the other has left.
    if ((counts.get(principal) ?? 0) + 1 >= most) return false
    for (const entry of this.#entries.values()) {
      if (ownerOf(entry) !== largest) continue
      this.#end(entry, 'Too many calls of this client are waiting for its answers.')
      return true
    }
    return false
  }

  /** `onExpire` aborts a request that nobody resumed in time. */
  add(request: ForwardedRequest, onExpire: () => void): void {
    const end = (): void => this.#end(entry, 'The client did not answer in time.')
    const entry: SuspendedRequest = { request, onExpire, timer: setTimeout(end, this.#maxWaitMs).unref() }
    this.#entries.set(request.id, entry)
  }

  #end({ request, timer, onExpire }: SuspendedRequest, why: string): void {
    clearTimeout(timer)
    this.#entries.delete(request.id)
    request.rejectQuestions(why)
    onExpire()
  }

  /** Each request can be taken once: of two clients with the same answers only the first continues. */
  take(id: unknown, principal: string): ForwardedRequest {
    const entry = typeof id === 'string' ? this.#entries.get(id) : undefined
    if (entry === undefined || entry.request.scope.principal.id !== principal) {
      const why =
        'The request these answers belong to is no longer waiting: it was answered, it expired, or its server went away. Send the request again.'
      throw ToolError.of('UnavailableError', why, { retry_after_ms: 0 })
    }
    clearTimeout(entry.timer)
    this.#entries.delete(entry.request.id)
    return entry.request
  }

  close(): void {
    for (const { request, timer } of this.#entries.values()) {
      clearTimeout(timer)
      request.rejectQuestions('The host was closed.')
    }
    this.#entries.clear()
  }
}
