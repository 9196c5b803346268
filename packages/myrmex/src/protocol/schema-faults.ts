/**
 * What makes a plain JSON Schema invalid, each fault with its location: keywords with values that no metaschema allows, patterns that do
 * not compile, references that lead nowhere. This runs for every definition as a server starts, so it does without Ajv, whose loading
 * takes longer than everything else at start-up. What passes here compiles there; a test compares the two.
 */
import { dialectOf, KNOWN_DIALECTS } from './ajv.ts'
import { SchemaDocument } from './bounded-schema/schema-document.ts'
import { canonical } from './canonical.ts'
import { isObject, type JsonObject, pointer } from './json.ts'
import { clip } from './text.ts'

const MAX_SHOWN = 100
/** Deeper schemas are not written by people. */
const MAX_DEPTH = 200

/** Each fault as a sentence that begins with its location, such as `/properties/a/type must be …`. */
export function schemaFaults(schema: JsonObject): string[] {
  const dialect = dialectOf(schema)
  if (!KNOWN_DIALECTS.includes(dialect))
    return [`/$schema is the dialect ${shown(dialect)}; supported are ${KNOWN_DIALECTS.join(' and ')}`]
  return new Check(schema, dialect.includes('draft-07')).faults
}

const shown = (value: unknown): string => clip(JSON.stringify(value) ?? String(value), MAX_SHOWN)

/** What a keyword must have, as the end of "must be …"; undefined if it has it. */
type Rule = (value: unknown) => string | undefined
const rule =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : what

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
const isType = (value: unknown): boolean => TYPES.includes(value as string)
const areUnique = (list: readonly unknown[]): boolean => new Set(list).size === list.length
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') && areUnique(value)

const text = rule('a text', (value) => typeof value === 'string')
const flag = rule('true or false', (value) => typeof value === 'boolean')
const number = rule('a number', (value) => Number.isFinite(value))
const count = rule('a whole number of at least 0', (value) => Number.isInteger(value) && (value as number) >= 0)
const list = rule('a list', Array.isArray)
const texts = rule('a list of different texts', areTexts)

const RULES: Readonly<Record<string, Rule>> = {
  type: rule(`one of ${TYPES.join(', ')}, or a list of them`, (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isType) && areUnique(value) : isType(value),
  ),
  multipleOf: rule('a number above 0', (value) => Number.isFinite(value) && (value as number) > 0),
  pattern: (value) => (typeof value === 'string' ? patternFault(value) : 'a text'),
  required: texts,
  dependentRequired: rule('an object with a list of different texts for each name', (value) =>
    isObject(value) ? Object.values(value).every(areTexts) : false,
  ),
  // Ajv reads it as in OpenAPI.
  nullable: flag,
  enum: rule('a list of at least one value', (value) => Array.isArray(value) && value.length > 0),
  examples: list,
  ...byName(text, '$id $ref $anchor $dynamicRef $dynamicAnchor $comment title description format'),
  ...byName(text, 'contentEncoding contentMediaType'),
  ...byName(flag, 'deprecated readOnly writeOnly uniqueItems'),
  ...byName(number, 'maximum minimum exclusiveMaximum exclusiveMinimum'),
  ...byName(count, 'maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains'),
}

function byName(one: Rule, names: string): Record<string, Rule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, one]))
}

function patternFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return `a regular expression: ${(error as Error).message}`
  }
}

/** Keywords whose value is one schema, a list of schemas, or a schema for each name. */
const ONE =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  )
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']

/** Keywords whose schemas are for the same value as the one that they are in. */
const SAME_VALUE = ['allOf', 'anyOf', 'dependentSchemas', 'else', 'if', 'not', 'oneOf', 'then']

type Path = readonly PropertyKey[]

class Check {
  readonly faults: string[] = []
  readonly #draft07: boolean
  readonly #document: SchemaDocument | undefined
  readonly #paths = new Map<object, Path>()
  readonly #ending = new Set<unknown>()

  constructor(root: JsonObject, draft07: boolean) {
    this.#draft07 = draft07
    this.#document = this.#read(root)
    this.#schema(root, [])
    if (this.faults.length === 0) for (const [schema, path] of this.#paths) this.#loop(schema, path, new Set())
  }

  #add(path: Path, fault: string): void {
    this.faults.push(`${pointer(path) || 'the whole'} ${fault}`)
  }

