/** The tools that a run found, each with what its document says about it, for programs. */
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { DocumentTool, SpecDocument, ToolOrigin } from '../document.ts'

export interface FoundTool {
  readonly file: string
  /** null: the document gives none */
  readonly name: string | null
  readonly line: number
  readonly column: number
  /** section: it has a part of the document; definition: only a block of code; listing: only a row or an item names it */
  readonly origin: ToolOrigin
  /** its name is the blank of a template */
  readonly template: boolean
  readonly found: readonly FoundPart[]
}

const PARTS = {
  version: ({ version }) => version !== undefined,
  description: ({ description }) => description !== undefined,
  inputSchema: ({ inputSchema }) => inputSchema !== undefined,
  parameters: ({ inputFields, inputTable }) => inputFields !== undefined || inputTable !== undefined,
  outputSchema: ({ outputSchema }) => outputSchema !== undefined,
  resultFields: ({ outputFields, outputTable }) => outputFields !== undefined || outputTable !== undefined,
  sampleResult: ({ outputSample }) => outputSample !== undefined,
  errors: ({ errors }) => errors.length > 0,
  idempotency: ({ idempotent }) => idempotent !== undefined,
  examples: ({ examples }) => examples.length > 0,
  security: ({ security }) => security !== undefined,
} as const satisfies Readonly<Record<string, (tool: DocumentTool) => boolean>>

export type FoundPart = keyof typeof PARTS

export const foundTools = (file: string, { tools }: SpecDocument): FoundTool[] =>
  tools.map((tool) => {
    const name = (tool.invocationName ?? tool.headingName)?.value
    return {
      file,
      name: name === undefined ? null : escapeHidden(name),
      ...tool.location,
      origin: tool.origin,
      template: tool.isPlaceholder,
      found: (Object.keys(PARTS) as FoundPart[]).filter((part) => PARTS[part](tool)),
    }
  })
