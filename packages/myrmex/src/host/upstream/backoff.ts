/** When to reconnect to a failed upstream: immediately the first time, then after growing delays, then after a cooldown. */
import { Breaker, type BreakerState } from '../../pipeline/gates/break.ts'

const DEFAULTS = {
  /** delay before the second attempt; doubled by each further one */
  firstWaitMs: 250,
  longestWaitMs: 30_000,
  /** after this long without a failure the count starts again */
  healthyMs: 60_000,
  /** consecutive failures before the cooldown, and its length */
  failures: 8,
  cooldownMs: 30_000,
}

export type BackoffSettings = Readonly<typeof DEFAULTS>

export class Backoff {
  readonly #settings: BackoffSettings
  #breaker: Breaker
  #failures = 0
  #notBefore = 0
  #cooldownUntil = 0

  constructor(settings: Partial<BackoffSettings> = {}) {
    this.#settings = { ...DEFAULTS, ...settings }
    this.#breaker = this.#fresh()
  }

  get breaker(): BreakerState {
    return this.#breaker.state
  }

  get isCoolingDown(): boolean {
    return this.#breaker.state === 'open' && performance.now() < this.#cooldownUntil
  }

  /** Milliseconds until the next attempt; 0 if one is allowed now. */
  get wait(): number {
    const until = this.#breaker.state === 'open' ? Math.max(this.#cooldownUntil, this.#notBefore) : this.#notBefore
    return Math.max(0, Math.ceil(until - performance.now()))
  }

  /** Returns the milliseconds to wait, or an attempt whose result must be reported. */
  attempt(): number | OpenAttempt {
    const wait = this.wait
    if (wait > 0) return wait
    const isProbe = this.#breaker.state !== 'closed'
    const refused = this.#breaker.enter()
    if (refused > 0) return refused
    const breaker = this.#breaker
    return {
      isProbe,
      // Opening alone proves nothing for a server that fails on every call. It counts only as the probe after a cooldown.
      opened: () => {
        if (isProbe) breaker.succeeded(true)
      },
      failed: () => this.#failed(breaker, isProbe, 1),
      undecided: () => breaker.undecided(isProbe),
    }
  }

  /** The connection was open for `aliveMs`. The first loss causes no delay, because most servers exit only once. */
  connectionLost(aliveMs: number): void {
    if (aliveMs >= this.#settings.healthyMs) this.reset()
    this.#failed(this.#breaker, false, 2)
  }

  answered(): void {
    this.#breaker.succeeded(false)
  }

  reset(): void {
    this.#failures = 0
    this.#notBefore = 0
    this.#breaker = this.#fresh()
  }

  #fresh(): Breaker {
    return new Breaker(this.#settings.failures, this.#settings.cooldownMs)
  }

  /** Attempts are delayed from failure number `tolerated` on. */
  #failed(breaker: Breaker, isProbe: boolean, tolerated: number): void {
    const { firstWaitMs, longestWaitMs, cooldownMs } = this.#settings
    breaker.failed(isProbe)
    if (breaker !== this.#breaker) return
    const now = performance.now()
    const over = ++this.#failures - tolerated
    // Jitter: servers that failed together must not all reconnect at once.
    if (over >= 0) this.#notBefore = now + Math.min(longestWaitMs, firstWaitMs * 2 ** over) * (0.75 + Math.random() / 4)
    if (breaker.state === 'open') this.#cooldownUntil = now + cooldownMs
  }
}

export interface OpenAttempt {
  /** the first attempt after a cooldown */
  readonly isProbe: boolean
  opened(): void
  failed(): void
  undecided(): void
}
