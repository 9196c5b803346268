/** One server that the host offers, wherever it is: behind a link, or loaded into this process. */
import type { UpstreamState, UpstreamStatus } from '../upstream/status.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { HostProblem } from './host-problem.ts'

export type HostedServerStatus = Omit<UpstreamStatus, 'where' | 'state'> & {
  readonly where: UpstreamStatus['where'] | 'in-process'
  readonly state: UpstreamState | 'failed'
}

export interface HostedServer {
  readonly name: string
  /** of its settings */
  readonly settingsDigest: string
  /** undefined for one in this process */
  readonly upstream: Upstream | undefined
  readonly problems: readonly HostProblem[]
  /** how to use it, in its own words, where its settings let it say so */
  readonly instructions: string | undefined
  status(): HostedServerStatus
  /** Never rejects: what went wrong is in `problems`. */
  start(): Promise<void>
  refresh(): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>
  /** Takes back all that it offers, and ends it. */
  close(): Promise<void>
}
