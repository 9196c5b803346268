/** The contexts of tools, prompts and resources, and the principal and client of a request. */
import type { InputRequest, InputResponse, InputResponses, LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import type { JsonObject } from '../protocol/json.ts'

/** On whose behalf a call runs. */
export interface Principal {
  readonly id: string
  readonly kind: 'local' | 'bearer' | 'agent'
  /** the tools it may call, as `module.tool`, `module.*` or `*`; undefined: all of them */
  readonly scopes?: readonly string[]
}

export const LOCAL: Principal = Object.freeze({ id: 'local', kind: 'local' })

/** The client behind a call, as it described itself. Nothing in it is proven. */
export interface ClientDescription {
  readonly info: { readonly name: string; readonly version: string } | undefined
  readonly capabilities: JsonObject
}

/** The standard context object of the specification: the larger piece of work that this call belongs to. */
export interface WorkContext {
  run?: string
  step?: string
  agent?: string
  goal?: string
  budget?: number
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

  /** Reports progress and restarts the deadline. Values that do not grow are dropped. */
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
  /** Runs a tool through the pipeline, as the same principal. */
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
  /** Sends a part of the result ahead of it. */
  emit(part: JsonObject): void
}
