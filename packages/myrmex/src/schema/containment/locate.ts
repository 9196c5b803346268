/** Locates the schema of a part of a value, as the steps of a JSON pointer. It follows the path as far as possible. */
import { isObject, type Json, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import type { SchemaObject } from '../json-schema/judge.ts'
import { matchesPattern } from '../json-schema/pattern.ts'
import type { Evaluator } from './evaluate.ts'
import type { SchemaDocument, SchemaValue } from './schema-document.ts'
import { ANY_KEY, type PathStep } from './search/search-result.ts'

interface Place {
  readonly schema: unknown
  readonly steps: readonly PathStep[]
}

/** `whole` is the value, if known. It decides between several choices. */
export function locateSchema(
  document: SchemaDocument,
  evaluator: Evaluator,
  path: readonly PathStep[],
  whole?: Json,
): readonly PathStep[] {
  let place: Place = { schema: document.root, steps: [] }
  for (const [depth, step] of path.entries()) {
    const value = whole === undefined ? undefined : (valueAtPath(whole, path.slice(0, depth)) as Json | undefined)
    const isMeant = (schema: SchemaValue): boolean =>
      value === undefined || evaluator.accepts({ schema, document }, value) !== false
    const next = below(place, step, document, isMeant)
    if (next === undefined) break
    place = next
  }
  return place.steps
}

type Choose = (schema: SchemaValue) => boolean

function below(place: Place, step: PathStep, document: SchemaDocument, isMeant: Choose, depth = 0): Place | undefined {
  const { schema, steps } = place
  if (!isObject(schema) || depth > 20) return undefined
  const own = direct(schema, step)
  if (own !== undefined) return { schema: valueAtPath(schema, own), steps: [...steps, ...own] }
  for (const inner of inPlace(schema, steps, document, isMeant)) {
    const next = below(inner, step, document, isMeant, depth + 1)
    if (next !== undefined) return next
  }
  return undefined
}

function* inPlace(
  schema: SchemaObject,
  steps: readonly PathStep[],
  document: SchemaDocument,
  isMeant: Choose,
): Generator<Place> {
  if (typeof schema.$ref === 'string')
    yield { schema: document.resolve(schema.$ref), steps: pointerSteps(schema.$ref.replace(/^[^#]*#?/, '')) }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    for (const [index, inner] of list.entries())
      if (isMeant(inner)) yield { schema: inner, steps: [...steps, keyword, index] }
  }
  for (const keyword of ['then', 'else'])
    if (isObject(schema[keyword])) yield { schema: schema[keyword], steps: [...steps, keyword] }
}

/** The steps from a schema to its own subschema for a member or an item. */
function direct(schema: SchemaObject, step: PathStep): string[] | undefined {
  const key = String(step)
  if (isObject(schema.properties) && Object.hasOwn(schema.properties, key)) return ['properties', key]
  for (const tuple of ['prefixItems', 'items']) {
    if (Array.isArray(schema[tuple]) && Object.hasOwn(schema[tuple], key) && /^\d+$/.test(key)) return [tuple, key]
  }
  if ((step === ANY_KEY || /^\d+$/.test(key)) && isObject(schema.items)) return ['items']
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  const match = step === ANY_KEY ? undefined : patterns.find((pattern) => matchesPattern(pattern, key) === true)
  if (match !== undefined) return ['patternProperties', match]
  return isObject(schema.additionalProperties) ? ['additionalProperties'] : undefined
}
