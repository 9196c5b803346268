/**
 * Follows a path through an output schema: the value at its end is certain, possible or impossible. An object that names
 * properties and says nothing about others is treated as having only those.
 */
import { isObject, pointer } from '../../../protocol/json.ts'
import type { SchemaObject } from '../../../schema/json-schema/judge.ts'
import { KIND, kindsInWords, sameJson } from '../../../schema/json-schema/kinds.ts'
import { matchesPattern } from '../../../schema/json-schema/pattern.ts'
import { clipText } from '../../../schema/json-schema/show-value.ts'
import { INDEX } from '../reference.ts'
import {
  type Alternative,
  type AnalysedSchema,
  MAX_ALTERNATIVES,
  requiredNames,
  UNKNOWN_ALTERNATIVE,
} from './alternatives.ts'

/** The possible values of a part of a result: each fits one of these alternatives. */
export interface ValueShape {
  readonly schema: AnalysedSchema
  readonly alternatives: readonly Alternative[]
}

export type FollowedPath =
  | { readonly found: true; readonly place: ValueShape /** why it may be absent */; readonly doubt: string | undefined }
  | {
      readonly found: false /** pointer of the deepest part there is */
      readonly reached: string
      readonly why: string
    }

/** What one alternative says of the next step: the schemas of the value there, and why it may be absent. */
interface NextStep {
  readonly schemas: readonly unknown[]
  readonly doubt: string | undefined
}

export function followPath(reading: AnalysedSchema, steps: readonly string[]): FollowedPath {
  let place: ValueShape = { schema: reading, alternatives: reading.alternativesOf(reading.root) }
  let doubt: string | undefined
  for (const [depth, step] of steps.entries()) {
    const here = pointer(steps.slice(0, depth))
    const next = stepped(place, step, here)
    if (next === undefined) return { found: false, reached: here, why: obstacle(place, step) }
    doubt ??= next.doubt
    place = next.place
  }
  return { found: true, place, doubt }
}

function stepped(
  { schema: reading, alternatives }: ValueShape,
  step: string,
  here: string,
): { place: ValueShape; doubt: string | undefined } | undefined {
  const next: Alternative[] = []
  let doubt: string | undefined
  for (const alternative of alternatives) {
    const ways = below(alternative, step, here)
    const taken = ways.flatMap((way) => shapeOfAll(reading, way.schemas).alternatives)
    if (taken.length === 0) doubt ??= `not every result has ${clipText(`${here}/${step}`)}`
    else doubt ??= ways.find((way) => way.doubt !== undefined)?.doubt
    next.push(...taken)
  }
  if (next.length === 0) return undefined
  // A schema that contains itself in several choices has more of them at every step.
  if (next.length > MAX_ALTERNATIVES) return { place: { schema: reading, alternatives: [UNKNOWN_ALTERNATIVE] }, doubt }
  return { place: { schema: reading, alternatives: next }, doubt }
}

/** The shape that all of these schemas describe together. */
export function shapeOfAll(schema: AnalysedSchema, schemas: readonly unknown[]): ValueShape {
  const said = schemas.filter((one) => one !== undefined)
  const whole = said.length === 1 ? said[0] : said.length === 0 ? true : { allOf: said }
  return { schema, alternatives: schema.alternativesOf(whole) }
}

export const kindsOf = ({ alternatives }: ValueShape): number => alternatives.reduce((sum, { kinds }) => sum | kinds, 0)

/** An alternative that allows both objects and arrays leads on in two ways. Impossible ways are not returned. */
function below({ parts, kinds }: Alternative, step: string, here: string): NextStep[] {
  const ways: NextStep[] = []
  const others = kinds & ~(KIND.OBJECT | KIND.ARRAY)
  const member = (kinds & KIND.OBJECT) === 0 ? undefined : memberOf(parts, step, here)
  const item = (kinds & KIND.ARRAY) === 0 || !INDEX.test(step) ? undefined : itemOf(parts, Number(step), here)
  const mixed = others !== 0 || (kinds & (KIND.OBJECT | KIND.ARRAY)) === (KIND.OBJECT | KIND.ARRAY)
  for (const way of [member, item]) {
    if (way === undefined) continue
    const doubt = `${placeName(here)} need not be ${way === member ? 'an object' : 'a list'}`
    ways.push({ schemas: way.schemas, doubt: mixed ? doubt : way.doubt })
  }
  return ways
}

