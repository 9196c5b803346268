/** Locates the schema of a part of a value, as the steps of a JSON pointer. It follows the path as far as possible. */
import { isObject, type Json, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { matchesPattern } from '../json-schema/pattern.ts'
import type { Evaluator } from './evaluate.ts'
import type { SchemaInterner } from './formula/interned-schema.ts'
import type { SchemaDocument, SchemaValue } from './schema-document.ts'
import { ANY_KEY, type PathStep } from './search/search-result.ts'

interface Place {
  readonly schema: unknown
  readonly steps: readonly PathStep[]
}

export class Locator {
  readonly #nodes: SchemaInterner
  readonly #evaluator: Evaluator
  readonly #document: SchemaDocument

  constructor(nodes: SchemaInterner, evaluator: Evaluator, document: SchemaDocument) {
    this.#nodes = nodes
    this.#evaluator = evaluator
    this.#document = document
  }

  /** `whole` is the value, if known. It decides between several choices. */
  locate(path: readonly PathStep[], whole?: Json): PathStep[] {
    let place: Place = { schema: this.#document.root, steps: [] }
    for (const [depth, step] of path.entries()) {
      const value = whole === undefined ? undefined : (valueAtPath(whole, path.slice(0, depth)) as Json | undefined)
      const next = this.#below(place, step, value, 0)
      if (next === undefined) break
      place = next
    }
    return [...place.steps]
  }

  #below({ schema, steps }: Place, step: PathStep, value: Json | undefined, depth: number): Place | undefined {
    if (!isObject(schema) || depth > 20) return undefined
    const own = direct(schema, step)
    if (own !== undefined) return { schema: valueAtPath(schema, own), steps: [...steps, ...own] }
    for (const inner of this.#inPlace(schema, steps, value)) {
      const next = this.#below(inner, step, value, depth + 1)
      if (next !== undefined) return next
    }
    return undefined
  }

  *#inPlace(
    schema: Readonly<Record<string, unknown>>,
    steps: readonly PathStep[],
    value: Json | undefined,
  ): Generator<Place> {
    if (typeof schema.$ref === 'string') {
      const target = this.#document.resolve(schema.$ref)
      const fragment = schema.$ref.replace(/^[^#]*#?/, '')
      yield { schema: target, steps: pointerSteps(fragment) }
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = schema[keyword]
      if (!Array.isArray(list)) continue
      for (const [index, inner] of list.entries()) {
        const meant =
          value === undefined ||
          this.#evaluator.accepts(this.#nodes.intern(inner as SchemaValue, this.#document), value) !== false
        if (meant) yield { schema: inner, steps: [...steps, keyword, index] }
      }
    }
    for (const keyword of ['then', 'else'])
      if (isObject(schema[keyword])) yield { schema: schema[keyword], steps: [...steps, keyword] }
  }
}

/** The steps from a schema to its own subschema for a member or an item. */
function direct(schema: Readonly<Record<string, unknown>>, step: PathStep): string[] | undefined {
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
