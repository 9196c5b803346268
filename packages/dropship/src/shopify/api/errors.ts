/** Shopify's failures as errors of the catalogue. None of them ever contains the token. */

import { ToolError } from 'myrmex'
import { clip } from 'myrmex/text'

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
const clipped = (text: string): string => clip(text, LONGEST)

/** Shopify rejected a mutation. The message starts with the field it names. */
export function refusedError(what: string, errors: readonly UserError[]): ToolError {
  const [first] = errors
  const field = first?.field?.join('.') ?? 'the request'
  return new ToolError('ValidationError', `Shopify rejected ${what}: ${field}: ${clipped(first?.message ?? '')}`, {
    fields: errors.slice(0, 10).map((one) => ({
      field: one.field?.join('.') ?? null,
      message: clipped(one.message),
      code: one.code ?? null,
    })),
  })
}

/** An error for an HTTP status that only a person can resolve; undefined if a retry may help. */
export function errorForStatus(status: number): ToolError | undefined {
  switch (status) {
    case 401:
      return new ToolError(
        'AuthenticationError',
        'Shopify does not accept the token in SHOPIFY_ADMIN_TOKEN. Check that the app is installed in this shop and that the token is its newest.',
      )
    case 403:
      return new ToolError(
        'PermissionError',
        'The Shopify app lacks a permission. Give it the access scopes for products, inventory, orders and fulfillments.',
      )
    case 402:
    case 423:
      return new ToolError('UnavailableError', `Shopify has frozen or locked the shop (HTTP ${status}).`)
    case 404:
      return new ToolError(
        'UnavailableError',
        'There is no Admin API at that address. Check SHOPIFY_STORE and SHOPIFY_API_VERSION.',
      )
    default:
      return status >= 400 && status < 500 && status !== 429 && status !== 408
        ? new ToolError('ToolExecutionError', `Shopify returned HTTP ${status}.`)
        : undefined
  }
}

/** An error for a GraphQL fault that a retry cannot resolve. */
export function errorForFault({ message, extensions }: GraphQLFault): ToolError {
  if (extensions?.code === 'ACCESS_DENIED')
    return new ToolError('PermissionError', `The Shopify app lacks a permission: ${clipped(message)}`)
  return new ToolError('ToolExecutionError', `Shopify could not process the request: ${clipped(message)}`, {
    code: extensions?.code ?? null,
  })
}

const UNKNOWN = 'unknown'

export const unreachableError = (why: string, wait: number): ToolError =>
  new ToolError('UnavailableError', `Shopify cannot be reached: ${why}. Try again later.`, {
    retry_after_ms: Math.ceil(wait),
  })

/** The change may or may not have happened. A repeated call with the same key checks first. */
export const unknownOutcomeError = (why: string): ToolError =>
  new ToolError(
    'UnavailableError',
    `The response to a change was lost (${why}), so the change may have happened. Call again with the same idempotency key, which checks before changing anything.`,
    { outcome: UNKNOWN, retry_after_ms: 1000 },
  )

export const isUnknownOutcome = (thrown: unknown): boolean =>
  thrown instanceof ToolError && typeof thrown.error_details === 'object' && thrown.error_details?.outcome === UNKNOWN
