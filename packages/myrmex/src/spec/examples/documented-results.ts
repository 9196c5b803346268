/** The results that a document shows for the examples of its tools. */
import { type ToolResult, ToolResultSchema } from '../../protocol/envelope.ts'
import { definitionOf } from '../definition.ts'
import type { DocumentTool } from '../document.ts'
import { readDocument } from '../read.ts'
import { type RecordedResult, toolKey } from './recorded-examples.ts'

export interface DocumentedResult extends RecordedResult {
  readonly line: number
}

/** By tool and by the index of the example. */
export type DocumentedResults = ReadonlyMap<string, readonly (DocumentedResult | undefined)[]>

export function documentedResults(markdown: string | undefined): DocumentedResults {
  const tools = markdown === undefined ? [] : readDocument(markdown).tools
  return new Map(tools.map((tool) => [toolKey(definitionOf(tool).body), tool.examples.map(resultOf)]))
}

function resultOf({ result, shortened }: DocumentTool['examples'][number]): DocumentedResult | undefined {
  const parsed = ToolResultSchema.safeParse(result?.value)
  if (result === undefined || !parsed.success) return undefined
  return { result: result.value as unknown as ToolResult, shortened, line: result.location.line }
}
