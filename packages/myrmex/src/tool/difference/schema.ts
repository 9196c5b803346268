/** What changed between two JSON Schemas, in the words of whoever calls the tool. */
import { isObject } from '../../protocol/json.ts'
import { labelOf, type Place, typed } from './place.ts'
import { properties } from './properties.ts'
import { change, named, same, shown } from './shown.ts'
import { namesOf, own, valueDifferences } from './value.ts'

/** Nothing where it has no words for what it got: then the values are shown as they are. */
type Words = (before: unknown, after: unknown, place: Place, key: string) => string[] | undefined

export function schemaDifferences(before: unknown, after: unknown, place: Place): string[] {
  if (same(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [`${labelOf(place)}: schema ${change(before, after)}`]
  const lines = properties(before, after, place, schemaDifferences)
  for (const key of namesOf(before, after)) {
    if (key === 'properties' || key === 'required') continue
    const [a, b] = [own(before, key), own(after, key)]
    if (same(a, b)) continue
    const words = Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
    const said = words?.(a, b, place, key) ?? []
    lines.push(...(said.length > 0 ? said : valueDifferences(a, b, [...place.path, key])))
  }
  return lines
}

const bound: Words = (before, after, place, key) => {
  const label = labelOf(place)
  if (typeof before === 'number' && typeof after === 'number') {
    return [`${label}: ${key} ${after > before ? 'raised' : 'lowered'} from ${before} to ${after}`]
  }
  return valued(before, after, place, key)
}

const text: Words = (before, after, place, key) => {
  const label = labelOf(place)
  if (typeof before === 'string' && typeof after === 'string')
    return [`${label}: ${key} changed: ${change(before, after)}`]
  return valued(before, after, place, key)
}

const valued: Words = (before, after, place, key) => {
  const label = labelOf(place)
  if (before === undefined) return [`${label}: ${key} added: ${shown(after)}`]
  if (after === undefined) return [`${label}: ${key} removed (was ${shown(before)})`]
  return [`${label}: ${key} ${change(before, after)}`]
}

const type: Words = (before, after, place) => [`${labelOf(place)}: type ${typed(before)} → ${typed(after)}`]

/** What was added to a list and what was taken away; undefined where neither tells them apart. */
function members(before: unknown, after: unknown, what: string, label: string): string[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  const added = after.filter((item) => !before.some((other) => same(item, other)))
  const removed = before.filter((item) => !after.some((other) => same(item, other)))
  const list = (items: unknown[]): string => items.map(shown).join(', ')
  if (added.length === 0 && removed.length === 0) return [`${label}: ${what} in another order or number`]
  return [
    ...(added.length > 0 ? [`${label}: ${what} added: ${list(added)}`] : []),
    ...(removed.length > 0 ? [`${label}: ${what} removed: ${list(removed)}`] : []),
  ]
}

const allowed: Words = (before, after, place, key) =>
  members(before, after, 'allowed values', labelOf(place)) ?? valued(before, after, place, key)

/** Choices are told apart one by one where their number stayed. */
const choices: Words = (before, after, place, key) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  if (before.length !== after.length) return members(before, after, `${key} choices`, labelOf(place))
  return before.flatMap((item, index) =>
    schemaDifferences(item, after[index], inside(place, `${key}[${index + 1}]`, [key, index])),
  )
}

const nested =
  (mark: string): Words =>
  (before, after, place, key) =>
    isObject(before) && isObject(after)
      ? schemaDifferences(before, after, { ...place, name: `${place.name}${mark}`, path: [...place.path, key] })
      : undefined

const others: Words = (before, after, place, key) => {
  const takes = (value: unknown): boolean | undefined =>
    value === undefined || value === true || (isObject(value) && Object.keys(value).length === 0)
      ? true
      : value === false
        ? false
        : undefined
  const [a, b] = [takes(before), takes(after)]
  const label = labelOf(place)
  if (a === false && b === true) return [`${label}: other properties are now taken (${key}: ${change(before, after)})`]
  if (a === true && b === false)
    return [`${label}: other properties are no longer taken (${key}: ${change(before, after)})`]
  return nested('.*')(before, after, place, key)
}

const secret: Words = (before, after, place, key) => {
  const now = after === true ? 'is now secret' : before === true ? 'is no longer secret' : undefined
  return now === undefined ? undefined : [`${labelOf(place)} ${now} (${key}: ${change(before, after)})`]
}

const shared: Words = (before, after, place, key) => {
  if (!isObject(before) || !isObject(after)) return undefined
  return namesOf(before, after).flatMap((name) => {
    const [a, b] = [own(before, name), own(after, name)]
    if (same(a, b)) return []
    const label = `shared schema ${named(name)} of the ${place.what}s`
    if (a === undefined) return [`${label} added: ${shown(b)}`]
    if (b === undefined) return [`${label} removed`]
    return schemaDifferences(a, b, { what: place.what, name: `#${named(name)}`, path: [...place.path, key, name] })
  })
}

const inside = (place: Place, part: string, path: PropertyKey[]): Place => ({
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
