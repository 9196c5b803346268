/** Whoever made a call, as the pipeline sees it. The server has one implementation for each way in. */
import type { InputRequests, InputResponses, LogLevel } from '../protocol/content.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { ClientDescription, Principal } from '../tool/context.ts'
import type { RequestScope } from './request-scope.ts'
import type { RunContext } from './run-context.ts'

export type TransportName = 'direct' | 'stdio' | 'http'

export interface Caller {
  readonly transport: TransportName
  readonly principal: Principal
  readonly client: ClientDescription
  /** what the run gives it, where the call is a step of one; set by the run engine alone */
  readonly runContext?: RunContext
  /** A notification that belongs to the request behind this call. */
  notify(method: string, params: Params): void
  log(level: LogLevel, data: unknown, logger?: string): void
  /** The answers if they are at hand, a promise of them, or InputRequired thrown where only a new request brings them. */
  ask(scope: RequestScope, requests: InputRequests, carried?: JsonObject): InputResponses | Promise<InputResponses>
  /** what an earlier round of the same request carried over */
  readonly carried?: JsonObject | undefined
  /** the lowest level of log that is heard */
  readonly level?: LogLevel | undefined
  /** what tells connections apart; the principal unless told */
  readonly connection?: unknown
  /** Lets go of the stream behind the request; false where there is none to let go of. */
  disconnect(): boolean
}
