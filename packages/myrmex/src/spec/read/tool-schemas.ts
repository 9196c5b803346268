/** The schemas of a tool. Where one is missing, the fields, samples or text that its section has instead. */
import type { DocumentTool, JsonBlock, SectionId } from '../document.ts'
import type { Lines } from '../markdown/lines.ts'
import { nodesOf, nodesOfType } from '../markdown/nodes.ts'
import type { Piece } from './pieces.ts'
import { signatureFields } from './sections/field-text.ts'
import { type FieldSide, fieldsIn } from './sections/fields.ts'
import { looksLikeSchema, sampleIn, schemaIn } from './sections/schema.ts'
import { textOf } from './sections/section-text.ts'
import { readTable } from './sections/table.ts'
import type { ToolOutline } from './tool-outline.ts'

type ToolSchemas = Pick<
  DocumentTool,
  | 'inputTable'
  | 'inputSchema'
  | 'inputFields'
  | 'outputTable'
  | 'outputSchema'
  | 'outputFields'
  | 'outputSample'
  | 'outputText'
  | 'unread'
>

export function schemasIn(
  outline: ToolOutline,
  pieces: (id: SectionId) => readonly Piece[],
  lines: Lines,
): ToolSchemas {
  const { definition } = outline
  const schemaOf = (side: FieldSide) => schemaIn(pieces(side), lines, side)
  const fieldsOf = (side: FieldSide) => fieldsIn(nodesOf(pieces(side)), lines, side)
  const inputSchema = definition?.inputSchema ?? schemaOf('input')
  const outputSchema = definition?.outputSchema ?? schemaOf('output')
  const outputFields = isUsable(outputSchema) ? undefined : fieldsOf('output')
  const isUnread = outputSchema === undefined && (outputFields === undefined || outputFields.length === 0)
  const outputSample = isUnread ? sampleIn(pieces('output'), lines) : undefined
  return {
    inputTable: tableIn(pieces('input'), lines),
    inputSchema,
    inputFields: isUsable(inputSchema) ? undefined : (fieldsOf('input') ?? signatureOf(outline)),
    outputTable: tableIn(pieces('output'), lines),
    outputSchema,
    outputFields,
    outputSample,
    outputText: isUnread && outputSample === undefined ? textOf(nodesOf(pieces('output')), lines) : undefined,
    unread: definition?.unread === undefined ? [] : [{ value: definition.unread, location: definition.name.location }],
  }
}

function tableIn(pieces: readonly Piece[], lines: Lines): DocumentTool['inputTable'] {
  const [table] = nodesOfType(nodesOf(pieces), 'table')
  return table === undefined ? undefined : readTable(table, lines)
}

const isUsable = (block: JsonBlock | undefined): boolean =>
  block !== undefined && (block.value === null || looksLikeSchema(block.value))

function signatureOf({ signature, definition }: ToolOutline): DocumentTool['inputFields'] {
  const said = signature ?? definition?.signature
  return said && signatureFields(said.value)?.map((field) => ({ ...NO_DETAILS, ...field, location: said.location }))
}

const NO_DETAILS = { description: '', fields: [] }
