/**
 * The error catalogue: every code and every error_type that Myrmex can answer with, and the one place where anything
 * thrown becomes an ErrorDetail. No other file defines a code or a type.
 */
import type { ErrorDetail } from './envelope.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { clip, didYouMean } from './text.ts'

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

/**
 * Every error_type of ours and what the rest of the code base needs to know about it. Lists of error types elsewhere are
 * filters over this table (`errorTypesWhere`), so a new type is added here; docs/protocol.md lists the same types.
 */
interface ErrorEntry {
  /** what it means and what its reader does about it; the docs print this */
  readonly summary: string
  /** the status of an answer of the operator's API; `POST /call` uses it only for what is `notACall` */
  readonly httpStatus: number
  /** the fields of its `error_details`, each with its meaning; a result has those that apply */
  readonly details?: Readonly<Record<string, string>>
  readonly traits?: readonly ErrorTrait[]
}

/**
 * retryable: the same call may succeed later without being changed. unhealthy: it counts against the tool in the circuit
 * breaker. mayHaveEffect: the tool may have taken effect before it failed. common: every tool can fail with it; generated
 * documents list it for each tool. notACall: not understood as a call; `POST /call` answers with `httpStatus` instead of 200.
 */
type ErrorTrait = 'retryable' | 'unhealthy' | 'mayHaveEffect' | 'common' | 'notACall'

const define = <T extends Record<string, ErrorEntry>>(entries: T): { readonly [Type in keyof T]: ErrorEntry } => entries

export const ERROR_CATALOGUE = define({
  ValidationError: {
    summary: 'A call or a request is malformed: fields missing, of the wrong type, or unknown.',
    httpStatus: 400,
    traits: ['notACall'],
  },
  ToolNotFoundError: {
    summary: 'No tool of that name. Names that are near come with the error.',
    httpStatus: 404,
    details: { name: 'The name that was asked for.', nearest: 'Names of tools that are like it.' },
    traits: ['notACall'],
  },
  ResourceNotFound: {
    summary: 'No resource of that URI.',
    httpStatus: 404,
    details: { uri: 'The URI that was asked for.' },
  },
  FileNotFoundError: { summary: 'A file that the call needs does not exist.', httpStatus: 500 },
  SchemaError: {
    summary: 'The arguments break the input schema of the tool. Every field is listed with its constraint.',
    httpStatus: 400,
    details: {
      tool: 'Name of the tool.',
      issues: 'At most 20, each with path (JSON Pointer), constraint, message and value.',
    },
    traits: ['common'],
  },
  SerializationError: {
    summary: 'The arguments or the result have a value that JSON cannot hold. The error names its location.',
    httpStatus: 500,
    details: { path: 'JSON Pointer of the value.', found: 'its kind, such as `a bigint`.' },
    traits: ['unhealthy', 'mayHaveEffect'],
  },
  PermissionError: {
    summary: 'Not trusted, not approved, out of scope or over budget. The message says which, and what to do.',
    httpStatus: 403,
    details: {
      tool: 'Name of the tool, with its version and the hash of its definition, if it is not trusted.',
      level: 'The trust level that the definition has.',
      needs: 'The trust level that the call needs.',
      untrusted: 'The definition that must be trusted first.',
      principal: 'The caller, if a scope is missing.',
      missing_scope: 'The scope that the caller lacks.',
      approval: 'Id of the approval that was requested or refused.',
      status: '"waiting" while nobody has decided.',
      expires_at: 'When the request for approval expires.',
      denied: 'An earlier denial of the same call, with its approval and note.',
      run: 'The run whose budget does not allow the call, with step and cost.',
      article: 'The article of the constitution that forbids the call, with its text, the value found and its bound.',
      switch: 'The switch of the operator that rejects the call: "stop" or "read_only".',
    },
    traits: ['common'],
  },
  AuthenticationError: { summary: 'No credentials, or bad ones.', httpStatus: 401 },
  ApiLimitExceeded: {
    summary: 'Too many calls. Try again after retry_after_ms.',
    httpStatus: 429,
    details: {
      limit: 'The limit that is reached: that of the tool, of the principal or of all calls.',
      retry_after_ms: 'Milliseconds until the next call may succeed.',
    },
    traits: ['retryable', 'common'],
  },
  UnavailableError: {
    summary: 'What the call needs is down. Try again after retry_after_ms.',
    httpStatus: 503,
    details: {
      retry_after_ms: 'Milliseconds until the next call may succeed.',
      breaker: '"open" while calls to the tool are paused.',
      server: 'The upstream server that cannot be reached.',
      missing: 'What the client would have to support.',
      outcome:
        '"unknown" if an earlier call under the same key may have taken effect, with its call_id and started_at.',
    },
    traits: ['retryable', 'unhealthy', 'mayHaveEffect', 'common'],
  },
  TimeoutError: {
    summary: 'The deadline passed. The tool was asked to stop.',
    httpStatus: 504,
    details: { tool: 'Name of the tool.', timeout_ms: 'Its time limit.' },
    traits: ['retryable', 'unhealthy', 'mayHaveEffect', 'common'],
  },
  CancelledError: {
    summary: 'The caller cancelled the call, or the operator stopped all calls. The tool was asked to stop.',
    details: { switch: '"stop" if the operator stopped all calls.' },
    httpStatus: 500,
    traits: ['mayHaveEffect'],
  },
  ToolExecutionError: {
    summary: 'The tool failed, or its output breaks its output schema.',
    httpStatus: 500,
    details: {
      call_id: 'The call under which the log of the server has the cause.',
      tool: 'Name of the tool, if its output breaks its schema.',
      issues: 'What breaks the output schema, each with path and constraint.',
    },
    traits: ['retryable', 'unhealthy', 'mayHaveEffect', 'common'],
  },
  TransportError: {
    summary: 'The connection was refused, reset, or the peer spoke no MCP.',
    httpStatus: 502,
    traits: ['retryable', 'unhealthy', 'mayHaveEffect'],
  },
  InternalError: {
    summary:
      "A fault of the server itself, in audit records and in answers of the operator's API. The caller gets a reference, the record or the log has the cause.",
    httpStatus: 500,
    details: { reference: 'Under what the log has the cause.' },
  },
  ConflictError: {
    summary: 'A file exists already, or somebody else changed it meanwhile. Nothing was written.',
    httpStatus: 409,
  },
  RegistrationError: {
    summary:
      'A definition or an option was refused: bad name, missing schema, unknown option, or another definition under its name.',
    httpStatus: 500,
  },
})

