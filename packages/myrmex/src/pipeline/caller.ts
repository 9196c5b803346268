/** The caller of a tool as the pipeline sees it. The server has an implementation for each way in. */
import type { InputRequests, InputResponses, LogLevel } from '../protocol/content.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { ClientDescription, Principal } from '../tool/context.ts'
import type { RequestScope } from './request-scope.ts'
import type { RunContext } from './run-context.ts'

export interface Caller {
  /** the name of the transport, for the audit; see transport/transport-name.ts */
  readonly transport: string
  readonly principal: Principal
  readonly client: ClientDescription
  /** for a step of a run; only the run engine sets it */
  readonly runContext?: RunContext
  /** Sends a notification that belongs to the request of this call. */
  notify(method: string, params: Params): void
  log(level: LogLevel, data: unknown, logger?: string): void
  /** Returns the answers, or a promise of them; throws InputRequired if only a new request can bring them. */
  ask(scope: RequestScope, requests: InputRequests, carried?: JsonObject): InputResponses | Promise<InputResponses>
  /** state that an earlier round of the same request handed over */
  readonly carried?: JsonObject | undefined
  /** the lowest log level that the client wants */
  readonly level?: LogLevel | undefined
  /** identifies the connection; the principal by default */
  readonly connection?: unknown
  /** Ends the stream of the request early; false if there is none. */
  disconnect(): boolean
}
