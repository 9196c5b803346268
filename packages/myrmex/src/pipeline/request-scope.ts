/**
 * What a request offers to the tool, prompt or resource that serves it: a signal, progress, log, questions to the client.
 * Parts that few of them use are created on first use.
 */
import type { InputRequest, InputResponse, LogLevel } from '../protocol/content.ts'
import type { ToolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import type {
  AskOptions,
  CallState,
  ClientDescription,
  Principal,
  RequestContext,
  RequestInfo,
} from '../tool/context.ts'
import type { Caller } from './caller.ts'
import type { Deadline } from './gates/deadline.ts'

const NOTHING: Params = Object.freeze({})

/** The part of an AbortSignal that is needed to learn of an interruption. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: StopListener): void
  removeEventListener(type: 'abort', listener: StopListener): void
}

export interface StopListener {
  handleEvent(): void
}

/** It is its own StopSignal, because an AbortController costs more than the rest of a scope. */
export class RequestScope implements RequestContext, StopSignal {
  readonly caller: Caller
  /** the request's `_meta` */
  readonly meta: Params
  deadline: Deadline | undefined = undefined
  /** why the request was stopped from outside, once it was */
  interrupted: ToolError | undefined = undefined
  onInterrupt: ((why: ToolError) => void) | undefined = undefined
  #state: CallState | undefined = undefined
  #abort: AbortController | undefined = undefined
  #listeners: StopListener[] | undefined = undefined
  /** the largest value that was reported, and the last one that was sent: parts have values between those of reports */
  #reported: number | undefined = undefined
  #sent: number | undefined = undefined

  constructor(caller: Caller, meta: Params | undefined) {
    this.caller = caller
    this.meta = meta ?? NOTHING
  }

  get principal(): Principal {
    return this.caller.principal
  }

  get client(): ClientDescription {
    return this.caller.client
  }

  get request(): RequestInfo | undefined {
    return this.caller.request
  }

  get state(): CallState {
    this.#state ??= {}
    return this.#state
  }

  get carried(): JsonObject | undefined {
    return this.caller.carried
  }

  get level(): LogLevel | undefined {
    return this.caller.level
  }

  /** Identifies the client's connection. Compare it by identity only: a principal may have several clients. */
  get session(): object {
    return this.caller.connection ?? this.caller
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.interrupted !== undefined) this.#abort.abort(this.interrupted)
    }
    return this.#abort.signal
  }

  get aborted(): boolean {
    return this.interrupted !== undefined
  }

  get reason(): unknown {
    return this.interrupted
  }

  addEventListener(_type: 'abort', listener: StopListener): void {
    if (this.#listeners === undefined) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: StopListener): void {
    const listeners = this.#listeners
    if (listeners?.length === 1 && listeners[0] === listener) this.#listeners = undefined
    else if (listeners !== undefined) this.#listeners = listeners.filter((one) => one !== listener)
  }

  /** Interrupts the request: its deadline passed, or its caller disconnected or cancelled. */
  interrupt(why: ToolError): void {
    if (this.interrupted !== undefined) return
    this.interrupted = why
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    this.#abort?.abort(why)
    for (const listener of listeners) listener.handleEvent()
    this.onInterrupt?.(why)
  }

  progress(progress: number, total?: number, message?: string): void {
    if (!Number.isFinite(progress) || (this.#reported !== undefined && progress <= this.#reported)) return
    this.#reported = progress
    const sent = this.#sent
    const value = sent === undefined || progress > sent ? progress : nextAfter(sent)
    this.#notify(value, { ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
  }

  /** Keeps the client waiting, without a step forward: what the tool reports later is still more. */
  stillWaiting(message: string): void {
    this.#notify(this.#sent === undefined ? 0 : nextAfter(this.#sent), { message })
  }

  emit(part: JsonObject): void {
    this.#step({ [META.partial]: part })
  }

  #step(_meta: JsonObject): void {
    this.#notify(this.#sent === undefined ? 0 : nextAfter(this.#sent), { _meta })
  }

  #notify(progress: number, rest: Params): void {
    this.#sent = progress
    this.deadline?.extend()
    const token = this.meta[META.progressToken]
    // The client did not ask for progress, or the request has ended.
    if (token === undefined || this.interrupted !== undefined) return
    this.caller.notify('notifications/progress', { progressToken: token, progress, ...rest })
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.caller.log(level, data, logger)
  }

  /** The deadline is paused while a person answers. */
  async ask<Keys extends string>(
    requests: Record<Keys, InputRequest>,
    { carried }: AskOptions = {},
  ): Promise<Record<Keys, InputResponse>> {
    const answers = this.caller.ask(this, requests, carried)
    if (!(answers instanceof Promise)) return answers as Record<Keys, InputResponse>
    this.deadline?.pause()
    try {
      return (await answers) as Record<Keys, InputResponse>
    } finally {
      this.deadline?.resume()
    }
  }

  disconnect(): void {
    // A host in front of this server may have a stream.
    if (!this.caller.disconnect()) this.#step({ [META.disconnect]: true })
  }
}

/** Small beside the steps of any report, and large enough to count for clients that show a few digits. */
const SMALLEST_STEP = 1e-9

/**
 * The protocol requires that progress increases with every notification. A part reports no progress, so it gets a value just above the
 * last one: the next report is still larger.
 */
const nextAfter = (value: number): number =>
  Math.min(value + Math.max(SMALLEST_STEP, Math.abs(value) * Number.EPSILON), Number.MAX_VALUE)
