/** The status of an upstream, for the operator. It contains no secrets. */
import type { BreakerState } from '../../pipeline/gates/break.ts'
import type { ChildEndpoint, UrlEndpoint } from '../settings.ts'

/**
 * `idle`: not running; the next call starts it. `waiting`: failed; retried after a delay. `cooldown`: failed repeatedly; not retried
 * for a while. `stopped`: by an operator; calls do not start it. `closed`: for good.
 */
export type UpstreamState = 'idle' | 'starting' | 'ready' | 'waiting' | 'cooldown' | 'stopped' | 'closed'

export interface UpstreamStatus {
  readonly name: string
  readonly where: (ChildEndpoint | UrlEndpoint)['where']
  readonly state: UpstreamState
  /** start of the current state, ISO 8601 */
  readonly since: string
  readonly pid: number | null
  readonly era: 'modern' | 'legacy' | null
  /** the protocol version in use */
  readonly protocol: string | null
  readonly server: { readonly name: string; readonly version: string; readonly title?: string } | null
  /** times the connection was reopened after a failure */
  readonly restarts: number
  readonly last_error: { readonly at: string; readonly error_type: string; readonly message: string } | null
  /** how long callers should wait; 0 if calls are possible now */
  readonly retry_after_ms: number
  readonly breaker: BreakerState
  readonly calls: number
  /** calls that got no answer */
  readonly failures: number
  readonly in_flight: number
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
  readonly subscriptions: number
}
