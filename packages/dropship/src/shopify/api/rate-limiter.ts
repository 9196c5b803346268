/**
 * Shopify's leaky bucket as seen from here: a call waits until its cost is there, in the order they came, so that many calls take
 * turns instead of being refused. What a call costs is learnt from the first one of its kind, which the others wait for.
 */
import { ToolError } from 'myrmex'

export interface ThrottleStatus {
  readonly maximumAvailable: number
  readonly currentlyAvailable: number
  readonly restoreRate: number
}

export class RateLimiter {
  readonly #costs = new Map<string, number>()
  readonly #probes = new Map<string, PromiseWithResolvers<void>>()
  #gate: Promise<unknown> = Promise.resolve()
  #available = Number.POSITIVE_INFINITY
  #at = 0
  #status: ThrottleStatus | undefined
  /** points taken by calls that were not answered yet, by their place in the row */
  readonly #away = new Map<number, number>()
  #last = 0
  #wake: () => void = () => {}

  /** Resolves when the call may go, with its place in the row. ApiLimitExceeded: not before the deadline. */
  acquire(kind: string, deadline: number): Promise<number> {
    const turn = this.#gate.then(() => this.#admit(kind, deadline))
    this.#gate = turn.catch(() => undefined)
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
      await this.#news(wait)
    }
    this.#available -= cost
    this.#away.set(++this.#last, cost)
    return this.#last
  }

  /** The call came back: with what Shopify says of its cost and of the bucket, or with nothing. */
  release(kind: string, place: number, said?: { readonly cost: number; readonly status: ThrottleStatus }): void {
    this.#away.delete(place)
    if (said !== undefined) {
      this.#costs.set(kind, said.cost)
      this.#status = said.status
      // Those that went later may not have been counted there yet; those before it were.
      const later = [...this.#away].reduce((sum, [other, cost]) => (other > place ? sum + cost : sum), 0)
      this.#available = said.status.currentlyAvailable - later
      this.#at = performance.now()
    }
    this.#wake()
    this.#probes.get(kind)?.resolve()
    this.#probes.delete(kind)
  }

  /** The time is over, or a call came back: what it did not use is there again. */
  async #news(wait: number): Promise<void> {
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
    this.#available = Math.min(maximumAvailable, this.#available + ((now - this.#at) / 1000) * restoreRate)
    this.#at = now
    // What can never be there is for Shopify to refuse.
    const lacking = Math.min(cost, maximumAvailable) - this.#available
    return lacking <= 0 ? 0 : Math.ceil((lacking / restoreRate) * 1000)
  }
}

export const rateLimitError = (wait: number): ToolError =>
  new ToolError('ApiLimitExceeded', `Shopify's rate limit is used up. Try again in ${Math.ceil(wait)} ms.`, {
    retry_after_ms: Math.ceil(wait),
  })
