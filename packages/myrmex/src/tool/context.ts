/** The contexts tools, prompts and resources are given, and the people and clients behind a request. */
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

/** The standard context object of the seeds: where in a larger piece of work this call stands. */
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
   * Kept, signed, in the state that a client of the modern era brings back with the answers, and then found in `ctx.carried`. The
   * answers are to this question alone: whoever carries its own state goes on from there and does not start again.
   */
  carried?: JsonObject
}

/** What whoever serves a request is given: tools, prompts and resources alike. */
export interface RequestContext {
  /** aborted when the deadline passes or the caller cancels */
  readonly signal: AbortSignal
  readonly principal: Principal
  readonly client: ClientDescription

  /** Tells the caller how far it is, and pushes the deadline out. Values that do not grow are dropped. */
  progress(progress: number, total?: number, message?: string): void
  log(level: LogLevel, data: unknown, logger?: string): void
  /**
   * Asks the client's user, model or roots. In the modern era a request that asks runs again from its start with the
   * answers at hand, so ask before you act; what only needs asking once belongs in a tool's `ask`.
   */
  ask<Keys extends string>(
    requests: Record<Keys, InputRequest>,
    options?: AskOptions,
  ): Promise<Record<Keys, InputResponse>>
  /** what an earlier round of this request asked to have again; see `ask` */
  readonly carried: JsonObject | undefined
  /** the lowest level of log that the client wants to hear; undefined: none */
  readonly level: LogLevel | undefined
  /** the same for all requests of one connection, or, where there is none, of one principal */
  readonly session: unknown
  /** Lets go of a legacy HTTP stream; the client comes back for the answer. Elsewhere it does nothing. */
  disconnect(): void
}

/** What a method of one's own is given. */
export interface MethodContext extends RequestContext {
  /** Runs a tool through the pipeline, as the same principal. */
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>
}

/** What a tool is given beside its input. */
export interface Context extends MethodContext {
  /** id of this call: in the result, in the audit, in the log */
  readonly id: string
  readonly context: WorkContext
  readonly idempotencyKey: string | undefined
  /** Answers to what the definition's `ask` asked, by key. */
  readonly answers: InputResponses
  /** It will take its time: from now on it is a task, for a client that speaks tasks. For tools with `task: 'later'`. */
  later(): void
  /** Sends a part of the result ahead of it. */
  emit(part: JsonObject): void
}
