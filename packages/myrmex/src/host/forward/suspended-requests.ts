/** Requests suspended until their client's next round. Their number and waiting time are bounded, and only the same principal can resume one. */
import { ToolError } from '../../protocol/errors.ts'
import type { ForwardedRequest } from './forwarded-request.ts'

const MAX_WAIT_MS = 10 * 60_000
const MAX_SUSPENDED = 256

export class SuspendedRequests {
  readonly #entries = new Map<string, { readonly request: ForwardedRequest; readonly timer: NodeJS.Timeout }>()
  readonly #maxWaitMs: number

  constructor(maxWaitMs: number = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs
  }

  get size(): number {
    return this.#entries.size
  }

  get isFull(): boolean {
    return this.#entries.size >= MAX_SUSPENDED
  }

  /** `onExpire` aborts a request that nobody resumed in time. */
  add(request: ForwardedRequest, onExpire: () => void): void {
    const timer = setTimeout(() => {
      this.#entries.delete(request.id)
      request.rejectQuestions('The client did not answer in time.')
      onExpire()
    }, this.#maxWaitMs).unref()
    this.#entries.set(request.id, { request, timer })
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
