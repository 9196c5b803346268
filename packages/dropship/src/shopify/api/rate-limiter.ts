/**
 * Keeps calls within Shopify's leaky bucket. Calls wait in order until their cost is available, so that many calls take turns instead
 * of being rejected. The cost of a kind of call is learnt from the first such call, which the others wait for.
 */
import { ToolError } from 'myrmex'

export interface ThrottleStatus {
  readonly maximumAvailable: number
  readonly currentlyAvailable: number
  readonly restoreRate: number
}

/** What Shopify reports with a response. */
export interface QueryCost {
  readonly cost: number
  readonly status: ThrottleStatus
}

export class RateLimiter {
  readonly #costs = new Map<string, number>()
  readonly #probes = new Map<string, PromiseWithResolvers<void>>()
  #queue: Promise<unknown> = Promise.resolve()
  #available = Number.POSITIVE_INFINITY
  #measuredAt = 0
  #status: ThrottleStatus | undefined
  /** points of calls without a response yet, by turn */
  readonly #pending = new Map<number, number>()
  #lastTurn = 0
  #wake: () => void = () => {}

  /** Resolves with the call's turn once it may be sent. ApiLimitExceeded: that would be after the deadline. */
  acquire(kind: string, deadline: number): Promise<number> {
    const turn = this.#queue.then(() => this.#admit(kind, deadline))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async #admit(kind: string, deadline: number): Promise<number> {
    await this.#probes.get(kind)?.promise
    const known = this.#costs.get(kind)
    if (known === undefined) this.#probes.set(kind, Promise.withResolvers<void>())
    const cost = known ?? 0
    for (;;) {
      const wait = this.#waitFor(cost)
      if (wait === 0) break
      if (performance.now() + wait > deadline) throw rateLimitError(wait)
      await this.#untilChange(wait)
    }
    this.#available -= cost
    this.#pending.set(++this.#lastTurn, cost)
    return this.#lastTurn
  }

  /** Ends a turn, with the reported cost if there was a response. */
  release(kind: string, turn: number, reported?: QueryCost): void {
    this.#pending.delete(turn)
    if (reported !== undefined) {
      this.#costs.set(kind, reported.cost)
      this.#status = reported.status
      // Shopify has counted the calls before this one, but perhaps not those sent after it.
      const later = [...this.#pending].reduce((sum, [other, cost]) => (other > turn ? sum + cost : sum), 0)
      this.#available = reported.status.currentlyAvailable - later
      this.#measuredAt = performance.now()
    }
    this.#wake()
    this.#probes.get(kind)?.resolve()
    this.#probes.delete(kind)
  }

  /** Waits for the time, or for a call to end, which may have used less than reserved. */
  async #untilChange(wait: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, wait)
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  #waitFor(cost: number): number {
    if (this.#status === undefined) return 0
    const { maximumAvailable, restoreRate } = this.#status
    const now = performance.now()
    this.#available = Math.min(maximumAvailable, this.#available + ((now - this.#measuredAt) / 1000) * restoreRate)
    this.#measuredAt = now
    // A call that costs more than the bucket holds is sent, and Shopify rejects it.
    const lacking = Math.min(cost, maximumAvailable) - this.#available
    return lacking <= 0 ? 0 : Math.ceil((lacking / restoreRate) * 1000)
  }
}

export const rateLimitError = (wait: number): ToolError =>
  new ToolError('ApiLimitExceeded', `Shopify's rate limit is used up. Try again in ${Math.ceil(wait)} ms.`, {
    retry_after_ms: Math.ceil(wait),
  })
