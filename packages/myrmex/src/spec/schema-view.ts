/** A schema as tables show it: types in a few words, and the fields. References within the schema are followed. */
import { isObject, resolveRef } from '../protocol/json.ts'
import { fit } from '../protocol/text.ts'

export type SchemaNode = Readonly<Record<string, unknown>>

/** One field, by the name that a table gives it: `address.city`, `lines[].sku`. */
export interface Field {
  readonly name: string
  readonly schema: SchemaNode
  /** present in every value of the object that it is in */
  readonly required: boolean
  readonly depth: number
}

const MAX_DEPTH = 3
const MAX_TYPE_LENGTH = 60
/** A single value is shown even if it is longer. */
const MAX_WORD_LENGTH = 200

/** The keywords that a view reads of a schema. */
const VIEWED = [
  '$ref',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'default',
  'description',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'properties',
  'required',
  'title',
  'type',
]

/**
 * The schema that a reference leads to, with the keywords beside it. Without a valid reference, the schema itself. Only the keywords
 * that a view reads are copied: thousands of references to one schema with thousands of members would take seconds.
 */
export function resolveSchema(node: unknown, root: SchemaNode): SchemaNode {
  let here: SchemaNode = isObject(node) ? node : {}
  for (let steps = 0; typeof here.$ref === 'string' && steps < 20; steps++) {
    const target = resolveRef(root, here.$ref)
    if (!isObject(target)) return here
    const merged: Record<string, unknown> = {}
    for (const keyword of VIEWED) {
      if (keyword !== '$ref' && Object.hasOwn(here, keyword)) merged[keyword] = here[keyword]
      else if (Object.hasOwn(target, keyword)) merged[keyword] = target[keyword]
    }
    here = merged
  }
  return here
}

/** Beyond this only what the schema itself names has a row: one that contains itself could go on for ever. */
const MAX_FIELDS = 500

/** Every field in the order it is declared in, each followed by those inside it. */
export function fieldsOf(root: SchemaNode): Field[] {
  const fields: Field[] = []
  collect(resolveSchema(root, root), '', 1, root, fields)
  return fields
}

function collect(node: SchemaNode, prefix: string, depth: number, root: SchemaNode, fields: Field[]): void {
  if (depth > MAX_DEPTH || !isObject(node.properties)) return
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  for (const [key, child] of Object.entries(node.properties)) {
    if (depth > 1 && fields.length >= MAX_FIELDS) return
    const schema = resolveSchema(child, root)
    const name = prefix + key
    fields.push({ name, schema, required: required.has(key), depth })
    const [inner, mark] = elementOf(schema, root)
    collect(inner, `${name}${mark}.`, depth + 1, root, fields)
  }
}

/** What fields stand inside of: the object itself, or the elements of a list of them. */
function elementOf(schema: SchemaNode, root: SchemaNode): [SchemaNode, string] {
  let node = schema
  let mark = ''
  while (isObject(node.items) && mark.length < 6) {
    node = resolveSchema(node.items, root)
    mark += '[]'
  }
  return [node, mark]
}

/** `string`, `array of integer`, `"a" or "b"`, `object or null`; `any` where nothing is said. */
export const typeInWords = (node: unknown, root: SchemaNode): string => new TypeWords(root).of(node)

/** References may multiply; a cell that readers can use needs far fewer steps. The values of an enum beyond it are only counted. */
const MAX_STEPS = 200

class TypeWords {
  readonly #root: SchemaNode
  #steps = 0
  #skippedValues = 0

  constructor(root: SchemaNode) {
    this.#root = root
  }

  of(node: unknown): string {
    const words = [...new Set(this.#alternatives(node, 0))]
    const [first = 'any', ...others] = words
    let text = fit(first, MAX_WORD_LENGTH)
    let shown = 1
    for (const word of others) {
      const longer = `${text} or ${word}`
      if (longer.length > MAX_TYPE_LENGTH) break
      text = longer
      shown++
    }
    const hidden = words.length - shown + this.#skippedValues
    return hidden === 0 ? text : `${text} or ${hidden} more`
  }

  #alternatives(node: unknown, depth: number): string[] {
    if (depth > MAX_DEPTH || ++this.#steps > MAX_STEPS) return ['any']
    const schema = resolveSchema(node, this.#root)
    if ('const' in schema) return [JSON.stringify(schema.const)]
    if (Array.isArray(schema.enum)) {
      this.#skippedValues += Math.max(0, schema.enum.length - MAX_STEPS)
      return schema.enum.slice(0, MAX_STEPS).map((value) => JSON.stringify(value))
    }
    const { type } = schema
    const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []
    if (types.length > 0) return types.map((one) => (one === 'array' ? this.#list(schema, depth) : one))
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
    if (choices !== undefined && choices.length > 0) return this.#choices(choices, depth)
    if (Array.isArray(schema.allOf)) {
      for (const part of schema.allOf.slice(0, MAX_STEPS)) {
        const words = this.#alternatives(part, depth + 1)
        if (words[0] !== 'any') return words
      }
    }
    return [isObject(schema.properties) ? 'object' : 'any']
  }

  #choices(choices: readonly unknown[], depth: number): string[] {
    const words: string[] = []
    for (const choice of choices) {
      words.push(...this.#alternatives(choice, depth + 1))
      if (this.#steps > MAX_STEPS) break
    }
    return words
  }

  #list(schema: SchemaNode, depth: number): string {
    if (!isObject(schema.items)) return 'array'
    const words = this.#alternatives(schema.items, depth + 1).join(' or ')
    return words === 'any' ? 'array' : `array of ${words}`
  }
}
