/** A JSON Schema for the words that a document has for a type: `array[string]`, `Optional[int]`, `"a" | "b"`, `dict[str, Any]`. */
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { shapeFields, splitOutside } from '../read/sections/field-text.ts'
import { TYPE_WORDS } from '../read/sections/type-words.ts'

const MAX_LENGTH = 500
const MAX_DEPTH = 10

/** undefined: the words are not understood. `{}`: any value. */
export function schemaOfType(words: string): JsonObject | undefined {
  const text = words.replaceAll('`', '').replace(/\\?\|/g, '|').replace(/\s+/g, ' ').trim()
  return text.length > MAX_LENGTH ? undefined : ofText(text, 0)
}

const LIST_OF = /^(?:an? )?(?:arrays?|lists?|sequence|set|tuple)\s+of\s+(.+)$/i
const GENERIC = /^([A-Za-z_.]+)\s*[[<(](.*)[\]>)]$/s
const SUFFIX_LIST = /^(.+)\[\]$/s

function ofText(given: string, depth: number): JsonObject | undefined {
  if (depth > MAX_DEPTH) return undefined
  const text = given.trim().replace(/^\((.*)\)$/s, '$1')
  const choices = splitOutside(text.replace(/,? or /gi, '|'), '|').map((one) => one.trim())
  if (choices.length > 1) return union(choices, depth)
  const list = SUFFIX_LIST.exec(text)?.[1] ?? LIST_OF.exec(text)?.[1]
  if (list !== undefined) return arrayOf(list, depth)
  const [, generic, inside] = GENERIC.exec(text) ?? []
  if (generic !== undefined) return ofGeneric(generic.toLowerCase(), inside as string, depth)
  return ofShape(text, depth) ?? ofWord(text) ?? ofFirstWord(text)
}

/** `<int>`, `[string]`, `{name, count: int}`. */
function ofShape(text: string, depth: number): JsonObject | undefined {
  const inside = text.slice(1, -1)
  if (text.startsWith('<') && text.endsWith('>')) return ofText(inside, depth + 1)
  if (text.startsWith('[') && text.endsWith(']')) return arrayOf(inside, depth)
  const fields = shapeFields(text)
  if (fields === undefined) return /^\{.*\}$/s.test(text) ? { type: 'object' } : undefined
  const properties = fields.map(({ name, type }): [string, Json] => [
    name,
    (type === undefined ? undefined : ofText(type, depth + 1)) ?? {},
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** `dict with the settings`: words may follow a type. */
function ofFirstWord(text: string): JsonObject | undefined {
  const [first = '', ...others] = text.split(/[\s,;]+/)
  return others.length > 0 && TYPE_WORDS.has(first.toLowerCase()) ? ofWord(first) : undefined
}

const ANY = /^(?:any|unknown|mixed|value|json|variant|\*)$/i
const STRING =
  /^(?:path|file ?path|pathlike|url|uri|uuid|guid|id|email|date|time|date-?time|timestamp|iso ?8601.*|bytes|base64|regex|char|enum|json string)$/i
const ALIASES: Readonly<Record<string, string>> = {
  long: 'integer',
  mapping: 'object',
  hash: 'object',
  record: 'object',
  set: 'array',
  tuple: 'array',
  sequence: 'array',
  iterable: 'array',
}

function ofWord(text: string): JsonObject | undefined {
  const literal = literalIn(text)
  if (literal !== undefined) return { enum: [literal] }
  const word = text.toLowerCase().replace(/^(?:typing\.|an? |optional )/, '')
  if (ANY.test(word)) return {}
  const type = TYPE_WORDS.get(word) ?? TYPE_WORDS.get(word.replace(/s$/, '')) ?? ALIASES[word]
  if (type !== undefined) return { type }
  return STRING.test(word) ? { type: 'string' } : undefined
}

function literalIn(text: string): Json | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^(?:"([^"]*)"|'([^']*)')$/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
}

function ofGeneric(name: string, inside: string, depth: number): JsonObject | undefined {
  const parts = splitOutside(inside, ',').map((part) => part.trim())
  switch (name.replace(/^typing\./, '')) {
    case 'optional':
      return union([inside, 'null'], depth)
    case 'union':
      return union(parts, depth)
    case 'literal':
    case 'enum':
    case 'string':
      return valuesOf(parts)
    case 'list':
    case 'array':
    case 'sequence':
    case 'iterable':
    case 'set':
      return arrayOf(inside, depth)
    case 'tuple':
      return { type: 'array' }
    case 'dict':
    case 'map':
    case 'mapping':
    case 'record':
    case 'object':
      return objectOf(parts, depth)
    default:
      // `integer (positive)`: a remark after a type.
      return ofWord(name)
  }
}

/** `enum["a", "b"]`; values may be without quotation marks. */
function valuesOf(parts: readonly string[]): JsonObject | undefined {
  const values = parts.filter((part) => part !== '').map((part) => literalIn(part) ?? part)
  return values.length === 0 ? { type: 'string' } : { enum: [...new Set(values)] }
}

function arrayOf(inside: string, depth: number): JsonObject {
  const items = ofText(inside.replace(/s$/, '') === 'object' ? 'object' : inside, depth + 1)
  return items === undefined || Object.keys(items).length === 0 ? { type: 'array' } : { type: 'array', items }
}

function objectOf([, value]: readonly string[], depth: number): JsonObject {
  const values = value === undefined ? undefined : ofText(value, depth + 1)
  return values === undefined || Object.keys(values).length === 0
    ? { type: 'object' }
    : { type: 'object', additionalProperties: values }
}

/** Types are listed in `type`, values in `enum`; anything else is a choice of schemas. */
function union(choices: readonly string[], depth: number): JsonObject | undefined {
  const schemas = choices.map((choice) => ofText(choice, depth + 1))
  if (!schemas.every((schema) => schema !== undefined)) return undefined
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {}
  const values = schemas.flatMap((schema) =>
    Array.isArray(schema.enum) ? schema.enum : schema.type === 'null' ? [null] : [],
  )
  if (values.length >= schemas.length) return { enum: [...new Set(values)] }
  const isPlain = (schema: JsonObject): boolean => typeof schema.type === 'string' && Object.keys(schema).length === 1
  if (schemas.every(isPlain)) {
    const types = [...new Set(schemas.map(({ type }) => type as string))]
    return { type: types.length === 1 ? (types[0] as string) : types }
  }
  const [only, ...others] = schemas.filter(({ type }) => type !== 'null')
  // `list[string] | null`: one type, and null beside it.
  if (only !== undefined && others.length === 0 && typeof only.type === 'string')
    return { ...only, type: [only.type, 'null'] }
  return { anyOf: schemas }
}

/** Whether a value is of the type that a schema names; a schema without a type allows any. */
export function fitsType(value: unknown, { type, enum: values }: JsonObject): boolean {
  if (Array.isArray(values)) return values.includes(value as Json)
  if (type === undefined) return true
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.some((one) => {
    if (one === 'integer') return Number.isInteger(value)
    if (one === 'array') return Array.isArray(value)
    if (one === 'null') return value === null
    return one === 'object' ? isObject(value) : typeof value === one
  })
}
