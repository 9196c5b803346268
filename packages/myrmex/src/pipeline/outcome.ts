/** How a call ends: with a result, with questions the client must answer first, or as a request that failed whole. */
import type { ContentBlock, InputRequests, InputResponses } from '../protocol/content.ts'
import type { ErrorDetail, Status, ToolResult } from '../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'

export class Outcome {
  readonly status: Status
  readonly data: Record<string, unknown> | null
  readonly error: ErrorDetail | null
  readonly explanation: string | null
  /** blocks the tool gave; null: the data is rendered as text */
  readonly content: ContentBlock[] | null
  /** the whole result of another server, which is told on as it is */
  readonly forwarded: JsonObject | null
  #text: string | undefined = undefined

  constructor(
    status: Status,
    data: Record<string, unknown> | null,
    error: ErrorDetail | null,
    explanation: string | null,
    content: ContentBlock[] | null,
    passed: JsonObject | null = null,
  ) {
    this.status = status
    this.data = data
    this.error = error
    this.explanation = explanation
    this.content = content
    this.forwarded = passed
  }

  /** The data as JSON: the audit writes it and so does the wire, and it is made once. */
  get text(): string {
    this.#text ??= JSON.stringify(this.data)
    return this.#text
  }

  toResult(): ToolResult {
    return { status: this.status, data: this.data, error: this.error, explanation: this.explanation }
  }
}

/** Thrown by an asker whose answers are not at hand yet, and returned by the pipeline as the end of this round. */
export class InputRequired {
  readonly requests: InputRequests
  /** what whoever asks wants to know again when the answers come */
  readonly carried: JsonObject | undefined
  /** of the same question, what is known already */
  readonly answered: InputResponses | undefined

  constructor(requests: InputRequests, carried?: JsonObject, answered?: InputResponses) {
    this.requests = requests
    this.carried = carried
    this.answered = answered
  }
}

/** An RpcError is answered as a JSON-RPC error: the protocol was broken, or the client cannot do what is needed. */
export type CallEnd = Outcome | InputRequired | RpcError

export const failure = (error: ErrorDetail, explanation: string | null = null): Outcome =>
  new Outcome('failure', null, error, explanation, null)

/** What anything thrown amounts to. `reference` is the call's id. */
export function fromThrown(thrown: unknown, reference: string, declared?: ReadonlySet<string>): CallEnd {
  if (thrown instanceof InputRequired || thrown instanceof RpcError) return thrown
  return failure(toErrorDetail(thrown, reference, declared))
}

/** Whatever promise-like a tool returns has become a real promise by the time anybody asks this. */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** Why a call stops when its caller says so or goes away. */
export const cancellation = (reason?: string): ToolError =>
  ToolError.of('CancelledError', reason === undefined ? 'The call was cancelled.' : `The call was cancelled: ${reason}`)
