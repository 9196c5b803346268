/** How locations in a value are written, and which location each keyword is about. */
import { pointer } from '../../protocol/json.ts'

export const ROOT = ''
export const memberStep = (location: string, name: string): string => location + pointer([`.${name}`])
export const elementsStep = (location: string): string => `${location}/[]`
export const othersStep = (location: string): string => `${location}/*`

/** Keywords under which schemas for the same value stand. */
export const SAME_VALUE_LISTS = ['allOf', 'anyOf', 'oneOf']
export const SAME_VALUE = ['if', 'then', 'else', 'not']
export const ELEMENTS = ['items', 'contains', 'unevaluatedItems', 'additionalItems']
export const OTHERS = ['additionalProperties', 'unevaluatedProperties']

/** Undefined where a reference leads out of the schema. */
export function referenceSteps(reference: string): string[] | undefined {
  if (reference === '#') return []
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A percent sign that escapes nothing stands for itself.
    return step
  }
}

/** The location that a place in a schema speaks of; undefined for a shared schema, which speaks of whatever refers to it. */
export function locationAt(path: readonly PropertyKey[]): string | undefined {
  let location: string | undefined = ROOT
  for (let index = 0; index < path.length && location !== undefined; index++) {
    const keyword = String(path[index])
    const step = STEPS.get(keyword)
    location = step === undefined ? NAMED_STEPS.get(keyword)?.(location, String(path[++index])) : step(location)
  }
  return location
}

const stay = (location: string): string => location
const each = <T>(names: readonly string[], step: T): [string, T][] => names.map((name) => [name, step])

/** Where each keyword leads: by itself, or with the name or number that follows it. */
const STEPS = new Map([...each(SAME_VALUE, stay), ...each(ELEMENTS, elementsStep), ...each(OTHERS, othersStep)])
const NAMED_STEPS = new Map<string, (location: string, name: string) => string>([
  ...each([...SAME_VALUE_LISTS, 'dependentSchemas'], stay),
  ['properties', memberStep],
  ['patternProperties', othersStep],
  ['prefixItems', elementsStep],
])
