/** Requests waiting for an answer, by id. One timer serves all their timeouts. */
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SendOptions } from './link.ts'

/** The official client counts from 0 during the handshake, so its ids never collide with these. */
const FIRST_ID = 1000

/** Listens to its signal itself, which saves a closure per call. */
export class PendingRequest {
  readonly id: number
  readonly method: string
  readonly settle: PromiseWithResolvers<JsonObject> = Promise.withResolvers()
  readonly options: SendOptions | undefined
  /** aborts the request's stream, if it has one */
  stream: AbortController | undefined
  deadline = Number.POSITIVE_INFINITY
  readonly #aborted: (request: PendingRequest) => void

  constructor(
    id: number,
    method: string,
    options: SendOptions | undefined,
    aborted: (request: PendingRequest) => void,
  ) {
    this.id = id
    this.method = method
    this.options = options
    this.#aborted = aborted
  }

  handleEvent(): void {
    this.#aborted(this)
  }
}

export class PendingRequests {
  readonly #requests = new ChurnMap<number, PendingRequest>()
  readonly #expired: (request: PendingRequest) => void
  readonly #aborted: (request: PendingRequest) => void
  #next = FIRST_ID
  #timer: NodeJS.Timeout | undefined
  #nextDeadline = Number.POSITIVE_INFINITY

  constructor(on: { expired(request: PendingRequest): void; aborted(request: PendingRequest): void }) {
    this.#expired = (request) => on.expired(request)
    this.#aborted = (request) => on.aborted(request)
  }

  add(method: string, options: SendOptions | undefined): PendingRequest {
    const request = new PendingRequest(this.#next++, method, options, this.#aborted)
    this.#requests.set(request.id, request)
    if (options !== undefined) {
      options.signal?.addEventListener('abort', request)
      this.restartTimeout(request)
    }
    return request
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#requests.get(id as number)
  }

  /** Removes and returns it; undefined if nobody waits for it any more. */
  take(id: unknown): PendingRequest | undefined {
    const request = this.#requests.get(id as number)
    if (request === undefined) return undefined
    this.#requests.delete(request.id)
    request.options?.signal?.removeEventListener('abort', request)
    return request
  }

  takeAll(): PendingRequest[] {
    const all = this.#requests
      .values()
      .map(({ id }) => this.take(id))
      .filter((request) => request !== undefined)
    clearTimeout(this.#timer)
    this.#timer = undefined
    return all
  }

  /** Late or repeated answers are normal. An answer to a request that was never sent is not. */
  wasSent(id: unknown): boolean {
    return typeof id === 'number' && id >= FIRST_ID && id < this.#next
  }

  restartTimeout(request: PendingRequest): void {
    const { timeoutMs } = request.options ?? {}
    if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return
    request.deadline = performance.now() + timeoutMs
    if (request.deadline < this.#nextDeadline) this.#schedule(request.deadline)
  }

  #schedule(at: number): void {
    clearTimeout(this.#timer)
    this.#nextDeadline = at
    const ms = Math.min(Math.max(1, Math.ceil(at - performance.now())), MAX_TIMER_MS)
    this.#timer = setTimeout(() => this.#expire(), ms)
  }

  #expire(): void {
    this.#timer = undefined
    this.#nextDeadline = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const request of this.#requests.values()) {
      if (request.deadline <= now) this.#expired(request)
      else if (request.deadline < next) next = request.deadline
    }
    if (next < this.#nextDeadline) this.#schedule(next)
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1
