/** What changed between two JSON Schemas, described for the caller of the tool. */
import { isObject } from '../../protocol/json.ts'
import { type Difference, newDifference } from './difference.ts'
import { formatChange, formatName, formatValue, isSameValue, itemsNotIn } from './format.ts'
import { propertyDifferences } from './property-differences.ts'
import { labelOf, type SchemaLocation, type SchemaNode, typeLabel } from './schema-location.ts'
import { namesOf, ownValue, valueDifferences } from './value-differences.ts'

/**
 * A sentence about the values as they are, or a difference of its own making. Nothing where it has no words for what it got:
 * then the values are shown as they are.
 */
type Words = (
  before: unknown,
  after: unknown,
  place: SchemaLocation,
  key: string,
) => (string | Difference)[] | undefined

export function schemaDifferences(before: unknown, after: unknown, place: SchemaLocation): Difference[] {
  if (isSameValue(before, after)) return []
  if (!isObject(before) || !isObject(after)) {
    const text = `${labelOf(place)}: schema ${formatChange(before, after)}`
    return [newDifference(text, place.path, before, after, { place, keyword: WHOLE_SCHEMA })]
  }
  return nullDifferences(before, after, place) ?? keywordDifferences(before, after, place)
}

function keywordDifferences(before: SchemaNode, after: SchemaNode, place: SchemaLocation): Difference[] {
  const lines = propertyDifferences(before, after, place, schemaDifferences)
  for (const key of namesOf(before, after)) {
    if (key === 'properties' || key === 'required') continue
    const [a, b] = [ownValue(before, key), ownValue(after, key)]
    if (isSameValue(a, b)) continue
    const words = Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
    const said = words?.(a, b, place, key) ?? []
    const path = [...place.path, key]
    const schema = { place, keyword: key }
    if (said.length === 0) lines.push(...valueDifferences(a, b, path).map((one) => ({ ...one, schema })))
    for (const one of said) lines.push(typeof one === 'string' ? newDifference(one, path, a, b, schema) : one)
  }
  return lines
}

/** Null that was added or removed beside the rest: described as that, not as another schema. */
function nullDifferences(before: SchemaNode, after: SchemaNode, place: SchemaLocation): Difference[] | undefined {
  const came = nullBeside(after, before)
  if (came !== undefined) {
    const path = [...place.path, 'anyOf', came.index]
    return [ofNull('may now be null', place, true), ...schemaDifferences(before, came.schema, { ...place, path })]
  }
  const went = nullBeside(before, after)
  if (went === undefined) return undefined
  return [ofNull('is no longer null', place, false), ...schemaDifferences(went.schema, after, place)]
}

const NULL = { type: 'null' }

/** Of a schema that allows null beside one other thing, as `.nullable()` writes it, that other thing; the other side does not. */
function nullBeside(
  schema: SchemaNode,
  other: SchemaNode,
): { readonly schema: SchemaNode; readonly index: number } | undefined {
  const { anyOf, ...around } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || ownValue(other, 'anyOf') !== undefined) return undefined
  const index = anyOf.findIndex((choice) => !isSameValue(choice, NULL))
  const choice = anyOf[index]
  if (!isObject(choice) || !isSameValue(anyOf[1 - index], NULL) || ownValue(other, 'type') !== choice.type)
    return undefined
  const twice = Object.keys(choice).some((key) => Object.hasOwn(around, key))
  return twice ? undefined : { schema: { ...around, ...choice }, index }
}

function ofNull(text: string, place: SchemaLocation, came: boolean): Difference {
  const [before, after] = came ? [undefined, [NULL]] : [[NULL], undefined]
  const change = newDifference(`${labelOf(place)} ${text}`, [...place.path, 'anyOf'], before, after, {
    place,
    keyword: 'anyOf',
  })
  return { ...change, isMembersOnly: true }
}

/** The keyword if one of the two schemas is no object, such as `true`. */
export const WHOLE_SCHEMA = ''

const bound: Words = (before, after, place, key) => {
  if (typeof before !== 'number' || typeof after !== 'number') return valued(before, after, place, key)
  if (isSafeLimit(before) !== isSafeLimit(after))
    return valued(isSafeLimit(before) ? undefined : before, isSafeLimit(after) ? undefined : after, place, key)
  return [`${labelOf(place)}: ${key} ${after > before ? 'raised' : 'lowered'} from ${before} to ${after}`]
}

/** Zod bounds every integer so; nobody meant it. */
const isSafeLimit = (value: number): boolean => Math.abs(value) === Number.MAX_SAFE_INTEGER

const text: Words = (before, after, place, key) =>
  typeof before === 'string' && typeof after === 'string'
    ? [`${labelOf(place)}: ${key} changed: ${formatChange(before, after)}`]
    : valued(before, after, place, key)

const valued: Words = (before, after, place, key) => {
  const label = labelOf(place)
  if (before === undefined) return [`${label}: ${key} added: ${formatValue(after)}`]
  if (after === undefined) return [`${label}: ${key} removed (was ${formatValue(before)})`]
  return [`${label}: ${key} ${formatChange(before, after)}`]
}

