/** A sample value for a schema. It is validated, and not shown if it does not fit. */
import type { JsonObject } from '../../protocol/json.ts'
import { isObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { resolveSchema, type SchemaNode } from '../schema-view.ts'

const MAX_DEPTH = 6
/** A schema that contains itself several times over would have a sample of millions of fields. */
const MAX_VALUES = 300

export function sampleValue(schema: JsonObject): Record<string, unknown> | undefined {
  const value = new Sample(schema).of(schema, 0)
  return isObject(value) && fits(schema, value) ? value : undefined
}

/** A schema that cannot be used has no values to show; `lint` and `verify` say what is wrong with it. */
function fits(schema: JsonObject, value: unknown): boolean {
  try {
    return compileSchema(schema, 'output', 'foreign').parse(value).success
  } catch {
    return false
  }
}

class Sample {
  readonly #root: SchemaNode
  #values = 0

  constructor(root: SchemaNode) {
    this.#root = root
  }

  of(node: unknown, depth: number): unknown {
    if (++this.#values > MAX_VALUES) return null
    const schema = resolveSchema(node, this.#root)
    const shown = [schema.examples, schema.enum].find((list) => Array.isArray(list) && list.length > 0)
    if (Array.isArray(shown)) return shown[0]
    if ('const' in schema) return schema.const
    if ('default' in schema) return schema.default
    const choice = [schema.anyOf, schema.oneOf, schema.allOf].find((list) => Array.isArray(list) && list.length > 0)
    if (Array.isArray(choice) && schema.type === undefined)
      return depth < MAX_DEPTH ? this.of(choice[0], depth + 1) : null
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
    return this.#ofType(String(type), schema, depth)
  }

  #ofType(type: string, schema: SchemaNode, depth: number): unknown {
    if (type === 'string') return TEXTS[String(schema.format)] ?? 'text'
    if (type === 'integer') return Math.ceil(lowest(schema))
    if (type === 'number') return lowest(schema)
    if (type === 'boolean') return true
    if (type === 'array') return depth < MAX_DEPTH && isObject(schema.items) ? [this.of(schema.items, depth + 1)] : []
    if (type !== 'object') return null
    const fields = depth < MAX_DEPTH && isObject(schema.properties) ? Object.entries(schema.properties) : []
    return Object.fromEntries(fields.map(([name, child]) => [name, this.of(child, depth + 1)]))
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

function lowest({ minimum, exclusiveMinimum, maximum }: SchemaNode): number {
  if (typeof minimum === 'number') return minimum
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
  return typeof maximum === 'number' ? Math.min(maximum, 1) : 1
}
