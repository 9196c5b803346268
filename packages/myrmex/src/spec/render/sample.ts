/** A value that shows the form of what a schema allows. It is held against the schema: what does not fit is not shown. */
import type { JsonObject } from '../../protocol/json.ts'
import { isObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { resolved, type SchemaNode } from '../schema-view.ts'

const DEEPEST = 6

export function sampleOf(schema: JsonObject): Record<string, unknown> | undefined {
  const value = sample(schema, schema, 0)
  return isObject(value) && fits(schema, value) ? value : undefined
}

/** A schema that cannot be used has no values to show; `lint` and `verify` say what is wrong with it. */
function fits(schema: JsonObject, value: unknown): boolean {
  try {
    return compileSchema(schema, 'output').parse(value).success
  } catch {
    return false
  }
}

function sample(node: unknown, root: SchemaNode, depth: number): unknown {
  const schema = resolved(node, root)
  const shown = [schema.examples, schema.enum].find((list) => Array.isArray(list) && list.length > 0)
  if (Array.isArray(shown)) return shown[0]
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  const choice = [schema.anyOf, schema.oneOf, schema.allOf].find((list) => Array.isArray(list) && list.length > 0)
  if (Array.isArray(choice) && schema.type === undefined) return sample(choice[0], root, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  return SAMPLES[String(type)]?.(schema, root, depth) ?? null
}

const SAMPLES: Readonly<Record<string, (schema: SchemaNode, root: SchemaNode, depth: number) => unknown>> = {
  string: (schema) => TEXTS[String(schema.format)] ?? 'text',
  integer: (schema) => Math.ceil(lowest(schema)),
  number: lowest,
  boolean: () => true,
  null: () => null,
  array: (schema, root, depth) =>
    depth < DEEPEST && isObject(schema.items) ? [sample(schema.items, root, depth + 1)] : [],
  object(schema, root, depth) {
    if (depth >= DEEPEST || !isObject(schema.properties)) return {}
    const entries = Object.entries(schema.properties)
    return Object.fromEntries(entries.map(([name, child]) => [name, sample(child, root, depth + 1)]))
  },
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
