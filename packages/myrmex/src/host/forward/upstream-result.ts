/** What an upstream answered to a call, as the pipeline sees it. What is told to the caller is the answer itself. */
import type { CallToolResult } from '@modelcontextprotocol/client'
import { toToolResult } from '../../client/tool-result.ts'
import { Outcome } from '../../pipeline/outcome.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { Answer } from '../../tool/answer.ts'

type Data = Record<string, unknown>

/** `hasData`: false for a tool of a Myrmex server that has none. */
export function toOutcome(result: JsonObject, hasData: boolean): Answer<Data | null> | Outcome {
  const { isError, _meta, content } = result
  const isOurs = isObject(_meta) && isObject(_meta[META.result])
  // Nearly every result is this one.
  if (isError !== true && !isOurs) return new Answer('success', hasData ? dataOf(result) : null, { forwarded: result })
  // A list is the least that the reader below may rely on; what is told on stays as it came.
  const sound = { ...result, content: blocks(content) } as unknown as CallToolResult
  const { status, data, error, explanation } = toToolResult(sound)
  if (status === 'failure') return new Outcome('failure', null, error, explanation, null, result)
  return new Answer(status, hasData ? (data ?? { content: [] }) : null, {
    forwarded: result,
    ...(explanation !== null && { explanation }),
    ...(error !== null && { error }),
  })
}

function dataOf({ structuredContent, content }: JsonObject): Data {
  if (isObject(structuredContent)) return structuredContent
  if (structuredContent !== undefined) return { value: structuredContent }
  return { content: content ?? [] }
}

const blocks = (content: unknown): unknown[] => (Array.isArray(content) ? content.filter(isObject) : [])
