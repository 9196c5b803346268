/**
 * The envelopes of the specification: ToolCall, ToolResult, ErrorDetail. The Zod schemas judge every one that comes from outside, and
 * have the rules between fields. Their JSON Schemas are in envelope-schemas.ts, their text form in envelope-text.ts.
 */
import * as z from 'zod'
import { type JsonObject, PROTO, pathToInfinite, pathToProto } from './json.ts'

export const TOOL_NAME_PATTERN = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/

export const STATUSES = ['success', 'failure', 'no_change_needed', 'partial_success'] as const
export type Status = (typeof STATUSES)[number]

/** Any object, as it is. It may have a member named `__proto__`, which Zod leaves out of its copy, so its users look for that. */
export const anyObject = z.looseObject({})

export const NOT_PROTO = `must have another name than ${PROTO}`
export const NOT_INFINITE = 'must be a number that JSON can hold, of at most 1.8e308'

/** An object without what its copy, or its text, would not have: a member named `__proto__`, and a number out of range. */
const jsonObject = z.preprocess((value, ctx) => {
  const proto = pathToProto(value)
  const infinite = pathToInfinite(value)
  if (proto !== undefined) ctx.addIssue({ code: 'custom', path: proto, message: NOT_PROTO })
  if (infinite !== undefined) ctx.addIssue({ code: 'custom', path: infinite, message: NOT_INFINITE })
  return value
}, anyObject) as unknown as z.ZodType<JsonObject, Record<string, unknown>>

export const ToolCallSchema = z.strictObject({
  tool_name: z.string().regex(TOOL_NAME_PATTERN),
  arguments: jsonObject,
})

export const ErrorDetailSchema = z.looseObject({
  error_type: z.string(),
  error_message: z.string(),
  error_details: z.union([jsonObject, z.string(), z.null()]).default(null),
})

/** Fields that are left out are null in what it returns. */
export const ToolResultSchema = z
  .looseObject({
    status: z.enum(STATUSES),
    data: jsonObject.nullable().default(null),
    error: ErrorDetailSchema.nullable().default(null),
    explanation: z.string().nullable().default(null),
  })
  .superRefine((result, ctx) => {
    const hasError = result.error !== null
    const hasData = result.data !== null
    const reject = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
    if (result.status === 'failure' && !hasError) reject('error', 'is required: a failure has an error')
    if (result.status === 'failure' && hasData) reject('data', 'must be null or left out: a failure has no data')
    if (result.status === 'success' && hasError) reject('error', 'must be null or left out: a success has no error')
  })

export interface ToolCall {
  tool_name: string
  arguments: Record<string, unknown>
}

export interface ErrorDetail {
  error_type: string
  error_message: string
  error_details: JsonObject | string | null
}

export interface ToolResult<Data = Record<string, unknown>> {
  status: Status
  data: Data | null
  error: ErrorDetail | null
  explanation: string | null
}
