/**
 * Splits a schema into alternatives: every value it accepts fits all parts of one of them. References, allOf, anyOf, oneOf and
 * if are followed. Omitted keywords (not, broken references) only make an alternative wider. So a property that is in no
 * alternative is in no value, and one that all alternatives require is in every value.
 */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, type JsonObject, resolveRef } from '../../../protocol/json.ts'
import { type SecretNames, secretNames } from '../../../protocol/secret.ts'
import { type SchemaObject, type SchemaScope, scopeOf } from '../../../schema/json-schema/judge.ts'
import { KIND, kindOf, kindsOfType, sameJson } from '../../../schema/json-schema/kinds.ts'

export interface Alternative {
  /** schemas that all apply to the value; only their keywords about the value itself matter */
  readonly parts: readonly SchemaObject[]
  /** bits of kinds.ts */
  readonly kinds: number
  /** all possible values, if the schema lists them */
  readonly values: readonly unknown[] | undefined
  /** semantic types, from the keyword `type_id` */
  readonly ids: readonly string[]
}

const ANYTHING: Alternative = { parts: [], kinds: KIND.ALL, values: undefined, ids: [] }
/** Stands for a schema that was not analysed: it may describe any property. */
export const UNKNOWN_ALTERNATIVE: Alternative = { ...ANYTHING, parts: [{ additionalProperties: true }] }

/** Nested choices multiply. Beyond this limit nothing is known, and nothing is rejected. */
export const MAX_ALTERNATIVES = 64
/** Chains of references: more than people write. */
const MAX_DEPTH = 40
/** A schema that refers to itself twice has more parts at every level. */
const MAX_PARTS = 2_000

/** A schema and its cached alternatives. There is one for each schema object, as long as the object lives. */
export class AnalysedSchema {
  readonly root: JsonObject
  readonly scope: SchemaScope
  readonly #cache = new WeakMap<object, readonly Alternative[]>()
  #secrets: SecretNames | undefined

  constructor(root: JsonObject) {
    this.root = root
    this.scope = scopeOf(root)
  }

  get secrets(): SecretNames {
    this.#secrets ??= secretNames(this.root)
    return this.#secrets
  }

  /** Empty if no value fits. */
  alternativesOf(schema: unknown): readonly Alternative[] {
    if (schema === false) return []
    if (!isObject(schema)) return [ANYTHING]
    return getOrMake(this.#cache, schema, () => this.#expanded(schema, 0, { parts: 0 }))
  }

  #expanded(schema: unknown, depth: number, work: { parts: number }): readonly Alternative[] {
    if (schema === false) return []
    if (schema === true) return [ANYTHING]
    if (!isObject(schema) || depth > MAX_DEPTH || ++work.parts > MAX_PARTS) return [UNKNOWN_ALTERNATIVE]
    let found: readonly Alternative[] = ownAlternative(schema)
    for (const choices of this.#choices(schema)) {
      if (found.length === 0) break
      const taken = choices.flatMap((choice) => this.#expanded(choice, depth + 1, work))
      // Too many choices are ignored as a whole: then more values fit, never fewer.
      found = both(found, found.length * taken.length <= MAX_ALTERNATIVES ? taken : [UNKNOWN_ALTERNATIVE])
    }
    return found
  }

  /** Each is a list of schemas of which at least one applies. */
  *#choices(schema: SchemaObject): Generator<readonly unknown[]> {
    const { $ref, allOf, anyOf, oneOf } = schema
    if ($ref !== undefined) yield [resolveRef(this.root, $ref)]
    if (Array.isArray(allOf)) for (const part of allOf) yield [part]
    if (Array.isArray(anyOf)) yield anyOf
    if (Array.isArray(oneOf)) yield oneOf
    for (const rules of [schema.dependentSchemas, schema.dependencies]) {
      for (const rule of isObject(rules) ? Object.values(rules) : []) if (isObject(rule)) yield [true, rule]
    }
    if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
      yield [{ allOf: [schema.if, schema.then ?? true] }, schema.else ?? true]
    }
  }
}

/** The keywords of a schema itself, without the schemas it refers to. */
function ownAlternative(schema: SchemaObject): Alternative[] {
  const kinds = kindsOfType(schema)
  const listed = Object.hasOwn(schema, 'const') ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  const values = listed?.filter((value) => (kindOf(value) & kinds) !== 0)
  if (values?.length === 0) return []
  const ids = typeof schema.type_id === 'string' ? [schema.type_id] : []
  return [{ parts: [schema], kinds: narrowed(kinds, values), values, ids }]
}

const narrowed = (kinds: number, values: readonly unknown[] | undefined): number =>
  values === undefined ? kinds : values.reduce((sum: number, value) => sum | kindOf(value), 0) & kinds

const both = (some: readonly Alternative[], others: readonly Alternative[]): Alternative[] =>
  some.flatMap((one) => others.flatMap((other) => together(one, other) ?? []))

/** Undefined if no value can be both. */
function together(one: Alternative, other: Alternative): Alternative | undefined {
  const common = one.kinds & other.kinds
  const values = commonValues(one.values, other.values)?.filter((value) => (kindOf(value) & common) !== 0)
  if (common === 0 || values?.length === 0) return undefined
  return {
    parts: [...one.parts, ...other.parts],
    kinds: narrowed(common, values),
    values,
    ids: [...new Set([...one.ids, ...other.ids])],
  }
}

function commonValues(
  some: readonly unknown[] | undefined,
  others: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (some === undefined || others === undefined) return some ?? others
  return some.filter((value) => others.some((other) => sameJson(value, other)))
}

const cache = new WeakMap<JsonObject, AnalysedSchema>()

export const analyseSchema = (schema: JsonObject): AnalysedSchema =>
  getOrMake(cache, schema, () => new AnalysedSchema(schema))

export function requiredNames(parts: readonly SchemaObject[]): Set<string> {
  const names = parts.flatMap(({ required }) => (Array.isArray(required) ? required : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}
