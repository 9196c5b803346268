/** What a tool returns: an object, a choice of objects, nothing, or a text, which is `{ text }` in the envelope. */
import { ToolError } from '../protocol/errors.ts'
import { isObject, type JsonObject, resolveRef } from '../protocol/json.ts'
import type { Schema } from '../protocol/schema.ts'
import { kindOf } from '../protocol/text.ts'
import type { Example } from './tool.ts'

/**
 * The schema of an output, of type object or null. Envelopes have an object or null as data, and MCP before 2026-07-28 wants an object at the
 * root of an output schema, so a choice of objects gets the type that all of its choices have. Throws for anything else.
 */
export function objectOutput(schema: Schema): Schema {
  const { json } = schema
  if (json.type === 'object' || json.type === 'null') return schema
  if (isObjectSchema(json, json)) return { ...schema, json: { type: 'object', ...json } }
  throw ToolError.of(
    'RegistrationError',
    `the output schema must be of type object or null, or a choice of objects. ${adviceFor(json)}`,
  )
}

/** Whether every value that fits is an object, as far as the schema itself says so. */
function isObjectSchema(schema: unknown, root: JsonObject, seen: ReadonlySet<unknown> = new Set()): boolean {
  if (!isObject(schema) || seen.has(schema)) return false
  if (schema.type !== undefined) return schema.type === 'object'
  const within = new Set(seen).add(schema)
  const isObjectPart = (part: unknown): boolean => isObjectSchema(part, root, within)
  if (typeof schema.$ref === 'string' && isObjectPart(resolveRef(root, schema.$ref))) return true
  if (Array.isArray(schema.allOf) && schema.allOf.some(isObjectPart)) return true
  return [schema.anyOf, schema.oneOf].some((choices) => Array.isArray(choices) && choices.every(isObjectPart))
}

function adviceFor({ type, anyOf, oneOf }: JsonObject): string {
  if (type === 'array') return 'Put the list into an object: { items: […] }'
  if (type === 'string') return "Put the text into an object, or use output: 'text'"
  if (typeof type === 'string') return 'Put the value into an object: { value: … }'
  const choices = [anyOf, oneOf].find(Array.isArray)
  return choices === undefined ? 'Describe an object' : 'Every choice must be an object; use a field that may be null'
}

const TEXT_JSON: JsonObject = Object.freeze({
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
})

/** Accepts the text that a tool returns, and the data that was made of it. */
export const TEXT_OUTPUT: Schema = Object.freeze({
  json: TEXT_JSON,
  validates: 'plain',
  secrets: new Set<string>(),
  parse(value: unknown) {
    if (typeof value === 'string') return { success: true as const, data: { text: value } }
    if (isObject(value) && typeof value.text === 'string' && Object.keys(value).length === 1)
      return { success: true as const, data: { text: value.text } }
    const issue = {
      path: '',
      constraint: 'must be a text',
      message: `must be a text; got ${kindOf(value)}`,
      value: null,
    }
    return { success: false as const, issues: [issue] }
  },
})

/** An example of such a tool gives its text. */
export const textExample = (example: Example<unknown>): Example<unknown> =>
  typeof example.data === 'string' ? { ...example, data: { text: example.data } } : example
