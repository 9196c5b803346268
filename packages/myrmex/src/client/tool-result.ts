/** Converts any server's tool result into a ToolResult. Myrmex servers provide all of it in `_meta`. */
import type { CallToolResult } from '@modelcontextprotocol/client'
import { type ErrorDetail, ErrorDetailSchema, STATUSES, type Status, type ToolResult } from '../protocol/envelope.ts'
import { isObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'

export function toToolResult(result: CallToolResult): ToolResult {
  const own = isObject(result._meta) ? result._meta[META.result] : undefined
  const explanation = isObject(own) && typeof own.explanation === 'string' ? own.explanation : null
  if (result.isError) return { status: 'failure', data: null, error: errorOf(result), explanation }
  const missed = ErrorDetailSchema.safeParse(isObject(own) ? own.error : undefined)
  const error = missed.success ? (missed.data as ErrorDetail) : null
  const status = statusOf(own)
  return { status, data: dataOf(result), error: status === 'partial_success' ? error : null, explanation }
}

/** The id of the recorded call that the result is of: the first one, if this call only repeats its result. */
export function recordedCall({ _meta }: { readonly _meta?: unknown }): string | undefined {
  const own = isObject(_meta) ? _meta[META.result] : undefined
  const id = isObject(own) ? (own.repeat_of ?? own.call_id) : undefined
  return typeof id === 'string' ? id : undefined
}

function statusOf(own: unknown): Status {
  const status = isObject(own) ? own.status : undefined
  return STATUSES.find((known) => known === status && known !== 'failure') ?? 'success'
}

/** Without structured content, the data are the content blocks. */
function dataOf({ structuredContent, content }: CallToolResult): Record<string, unknown> | null {
  if (isObject(structuredContent)) return structuredContent
  if (structuredContent !== undefined) return { value: structuredContent }
  return content.length === 0 ? null : { content }
}

function errorOf({ structuredContent, content }: CallToolResult): ErrorDetail {
  const parsed = ErrorDetailSchema.safeParse(structuredContent)
  if (parsed.success) return parsed.data as ErrorDetail
  const text = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
  return {
    error_type: 'ToolExecutionError',
    error_message: text || 'The tool failed without a message.',
    error_details: null,
  }
}
