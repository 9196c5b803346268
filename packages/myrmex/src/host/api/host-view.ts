/** What the operator's API needs of the host: its servers, what happens to them, and a hand on each. */
import type { Host, ServerStatus } from '../host.ts'

export type HostedServerStatus = ServerStatus

export type HostView = Pick<Host, 'servers' | 'problems' | 'onChange' | 'refresh' | 'restart' | 'stop' | 'start'>
