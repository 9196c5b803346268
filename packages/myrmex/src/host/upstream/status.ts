/** How an upstream is, in words an operator reads. Nothing in it is a secret. */
import type { BreakerState } from '../../pipeline/gates/break.ts'
import type { ChildEndpoint, UrlEndpoint } from '../settings.ts'

/**
 * `idle`: not running, the next call starts it. `waiting`: it went down, and is tried again after a while. `left_alone`: it went
 * down again and again, and is not tried for longer. `stopped`: an operator said so; no call starts it. `closed`: for good.
 */
export type UpstreamState = 'idle' | 'starting' | 'ready' | 'waiting' | 'left_alone' | 'stopped' | 'closed'

export interface UpstreamStatus {
  readonly name: string
  readonly where: (ChildEndpoint | UrlEndpoint)['where']
  readonly state: UpstreamState
  /** when it came to be in that state, ISO 8601 */
  readonly since: string
  readonly pid: number | null
  readonly era: 'modern' | 'legacy' | null
  /** the protocol revision that is spoken */
  readonly protocol: string | null
  readonly server: { readonly name: string; readonly version: string; readonly title?: string } | null
  /** times that it was opened again after it had gone down */
  readonly restarts: number
  readonly last_error: { readonly at: string; readonly error_type: string; readonly message: string } | null
  /** how long a caller should wait; 0 where a call may come now */
  readonly retry_after_ms: number
  readonly breaker: BreakerState
  readonly calls: number
  /** of those, the ones that got no answer */
  readonly failures: number
  readonly in_flight: number
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
  readonly subscriptions: number
}
