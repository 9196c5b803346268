/** What the routes work on. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { Server } from '../../server/server.ts'
import type { EventLog } from './events/event-log.ts'
import type { HostView } from './host-view.ts'

export interface RouteContext {
  readonly server: Server
  readonly ledger: Ledger
  readonly host?: HostView
  /** under which name decisions are kept */
  readonly decidedBy: string
  /** milliseconds since the epoch */
  readonly startedAt: number
  readonly events: EventLog
}
