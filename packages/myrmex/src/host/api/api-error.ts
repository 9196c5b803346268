/** Errors of the API, and the one place that turns a thrown error into a response. */
import { type ErrorType, httpStatusOf, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'

/** A ToolError with an HTTP status of its own. */
export class ApiError extends ToolError {
  readonly status: number
  readonly headers: Record<string, string> | undefined

  constructor(
    status: number,
    error_type: ErrorType,
    message: string,
    { details = null, headers }: { details?: JsonObject | null; headers?: Record<string, string> } = {},
  ) {
    super(error_type, message, details)
    this.status = status
    this.headers = headers
  }
}

/** `fault` logs an internal error and returns the reference for the response. */
export function errorResponse(thrown: unknown, fault: (thrown: unknown) => string): Response {
  if (!(thrown instanceof ToolError)) return errorResponse(internalError(fault(thrown)), fault)
  const { error_type, message, error_details } = thrown
  const { status, headers } =
    thrown instanceof ApiError ? thrown : { status: httpStatusOf(error_type) ?? 500, headers: undefined }
  return Response.json({ error_type, error_message: message, error_details }, { status, headers })
}

const internalError = (reference: string): ToolError =>
  ToolError.of(
    'InternalError',
    `The request failed because of an error in Myrmex. The log of the host has the cause under ${reference}.`,
    {
      reference,
    },
  )

/** The item exists, but changed since the operator looked at it. */
export const conflict = (message: string, details: JsonObject | null = null): ApiError =>
  new ApiError(409, 'ValidationError', message, { details })

export const notFound = (message: string): ApiError => new ApiError(404, 'ResourceNotFound', message)
