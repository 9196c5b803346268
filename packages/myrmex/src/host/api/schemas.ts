/** Shapes that several routes answer with, and what each of them may refuse. */
import { z } from '@hono/zod-openapi'

/** Milliseconds since the epoch. */
export const Timestamp = z
  .number()
  .int()
  .openapi({ description: 'Milliseconds since the epoch.', example: 1790000000000 })

export const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi({ description: 'SHA-256 over all that a caller can see of a tool.' })

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
  400: refusing('What was sent is malformed; error_details names the fields.'),
  401: refusing("The operator's token is missing or wrong."),
  403: refusing('It may not be done, or the request came from a page of somebody else.'),
  404: refusing('There is none.'),
  409: refusing('It is no longer as whoever asks believes: look again.'),
  415: refusing('The body is not application/json.'),
  429: refusing('Too many wrong tokens, or too many streams.'),
  502: refusing('The server behind could not be spoken to.'),
  503: refusing('What is needed is down.'),
} as const

/** Every route refuses without a token; the rest is each route's own. */
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
