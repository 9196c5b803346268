/** The members that a JSON Schema names, level by level: an audit record that must be cut keeps them before all others. */
import { isObject, type JsonObject, resolveRef } from '../../protocol/json.ts'

export interface KnownMembers {
  readonly members: ReadonlyMap<string, KnownMembers>
  /** of the items of a list, and of members that are not named */
  readonly others: KnownMembers | undefined
}

/** Keywords whose schemas are about the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas']
const OTHER_VALUES = ['items', 'prefixItems', 'additionalProperties', 'patternProperties']
const BY_NAME = new Set(['dependentSchemas', 'patternProperties'])
/** Schemas come from upstreams too. */
const MAX_SCHEMAS = 1000

export const knownMembers = (schema: JsonObject): KnownMembers => new SchemaMembers(schema, [schema])

class SchemaMembers implements KnownMembers {
  readonly #root: JsonObject
  readonly #schemas: readonly Record<string, unknown>[]
  #members: ReadonlyMap<string, KnownMembers> | undefined
  #others: KnownMembers | undefined

  constructor(root: JsonObject, schemas: readonly unknown[]) {
    this.#root = root
    this.#schemas = withAlternatives(root, schemas)
  }

  get members(): ReadonlyMap<string, KnownMembers> {
    this.#members ??= this.#readMembers()
    return this.#members
  }

  get others(): KnownMembers {
    this.#others ??= new SchemaMembers(
      this.#root,
      this.#schemas.flatMap((schema) => OTHER_VALUES.flatMap((keyword) => schemasIn(schema, keyword))),
    )
    return this.#others
  }

  #readMembers(): ReadonlyMap<string, KnownMembers> {
    const found = new Map<string, unknown[]>()
    for (const { properties } of this.#schemas) {
      if (!isObject(properties)) continue
      for (const [name, schema] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), schema])
    }
    return new Map([...found].map(([name, schemas]) => [name, new SchemaMembers(this.#root, schemas)]))
  }
}

/** These schemas and all that they refer to for the same value. */
function withAlternatives(root: JsonObject, schemas: readonly unknown[]): Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>()
  const left = [...schemas]
  while (left.length > 0 && found.size < MAX_SCHEMAS) {
    const schema = left.pop()
    if (!isObject(schema) || found.has(schema)) continue
    found.add(schema)
    left.push(resolveRef(root, schema.$ref), ...SAME_VALUE.flatMap((keyword) => schemasIn(schema, keyword)))
  }
  return [...found]
}

/** The value of a keyword: a schema, a list of schemas, or a schema for each name. */
function schemasIn(schema: Record<string, unknown>, keyword: string): unknown[] {
  const value = schema[keyword]
  if (Array.isArray(value)) return value
  return isObject(value) && BY_NAME.has(keyword) ? Object.values(value) : [value]
}
