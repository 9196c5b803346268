/** The caller of a tool as the pipeline sees it. The server has an implementation for each way in. */
import type { RecordedClient } from '../ledger/audit/recorded-client.ts'
import type { InputRequests, InputResponses, LogLevel } from '../protocol/content.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { StepBudget } from '../protocol/schema.ts'
import type { ClientDescription, Principal, RequestInfo } from '../tool/context.ts'
import type { Tool } from '../tool/tool.ts'
import type { RequestScope } from './request-scope.ts'
import type { RunContext } from './run-context.ts'

/** The answers of a modern client so far. The tool of the request can get no other answers in this round. */
export interface GivenAnswers {
  /** in the order of the rounds */
  readonly rounds: readonly InputResponses[]
  /** names of fields that the questions mark as secret */
  readonly secrets: readonly string[]
}

export interface Caller {
  /** the name of the transport, for the audit; see transport/transport-name.ts */
  readonly transport: string
  readonly principal: Principal
  readonly client: ClientDescription
  /** made on first use; undefined if the call did not come over HTTP */
  readonly request?: RequestInfo | undefined
  /** for a step of a run; only the run engine sets it */
  readonly runContext?: RunContext
  /** Sends a notification that belongs to the request of this call. */
  notify(method: string, params: Params): void
  log(level: LogLevel, data: unknown, logger?: string): void
  /** Returns the answers, or a promise of them; throws InputRequired if only a new request can bring them. */
  ask(scope: RequestScope, requests: InputRequests, carried?: JsonObject): InputResponses | Promise<InputResponses>
  /** answers that came with the request, of earlier rounds and of this one; undefined if none did */
  readonly givenAnswers?: GivenAnswers | undefined
  /** state that an earlier round of the same request handed over */
  readonly carried?: JsonObject | undefined
  /** the lowest log level that the client wants */
  readonly level?: LogLevel | undefined
  /** the connection that can be asked, identified by this object; the caller itself by default */
  readonly connection?: object
  /** the session of the client, as records show it: not its credential, and undefined if the client has no session */
  readonly sessionId?: string | undefined
  /** what records show of the client; undefined or null: nothing is known. The same object for the calls of a session */
  readonly recordedClient?: RecordedClient | null | undefined
  /** shared by all calls of one message; undefined: each call has its own */
  readonly schemaSteps?: StepBudget | undefined
  /**
   * Whether the program that started this server has decided about this call, with these arguments: it passed the gates there. Never true
   * for a call that a tool makes, and never for a request that did not come from that program.
   */
  handedOver?(tool: Tool): boolean
  /**
   * Tells the transport that the request itself is out of scope: which scope would cover it, and which the caller has. Only
   * `authorise` calls it.
   */
  outOfScope?(missing: string, granted: readonly string[]): void
  /** For calls that are held open: calls `listener` when nobody waits for the answer any more, also if that was before. Returns what forgets it. */
  onGone?(listener: () => void): () => void
  /** nobody waits for the answer at this moment, but somebody may come back for it */
  readonly isAway?: boolean
  /** Ends the stream of the request early; false if there is none. */
  disconnect(): boolean
}
