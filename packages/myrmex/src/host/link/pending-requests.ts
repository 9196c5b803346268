/** The requests that wait for an answer, each under its id, with one clock for all their deadlines. */
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SendOptions } from './link.ts'

/** The official client numbers from 0 while the link is opened; nobody mistakes an answer to it for one of ours. */
const FIRST_ID = 1000

/** One of them. It listens to its signal itself: a call costs no closure for that. */
export class PendingRequest {
  readonly id: number
  readonly method: string
  readonly resolve: (result: JsonObject) => void
  readonly reject: (why: Error) => void
  readonly options: SendOptions | undefined
  /** closes its stream, where it has one */
  stream: AbortController | undefined
  deadline = Number.POSITIVE_INFINITY
  readonly #aborted: (waiting: PendingRequest) => void

  constructor(
    id: number,
    method: string,
    settle: { resolve: (result: JsonObject) => void; reject: (why: Error) => void },
    options: SendOptions | undefined,
    aborted: (waiting: PendingRequest) => void,
  ) {
    this.id = id
    this.method = method
    this.resolve = settle.resolve
    this.reject = settle.reject
    this.options = options
    this.#aborted = aborted
  }

  handleEvent(): void {
    this.#aborted(this)
  }
}

export class PendingRequests {
  readonly #waiting = new ChurnMap<number, PendingRequest>()
  readonly #expired: (waiting: PendingRequest) => void
  readonly #aborted: (waiting: PendingRequest) => void
  #next = FIRST_ID
  #timer: NodeJS.Timeout | undefined
  #rings = Number.POSITIVE_INFINITY

  constructor(on: { expired(waiting: PendingRequest): void; aborted(waiting: PendingRequest): void }) {
    this.#expired = (waiting) => on.expired(waiting)
    this.#aborted = (waiting) => on.aborted(waiting)
  }

  get size(): number {
    return this.#waiting.size
  }

  add(
    method: string,
    settle: { resolve: (result: JsonObject) => void; reject: (why: Error) => void },
    options: SendOptions | undefined,
  ): PendingRequest {
    const waiting = new PendingRequest(this.#next++, method, settle, options, this.#aborted)
    this.#waiting.set(waiting.id, waiting)
    if (options !== undefined) {
      options.signal?.addEventListener('abort', waiting)
      this.restartTimeout(waiting)
    }
    return waiting
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#waiting.get(id as number)
  }

  /** Taken out; undefined where nobody waits for it any more. */
  take(id: unknown): PendingRequest | undefined {
    const waiting = this.#waiting.get(id as number)
    if (waiting === undefined) return undefined
    this.#waiting.delete(waiting.id)
    waiting.options?.signal?.removeEventListener('abort', waiting)
    return waiting
  }

  takeAll(): PendingRequest[] {
    const all = this.#waiting
      .values()
      .map(({ id }) => this.take(id))
      .filter((waiting) => waiting !== undefined)
    clearTimeout(this.#timer)
    this.#timer = undefined
    return all
  }

  /** An answer that comes late or twice is no wonder; one to a question that was never put is. */
  wasSent(id: unknown): boolean {
    return typeof id === 'number' && id >= FIRST_ID && id < this.#next
  }

  /** Its time is counted from now on. */
  restartTimeout(waiting: PendingRequest): void {
    const { timeoutMs } = waiting.options ?? {}
    if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return
    waiting.deadline = performance.now() + timeoutMs
    if (waiting.deadline < this.#rings) this.#set(waiting.deadline)
  }

  #set(at: number): void {
    clearTimeout(this.#timer)
    this.#rings = at
    const ms = Math.min(Math.max(1, Math.ceil(at - performance.now())), LONGEST_TIMER_MS)
    this.#timer = setTimeout(() => this.#ring(), ms)
  }

  #ring(): void {
    this.#timer = undefined
    this.#rings = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const waiting of this.#waiting.values()) {
      if (waiting.deadline <= now) this.#expired(waiting)
      else if (waiting.deadline < next) next = waiting.deadline
    }
    if (next < this.#rings) this.#set(next)
  }
}

/** setTimeout can do no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
