/** Schemas that several routes share, and the error responses of each route. */
import { z } from '@hono/zod-openapi'

export const Timestamp = z
  .number()
  .int()
  .openapi({ description: 'Milliseconds since the epoch.', example: 1790000000000 })

export const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi({ description: 'SHA-256 over everything a caller can see of a tool.' })

export const TrustLevel = z.enum(['untrusted', 'verified', 'trusted']).openapi('Level')

const ErrorDetail = z
  .object({
    error_type: z.string(),
    error_message: z.string(),
    error_details: z.union([z.record(z.string(), z.unknown()), z.string()]).nullable(),
  })
  .openapi('ErrorDetail')

const refusing = <const D extends string>(description: D) => ({
  description,
  content: { 'application/json': { schema: ErrorDetail } },
})

const REFUSALS = {
  400: refusing('Malformed request; error_details names the fields.'),
  401: refusing("The operator's token is missing or wrong."),
  403: refusing('Not permitted, or the request came from another site.'),
  404: refusing('Not found.'),
  409: refusing('The item has changed: read it again.'),
  415: refusing('The body is not application/json.'),
  429: refusing('Too many wrong tokens, or too many streams.'),
  502: refusing('The upstream server cannot be reached.'),
  503: refusing('Temporarily unavailable.'),
} as const

/** 401 and 429 apply to every route. */
export function errorResponses<Code extends keyof typeof REFUSALS>(
  ...codes: Code[]
): Pick<typeof REFUSALS, Code | 401 | 429> {
  const all = [401, 429, ...codes].map((code) => [code, REFUSALS[code as Code]])
  return Object.fromEntries(all) as Pick<typeof REFUSALS, Code | 401 | 429>
}

export const jsonResponse = <S extends z.ZodType, const D extends string>(schema: S, description: D) => ({
  description,
  content: { 'application/json': { schema } },
})

export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true as const,
  content: { 'application/json': { schema } },
})

const digits = z.string().regex(/^\d{1,9}$/, 'a whole number')

/** A number in a query, within bounds. */
export const limitQuery = (most: number, unless: number) =>
  digits
    .transform(Number)
    .pipe(z.number().int().min(1).max(most))
    .optional()
    .transform((given) => given ?? unless)
    .openapi({ type: 'integer', minimum: 1, maximum: most, default: unless })
