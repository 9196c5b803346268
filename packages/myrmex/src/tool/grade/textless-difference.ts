/**
 * Whether two schemas say the same to a reader: the same names, texts, values and references at the same places. The two may differ in
 * keywords that hold no text (bounds, flags, types, known dialects, the order of keys), and whether that matters is for containment to
 * decide. Comparing values alone is not enough, because a schema can accept the same values and still tell a model something else.
 */
import { KNOWN_DIALECTS } from '../../protocol/ajv.ts'
import { isObject } from '../../protocol/json.ts'
import { isSameValue } from '../difference/format.ts'

/** same: not even those keywords differ. other: a text, a name or the structure differs. */
export type TextComparison = 'same' | 'textless' | 'other'

export function compareTexts(before: unknown, after: unknown): TextComparison {
  return compareSchema(before, after, true)
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** By name: a schema for each. */
const MAPS = words('properties patternProperties $defs definitions dependentSchemas')
const LISTS = words('allOf anyOf oneOf prefixItems')
const SCHEMAS = words(
  'items contains propertyNames not if then else additionalProperties unevaluatedProperties additionalItems unevaluatedItems',
)
const NUMBERS = words(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties ' +
    'minContains maxContains',
)
const FLAGS = words('uniqueItems nullable')
const TYPES = words('null boolean number integer string array object')

function compareSchema(before: unknown, after: unknown, isRoot = false): TextComparison {
  if (isTrivial(before) && isTrivial(after)) return isSameValue(before, after) ? 'same' : 'textless'
  if (!isObject(before) || !isObject(after)) return 'other'
  const known = names(before)
  return worst(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].map((keyword) => {
      const [a, b] = [own(before, keyword), own(after, keyword)]
      return compareKeyword(keyword, a, b, isRoot, known)
    }),
  )
}

/** A schema that says nothing: absent, anything, nothing. */
const isTrivial = (schema: unknown): boolean =>
  schema === undefined || typeof schema === 'boolean' || (isObject(schema) && Object.keys(schema).length === 0)

function compareKeyword(
  keyword: string,
  before: unknown,
  after: unknown,
  isRoot: boolean,
  known: ReadonlySet<unknown>,
): TextComparison {
  if (SCHEMAS.has(keyword) && !Array.isArray(before) && !Array.isArray(after)) return compareSchema(before, after)
  if (MAPS.has(keyword)) return compareMap(before, after)
  if (LISTS.has(keyword)) return compareList(before, after)
  if (isSameValue(before, after)) return 'same'
  return isTextless(keyword, before, isRoot, known) && isTextless(keyword, after, isRoot, known) ? 'textless' : 'other'
}

/** Whether the value of a keyword can tell a reader nothing. */
function isTextless(keyword: string, value: unknown, isRoot: boolean, known: ReadonlySet<unknown>): boolean {
  if (value === undefined) return NUMBERS.has(keyword) || FLAGS.has(keyword) || OPTIONAL.has(keyword)
  if (NUMBERS.has(keyword)) return typeof value === 'number'
  if (FLAGS.has(keyword)) return typeof value === 'boolean'
  if (keyword === 'type') return [value].flat().every((type) => typeof type === 'string' && TYPES.has(type))
  // Names that the schema describes anyway.
  if (keyword === 'required') return Array.isArray(value) && value.every((name) => known.has(name))
  return keyword === '$schema' && isRoot && isDialect(value)
}

const OPTIONAL = words('type required $schema')

const isDialect = (value: unknown): boolean =>
  typeof value === 'string' && KNOWN_DIALECTS.includes(value.endsWith('#') ? value.slice(0, -1) : value)

const names = (schema: Readonly<Record<string, unknown>>): ReadonlySet<unknown> =>
  new Set([
    ...(isObject(schema.properties) ? Object.keys(schema.properties) : []),
    ...(Array.isArray(schema.required) ? schema.required : []),
  ])

function compareMap(before: unknown, after: unknown): TextComparison {
  // No names are as good as no map.
  const [a, b] = [before ?? {}, after ?? {}]
  if (!isObject(a) || !isObject(b)) return 'other'
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return 'other'
  const parts = worst(keys.map((key) => compareSchema(own(a, key), own(b, key))))
  return parts === 'same' && (before === undefined) !== (after === undefined) ? 'textless' : parts
}

function compareList(before: unknown, after: unknown): TextComparison {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return 'other'
  return worst(before.map((schema, index) => compareSchema(schema, after[index])))
}

const own = (schema: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(schema, key) ? schema[key] : undefined

const worst = (all: readonly TextComparison[]): TextComparison =>
  all.includes('other') ? 'other' : all.includes('textless') ? 'textless' : 'same'