export function memberOf(parts: readonly SchemaObject[], name: string, here: string): NextStep | undefined {
  const schemas: unknown[] = []
  let named = false
  // Whether undeclared names are possible: the schema allows them, or declares no names at all.
  let open = parts.every(describesNoNames)
  for (const part of parts) {
    if (!allows(part.propertyNames, name)) return undefined
    const schemasOfName = propertySchemas(part, name)
    const rest = part.additionalProperties
    if (schemasOfName.length > 0) named = true
    else if (rest === false) return undefined
    else if (rest !== undefined) open = true
    schemas.push(...(schemasOfName.length === 0 && isObject(rest) ? [rest] : schemasOfName))
  }
  const required = requiredNames(parts).has(name)
  if (!named && !open && !required) return undefined
  if (required) return { schemas, doubt: undefined }
  return { schemas, doubt: `${clipText(`${here}/${name}`)} is ${named ? 'optional' : 'not named in the schema'}` }
}

const describesNoNames = ({ properties, patternProperties, unevaluatedProperties }: SchemaObject): boolean =>
  !isObject(properties) && !isObject(patternProperties) && unevaluatedProperties !== false

/** The schemas that the schema has for a property by its name. */
export function propertySchemas({ properties, patternProperties }: SchemaObject, name: string): unknown[] {
  const schemasOfName: unknown[] = []
  if (isObject(properties) && Object.hasOwn(properties, name)) schemasOfName.push(properties[name])
  if (isObject(patternProperties)) {
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      const matches = matchesPattern(pattern, name)
      if (matches === true) schemasOfName.push(schema)
      // A match that cannot be decided counts as allowed.
      else if (matches === undefined) schemasOfName.push(true)
    }
  }
  return schemasOfName
}

function allows(names: unknown, name: string): boolean {
  if (names === false) return false
  if (!isObject(names)) return true
  const listed = Object.hasOwn(names, 'const') ? [names.const] : Array.isArray(names.enum) ? names.enum : undefined
  if (listed !== undefined && !listed.some((value) => sameJson(value, name))) return false
  return typeof names.pattern !== 'string' || matchesPattern(names.pattern, name) !== false
}

function itemOf(parts: readonly SchemaObject[], index: number, here: string): NextStep | undefined {
  const schemas: unknown[] = []
  let least = 0
  for (const part of parts) {
    if (typeof part.maxItems === 'number' && part.maxItems <= index) return undefined
    if (typeof part.minItems === 'number') least = Math.max(least, part.minItems)
    const schema = itemSchema(part, index)
    if (schema === false) return undefined
    if (schema !== undefined) schemas.push(schema)
  }
  if (index < least) return { schemas, doubt: undefined }
  return { schemas, doubt: `${placeName(here)} may have ${least === 0 ? 'no items' : `as few as ${least} items`}` }
}

const placeName = (here: string): string => (here === '' ? 'the result' : clipText(here))

/** Supports prefixItems and items, and in draft-07 an array of items and additionalItems. */
export function itemSchema({ prefixItems, items, additionalItems }: SchemaObject, index: number): unknown {
  if (Array.isArray(items)) return index < items.length ? items[index] : additionalItems
  return Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items
}

/** Why the path ends here. */
function obstacle(place: ValueShape, step: string): string {
  const kinds = kindsOf(place)
  if ((kinds & (KIND.OBJECT | KIND.ARRAY)) === 0) return `which is ${kindsInWords(kinds)} and has nothing inside`
  if ((kinds & KIND.OBJECT) === 0 && step === '-') return 'which is a list, and - names the place after the last'
  if ((kinds & KIND.OBJECT) === 0 && !INDEX.test(step))
    return `which is a list: an index must follow, not ${JSON.stringify(clipText(step))}`
  if ((kinds & KIND.OBJECT) === 0) return `which is a list that never has an item ${clipText(step)}`
  const names = namesIn(place.alternatives)
  return names.length === 0 ? 'which has no fields' : `which has ${listNames(names)}`
}

export function namesIn(alternatives: readonly Alternative[]): string[] {
  const parts = alternatives.flatMap((one) => one.parts)
  return [...new Set(parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])))]
}

const MAX_NAMES = 12

export const listNames = (names: readonly string[]): string =>
  names.length <= MAX_NAMES
    ? names.map(clipText).join(', ')
    : `${names.slice(0, MAX_NAMES).map(clipText).join(', ')} and ${names.length - MAX_NAMES} more`
