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
  ask<Keys extends string>(requests: Record<Keys, InputRequest>): Promise<Record<Keys, InputResponse>>
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
  /** Sends a part of the result ahead of it. */
  emit(part: JsonObject): void
}
