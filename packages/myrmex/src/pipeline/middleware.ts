/**
 * Middleware: functions of the server's author around every request that has passed the gates up to `trust`, whatever it is for. They see
 * copies that cannot be changed: what a person approves is what runs, and what leaves was checked.
 */
import type { ToolResult } from '../protocol/envelope.ts'
import { ToolError } from '../protocol/errors.ts'
import { deepFreeze } from '../protocol/json.ts'
import { toJson } from '../protocol/serialise.ts'
import type { CallState, ClientDescription, Principal, RequestInfo, WorkContext } from '../tool/context.ts'
import { kindOfName, type RequestKind } from '../tool/request-definition.ts'
import type { Call } from './call.ts'
import type { Outcome } from './outcome.ts'

/** `next` runs the rest of the pipeline and returns its result, failures included. It can be called once, or not at all. */
export type Middleware = (call: MiddlewareCall, next: () => Promise<ToolResult>) => ToolResult | Promise<ToolResult>

/** A copy, so that nothing can be added later. */
export function middlewareOf(use: readonly Middleware[] = []): readonly Middleware[] {
  const list = Array.isArray(use) ? use : [use]
  const wrong = list.findIndex((one) => typeof one !== 'function')
  if (!Array.isArray(use) || wrong !== -1)
    throw ToolError.of('RegistrationError', 'use must be an array of functions (call, next) => result.')
  return Object.freeze([...list])
}

/** A request as middleware sees it. */
export interface MiddlewareCall {
  readonly id: string
  /** what the request is for */
  readonly kind: 'tool' | RequestKind
  /** canonical name of the tool, or the name of the resource, prompt or method in rules and the audit */
  readonly name: string
  readonly version: string
  /** it changes state: a tool that is destructive, or an undo */
  readonly changesState: boolean
  readonly isDryRun: boolean
  /** as the caller sent them, a frozen copy. Of a request that is no call: its method and params */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly principal: Principal
  readonly client: ClientDescription
  readonly transport: string
  readonly context: WorkContext
  readonly idempotencyKey: string | undefined
  /** of a request over HTTP */
  readonly request: RequestInfo | undefined
  /** aborted when the caller cancels */
  readonly signal: AbortSignal
  /** for the tool, which has it as `ctx.state`; writable, stored nowhere */
  readonly state: CallState
}

/** Parts that a middleware does not read cost nothing. */
export class SeenCall implements MiddlewareCall {
  readonly #call: Call
  #arguments: Readonly<Record<string, unknown>> | undefined

  constructor(call: Call) {
    this.#call = call
  }

  get id(): string {
    return this.#call.id
  }

  get kind(): MiddlewareCall['kind'] {
    return kindOfName(this.#call.tool.name)
  }

  get name(): string {
    return this.#call.tool.name
  }

  get version(): string {
    return this.#call.tool.version
  }

  get changesState(): boolean {
    return this.#call.changesState
  }

  get isDryRun(): boolean {
    return this.#call.isDryRun
  }

  get arguments(): Readonly<Record<string, unknown>> {
    this.#arguments ??= deepFreeze(copyOf(this.#call.args ?? {})) as Readonly<Record<string, unknown>>
    return this.#arguments
  }

  get principal(): Principal {
    return this.#call.principal
  }

  get client(): ClientDescription {
    return this.#call.client
  }

  get transport(): string {
    return this.#call.caller.transport
  }

  get context(): WorkContext {
    return deepFreeze(copyOf(this.#call.context)) as WorkContext
  }

  get idempotencyKey(): string | undefined {
    return this.#call.idempotencyKey
  }

  get request(): RequestInfo | undefined {
    return this.#call.request
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  get state(): CallState {
    return this.#call.state
  }
}

/** A result as middleware sees it. Its data is copied when it is read. Own properties, so that it can be spread. */
export function seenResult(outcome: Outcome): ToolResult {
  let data: ToolResult['data'] | undefined
  let error: ToolResult['error'] | undefined
  return Object.freeze({
    status: outcome.status,
    get data() {
      if (outcome.data === null) return null
      data ??= deepFreeze(JSON.parse(outcome.text)) as ToolResult['data']
      return data as ToolResult['data']
    },
    get error() {
      if (outcome.error === null) return null
      error ??= deepFreeze(copyOf(outcome.error)) as ToolResult['error']
      return error as ToolResult['error']
    },
    explanation: outcome.explanation,
  })
}

/** Throws SerializationError for what JSON cannot hold. */
const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(toJson(value)))
