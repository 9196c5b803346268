/** A tool as planners, checkers and models see it: its input and output, what it may change and cost. Plain data. */
import type { JsonObject } from '../../protocol/json.ts'
import { outputSchemaOf, type Tool } from '../../tool/tool.ts'

export interface ToolView {
  readonly agent: string
  /** canonical: module.tool */
  readonly name: string
  readonly version: string
  readonly hash: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of the arguments; semantic types are in the keyword `type_id`, money in `x-cost` (protocol/cost.ts) */
  readonly input: JsonObject
  /** JSON Schema of the data; undefined for a tool that has none */
  readonly output: JsonObject | undefined
  readonly destructive: boolean
  readonly idempotent: boolean
  /** what it did can be undone */
  readonly undo: boolean
  /** nobody has reviewed its texts, so a model sees only its name */
  readonly isNameOnly?: true
}

/** What earlier runs have shown of a tool. */
export interface ToolStatistics {
  readonly calls: number
  readonly failures: number
  readonly mean_ms: number
}

export const toolViewOf = (tool: Tool, agent: string, isNameOnly = false): ToolView => ({
  agent,
  name: tool.name,
  version: tool.version,
  hash: tool.hash,
  ...(tool.title !== undefined && { title: tool.title }),
  description: tool.description,
  input: tool.input.json,
  output: outputSchemaOf(tool),
  destructive: tool.destructive,
  idempotent: tool.idempotent,
  undo: tool.undo !== undefined,
  ...(isNameOnly && { isNameOnly }),
})
