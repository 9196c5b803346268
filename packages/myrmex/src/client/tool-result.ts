/** Converts any server's tool result into a ToolResult. Myrmex servers provide all of it in `_meta`. */
import type { CallToolResult } from '@modelcontextprotocol/client'
import { type ErrorDetail, ErrorDetailSchema, STATUSES, type Status, type ToolResult } from '../protocol/envelope.ts'
import { isObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import { noticeOf } from '../server/results/result-text.ts'

export function toToolResult(result: CallToolResult): ToolResult {
  const own = isObject(result._meta) ? result._meta[META.result] : undefined
  const explanation = isObject(own) && typeof own.explanation === 'string' ? own.explanation : null
  if (result.isError) return { status: 'failure', data: null, error: errorOf(result), explanation }
  const missed = isObject(own) ? own.error : undefined
  const error = isErrorDetail(missed) ? missed : null
  const status = statusOf(own)
  const about = { status, error: status === 'partial_success' ? error : null, explanation }
  const data = textIn(result, own) ?? dataOf(isObject(own) ? withoutNotice(result, about) : result)
  return { status, data, error: about.error, explanation }
}

/** A Myrmex server says in `content` too how a call ended: that is no data. */
function withoutNotice(result: CallToolResult, about: Omit<ToolResult, 'data'>): CallToolResult {
  if (result.structuredContent !== undefined) return result
  const said = [noticeOf(about), about.explanation]
  const content = result.content.filter((block) => block.type !== 'text' || !said.includes(block.text))
  return { ...result, content }
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

/** The data of a tool of ours that returns a text. */
function textIn({ content }: CallToolResult, own: unknown): { text: string } | undefined {
  const block = isObject(own) && typeof own.text_block === 'number' ? content[own.text_block] : undefined
  return block?.type === 'text' ? { text: block.text } : undefined
}

/** Without structured content, the data are the content blocks. */
function dataOf({ structuredContent, content }: CallToolResult): Record<string, unknown> | null {
  if (isObject(structuredContent)) return structuredContent
  if (structuredContent !== undefined) return { value: structuredContent }
  return content.length === 0 ? null : { content }
}

function errorOf({ structuredContent, content }: CallToolResult): ErrorDetail {
  if (isErrorDetail(structuredContent)) return structuredContent
  const text = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
  return {
    error_type: 'ToolExecutionError',
    error_message: text || 'The tool failed without a message.',
    error_details: null,
  }
}

/** The value itself is used: Zod's copy would lose a member named `__proto__`. */
const isErrorDetail = (value: unknown): value is ErrorDetail => ErrorDetailSchema.safeParse(value).success
