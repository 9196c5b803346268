/** One server of the host: behind a link, or loaded into this process. */
import type { ToolError } from '../../protocol/errors.ts'
import type { Principal } from '../../tool/context.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import type { CloseReason } from '../upstream/status-tracker.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { HostProblem } from './host-problem.ts'

export interface HostedServer {
  readonly name: string
  /** of its settings, to detect changes */
  readonly settingsDigest: string
  /** undefined for a module in this process */
  readonly upstream: Upstream | undefined
  readonly problems: readonly HostProblem[]
  /** for the model; undefined if there are none or the settings hide them */
  readonly instructions: string | undefined
  status(): ServerStatus
  /** Never rejects: errors are reported in `problems`. */
  start(): Promise<void>
  refresh(): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>
  /** Somebody signed in for this caller, '' for all; `needed`: somebody signed out. */
  signInChanged?(principal: string, needed: ToolError | undefined): Promise<void>
  /** `isOver`: whether a caller, as it signed in, has lost its rights. What the server keeps for it ends. */
  endCallers?(isOver: (caller: Principal) => boolean): void
  /** Unregisters everything and ends the server. */
  close(why: CloseReason): Promise<void>
}

/** The status of a server in this process, which has no connection. */
export const inProcessStatus = (
  own: Pick<ServerStatus, 'name' | 'state' | 'since' | 'tools'> & Partial<ServerStatus>,
): ServerStatus => ({
  where: 'in-process',
  pid: process.pid,
  sandbox: null,
  sign_in: null,
  era: null,
  protocol: null,
  server: null,
  restarts: 0,
  last_error: null,
  problem: null,
  retry_after_ms: 0,
  breaker: 'closed',
  calls: 0,
  failures: 0,
  in_flight: 0,
  resources: 0,
  templates: 0,
  prompts: 0,
  subscriptions: 0,
  held_back: { total: 0, reasons: [], command: null, suggestion: null },
  sessions: null,
  ...own,
})
