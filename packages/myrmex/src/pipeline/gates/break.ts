/**
 * break: a circuit breaker per tool and version. Closed: calls pass. Open: they are refused at once. Half-open: one call is
 * let through as a probe. If it succeeds the breaker closes, otherwise it opens again.
 */
import { errorTypesWhere } from '../../protocol/errors.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, Outcome, refusal } from '../outcome.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

const FAILURES = 5
const OPEN_MS = 30_000

export class Breaker {
  readonly #failures: number
  readonly #openMs: number
  #state: BreakerState = 'closed'
  /** failures in a row */
  #count = 0
  #openedAt = 0
  #probing = false

  constructor(failures: number, openMs: number) {
    this.#failures = failures
    this.#openMs = openMs
  }

  get state(): BreakerState {
    return this.#state
  }

  /** Milliseconds to wait, or 0 if the call may pass. If the breaker is not closed, that call is then the probe. */
  enter(): number {
    if (this.#state === 'closed') return 0
    const left = this.#openedAt + this.#openMs - performance.now()
    if (this.#state === 'open' && left > 0) return Math.ceil(left)
    // Another call is the probe already.
    if (this.#probing) return Math.max(1, Math.min(1000, this.#openMs))
    this.#state = 'half-open'
    this.#probing = true
    return 0
  }

  /** Unless the breaker is closed only the probe counts: other calls began before it opened. */
  succeeded(isProbe: boolean): void {
    if (isProbe) this.#state = 'closed'
    if (this.#state === 'closed') this.#count = 0
    this.undecided(isProbe)
  }

  failed(isProbe: boolean): void {
    if (isProbe || (this.#state === 'closed' && ++this.#count >= this.#failures)) {
      this.#state = 'open'
      this.#openedAt = performance.now()
    }
    this.undecided(isProbe)
  }

  /** The call says nothing about the health of the tool: cancelled, asked for input, refused by a later gate, or repeated. */
  undecided(isProbe: boolean): void {
    if (isProbe) this.#probing = false
  }
}

/**
 * Errors that show that a tool, or what it depends on, is unhealthy. An error that the tool declares is an ordinary answer.
 * An upstream that is away has its own breaker; counting its UnavailableError here too would block callers long after it is back.
 */
const UNHEALTHY = errorTypesWhere('unhealthy')

export const breaker: Gate = (tool, next, pipeline) => {
  const name = `${tool.name} ${tool.version}`
  const { failures = FAILURES, open_ms = OPEN_MS } = pipeline.policy.breaker ?? {}
  const state = pipeline.breakers.get(name) ?? new Breaker(failures, open_ms)
  pipeline.breakers.set(name, state)
  const count = (call: Call, ended: CallEnd, isProbe: boolean): CallEnd => {
    if (!call.started || !(ended instanceof Outcome)) state.undecided(isProbe)
    else if (ended.error === null || ended.status !== 'failure') state.succeeded(isProbe)
    else if (tool.origin === 'upstream' && ended.error.error_type === 'UnavailableError') state.undecided(isProbe)
    else if (UNHEALTHY.has(ended.error.error_type) && !tool.errorTypes.has(ended.error.error_type))
      state.failed(isProbe)
    else if (ended.error.error_type === 'CancelledError') state.undecided(isProbe)
    else state.succeeded(isProbe)
    return ended
  }
  const threw = (thrown: unknown, isProbe: boolean): never => {
    state.failed(isProbe)
    throw thrown
  }
  const ended = (call: Call, end: CallEnd) => count(call, end, false)
  const failed = (_call: Call, thrown: unknown) => threw(thrown, false)
  const probeEnded = (call: Call, end: CallEnd) => count(call, end, true)
  const probeFailed = (_call: Call, thrown: unknown) => threw(thrown, true)
  return (call) => {
    if (state.state === 'closed') return proceed(call, next, ended, failed)
    const waitMs = state.enter()
    return waitMs > 0 ? isOpen(call, waitMs) : proceed(call, next, probeEnded, probeFailed)
  }
}

const isOpen = ({ tool }: Call, waitMs: number): Outcome =>
  refusal('UnavailableError', `${tool.name} keeps failing, so calls to it are paused. Try again in ${waitMs} ms.`, {
    breaker: 'open',
    retry_after_ms: waitMs,
  })
