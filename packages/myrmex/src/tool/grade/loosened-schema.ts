/**
 * Whether one schema only loosens another: the same names, texts, values and references at the same places, and each keyword that
 * differs is a bound, a type, a flag or a list of required names that became looser. Containment then has to prove that the schema as a
 * whole accepts more. Containment alone is not enough, because it also passes a new bound that no value can meet, and a model reads that.
 */
import { isObject } from '../../protocol/json.ts'
import { isSameValue } from '../difference/format.ts'
import { MAX_DEPTH } from '../verify/definition-texts.ts'
import { keywordSet, SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from './schema-keywords.ts'

/** Deeper schemas count as different, which saves the stack. */
export function isLoosened(narrow: unknown, wide: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (isTrivial(narrow) && isTrivial(wide)) return narrow === false || wide !== false
  if (!isObject(narrow) || !isObject(wide)) return false
  return [...new Set([...Object.keys(narrow), ...Object.keys(wide)])].every((keyword) =>
    isKeywordLoosened(keyword, own(narrow, keyword), own(wide, keyword), { schema: narrow, depth: depth + 1 }),
  )
}

/** A schema without text: absent, anything, nothing. */
const isTrivial = (schema: unknown): boolean =>
  schema === undefined || typeof schema === 'boolean' || (isObject(schema) && Object.keys(schema).length === 0)

function isKeywordLoosened(
  keyword: string,
  narrow: unknown,
  wide: unknown,
  { schema, depth }: { readonly schema: Readonly<Record<string, unknown>>; readonly depth: number },
): boolean {
  // Schemas are compared part by part only: comparing them as a whole on each level would take too long.
  if (SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(narrow)) return isLoosened(narrow, wide, depth)
  if (SCHEMA_MAPS.has(keyword)) return isMapLoosened(narrow ?? {}, wide ?? {}, depth)
  if (SCHEMA_LISTS.has(keyword)) return isListLoosened(narrow, wide, depth)
  if (isSameValue(narrow, wide)) return true
  if (keyword === 'required') return isRequiredLoosened(narrow, wide, schema)
  if (keyword === 'nullable') return wide === true && (narrow === undefined || narrow === false)
  if (keyword === 'uniqueItems') return narrow === true && (wide === undefined || wide === false)
  if (keyword === 'type') return isTypeLoosened(narrow, wide)
  return isBoundLoosened(keyword, narrow, wide)
}

const UPPER = keywordSet('maximum exclusiveMaximum maxLength maxItems maxProperties maxContains')
const LOWER = keywordSet('minimum exclusiveMinimum minLength minItems minProperties minContains')

function isBoundLoosened(keyword: string, narrow: unknown, wide: unknown): boolean {
  if (typeof narrow !== 'number' || (wide !== undefined && typeof wide !== 'number')) return false
  if (UPPER.has(keyword)) return wide === undefined || wide > narrow
  if (LOWER.has(keyword)) return wide === undefined || wide < narrow
  return keyword === 'multipleOf' && (wide === undefined || narrow % wide === 0)
}

const TYPES = keywordSet('null boolean number integer string array object')

function isTypeLoosened(narrow: unknown, wide: unknown): boolean {
  const [a, b] = [[narrow].flat(), [wide].flat()]
  if (!a.every(isType)) return false
  if (wide === undefined) return true
  return b.every(isType) && a.every((type) => b.includes(type) || (type === 'integer' && b.includes('number')))
}

const isType = (type: unknown): boolean => typeof type === 'string' && TYPES.has(type)

/** The names that are not required any more are described beside, so they are not new to a reader of either schema. */
function isRequiredLoosened(
  narrow: unknown,
  wide: unknown = [],
  { properties }: Readonly<Record<string, unknown>>,
): boolean {
  if (!Array.isArray(narrow) || !Array.isArray(wide) || !isObject(properties)) return false
  const [before, after] = [new Set(narrow), new Set(wide)]
  return (
    after.isSubsetOf(before) && [...before.difference(after)].every((name) => Object.hasOwn(properties, String(name)))
  )
}

function isMapLoosened(narrow: unknown, wide: unknown, depth: number): boolean {
  if (!isObject(narrow) || !isObject(wide)) return false
  const names = Object.keys(narrow)
  return (
    names.length === Object.keys(wide).length &&
    names.every((name) => Object.hasOwn(wide, name) && isLoosened(narrow[name], wide[name], depth))
  )
}

const isListLoosened = (narrow: unknown, wide: unknown, depth: number): boolean =>
  Array.isArray(narrow) &&
  Array.isArray(wide) &&
  narrow.length === wide.length &&
  narrow.every((part, index) => isLoosened(part, wide[index], depth))

const own = (schema: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(schema, key) ? schema[key] : undefined
