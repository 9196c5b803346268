/**
 * What revision 2026-07-28 demands of results and the era-neutral schemas of core leave open: `resultType` on all of
 * them (Result), caching hints on some (CacheableResult), questions that parse as the requests they stand for
 * (InputRequiredResult).
 */
import { ResultSchema } from '@modelcontextprotocol/core'
import * as z from 'zod'

const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read'])

export const isModern = (request: { params?: { _meta?: object } }): boolean =>
  request.params?._meta !== undefined && 'io.modelcontextprotocol/protocolVersion' in request.params._meta

const complete = z.looseObject({ resultType: z.literal('complete') })
const cacheable = complete.extend({ ttlMs: z.number().nonnegative(), cacheScope: z.enum(['public', 'private']) })
const asking = z.looseObject({ resultType: z.literal('input_required') })
const created = z.looseObject({ resultType: z.literal('task') })

/** SEP-2663, for which core has no schemas: what each status brings along, and what it must not. */
const head = z.looseObject({
  taskId: z.string(),
  createdAt: z.iso.datetime(),
  lastUpdatedAt: z.iso.datetime(),
  ttlMs: z.int().nullable(),
  pollIntervalMs: z.int().optional(),
  statusMessage: z.string().optional(),
  requestState: z.never().optional(),
})
const none = z.never().optional()
const plain = { result: none, error: none, inputRequests: none }
export const taskSchema: z.ZodType = z.discriminatedUnion('status', [
  head.extend({ ...plain, status: z.enum(['working', 'cancelled']) }),
  head.extend({ ...plain, status: z.literal('input_required'), inputRequests: z.looseObject({}) }),
  head.extend({ ...plain, status: z.literal('completed'), result: z.looseObject({}) }),
  head.extend({ ...plain, status: z.literal('failed'), error: z.looseObject({ code: z.int(), message: z.string() }) }),
])
/** A new task is announced without the fields of its status. `tasks/get` returns those. */
export const createdTaskSchema: z.ZodType = created.and(head.extend({ ...plain, status: z.string() }))

export function modernSchema(method: string): z.ZodType {
  const whole = CACHEABLE.has(method) ? cacheable : complete
  if (method === 'tools/call') return z.union([whole, asking, created])
  return MAY_ASK.has(method) ? z.union([whole, asking]) : whole
}

/** `requests` are the schemas of what may be asked, by method. At least one of the two fields must be there. */
export function inputRequiredSchema(requests: Record<string, z.ZodType>): z.ZodType {
  const question = z.looseObject({ method: z.enum(Object.keys(requests)) }).superRefine((value, ctx) => {
    const parsed = requests[value.method]?.safeParse(value)
    if (parsed?.success === false) ctx.addIssue(z.prettifyError(parsed.error))
  })
  return ResultSchema.extend({
    inputRequests: z.record(z.string(), question).optional(),
    requestState: z.string().optional(),
  }).refine(({ inputRequests, requestState }) => inputRequests !== undefined || requestState !== undefined, {
    error: 'neither inputRequests nor requestState',
  })
}
