/** Schemas that several routes share, and the error responses of each route. */
import { createRoute, type RouteConfig, z } from '@hono/zod-openapi'

export const Timestamp = z
  .number()
  .int()
  .openapi({ description: 'Milliseconds since the epoch.', example: 1790000000000 })

export const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 over everything a caller can see of a tool.')

/** What names one definition of one version of a tool. */
export const definitionFields = { tool: z.string(), version: z.string(), hash: Hash }

export const TrustLevel = z.enum(['untrusted', 'verified', 'trusted']).openapi('Level')

const ErrorDetail = z
  .object({
    error_type: z.string(),
    error_message: z.string(),
    error_details: z.union([z.record(z.string(), z.unknown()), z.string()]).nullable(),
  })
  .openapi('ErrorDetail')

export const jsonResponse = <S extends z.ZodType, const D extends string>(schema: S, description: D) => ({
  description,
  content: { 'application/json': { schema } },
})

/** Of a named schema. `.nullable()` of one allows no null in the OpenAPI document. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()])

const rejection = <const D extends string>(description: D) => jsonResponse(ErrorDetail, description)

const ERRORS = {
  400: rejection('Malformed request; error_details names the fields.'),
  401: rejection("The operator's token is missing or wrong."),
  403: rejection('Not permitted, or the request came from another site.'),
  404: rejection('Not found.'),
  409: rejection('The item has changed: read it again.'),
  413: rejection('The body is too large.'),
  415: rejection('The body is not application/json.'),
  429: rejection('Too many wrong tokens, or too many streams.'),
  500: rejection('A fault of the host; its log has the cause under the reference.'),
  502: rejection('The upstream server cannot be reached.'),
  503: rejection('Temporarily unavailable.'),
} as const

/** What any route can answer: access is checked before all, and every route may read the ledger. */
const ALWAYS = [401, 403, 429, 500, 503] as const
/** What is refused because of its body. */
const POSTED = [400, 413, 415] as const
type Posted<Method> = Method extends 'post' ? (typeof POSTED)[number] : never

export function errorResponses<const Method extends 'get' | 'post', Code extends keyof typeof ERRORS = never>(
  method: Method,
  ...codes: Code[]
): Pick<typeof ERRORS, Code | (typeof ALWAYS)[number] | Posted<Method>> {
  const all = [...ALWAYS, ...(method === 'post' ? POSTED : []), ...codes]
  return Object.fromEntries(all.map((code) => [code, ERRORS[code]])) as ReturnType<typeof errorResponses<Method, Code>>
}

/** Creates routes under one tag of the OpenAPI document. `name` is the operation's id there. */
export const routesOf =
  (tag: string) =>
  <
    const Method extends 'get' | 'post',
    const Path extends string,
    Answer extends ReturnType<typeof jsonResponse>,
    Request extends RouteConfig['request'] = undefined,
    const Code extends keyof typeof ERRORS = never,
  >(
    method: Method,
    path: Path,
    name: string,
    { summary, request, answer, errors = [] }: { summary: string; request?: Request; answer: Answer; errors?: Code[] },
  ) =>
    createRoute({
      method,
      path,
      operationId: name,
      tags: [tag],
      summary,
      request: request as Request,
      responses: { 200: answer, ...errorResponses(method, ...errors) },
    })

export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true as const,
  content: { 'application/json': { schema } },
})

const digits = z.string().regex(/^\d{1,9}$/, 'a whole number')

/** A number in a query, within bounds. */
export const limitQuery = (max: number, fallback: number) =>
  digits
    .transform(Number)
    .pipe(z.number().int().min(1).max(max))
    .optional()
    .transform((given) => given ?? fallback)
    .openapi({ type: 'integer', minimum: 1, maximum: max, default: fallback })
