/** Requests waiting for an answer, by id. One timer serves all their timeouts. */
import { DeadlineTimer, type TimedEntry } from '../../pipeline/gates/deadline-timer.ts'
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SendOptions } from './link.ts'

/** The official client counts from 0 during the handshake, so its ids never collide with these. */
const FIRST_ID = 1000

interface PendingRequestEvents {
  expired(request: PendingRequest): void
  aborted(request: PendingRequest): void
}

/** Listens to its signal and its timeout itself, which saves closures per call. */
export class PendingRequest implements TimedEntry {
  readonly id: number
  readonly method: string
  readonly settle: PromiseWithResolvers<JsonObject> = Promise.withResolvers()
  readonly options: SendOptions | undefined
  /** aborts the request's stream, if it has one */
  stream: AbortController | undefined
  due = Number.POSITIVE_INFINITY
  readonly #on: PendingRequestEvents

  constructor(id: number, method: string, options: SendOptions | undefined, on: PendingRequestEvents) {
    this.id = id
    this.method = method
    this.options = options
    this.#on = on
  }

  handleEvent(): void {
    this.#on.aborted(this)
  }

  expire(): void {
    this.#on.expired(this)
  }
}

export class PendingRequests {
  readonly #requests = new ChurnMap<number, PendingRequest>()
  readonly #timer = new DeadlineTimer()
  readonly #on: PendingRequestEvents
  #next = FIRST_ID

  constructor(on: PendingRequestEvents) {
    this.#on = on
  }

  add(method: string, options: SendOptions | undefined): PendingRequest {
    const request = new PendingRequest(this.#next++, method, options, this.#on)
    this.#requests.set(request.id, request)
    if (options !== undefined) {
      options.signal?.addEventListener('abort', request)
      this.restartTimeout(request)
    }
    return request
  }

  get hasSome(): boolean {
    return this.#requests.size > 0
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#requests.get(id as number)
  }

  /** Removes and returns it; undefined if nobody waits for it any more. */
  take(id: unknown): PendingRequest | undefined {
    const request = this.#requests.get(id as number)
    if (request === undefined) return undefined
    this.#requests.delete(request.id)
    this.#timer.delete(request)
    request.options?.signal?.removeEventListener('abort', request)
    return request
  }

  takeAll(): PendingRequest[] {
    const all = this.#requests.values()
    for (const { id } of all) this.take(id)
    return all
  }

  /** Late or repeated answers are normal. An answer to a request that was never sent is not. */
  wasSent(id: unknown): boolean {
    return typeof id === 'number' && id >= FIRST_ID && id < this.#next
  }

  restartTimeout(request: PendingRequest): void {
    const { timeoutMs } = request.options ?? {}
    if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return
    this.#timer.delete(request)
    request.due = performance.now() + timeoutMs
    this.#timer.add(request)
  }
}
