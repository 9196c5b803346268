/**
 * The error catalogue: every code and every error_type Myrmex can answer with, and the one place where anything
 * thrown becomes an ErrorDetail. Nothing else in the code base invents a code or a type.
 */
import type { ErrorDetail } from './envelope.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** JSON-RPC and MCP codes. Vendor codes would stay outside -32768..-32000; we need none. */
export const CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** legacy era only; the modern era says invalidParams */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** What each error_type means and what its reader does about it. The docs print this table. */
export const ERROR_TYPES = {
  ValidationError: 'A call or a request is malformed: fields missing, of the wrong type, or unknown.',
  ToolNotFoundError: 'No tool of that name. The nearest names come with the error.',
  ResourceNotFound: 'No resource of that URI.',
  FileNotFoundError: 'A file that the call needs does not exist.',
  SchemaError: 'The arguments break the input schema of the tool. Every field is listed with its constraint.',
  SerializationError: 'The tool returned something JSON cannot hold. The place is named.',
  PermissionError: 'Not trusted, not approved, out of scope or over budget. Says which, and what to do.',
  AuthenticationError: 'No credentials, or bad ones.',
  ApiLimitExceeded: 'Too many calls. Try again after retry_after_ms.',
  UnavailableError: 'What the call needs is down. Try again after retry_after_ms.',
  TimeoutError: 'The deadline passed; the tool was told to stop.',
  CancelledError: 'The caller cancelled the call; the tool was told to stop.',
  ToolExecutionError: 'The tool failed, or its output breaks its output schema.',
  TransportError: 'The connection was refused, reset, or the peer spoke no MCP.',
  RegistrationError: 'A tool definition was refused: bad name, missing schema, or another definition under its name.',
} as const

/** An error with an error_type, meant to be read by the caller. Tools throw it; so does everything of ours. */
export class ToolError extends Error {
  readonly error_type: string
  readonly error_details: JsonObject | string | null

  constructor(error_type: string, message: string, details: JsonObject | string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.name = error_type
    this.error_type = error_type
    this.error_details = details
  }
}

/** A request that fails as a whole: answered with a JSON-RPC error instead of a result. */
export class RpcError extends Error {
  readonly code: number
  readonly data: Json | undefined

  constructor(code: number, message: string, data?: Json) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string, data?: JsonObject): RpcError =>
  new RpcError(CODE.invalidParams, message, { error_type: 'ValidationError', ...data })

/** The modern request metadata is missing or malformed: the whole request is, so HTTP answers 400. */
export const invalidMeta = (message: string): RpcError => invalidParams(message, { field: '_meta' })

/** The client lacks a capability that this request cannot do without. */
export const missingCapability = (what: string, requiredCapabilities: JsonObject): RpcError =>
  new RpcError(CODE.missingCapability, `Missing required client capability: ${what}`, { requiredCapabilities })

export function resourceNotFound(uri: string, modern: boolean): RpcError {
  const code = modern ? CODE.invalidParams : CODE.resourceNotFound
  return new RpcError(code, `Resource not found: ${uri}`, { error_type: 'ResourceNotFound', uri })
}

/** `why` is said instead of a guess, where it is known. */
export function toolNotFound(name: string, nearest: readonly string[], why?: string): RpcError {
  const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : ''
  const hint = why === undefined ? guess : ` ${why}`
  return new RpcError(CODE.invalidParams, `Unknown tool: ${name}.${hint}`, {
    error_type: 'ToolNotFoundError',
    name,
    nearest: [...nearest],
  })
}

/**
 * Turns anything thrown into an ErrorDetail. Only a ToolError speaks to the caller; whatever else was thrown may
 * carry paths, secrets or a stack, so the caller gets a reference to look it up by and nothing of its text.
 * `declared` are the error types the tool may use as its own.
 */
export function toErrorDetail(thrown: unknown, reference: string, declared?: ReadonlySet<string>): ErrorDetail {
  if (thrown instanceof ToolError) {
    const own = declared === undefined || declared.has(thrown.error_type) || thrown.error_type in ERROR_TYPES
    return {
      error_type: own ? thrown.error_type : 'ToolExecutionError',
      error_message: thrown.message,
      error_details: thrown.error_details,
    }
  }
  if (thrown instanceof RpcError) {
    const type = isObject(thrown.data) ? thrown.data.error_type : undefined
    return {
      error_type: typeof type === 'string' ? type : 'ToolExecutionError',
      error_message: thrown.message,
      error_details: isObject(thrown.data) ? (thrown.data as JsonObject) : null,
    }
  }
  return {
    error_type: 'ToolExecutionError',
    error_message: `The tool failed in a way it did not declare. The log has the cause under call ${reference}.`,
    error_details: { call_id: reference },
  }
}
