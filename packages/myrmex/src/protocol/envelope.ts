/**
 * The envelopes of the specification: ToolCall, ToolResult, ErrorDetail. The Zod schemas judge every one that comes from outside, and
 * have the rules between fields. Their JSON Schemas are in envelope-schemas.ts, their text form in envelope-text.ts.
 */
import * as z from 'zod'
import type { JsonObject } from './json.ts'

export const TOOL_NAME_PATTERN = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/

export const STATUSES = ['success', 'failure', 'no_change_needed', 'partial_success'] as const
export type Status = (typeof STATUSES)[number]

const anyObject = z.looseObject({})

export const ToolCallSchema = z.strictObject({
  tool_name: z.string().regex(TOOL_NAME_PATTERN),
  arguments: anyObject,
})

export const ErrorDetailSchema = z.looseObject({
  error_type: z.string(),
  error_message: z.string(),
  error_details: z.union([anyObject, z.string(), z.null()]).optional(),
})

export const ToolResultSchema = z
  .looseObject({
    status: z.enum(STATUSES),
    data: anyObject.nullish(),
    error: ErrorDetailSchema.nullish(),
    explanation: z.string().nullish(),
  })
  .superRefine((result, ctx) => {
    const hasError = result.error !== undefined && result.error !== null
    const hasData = result.data !== undefined && result.data !== null
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
  error_details?: JsonObject | string | null
}

export interface ToolResult<Data = Record<string, unknown>> {
  status: Status
  data: Data | null
  error: ErrorDetail | null
  explanation: string | null
}