const type: Words = (before, after, place) => [`${labelOf(place)}: type ${typeLabel(before)} → ${typeLabel(after)}`]

/** The members added to a list and those removed; undefined if the values are not lists. */
function members(
  before: unknown,
  after: unknown,
  what: string,
  place: SchemaLocation,
  keyword: string,
): Difference[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  const [added, removed] = [itemsNotIn(after, before), itemsNotIn(before, after)]
  const list = (items: unknown[]): string => items.map(formatValue).join(', ')
  const describe = (text: string, was: unknown, is: unknown): Difference =>
    newDifference(`${labelOf(place)}: ${what} ${text}`, [...place.path, keyword], was, is, { place, keyword })
  if (added.length === 0 && removed.length === 0)
    return [{ ...describe('in another order or number', before, after), kind: 'order' }]
  const came = added.length === 0 ? [] : [describe(`added: ${list(added)}`, undefined, added)]
  const went = removed.length === 0 ? [] : [describe(`removed: ${list(removed)}`, removed, undefined)]
  return [...came, ...went].map((difference) => ({ ...difference, isMembersOnly: true }))
}

const allowed: Words = (before, after, place, key) =>
  members(before, after, 'allowed values', place, key) ?? valued(before, after, place, key)

/** Choices are compared one by one if their number is the same. */
const choices: Words = (before, after, place, key) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  if (before.length !== after.length) return members(before, after, `${key} choices`, place, key)
  const differ = (item: unknown, other: unknown, index: number): Difference[] =>
    schemaDifferences(item, other, inside(place, `${key}[${index + 1}]`, [key, index]))
  if (!UNORDERED.has(key)) return before.flatMap((item, index) => differ(item, after[index], index))
  const gone = itemsNotIn(before, after)
  const come = [...after.entries()].filter(([, item]) => !before.some((other) => isSameValue(item, other)))
  // Equal choices may have moved; the others are compared in their order.
  if (gone.length === 0 || gone.length !== come.length) return members(before, after, `${key} choices`, place, key)
  return come.flatMap(([index, item], turn) => differ(gone[turn], item, index))
}

const UNORDERED = new Set(['anyOf', 'oneOf', 'allOf'])

const nested =
  (mark: string): Words =>
  (before, after, place, key) =>
    isObject(before) && isObject(after)
      ? schemaDifferences(before, after, { ...place, name: `${place.name}${mark}`, path: [...place.path, key] })
      : undefined

const others: Words = (before, after, place, key) => {
  const takesAny = (value: unknown): boolean =>
    value === undefined || value === true || (isObject(value) && Object.keys(value).length === 0)
  const change = (now: string): string[] => [
    `${labelOf(place)}: other properties are ${now} taken (${key}: ${formatChange(before, after)})`,
  ]
  if (before === false && takesAny(after)) return change('now')
  if (takesAny(before) && after === false) return change('no longer')
  return nested('.*')(before, after, place, key)
}

const secret: Words = (before, after, place, key) => {
  const now = after === true ? 'is now secret' : before === true ? 'is no longer secret' : undefined
  return now === undefined ? undefined : [`${labelOf(place)} ${now} (${key}: ${formatChange(before, after)})`]
}

const shared: Words = (before, after, place, key) => {
  if (!isObject(before) || !isObject(after)) return undefined
  return namesOf(before, after).flatMap((name) => {
    const [a, b] = [ownValue(before, name), ownValue(after, name)]
    if (isSameValue(a, b)) return []
    const label = `shared schema ${formatName(name)} of the ${place.what}s`
    const describe = (text: string): Difference[] => [
      newDifference(text, [...place.path, key, name], a, b, { place, keyword: key }),
    ]
    if (a === undefined) return describe(`${label} added: ${formatValue(b)}`)
    if (b === undefined) return describe(`${label} removed`)
    return schemaDifferences(a, b, { what: place.what, name: `#${formatName(name)}`, path: [...place.path, key, name] })
  })
}

const inside = (place: SchemaLocation, part: string, path: PropertyKey[]): SchemaLocation => ({
  ...place,
  name: place.name === '' ? part : `${place.name} ${part}`,
  path: [...place.path, ...path],
})

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength']
const COUNTS = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains']
const VALUED = ['default', 'format', 'pattern', 'const', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$ref']

const WORDS: Readonly<Record<string, Words>> = {
  type,
  enum: allowed,
  additionalProperties: others,
  items: nested('[]'),
  anyOf: choices,
  oneOf: choices,
  allOf: choices,
  prefixItems: choices,
  $defs: shared,
  definitions: shared,
  'x-secret': secret,
  ...Object.fromEntries([...BOUNDS, ...COUNTS].map((key) => [key, bound])),
  ...Object.fromEntries(['description', 'title', '$comment'].map((key) => [key, text])),
  ...Object.fromEntries([...VALUED, 'uniqueItems', 'contentEncoding', 'contentMediaType'].map((key) => [key, valued])),
}
