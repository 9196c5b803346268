/** How the API says no: an HTTP status, and what happened as an ErrorDetail. */
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'

/** A ToolError whose status does not follow from its type. */
export class ApiError extends ToolError {
  readonly status: number

  constructor(status: number, error_type: string, message: string, details: JsonObject | null = null) {
    super(error_type, message, details)
    this.status = status
  }
}

const STATUS: Readonly<Record<string, number>> = {
  ValidationError: 400,
  SchemaError: 400,
  AuthenticationError: 401,
  PermissionError: 403,
  ToolNotFoundError: 404,
  ResourceNotFound: 404,
  ApiLimitExceeded: 429,
  TransportError: 502,
  UnavailableError: 503,
  TimeoutError: 504,
}

export const httpStatusOf = (error: ToolError): number =>
  error instanceof ApiError ? error.status : (STATUS[error.error_type] ?? 500)

export const errorDetailOf = ({ error_type, message, error_details }: ToolError): ErrorDetail => ({
  error_type,
  error_message: message,
  error_details,
})

/** It is there, but not as whoever asks believes. */
export const conflict = (message: string, details: JsonObject | null = null): ApiError =>
  new ApiError(409, 'ValidationError', message, details)

export const notFound = (message: string): ApiError => new ApiError(404, 'ResourceNotFound', message)
