/** A schema as tables show it: types in a few words, and the fields. References within the schema are followed. */
import { isObject, resolveRef } from '../protocol/json.ts'

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

/** The schema that a reference leads to, with the keywords beside it. Without a valid reference, the schema itself. */
export function resolveSchema(node: unknown, root: SchemaNode): SchemaNode {
  let here: SchemaNode = isObject(node) ? node : {}
  for (let steps = 0; typeof here.$ref === 'string' && steps < 20; steps++) {
    const target = resolveRef(root, here.$ref)
    if (!isObject(target)) return here
    const { $ref: _, ...beside } = here
    here = { ...target, ...beside }
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

/** References may multiply; a cell that readers can use needs far fewer steps. */
const MAX_STEPS = 200

class TypeWords {
  readonly #root: SchemaNode
  #steps = 0

  constructor(root: SchemaNode) {
    this.#root = root
  }

  of(node: unknown): string {
    const words = [...new Set(this.#alternatives(node, 0))]
    if (words.join(' or ').length <= MAX_TYPE_LENGTH) return words.join(' or ')
    let shown = words.length
    while (shown > 1 && words.slice(0, shown).join(' or ').length > MAX_TYPE_LENGTH) shown--
    return `${words.slice(0, shown).join(' or ')} or ${words.length - shown} more`
  }

  #alternatives(node: unknown, depth: number): string[] {
    if (depth > MAX_DEPTH || ++this.#steps > MAX_STEPS) return ['any']
    const schema = resolveSchema(node, this.#root)
    if ('const' in schema) return [JSON.stringify(schema.const)]
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value))
    const { type } = schema
    const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []
    if (types.length > 0) return types.map((one) => (one === 'array' ? this.#list(schema, depth) : one))
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
    if (choices !== undefined && choices.length > 0)
      return choices.flatMap((choice) => this.#alternatives(choice, depth + 1))
    if (Array.isArray(schema.allOf)) {
      const said = schema.allOf.map((part) => this.#alternatives(part, depth + 1)).find((words) => words[0] !== 'any')
      if (said !== undefined) return said
    }
    return [isObject(schema.properties) ? 'object' : 'any']
  }

  #list(schema: SchemaNode, depth: number): string {
    if (!isObject(schema.items)) return 'array'
    const words = this.#alternatives(schema.items, depth + 1).join(' or ')
    return words === 'any' ? 'array' : `array of ${words}`
  }
}
