/** How patient we are with an upstream that goes down: at once the first time, then ever longer, then not for a while. */
import { Breaker, type BreakerState } from '../../pipeline/gates/break.ts'

export interface BackoffSettings {
  /** before the second attempt in a row; doubled by each further one */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** after this long without a failure it starts anew */
  readonly healthyMs: number
  /** failures in a row after which it is left alone, and for how long */
  readonly failures: number
  readonly cooldownMs: number
}

const PACE: BackoffSettings = {
  firstWaitMs: 250,
  longestWaitMs: 30_000,
  healthyMs: 60_000,
  failures: 8,
  cooldownMs: 30_000,
}

export class Backoff {
  readonly #pace: BackoffSettings
  #breaker: Breaker
  #failures = 0
  #notBefore = 0
  #leftAloneUntil = 0

  constructor(pace: Partial<BackoffSettings> = {}) {
    this.#pace = { ...PACE, ...pace }
    this.#breaker = this.#fresh()
  }

  get breaker(): BreakerState {
    return this.#breaker.state
  }

  /** Whether it went down so often that it is not tried for longer. */
  get isCoolingDown(): boolean {
    return this.#breaker.state === 'open' && performance.now() < this.#leftAloneUntil
  }

  /** Milliseconds until the next attempt; 0 where it may be now. */
  get wait(): number {
    const until = this.#breaker.state === 'open' ? Math.max(this.#leftAloneUntil, this.#notBefore) : this.#notBefore
    return Math.max(0, Math.ceil(until - performance.now()))
  }

  /** Asks for leave to open it: the milliseconds to wait, or an attempt, whose end has to be told. */
  attempt(): number | OpenAttempt {
    const wait = this.wait
    if (wait > 0) return wait
    const isProbe = this.#breaker.state !== 'closed'
    const refused = this.#breaker.enter()
    if (refused > 0) return refused
    const breaker = this.#breaker
    return {
      isProbe,
      // One that opens and then breaks at every call is not well. Only where it was left alone is opening what was to be seen.
      opened: () => {
        if (isProbe) breaker.succeeded(true)
      },
      failed: () => this.#failed(breaker, isProbe, 1),
      undecided: () => breaker.undecided(isProbe),
    }
  }

  /** It was open, for this long, and broke. Most that end were ended once, so the first time there is no wait. */
  connectionLost(aliveMs: number): void {
    if (aliveMs >= this.#pace.healthyMs) this.reset()
    this.#failed(this.#breaker, false, 2)
  }

  /** It has answered a call. */
  answered(): void {
    this.#breaker.succeeded(false)
  }

  reset(): void {
    this.#failures = 0
    this.#notBefore = 0
    this.#breaker = this.#fresh()
  }

  #fresh(): Breaker {
    return new Breaker(this.#pace.failures, this.#pace.cooldownMs)
  }

  /** From the failure of this number on, the next attempt has to wait. */
  #failed(breaker: Breaker, isProbe: boolean, patience: number): void {
    const { firstWaitMs, longestWaitMs, cooldownMs } = this.#pace
    breaker.failed(isProbe)
    if (breaker !== this.#breaker) return
    const now = performance.now()
    const over = ++this.#failures - patience
    // Not all at the same moment: what several of them need may have gone down with them.
    if (over >= 0) this.#notBefore = now + Math.min(longestWaitMs, firstWaitMs * 2 ** over) * (0.75 + Math.random() / 4)
    if (breaker.state === 'open') this.#leftAloneUntil = now + cooldownMs
  }
}

/** One attempt to open it, and how it ended. */
export interface OpenAttempt {
  /** it was left alone, and this is to see whether it is well again */
  readonly isProbe: boolean
  opened(): void
  failed(): void
  undecided(): void
}
