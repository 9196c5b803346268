/** What an answer told its caller, whichever way it came. */
import type { Response } from './connection.ts'

export interface CallAnswer {
  /** undefined where the way has no room for it */
  readonly callId: string | undefined
  readonly status: string
  readonly errorType: string | undefined
  readonly message: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly data: unknown
}

/** A ToolResult, as `/call` and batches give it. */
export interface Envelope {
  readonly status: string
  readonly data: unknown
  readonly error: {
    readonly error_type: string
    readonly error_message: string
    readonly error_details?: Record<string, unknown> | null
  } | null
}

/** A CallToolResult. */
export interface CallResult {
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta: { readonly 'myrmex/result': { readonly status: string; readonly call_id: string } }
}

export function answerOf(result: CallResult): CallAnswer {
  const { status, call_id } = result._meta['myrmex/result']
  const error = result.isError ? (result.structuredContent as Envelope['error']) : null
  return told(call_id, status, error, error === null ? result.structuredContent : null)
}

export const answerOfEnvelope = ({ status, data, error }: Envelope): CallAnswer => told(undefined, status, error, data)

const told = (callId: string | undefined, status: string, error: Envelope['error'], data: unknown): CallAnswer => ({
  callId,
  status,
  errorType: error?.error_type,
  message: error?.error_message,
  details: error?.error_details ?? {},
  data,
})

/** The result of a response that must have one. */
export function resultOf<T>(response: Response): T {
  if (response.result === undefined) throw new Error(`No result: ${JSON.stringify(response)}`)
  return response.result as T
}

/** Nobody knows whether the first call of this key had its effect. */
export const isUnknown = ({ errorType, details }: CallAnswer): boolean =>
  errorType === 'UnavailableError' && details.outcome === 'unknown'

/** The ledger could not be written or read at that moment: nothing is promised about such a call. */
export const isWithheld = (told: CallAnswer): boolean =>
  told.errorType === 'UnavailableError' && !isUnknown(told) && told.details.breaker === undefined

export const describeAnswer = ({ callId, status, errorType, message, data }: CallAnswer): string =>
  JSON.stringify({ callId, status, errorType, message, data })
