/** How the API says no: an HTTP status, and what happened as an ErrorDetail. */
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { type ErrorType, httpStatusOf as statusOfType, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'

/** A ToolError whose status does not follow from its type. */
export class ApiError extends ToolError {
  readonly status: number

  constructor(status: number, error_type: ErrorType, message: string, details: JsonObject | null = null) {
    super(error_type, message, details)
    this.status = status
  }
}

export const httpStatusOf = (error: ToolError): number =>
  error instanceof ApiError ? error.status : (statusOfType(error.error_type) ?? 500)

export const errorDetailOf = ({ error_type, message, error_details }: ToolError): ErrorDetail => ({
  error_type,
  error_message: message,
  error_details,
})

/** It is there, but not as whoever asks believes. */
export const conflict = (message: string, details: JsonObject | null = null): ApiError =>
  new ApiError(409, 'ValidationError', message, details)

export const notFound = (message: string): ApiError => new ApiError(404, 'ResourceNotFound', message)
