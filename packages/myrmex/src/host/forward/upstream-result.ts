/** Converts an upstream's result into an outcome for the pipeline. The caller still receives the result as the upstream sent it. */
import type { CallToolResult } from '@modelcontextprotocol/client'
import { toToolResult } from '../../client/tool-result.ts'
import { Outcome } from '../../pipeline/outcome.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { Answer } from '../../tool/answer.ts'

type Data = Record<string, unknown>

/** `hasData` is false for a tool of a Myrmex server that returns no data. */
export function toOutcome(result: JsonObject, hasData: boolean): Answer<Data | null> | Outcome {
  const { isError, _meta, content } = result
  const isOurs = isObject(_meta) && isObject(_meta[META.result])
  // Fast path: nearly every result.
  if (isError !== true && !isOurs) return new Answer('success', hasData ? dataOf(result) : null, { forwarded: result })
  // `toToolResult` needs an array of blocks. The forwarded result itself stays unchanged.
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
