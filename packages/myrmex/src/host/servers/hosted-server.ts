/** One server of the host: behind a link, or loaded into this process. */
import type { UpstreamState, UpstreamStatus } from '../upstream/status.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { HostProblem } from './host-problem.ts'

export type HostedServerStatus = Omit<UpstreamStatus, 'where' | 'state'> & {
  readonly where: UpstreamStatus['where'] | 'in-process'
  readonly state: UpstreamState | 'failed'
}

export interface HostedServer {
  readonly name: string
  /** of its settings, to detect changes */
  readonly settingsDigest: string
  /** undefined for a module in this process */
  readonly upstream: Upstream | undefined
  readonly problems: readonly HostProblem[]
  /** for the model; undefined if there are none or the settings hide them */
  readonly instructions: string | undefined
  status(): HostedServerStatus
  /** Never rejects: errors are reported in `problems`. */
  start(): Promise<void>
  refresh(): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>
  /** Unregisters everything and ends the server. */
  close(): Promise<void>
}
