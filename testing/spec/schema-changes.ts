/** Small changes to a schema, such as people make from one version to the next: some widen it, some narrow it, some do neither. */
import { isObject, type JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

type Change = (schema: JsonObject, spare: JsonObject) => JsonObject

const numeric =
  (keyword: string, by: number): Change =>
  (schema) =>
    typeof schema[keyword] === 'number'
      ? { ...schema, [keyword]: Math.max(0, (schema[keyword] as number) + by) }
      : schema
const without =
  (keyword: string): Change =>
  (schema) => {
    const { [keyword]: _, ...rest } = schema
    return rest
  }
const required = (schema: JsonObject): string[] => (schema.required as string[] | undefined) ?? []

const CHANGES: readonly Change[] = [
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].flatMap(
    (keyword) => [numeric(keyword, 1), numeric(keyword, -1), without(keyword)],
  ),
  ...[
    'pattern',
    'format',
    'enum',
    'items',
    'additionalProperties',
    'required',
    'uniqueItems',
    'multipleOf',
    'contains',
    'not',
    'propertyNames',
    'prefixItems',
    'if',
    'type',
  ].map(without),
  (schema) => ({ ...schema, title: 'changed', 'x-note': 1 }),
  (schema) => (schema.type === 'integer' ? { ...schema, type: 'number' } : schema),
  (schema) => (schema.type === 'number' ? { ...schema, type: 'integer' } : schema),
  (schema) => (typeof schema.type === 'string' ? { ...schema, type: [...new Set([schema.type, 'null'])] } : schema),
  (schema) => ({ anyOf: [schema, { type: 'null' }] }),
  (schema, spare) => ({ anyOf: [schema, spare] }),
  (schema, spare) => ({ allOf: [schema, spare] }),
  (schema) => ({ allOf: [schema, {}] }),
  (schema) => ({ not: { not: schema } }),
  (schema) => ({ oneOf: [schema, false] }),
  (schema) => (Array.isArray(schema.enum) ? { ...schema, enum: [...new Set([...schema.enum, 'more'])] } : schema),
  (schema) =>
    Array.isArray(schema.enum) && schema.enum.length > 1 ? { ...schema, enum: schema.enum.slice(1) } : schema,
  (schema) => ({ ...schema, ...(schema.type === 'object' ? { additionalProperties: false } : {}) }),
  (schema) => ({
    ...schema,
    ...(schema.type === 'object' ? { required: [...new Set([...required(schema), 'a'])] } : {}),
  }),
  (schema) => ({ ...schema, ...(required(schema).length > 0 ? { required: required(schema).slice(1) } : {}) }),
  (schema, spare) =>
    schema.type === 'object' ? { ...schema, properties: { ...(schema.properties as object), d: spare } } : schema,
  (schema, spare) =>
    schema.type === 'object' ? { ...schema, properties: { ...(schema.properties as object), a: spare } } : schema,
  (schema) => (schema.type === 'array' ? { ...schema, uniqueItems: true } : schema),
  (schema) => (typeof schema.multipleOf === 'number' ? { ...schema, multipleOf: schema.multipleOf * 2 } : schema),
  (schema) =>
    Array.isArray(schema.anyOf) && schema.anyOf.length > 1 ? { ...schema, anyOf: schema.anyOf.slice(1) } : schema,
  (schema) => (Array.isArray(schema.oneOf) ? { ...schema, oneOf: undefined, anyOf: schema.oneOf } : schema),
  (schema) => (Array.isArray(schema.anyOf) ? { ...schema, anyOf: schema.anyOf.toReversed() } : schema),
]

/** One of the changes, at one place in the schema; both follow from `turn`. */
export function changeSchema(schema: JsonObject, turn: number, spare: JsonObject): JsonObject {
  const copy = structuredClone(schema)
  const places = [...schemasIn({ root: copy }, 'root')]
  const place = places[Math.floor(turn / CHANGES.length) % places.length] as [Record<string, unknown>, string]
  const [holder, key] = place
  const before = JSON.stringify(holder[key])
  const box = places[0]?.[0] as { root: JsonObject }
  const definitions = copy.$defs
  // Most changes have nothing to change here; the next that has is taken.
  for (let next = turn % CHANGES.length; JSON.stringify(holder[key]) === before; next++) {
    const change = CHANGES[next % CHANGES.length] as Change
    holder[key] = JSON.parse(JSON.stringify(change(holder[key] as JsonObject, spare)))
  }
  // References start at the root, so what they lead to stays there.
  return definitions === undefined || box.root.$defs !== undefined ? box.root : { ...box.root, $defs: definitions }
}

/** Every schema in a schema, as the object that holds it and its key there. */
function* schemasIn(holder: Record<string, unknown>, key: string): Generator<[Record<string, unknown>, string]> {
  const schema = holder[key]
  if (!isObject(schema)) return
  yield [holder, key]
  for (const keyword of ['items', 'contains', 'not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames'])
    yield* schemasIn(schema, keyword)
  for (const keyword of ['properties', 'patternProperties', '$defs', 'anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const inner = schema[keyword]
    if (typeof inner === 'object' && inner !== null)
      for (const name of Object.keys(inner)) yield* schemasIn(inner as Record<string, unknown>, name)
  }
}
