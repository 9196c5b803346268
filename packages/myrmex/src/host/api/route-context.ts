/** What the routes work with. */
import type { Decider } from '../../ledger/journal/decision.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Server } from '../../server/server.ts'
import type { Host } from '../host.ts'
import type { HostLogs } from '../logs/host-logs.ts'
import type { OperatorSessions } from './operator-session.ts'
import type { SessionChallenges } from './session-challenge.ts'

/** The part of the host that the API uses. */
export type ApiHost = Pick<
  Host,
  | 'servers'
  | 'status'
  | 'serverNames'
  | 'problems'
  | 'onChange'
  | 'refresh'
  | 'restart'
  | 'stop'
  | 'start'
  | 'reload'
  | 'signIns'
  | 'notifier'
>

export interface RouteContext {
  readonly server: Server
  readonly ledger: Ledger
  /** default: no servers behind this one */
  readonly host?: ApiHost
  /** default: no log files */
  readonly logs?: HostLogs
  /** myrmex.json of the host, which the API edits; default: none */
  readonly configFile?: string
  /** Runs edits of files one after the other, so that each reads what the one before it has written. */
  readonly edit: <T>(work: () => Promise<T>) => Promise<T>
  /** recorded with the decisions of a request; with the operator's key if its session has it */
  readonly decidedBy: (request: Request) => Decider
  /** Returns a check whether the session of a request is still open, for responses that outlive it. */
  readonly mayRead: (request: Request) => () => boolean
  readonly sessions: OperatorSessions
  readonly challenges: SessionChallenges
  /** what users' clients connect to; undefined: nobody signs in here */
  readonly signInUrl?: string | undefined
  /** milliseconds since the epoch */
  readonly startedAt: number
}
