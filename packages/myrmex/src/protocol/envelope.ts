/**
 * The envelopes of the specification: ToolCall, ToolResult, ErrorDetail. One Zod definition each, from which the draft-07 JSON
 * Schemas follow. The rules between fields are part of the definition.
 */
import * as z from 'zod'
import type { JsonObject } from './json.ts'

export const TOOL_NAME_PATTERN = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/

export const STATUSES = ['success', 'failure', 'no_change_needed', 'partial_success'] as const
export type Status = (typeof STATUSES)[number]

const anyObject = z.looseObject({})

export const ToolCallSchema = z
  .strictObject({
    tool_name: z.string().regex(TOOL_NAME_PATTERN).meta({
      description: 'Canonical name of the tool to run: module.tool.',
    }),
    arguments: anyObject.meta({ description: 'Arguments for the tool, as its input schema asks.' }),
  })
  .meta({ title: 'MCP Tool Call', description: 'How an agent calls a tool.' })

export const ErrorDetailSchema = z
  .looseObject({
    error_type: z.string().meta({ description: 'Machine-readable kind of the error.' }),
    error_message: z.string().meta({ description: 'What happened, with which value, and what to do.' }),
    error_details: z
      .union([anyObject, z.string(), z.null()])
      .optional()
      .meta({ description: 'Structured details, or a text.' }),
  })
  .meta({ title: 'MCP Error Detail', description: 'What is said about a failure.' })

export const ToolResultSchema = z
  .looseObject({
    status: z.enum(STATUSES).meta({ description: 'How the call ended.', default: 'success' }),
    data: anyObject.nullish().meta({ description: 'Output of the tool, as its output schema promises.' }),
    error: ErrorDetailSchema.nullish().meta({ description: 'What went wrong, when it did.' }),
    explanation: z.string().nullish().meta({ description: 'A sentence for people.' }),
  })
  .superRefine((result, ctx) => {
    const hasError = result.error !== undefined && result.error !== null
    const hasData = result.data !== undefined && result.data !== null
    const reject = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
    if (result.status === 'failure' && !hasError) reject('error', 'a failure has an error')
    if (result.status === 'failure' && hasData) reject('data', 'a failure has no data')
    if (result.status === 'success' && hasError) reject('error', 'a success has no error')
  })
  .meta({ title: 'MCP Tool Result', description: 'How a tool answers an agent.' })

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

/** Draft-07, as in the specification: for documents, and for validators in other languages. */
export function envelopeSchemas(): Record<'ToolCall' | 'ToolResult' | 'ErrorDetail', JsonObject> {
  const draft7 = (schema: z.ZodType): JsonObject =>
    z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as unknown as JsonObject
  return {
    ToolCall: draft7(ToolCallSchema),
    ToolResult: draft7(ToolResultSchema),
    ErrorDetail: draft7(ErrorDetailSchema),
  }
}
