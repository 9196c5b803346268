/**
 * The changes of a schema that are harmless, as a closed list. Two schemas with the same normal form accept the same values and say the
 * same to a model. Nothing else is harmless, even if both accept the same values: a model also reads a bound that no value can meet.
 *
 * - The order of keys, and of the items of `required`, `enum` and `type`: each is a set.
 * - A `type` that is a list of one.
 * - A schema `true` written as `{}`.
 * - A default that is written out: `"additionalProperties": true`, `"items": {}`, `"required": []`, `"minLength": 0` and so on.
 * - `properties` and other maps without a name.
 * - `$schema`, between the known dialects, if every keyword in the schema means the same in both.
 *
 * A schema with references into its middle, or with keywords that depend on which others are present, is compared as it is.
 */
import { dialectOf, KNOWN_DIALECTS } from '../../protocol/ajv.ts'
import { canonical } from '../../protocol/canonical.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { MAX_DEPTH } from '../verify/definition-texts.ts'
import { keywordSet, SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from './schema-keywords.ts'

/** Equal normal forms, compared as canonical JSON, mean a harmless change. */
export function normalSchema(schema: JsonObject): JsonObject {
  const found = keysIn(schema)
  if (!found.hasPlainReferences) return schema
  const normal = normalPart(schema, { keepsOpen: found.hasUnevaluated, depth: 0 }) as JsonObject
  return withNormalDialect(schema, normal)
}

interface NormalScope {
  /** `unevaluatedProperties` and `unevaluatedItems` depend on whether `additionalProperties` or `items` is written out. */
  readonly keepsOpen: boolean
  readonly depth: number
}

function normalPart(schema: unknown, scope: NormalScope): unknown {
  if (schema === true) return {}
  // Deeper parts are compared as they are, which saves the stack.
  if (!isObject(schema) || scope.depth > MAX_DEPTH) return schema
  const below = { ...scope, depth: scope.depth + 1 }
  return Object.fromEntries(
    Object.entries(schema)
      .map(([keyword, value]): [string, unknown] => [keyword, normalValue(keyword, value, below)])
      .filter(([keyword, value]) => !isDefault(keyword, value, scope)),
  )
}

function normalValue(keyword: string, value: unknown, scope: NormalScope): unknown {
  if (SCHEMA_KEYWORDS.has(keyword)) return normalPart(value, scope)
  if (SCHEMA_LISTS.has(keyword)) return Array.isArray(value) ? value.map((part) => normalPart(part, scope)) : value
  if (SCHEMA_MAPS.has(keyword) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, normalPart(part, scope)]))
  if (SETS.has(keyword) && Array.isArray(value)) {
    const sorted = sortedSet(value)
    return keyword === 'type' && sorted.length === 1 ? sorted[0] : sorted
  }
  return value
}

const SETS = keywordSet('required enum type')

/** By the text of each item, which is made once: an attacker's list may be long. */
const sortedSet = (items: readonly unknown[]): unknown[] =>
  items
    .map((item): [string, unknown] => [canonical(item), item])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item)

/** Their default is a schema that accepts everything. */
const OPEN = keywordSet('additionalProperties additionalItems items propertyNames')
const ZERO = keywordSet('minLength minItems minProperties')

function isDefault(keyword: string, value: unknown, { keepsOpen }: NormalScope): boolean {
  if (OPEN.has(keyword)) return !keepsOpen && isEmptyObject(value)
  if (SCHEMA_MAPS.has(keyword)) return isEmptyObject(value)
  if (ZERO.has(keyword)) return value === 0
  if (keyword === 'required') return Array.isArray(value) && value.length === 0
  return keyword === 'uniqueItems' && value === false
}

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0

/** Without `$schema` if both dialects mean the same, otherwise with the dialect spelled in one way. */
function withNormalDialect({ $schema }: JsonObject, normal: JsonObject): JsonObject {
  const { $schema: _, ...rest } = normal
  if ($schema !== undefined && typeof $schema !== 'string') return normal
  const dialect = dialectOf(normal)
  if (!KNOWN_DIALECTS.includes(dialect)) return normal
  return isNeutral(rest, 0) ? rest : { ...rest, $schema: dialect }
}

/**
 * Keywords that mean the same in draft-07 and 2020-12. `$defs` and `definitions` only hold schemas, which references find in both. Our
 * validator asserts `format` in both.
 */
const NEUTRAL = keywordSet(
  'type enum const properties patternProperties additionalProperties propertyNames required minProperties maxProperties items contains ' +
    'minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format ' +
    'allOf anyOf oneOf not if then else $ref $defs definitions title description default examples readOnly writeOnly $comment',
)

function isNeutral(schema: unknown, depth: number): boolean {
  if (!isObject(schema)) return typeof schema === 'boolean'
  if (depth > MAX_DEPTH) return false
  const entries = Object.entries(schema)
  // Draft-07 ignores everything beside a reference.
  if (Object.hasOwn(schema, '$ref') && entries.length > 1) return false
  return entries.every(([keyword, value]) => {
    if (!NEUTRAL.has(keyword) && !keyword.startsWith('x-')) return false
    if (SCHEMA_KEYWORDS.has(keyword)) return isNeutral(value, depth + 1)
    if (SCHEMA_LISTS.has(keyword)) return Array.isArray(value) && value.every((part) => isNeutral(part, depth + 1))
    if (SCHEMA_MAPS.has(keyword))
      return isObject(value) && Object.values(value).every((part) => isNeutral(part, depth + 1))
    return true
  })
}

/** References to the whole schema and to a named definition, without encoded slashes. Nothing that such a reference needs is left out. */
const PLAIN_REFERENCE = /^#(?:\/(?:\$defs|definitions)\/[^/%]+)?$/
const OTHER_REFERENCES = keywordSet('$dynamicRef $recursiveRef $id $anchor $dynamicAnchor $recursiveAnchor')
const UNEVALUATED = keywordSet('unevaluatedProperties unevaluatedItems')

/** Looks everywhere, also where such a key is only a name: that makes more changes different, never fewer. */
function keysIn(schema: JsonObject): { hasPlainReferences: boolean; hasUnevaluated: boolean } {
  let [hasPlainReferences, hasUnevaluated] = [true, false]
  const left: unknown[] = [schema]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref') hasPlainReferences &&= typeof item === 'string' && PLAIN_REFERENCE.test(item)
      else if (OTHER_REFERENCES.has(key)) hasPlainReferences = false
      else if (UNEVALUATED.has(key)) hasUnevaluated = true
      left.push(item)
    }
  }
  return { hasPlainReferences, hasUnevaluated }
}
