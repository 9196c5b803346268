/** The contexts of tools, prompts and resources, and the principal and client of a request. */
import type { BudgetInput } from '../protocol/budget.ts'
import type { InputRequest, InputResponse, InputResponses, LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Tool, ToolArguments, ToolData } from './tool.ts'

/** On whose behalf a call runs. */
export interface Principal {
  readonly id: string
  readonly kind: 'local' | 'bearer' | 'agent'
  /** the tools it may call, as `module.tool`, `module.*` or `*`; undefined: all of them */
  readonly scopes?: readonly string[]
  /** the named tool set that it is limited to; undefined: none. It only narrows what the scopes allow */
  readonly profile?: string
  /** what its token, or the server's authenticator, says about it. An approval is bound to the id only */
  readonly claims?: Readonly<Record<string, unknown>>
}

export const LOCAL: Principal = Object.freeze({ id: 'local', kind: 'local' })

/** The client behind a call, as it described itself. Nothing in it is proven. */
export interface ClientDescription {
  readonly info: { readonly name: string; readonly version: string } | undefined
  readonly capabilities: JsonObject
}

/** The HTTP request behind a call. Its headers are the words of the caller, or of a proxy: nothing in them is proven. */
export interface RequestInfo {
  /** names in lower case; without those that carry credentials, such as Authorization and Cookie */
  readonly headers: Readonly<Record<string, string>>
  /** of the connection: that of a proxy, if there is one */
  readonly remoteAddress: string | undefined
}

/**
 * What the server's middleware hands to a tool, prompt or resource. Extend it to give your members types:
 * `declare module 'myrmex' { interface CallState { tenant: string } }`
 */
export interface CallState {
  [key: string]: unknown
}

/** The standard context object of the specification: the larger piece of work that this call belongs to. */
export interface WorkContext {
  run?: string
  step?: string
  agent?: string
  goal?: string
  /** the money that the work may spend, or its limits of money, calls and time */
  budget?: BudgetInput
  locale?: string
  [key: string]: unknown
}

export interface AskOptions {
  /**
   * Signed state that a client of the modern era returns together with the answers; then it is in `ctx.carried`. The answers are
   * to this question alone: code with its own state continues from there and does not start again.
   */
  carried?: JsonObject
}

/** The context of every request: of tools, prompts and resources. */
export interface RequestContext {
  /** aborted when the deadline passes or the caller cancels */
  readonly signal: AbortSignal
  readonly principal: Principal
  readonly client: ClientDescription
  /** the HTTP request of this call; undefined on other transports */
  readonly request: RequestInfo | undefined
  /** what the server's middleware put there for this call */
  readonly state: CallState

  /** Reports progress and restarts the deadline. Values that do not grow are dropped, and so are those that are no finite number. */
  progress(progress: number, total?: number, message?: string): void
  log(level: LogLevel, data: unknown, logger?: string): void
  /**
   * Asks the client's user, model or roots. In the modern era a request that asks runs again from its start with the answers, so
   * ask before you change anything. Questions that do not depend on the run belong in a tool's `ask`.
   */
  ask<Keys extends string>(
    requests: Record<Keys, InputRequest>,
    options?: AskOptions,
  ): Promise<Record<Keys, InputResponse>>
  /** state of an earlier round of this request; see `ask` */
  readonly carried: JsonObject | undefined
  /** the lowest log level that the client wants; undefined: no logs */
  readonly level: LogLevel | undefined
  /** the same for all requests of one connection, or of one principal if there is no connection */
  readonly session: unknown
  /** Ends a legacy HTTP stream early; the client reconnects for the result. Elsewhere it does nothing. */
  disconnect(): void
}

/** The context of a custom method. */
export interface MethodContext extends RequestContext {
  /** Runs a tool through the pipeline, as the same principal. A `Tool` gives its types, and means its version or a compatible one. */
  call<In, Out>(tool: Tool<In, Out>, args: ToolArguments<In>): Promise<ToolResult<ToolData<Out>>>
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>
}

/** What a tool gets beside its input. */
export interface Context extends MethodContext {
  /** id of this call: in the result, in the audit, in the log */
  readonly id: string
  readonly context: WorkContext
  readonly idempotencyKey: string | undefined
  /** Answers to what the definition's `ask` asked, by key. */
  readonly answers: InputResponses
  /** The tool will take long: the call becomes a task if the client supports tasks. For tools with `task: 'later'`. */
  later(): void
  /** Sends a part of the result ahead of it, in order with progress reports, and restarts the deadline. The result does not depend on it. */
  emit(part: JsonObject): void
}
