/** What Shopify answers instead of data, in the words of the error catalogue. None of them ever holds the token. */
import { ToolError } from 'myrmex'

export interface UserError {
  readonly field: readonly string[] | null
  readonly message: string
  readonly code?: string | null
}

export interface GraphQLFault {
  readonly message: string
  readonly extensions?: { readonly code?: string }
}

const LONGEST = 300
const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text)

/** A mutation that Shopify understood and refused: the field it names comes first. */
export function refusedError(what: string, errors: readonly UserError[]): ToolError {
  const [first] = errors
  const field = first?.field?.join('.') ?? 'the request'
  return new ToolError('ValidationError', `Shopify refuses ${what}: ${field}: ${clipped(first?.message ?? '')}`, {
    fields: errors.slice(0, 10).map((one) => ({
      field: one.field?.join('.') ?? null,
      message: clipped(one.message),
      code: one.code ?? null,
    })),
  })
}

/** An HTTP status that nothing but a person can change. */
export function errorForStatus(status: number): ToolError | undefined {
  switch (status) {
    case 401:
      return new ToolError(
        'AuthenticationError',
        'Shopify does not know the token of SHOPIFY_ADMIN_TOKEN. Is the app installed in this shop, and the token its newest?',
      )
    case 403:
      return new ToolError(
        'PermissionError',
        'Shopify forbids this to the app. Give it the access scopes for products, inventory, orders and fulfillments.',
      )
    case 402:
    case 423:
      return new ToolError('UnavailableError', `The shop is frozen or locked at Shopify (HTTP ${status}).`)
    case 404:
      return new ToolError(
        'UnavailableError',
        'There is no Admin API at that address. Check SHOPIFY_STORE and SHOPIFY_API_VERSION.',
      )
    default:
      return status >= 400 && status < 500 && status !== 429 && status !== 408
        ? new ToolError('ToolExecutionError', `Shopify answered HTTP ${status}.`)
        : undefined
  }
}

/** A GraphQL error that would come back every time. */
export function errorForFault({ message, extensions }: GraphQLFault): ToolError {
  if (extensions?.code === 'ACCESS_DENIED')
    return new ToolError('PermissionError', `Shopify forbids this to the app: ${clipped(message)}`)
  return new ToolError('ToolExecutionError', `Shopify could not answer: ${clipped(message)}`, {
    code: extensions?.code ?? null,
  })
}

const UNKNOWN = 'unknown'

export const unreachableError = (why: string, wait: number): ToolError =>
  new ToolError('UnavailableError', `Shopify cannot be reached: ${why}. Try again later.`, {
    retry_after_ms: Math.ceil(wait),
  })

/** Nobody knows whether it happened. Whoever calls again with the same key has it looked up first. */
export const unknownOutcomeError = (why: string): ToolError =>
  new ToolError(
    'UnavailableError',
    `The answer to a change was lost (${why}), so it may have happened. Call again with the same idempotency key: it is looked up before it is done.`,
    { outcome: UNKNOWN, retry_after_ms: 1000 },
  )

export const isUnknownOutcome = (thrown: unknown): boolean =>
  thrown instanceof ToolError && typeof thrown.error_details === 'object' && thrown.error_details?.outcome === UNKNOWN
