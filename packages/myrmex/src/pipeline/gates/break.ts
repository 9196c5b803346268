/**
 * break: a tool that keeps failing is left alone for a while. Closed: calls pass. Open: they are refused at once. Half-open:
 * one call is let through to see; if it succeeds the breaker closes, if not it opens again.
 */
import { errorTypesWhere } from '../../protocol/errors.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, isPromise, Outcome } from '../outcome.ts'

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

  /**
   * Milliseconds to wait, or 0 if the call may pass; where it is not closed, that call is then the probe. The clock is one
   * that nobody sets.
   */
  enter(): number {
    if (this.#state === 'closed') return 0
    const left = this.#openedAt + this.#openMs - performance.now()
    if (this.#state === 'open' && left > 0) return Math.ceil(left)
    // Somebody is finding out already.
    if (this.#probing) return Math.max(1, Math.min(1000, this.#openMs))
    this.#state = 'half-open'
    this.#probing = true
    return 0
  }

  /** Where it is not closed only the probe counts: what began before it opened is old news. */
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

  /** It ended without a word about the tool's health: cancelled, asked something, refused further in, only repeated. */
  undecided(isProbe: boolean): void {
    if (isProbe) this.#probing = false
  }
}

/**
 * What tells that a tool, or what is behind it, is unwell. What a tool declares as its own error is an answer like others. An upstream
 * that is away has a breaker of its own and says when to come again; this one would hold callers back for long after it is there.
 */
const UNHEALTHY = errorTypesWhere('unhealthy')

export const breaker: Gate = (tool, next, pipeline) => {
  const name = `${tool.name} ${tool.version}`
  const { failures = FAILURES, open_ms = OPEN_MS } = pipeline.policy.breaker ?? {}
  let own = pipeline.breakers.get(name)
  if (own === undefined) {
    own = new Breaker(failures, open_ms)
    pipeline.breakers.set(name, own)
  }
  const state = own
  const note = (call: Call, isProbe: boolean, ended: CallEnd): CallEnd => {
    if (!call.started || !(ended instanceof Outcome)) state.undecided(isProbe)
    else if (ended.error === null || ended.status !== 'failure') state.succeeded(isProbe)
    else if (tool.origin === 'upstream' && ended.error.error_type === 'UnavailableError') state.undecided(isProbe)
    else if (UNHEALTHY.has(ended.error.error_type) && !tool.errorTypes.has(ended.error.error_type))
      state.failed(isProbe)
    else if (ended.error.error_type === 'CancelledError') state.undecided(isProbe)
    else state.succeeded(isProbe)
    return ended
  }
  const threw = (isProbe: boolean, thrown: unknown): never => {
    state.failed(isProbe)
    throw thrown
  }
  return (call) => {
    const isProbe = state.state !== 'closed'
    if (isProbe) {
      const wait = state.enter()
      if (wait > 0) return open(call, wait)
    }
    try {
      const ended = next(call)
      if (!isPromise(ended)) return note(call, isProbe, ended)
      return ended.then(
        (value) => note(call, isProbe, value),
        (thrown) => threw(isProbe, thrown),
      )
    } catch (thrown) {
      return threw(isProbe, thrown)
    }
  }
}

const open = ({ tool }: Call, wait: number): Outcome =>
  failure({
    error_type: 'UnavailableError',
    error_message: `${tool.name} has failed again and again and is left alone for now. Try again in ${wait} ms.`,
    error_details: { breaker: 'open', retry_after_ms: wait },
  })
