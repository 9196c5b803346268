/** What the calls of a tool's examples returned, in the form in which a document shows it. */
import type { ToolResult } from '../../protocol/envelope.ts'

export interface RecordedResult {
  readonly result: ToolResult
  /** long lists and texts were cut */
  readonly shortened: boolean
}

export interface RecordedExamples {
  /** by the index of the example; undefined: it was not run, or did not end as the example says */
  readonly results: readonly (RecordedResult | undefined)[]
  /** a call that broke the input schema */
  readonly refused?: { readonly arguments: Record<string, unknown>; readonly result: ToolResult }
}

/** By the key of the tool. */
export type Recorded = ReadonlyMap<string, RecordedExamples>

export const toolKey = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name} ${version}`
