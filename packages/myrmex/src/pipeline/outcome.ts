/** How a call ends: with a result, with questions that the client must answer first, or as a failed request. */
import type { ContentBlock, InputRequests, InputResponses } from '../protocol/content.ts'
import type { ErrorDetail, Status, ToolResult } from '../protocol/envelope.ts'
import { CODE, type ErrorType, RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { toJson } from '../protocol/serialise.ts'

export class Outcome {
  readonly status: Status
  readonly data: Record<string, unknown> | null
  readonly error: ErrorDetail | null
  readonly explanation: string | null
  /** content blocks of the tool; null: the data is rendered as text */
  readonly content: ContentBlock[] | null
  /** the whole result of another server, forwarded unchanged */
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
    // An output schema may allow that there is no data at all.
    this.data = data ?? null
    this.error = error
    this.explanation = explanation
    this.content = content
    this.forwarded = passed
  }

  /** The data as JSON, written once for both the audit and the wire. */
  get text(): string {
    this.#text ??= JSON.stringify(this.data)
    return this.#text
  }

  toResult(): ToolResult {
    return { status: this.status, data: this.data, error: this.error, explanation: this.explanation }
  }
}

/** Thrown when answers are needed that only the client's next request can bring. The pipeline returns it as the end of this round. */
export class InputRequired {
  readonly requests: InputRequests
  /** state to be handed back together with the answers */
  readonly carried: JsonObject | undefined
  /** answers to the same question that are known already */
  readonly answered: InputResponses | undefined

  constructor(requests: InputRequests, carried?: JsonObject, answered?: InputResponses) {
    this.requests = requests
    this.carried = carried
    this.answered = answered
  }
}

/** The tool asked, and its client's answers wait for approval: the call comes again, with the same answers. */
export class AnswersWaiting extends Outcome {}

/** The call has not had its effect: it ends this round, and is to come again with answers. */
export const comesAgain = (ended: CallEnd): boolean => ended instanceof InputRequired || ended instanceof AnswersWaiting

/** An RpcError becomes a JSON-RPC error: the request broke the protocol, or the client lacks a capability. */
export type CallEnd = Outcome | InputRequired | RpcError

/** A fault of our own, in a gate or a schema. The caller gets only the call id; the log and the audit have the cause. */
export class Fault extends RpcError {
  constructor(callId: string) {
    super(CODE.internal, `Internal error. The log has the cause under ${callId}.`, { reference: callId })
  }
}

export const failure = (error: ErrorDetail, explanation: string | null = null): Outcome =>
  new Outcome('failure', null, error, explanation, null)

/** A failure with an error type of ours. */
export const refusal = (
  error_type: ErrorType,
  error_message: string,
  error_details: JsonObject | null = null,
): Outcome => failure({ error_type, error_message, error_details })

/** The end of a call that threw. `reference` is the call's id. */
export function fromThrown(thrown: unknown, reference: string, declared?: ReadonlySet<string>): CallEnd {
  if (thrown instanceof InputRequired || thrown instanceof RpcError) return thrown
  return failure(withJsonDetails(toErrorDetail(thrown, reference, declared)))
}

/** A tool may put anything into the details of its error. The caller gets the error all the same, with details that were read once. */
function withJsonDetails(error: ErrorDetail): ErrorDetail {
  const { error_details } = error
  if (error_details === undefined || error_details === null || typeof error_details === 'string') return error
  try {
    const copy = JSON.parse(JSON.stringify(toJson(error_details, { at: ['error_details'] }))) as JsonObject
    return { ...error, error_details: copy }
  } catch (unsent) {
    const why = unsent instanceof ToolError ? unsent.message : 'Reading the details threw an error.'
    return { ...error, error_details: { not_sent: why } }
  }
}

/** Whether its text is for the operator alone: only errors that were made for callers are shown to them. */
export const isHidden = (thrown: unknown): boolean =>
  !(thrown instanceof ToolError || thrown instanceof RpcError || thrown instanceof InputRequired)

/** Real promises only: `run` has converted any other thenable of a tool. */
export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise

/** The error of a call whose caller cancelled it or disconnected. */
export const cancellation = (reason?: string): ToolError =>
  ToolError.of('CancelledError', reason === undefined ? 'The call was cancelled.' : `The call was cancelled: ${reason}`)