  #read(root: JsonObject): SchemaDocument | undefined {
    try {
      return new SchemaDocument(root)
    } catch (thrown) {
      this.#add([], (thrown as Error).message)
      return undefined
    }
  }

  #schema(schema: unknown, path: Path): void {
    if (typeof schema === 'boolean' && path.length > 0) return
    if (!isObject(schema)) return this.#add(path, `must be a schema, not ${shown(schema)}`)
    if (path.length > MAX_DEPTH) return this.#add(path.slice(0, 4), `is nested more than ${MAX_DEPTH} levels deep`)
    this.#paths.set(schema, path)
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword]
      if (value === undefined) continue
      const fault = Object.hasOwn(RULES, keyword) ? RULES[keyword]?.(value) : undefined
      if (fault !== undefined) this.#add(at, `must be ${fault}, not ${shown(value)}`)
      else if (keyword === '$ref' || keyword === '$dynamicRef') this.#reference(schema, value as string, at)
      else this.#inner(keyword, value, at)
    }
    if (Object.hasOwn(schema, '$async')) this.#add([...path, '$async'], 'is not JSON Schema')
    if (schema.nullable === true && schema.type === undefined)
      this.#add([...path, 'nullable'], 'needs a type beside it')
  }

  #reference(schema: object, reference: string, at: Path): void {
    try {
      this.#document?.resolve(schema, reference)
    } catch {
      const why = reference.startsWith('#') ? 'which does not exist' : 'which is not in the schema; nothing is fetched'
      this.#add(at, `refers to ${shown(reference)}, ${why}`)
    }
  }

  /** A schema that applies itself to the same value would be checked without end. `outer`: the schemas that apply this one. */
  #loop(schema: unknown, path: Path, outer: ReadonlySet<unknown>): void {
    if (!isObject(schema) || this.#ending.has(schema)) return
    if (outer.has(schema)) return this.#add(path, 'applies itself to the same value, so checking it would never end')
    const within = new Set(outer).add(schema)
    for (const reference of [schema.$ref, schema.$dynamicRef])
      if (typeof reference === 'string') this.#loop(this.#document?.resolve(schema, reference), path, within)
    for (const keyword of SAME_VALUE) {
      const value = schema[keyword]
      const parts = MAPS.includes(keyword) && isObject(value) ? Object.values(value) : [value].flat()
      for (const part of parts) this.#loop(part, path, within)
    }
    this.#ending.add(schema)
  }

  #inner(keyword: string, value: unknown, at: Path): void {
    if (keyword === 'items' && Array.isArray(value)) this.#tuple(value, at)
    else if (keyword === 'enum' && this.#draft07 && !areUnique((value as unknown[]).map((item) => canonical(item))))
      this.#add(at, 'must have different values in draft-07')
    else if (keyword === 'dependencies') this.#dependencies(value, at)
    else if (ONE.includes(keyword)) this.#schema(value, [...at])
    else if (LISTS.includes(keyword)) {
      if (!Array.isArray(value) || value.length === 0)
        this.#add(at, `must be a list of at least one schema, not ${shown(value)}`)
      else for (const [index, inner] of value.entries()) this.#schema(inner, [...at, index])
    } else if (MAPS.includes(keyword)) this.#map(keyword, value, at)
  }

  #tuple(items: readonly unknown[], at: Path): void {
    if (!this.#draft07) this.#add(at, 'is a list, as in draft-07. Use prefixItems')
    else if (items.length === 0) this.#add(at, 'must be a schema, or a list of at least one')
    else for (const [index, inner] of items.entries()) this.#schema(inner, [...at, index])
  }

  #dependencies(value: unknown, at: Path): void {
    if (!isObject(value)) return this.#add(at, `must be an object, not ${shown(value)}`)
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(inner)) this.#schema(inner, [...at, name])
      else if (!areTexts(inner)) this.#add([...at, name], `must be a list of different texts, not ${shown(inner)}`)
    }
  }

  #map(keyword: string, value: unknown, at: Path): void {
    if (!isObject(value)) return this.#add(at, `must be an object with a schema for each name, not ${shown(value)}`)
    for (const [name, inner] of Object.entries(value)) {
      const fault = keyword === 'patternProperties' ? patternFault(name) : undefined
      if (fault !== undefined) this.#add([...at, name], `must be under a name that is ${fault}`)
      this.#schema(inner, [...at, name])
    }
  }
}
