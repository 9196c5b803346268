/**
 * The messages of the specification's grammar, under the names that it gives them. The server reads params with these schemas; `tools/call`
 * does so only if a quick look finds something wrong. Agents have two more: see agent/request-schemas.ts.
 */
import * as z from 'zod'
import { LOG_LEVELS } from './content.ts'
import { invalidParams, type RpcError } from './errors.ts'
import { constraintTexts } from './issue.ts'
import { MAX_ID_LENGTH } from './message-limits.ts'
import { issuesOf } from './zod-issue.ts'

const anyObject = z.looseObject({})
const jsonrpc = z.literal('2.0')
const id = z.union([z.string().max(MAX_ID_LENGTH), z.int()])

/** A request with these params. */
export const requestSchema = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) =>
  z.looseObject({ jsonrpc, id, method: z.literal(method), params })

/** `tools/call`. */
export const TaskRequestSchema = requestSchema(
  'tools/call',
  z.looseObject({ name: z.string(), arguments: anyObject.optional(), _meta: anyObject.optional() }),
)

/** The response to `tools/call`. */
export const TaskResponseSchema = z.looseObject({
  jsonrpc,
  id,
  result: z.looseObject({
    content: z.array(z.looseObject({ type: z.string() })),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
    _meta: anyObject.optional(),
  }),
})

/** `resources/read`. */
export const ResourceRequestSchema = requestSchema(
  'resources/read',
  z.looseObject({ uri: z.string(), _meta: anyObject.optional() }),
)

/** `notifications/message`: a log message of a server. It has no id, because nobody answers. */
export const LogMessageSchema = z.looseObject({
  jsonrpc,
  method: z.literal('notifications/message'),
  params: z.looseObject({
    level: z.enum(LOG_LEVELS),
    data: z.unknown().refine((data) => data !== undefined, { error: 'is required' }),
    logger: z.string().optional(),
    _meta: anyObject.optional(),
  }),
})

/** The error of params that do not fit. It has no value of them, because any may be a secret. Undefined if they fit. */
export function paramsError(schema: z.ZodType, params: unknown, method?: string): RpcError | undefined {
  const issues = issuesOf(schema, params)
  if (issues.length === 0) return undefined
  const named = method === undefined ? '' : `${method}: `
  return invalidParams(`${named}${constraintTexts(issues)}`, {
    issues: issues.map(({ path, constraint }) => ({ path, constraint })),
  })
}

/** The params of a request. Throws the error of those that do not fit. */
export function readParams<T>(schema: z.ZodType<T>, params: unknown, method?: string): T {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  throw paramsError(schema, params, method)
}