export type ErrorType = keyof typeof ERROR_CATALOGUE

const ENTRIES = Object.entries(ERROR_CATALOGUE) as [ErrorType, ErrorEntry][]

/** The error types of ours that have a trait, in the order of the catalogue. */
export const errorTypesWhere = (trait: ErrorTrait): ReadonlySet<string> =>
  new Set(ENTRIES.filter(([, { traits }]) => traits?.includes(trait)).map(([type]) => type))

/** Undefined for a type that a tool declares as its own. */
export const httpStatusOf = (type: string): number | undefined =>
  Object.hasOwn(ERROR_CATALOGUE, type) ? ERROR_CATALOGUE[type as ErrorType].httpStatus : undefined

export const ERROR_TYPES = Object.fromEntries(ENTRIES.map(([type, { summary }]) => [type, summary])) as {
  readonly [Type in ErrorType]: string
}

/**
 * An error that its caller reads. A tool throws `new ToolError('UnknownSkuError', …)` with a type that it declares.
 * Our own code uses `ToolError.of`, which takes only the types of the catalogue: a misspelled one does not compile.
 */
export class ToolError extends Error {
  readonly error_type: string
  readonly error_details: JsonObject | string | null

  constructor(error_type: string, message: string, details: JsonObject | string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.name = error_type
    this.error_type = error_type
    this.error_details = details
  }

  static of(type: ErrorType, message: string, details?: JsonObject | string | null, options?: ErrorOptions): ToolError {
    return new ToolError(type, message, details, options)
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

/** `why`: the reason, in a sentence, if it is known. */
export function resourceNotFound(uri: string, modern: boolean, why?: string): RpcError {
  const code = modern ? CODE.invalidParams : CODE.resourceNotFound
  const message = `Resource not found: ${uri || EMPTY}`
  return new RpcError(code, why === undefined ? message : `${message}. ${why}`, { error_type: 'ResourceNotFound', uri })
}

/** An empty name in a message. */
export const EMPTY = '(empty)'

/** `why` replaces the guess if the reason is known. */
export function toolNotFound(name: string, nearest: readonly string[], why?: string): RpcError {
  const hint = why === undefined ? didYouMean(nearest) : ` ${why}`
  return new RpcError(CODE.invalidParams, `Unknown tool: ${name || EMPTY}.${hint}`, {
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
    const own =
      declared === undefined || declared.has(thrown.error_type) || Object.hasOwn(ERROR_CATALOGUE, thrown.error_type)
    return {
      error_type: own ? thrown.error_type : 'ToolExecutionError',
      error_message: thrown.message,
      error_details: thrown.error_details,
    }
  }
  if (thrown instanceof RpcError) {
    // A JSON-RPC error has its type among its data. The details do not repeat it.
    const { error_type: type, ...details } = isObject(thrown.data) ? (thrown.data as JsonObject) : {}
    return {
      error_type: typeof type === 'string' ? type : 'ToolExecutionError',
      error_message: thrown.message,
      error_details: Object.keys(details).length > 0 ? details : null,
    }
  }
  return {
    error_type: 'ToolExecutionError',
    error_message: `The tool failed in a way it did not declare. The log has the cause under call ${reference}.`,
    error_details: { call_id: reference },
  }
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const MAX_DESCRIPTION = 2000
const MAX_CAUSES = 5

/** What was thrown, with its causes, in one line: for the operator, never for the caller. */
export function describeThrown(thrown: unknown): string {
  const parts: string[] = []
  try {
    let error = thrown
    do {
      parts.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      error = error instanceof Error ? error.cause : undefined
    } while (error !== undefined && parts.length < MAX_CAUSES)
  } catch {
    // A proxy or a getter that throws.
    parts.push('something that cannot be shown')
  }
  return clip(
    parts
      .join(', caused by ')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    MAX_DESCRIPTION,
  )
}
