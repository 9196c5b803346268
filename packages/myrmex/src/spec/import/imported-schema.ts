/**
 * The schema of one side of a tool for code: the one in the document if it can be used, or else one made from its parameters and
 * fields. A schema that cannot be used is left out and reported: it must not become one that says something else.
 */
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { DocumentTool, JsonBlock } from '../document.ts'
import { CheckedSchema } from '../lint/checked-schema.ts'
import { isTooDeep, quoteText } from '../lint/show-value.ts'
import { type TimeLimit, TOO_SLOW } from '../lint/time-limit.ts'
import { looksLikeSchema } from '../read/sections/schema.ts'
import { schemaOfFields } from './fields-schema.ts'
import type { ToolNotes } from './notes.ts'
import { schemaOfSample } from './sample-schema.ts'

type Side = 'input' | 'output'

export interface ImportedSchema {
  readonly schema: JsonObject
  /** the document does not say anything */
  readonly isMissing: boolean
}

export function importedSchema(tool: DocumentTool, side: Side, notes: ToolNotes, limit: TimeLimit): ImportedSchema {
  const block = side === 'input' ? tool.inputSchema : tool.outputSchema
  const stated = block === undefined ? undefined : statedSchema(block, side, notes, limit)
  if (stated !== undefined) return { schema: stated, isMissing: false }
  const fields = side === 'input' ? tool.inputFields : tool.outputFields
  if (fields !== undefined && fields.length > 0) {
    const { schema, unknown } = schemaOfFields(fields)
    for (const { field, type } of unknown) {
      // Several words are a remark, which is in the description.
      if (type.split(' ').length > 3) continue
      notes.add(
        field.location,
        `${quoteText(field.name)} has the type ${quoteText(type)}, which is not a JSON type. Any value is accepted.`,
      )
    }
    return { schema, isMissing: false }
  }
  const sample = side === 'output' ? tool.outputSample : undefined
  if (sample !== undefined) {
    notes.add(
      sample.location,
      'The document shows a result and has no schema for it. The output has the fields of that sample.',
    )
    return { schema: schemaOfSample(sample.value), isMissing: false }
  }
  const text = side === 'output' ? tool.outputText : undefined
  if (text !== undefined) {
    notes.add(
      text.location,
      'The result is described, but no schema or fields could be read. The text is the description of the output.',
    )
    return { schema: { type: 'object', description: text.value }, isMissing: false }
  }
  return { schema: { type: 'object' }, isMissing: fields === undefined && block === undefined }
}

function statedSchema(block: JsonBlock, side: Side, notes: ToolNotes, limit: TimeLimit): JsonObject | undefined {
  const fault = block.faults.find(({ tolerated }) => !tolerated)
  if (fault !== undefined || block.value === undefined) {
    notes.add(
      fault?.location ?? block.location,
      `The ${side} schema is not JSON and was left out. ${fault?.message ?? ''}`,
    )
    return undefined
  }
  // A tool without data may say just that.
  if (side === 'output' && block.value === null) return { type: 'null' }
  if (isSample(block.value)) {
    const what = side === 'input' ? 'arguments' : 'a result'
    notes.add(
      block.location,
      `The document shows ${what} and has no schema for them. The ${side} has the fields of that sample.`,
    )
    return schemaOfSample(block.value)
  }
  const schema = repaired(block.value, block, notes)
  const problem = schema === undefined ? 'It is not a JSON Schema.' : problemOf(schema, side, limit)
  if (problem === undefined) return schema
  notes.add(block.location, `The ${side} schema was left out. ${problem}`)
  return undefined
}

/** An object of values, not of schemas. */
const isSample = (value: Json): boolean =>
  isObject(value) && !looksLikeSchema(value) && Object.values(value).some((one) => !isObject(one))

/** Why `tool()` would reject a schema. */
function problemOf(schema: JsonObject, side: Side, limit: TimeLimit): string | undefined {
  if (isTooDeep(schema)) return 'It is nested too deeply.'
  // Whether a choice of schemas is one of objects is for `tool()` to say.
  const isChoice = side === 'output' && schema.type === undefined && ('oneOf' in schema || 'anyOf' in schema)
  if (schema.type !== 'object' && !isChoice && !(side === 'output' && schema.type === 'null')) {
    return `It must be of type "object"${side === 'output' ? ', or "null" for a tool without data' : ''}.`
  }
  const { faults } = new CheckedSchema(schema, side, limit)
  if (faults === TOO_SLOW) return 'It takes too long to check.'
  return faults[0] === undefined ? undefined : `It cannot be used: ${faults[0].message}.`
}

/** The schema in a block. Properties without the object around them, and `"required": true` in a property, are common mistakes. */
function repaired(value: Json, block: JsonBlock, notes: ToolNotes): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const given = value as { [key: string]: Json }
  const isBare = !looksLikeSchema(given) && Object.values(given).every((one) => isObject(one) && looksLikeSchema(one))
  const schema: JsonObject = isBare ? { type: 'object', properties: given } : given
  if (isBare && Object.keys(given).length > 0)
    notes.add(block.location, 'The properties have no object around them. They were taken for those of the schema.')
  return withRequiredNames(schema, block, notes)
}

function withRequiredNames(schema: JsonObject, block: JsonBlock, notes: ToolNotes): JsonObject {
  const { properties } = schema
  if (!isObject(properties)) return schema
  const entries = Object.entries(properties as { [key: string]: Json })
  const marked = entries.filter(([, one]) => isObject(one) && typeof one.required === 'boolean')
  if (marked.length === 0) return schema
  notes.add(
    block.location,
    '"required" of a property is true or false. The names are listed in "required" of the object instead.',
  )
  const names = marked.filter(([, one]) => (one as JsonObject).required === true).map(([name]) => name)
  const before = Array.isArray(schema.required) ? schema.required : []
  const cleaned = entries.map(([name, one]): [string, Json] => {
    if (!isObject(one) || typeof one.required !== 'boolean') return [name, one]
    const { required: _required, ...rest } = one as JsonObject
    return [name, rest]
  })
  const required = [...new Set([...before, ...names])]
  return { ...schema, properties: Object.fromEntries(cleaned), ...(required.length > 0 && { required }) }
}
