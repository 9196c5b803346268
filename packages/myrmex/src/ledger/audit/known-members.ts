/** The members that a JSON Schema names, level by level: an audit record that must be cut keeps them before all others. */
import { getOrMake } from '../../protocol/get-or-make.ts'
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
/** Schemas come from upstreams too, and may refer to the same ones from everywhere: how many are looked at for one record. */
const MAX_SCHEMAS = 20_000

export const knownMembers = (schema: JsonObject): KnownMembers =>
  new SchemaMembers({ schema, looksLeft: MAX_SCHEMAS }, [schema])

interface Root {
  readonly schema: JsonObject
  looksLeft: number
}

class SchemaMembers implements KnownMembers {
  readonly #root: Root
  readonly #given: readonly unknown[]
  #all: readonly Record<string, unknown>[] | undefined
  #members: ReadonlyMap<string, KnownMembers> | undefined
  #others: KnownMembers | undefined

  constructor(root: Root, schemas: readonly unknown[]) {
    this.#root = root
    this.#given = schemas
  }

  /** On first use: most members are never looked at. */
  get #schemas(): readonly Record<string, unknown>[] {
    this.#all ??= withAlternatives(this.#root, this.#given)
    return this.#all
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
      for (const [name, schema] of Object.entries(properties)) getOrMake(found, name, () => []).push(schema)
    }
    return new Map([...found].map(([name, schemas]) => [name, new SchemaMembers(this.#root, schemas)]))
  }
}

/** These schemas and all that they refer to for the same value. */
function withAlternatives(root: Root, schemas: readonly unknown[]): Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>()
  const left = [...schemas]
  while (left.length > 0 && root.looksLeft > 0) {
    root.looksLeft--
    const schema = left.pop()
    if (!isObject(schema) || found.has(schema)) continue
    found.add(schema)
    left.push(resolveRef(root.schema, schema.$ref), ...SAME_VALUE.flatMap((keyword) => schemasIn(schema, keyword)))
  }
  return [...found]
}

/** The value of a keyword: a schema, a list of schemas, or a schema for each name. */
function schemasIn(schema: Record<string, unknown>, keyword: string): unknown[] {
  const value = schema[keyword]
  if (Array.isArray(value)) return value
  return isObject(value) && BY_NAME.has(keyword) ? Object.values(value) : [value]
}
