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

const MAX_MESSAGE_LENGTH = 300

/** Shopify rejected a mutation. The message starts with the field it names. */
export function refusedError(what: string, errors: readonly UserError[]): ToolError {
  const [first] = errors
  const field = first?.field?.join('.') ?? 'the request'
  return new ToolError(
    'ValidationError',
    `Shopify rejected ${what}: ${field}: ${clip(first?.message ?? '', MAX_MESSAGE_LENGTH)}`,
    {
      fields: errors.slice(0, 10).map((one) => ({
        field: one.field?.join('.') ?? null,
        message: clip(one.message, MAX_MESSAGE_LENGTH),
        code: one.code ?? null,
      })),
    },
  )
}

/** HTTP statuses that only a person can resolve. */
const FATAL: Readonly<Record<number, readonly [error_type: string, message: string]>> = {
  401: [
    'AuthenticationError',
    'Shopify does not accept the token in SHOPIFY_ADMIN_TOKEN. Check that the app is installed in this shop and that the token is its newest.',
  ],
  402: ['UnavailableError', 'Shopify has frozen or locked the shop (HTTP 402).'],
  403: [
    'PermissionError',
    'The Shopify app lacks a permission. Give it the access scopes for products, inventory, orders and fulfillments.',
  ],
  404: ['UnavailableError', 'There is no Admin API at that address. Check SHOPIFY_STORE and SHOPIFY_API_VERSION.'],
  423: ['UnavailableError', 'Shopify has frozen or locked the shop (HTTP 423).'],
}

/** Undefined: a retry may help. */
export function errorForStatus(status: number): ToolError | undefined {
  const known = FATAL[status]
  if (known !== undefined) return new ToolError(...known)
  if (status < 400 || status >= 500 || status === 429 || status === 408) return undefined
  return new ToolError('ToolExecutionError', `Shopify returned HTTP ${status}.`)
}

/** An error for a GraphQL fault that a retry cannot resolve. */
export function errorForFault({ message, extensions }: GraphQLFault): ToolError {
  if (extensions?.code === 'ACCESS_DENIED')
    return new ToolError('PermissionError', `The Shopify app lacks a permission: ${clip(message, MAX_MESSAGE_LENGTH)}`)
  return new ToolError(
    'ToolExecutionError',
    `Shopify could not process the request: ${clip(message, MAX_MESSAGE_LENGTH)}`,
    {
      code: extensions?.code ?? null,
    },
  )
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
