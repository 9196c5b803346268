/**
 * Sample values for schemas: plausible, and the same every time. A value that the author shows (`examples`, `default`, `enum`,
 * `const`) comes first, then formats, names and bounds. A sample is validated, and not shown if it does not fit.
 */
import type { JsonObject } from '../../protocol/json.ts'
import { isObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { matchesPattern, sampleTexts } from '../../schema/json-schema/pattern.ts'
import { resolveSchema, type SchemaNode } from '../schema-view.ts'
import { numberForName, singular, wordForFormat, wordForName } from './sample-words.ts'

const MAX_DEPTH = 6
/** A schema that contains itself several times over would have a sample of millions of fields. */
const MAX_VALUES = 300
/** A list that must be longer has no sample. */
const MAX_ITEMS = 5

export function sampleValue(schema: JsonObject): unknown {
  for (const wanted of ['all', 'required'] as const) {
    const value = new Sampler(schema, wanted).of(schema, '')
    if (fitsSchema(schema, value)) return value
  }
  return undefined
}

/** A schema that cannot be used has no values to show; `lint` and `verify` say what is wrong with it. */
export function fitsSchema(schema: JsonObject, value: unknown): boolean {
  try {
    return compileSchema(schema, 'output', 'foreign').parse(value).success
  } catch {
    return false
  }
}

export class Sampler {
  readonly #root: SchemaNode
  readonly #wanted: 'all' | 'required'
  #values = 0

  constructor(root: SchemaNode, wanted: 'all' | 'required' = 'all') {
    this.#root = root
    this.#wanted = wanted
  }

  /** A sample for a part of the schema. `name` is the name of its field. */
  of(node: unknown, name: string, depth = 0): unknown {
    if (++this.#values > MAX_VALUES) return null
    const schema = resolveSchema(node, this.#root)
    for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list.length > 0) return list[0]
    if ('const' in schema) return schema.const
    if ('default' in schema) return schema.default
    const choices = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0)
    if (Array.isArray(choices) && schema.type === undefined) {
      const choice = choices.find((one) => resolveSchema(one, this.#root).type !== 'null') ?? choices[0]
      return depth < MAX_DEPTH ? this.of(choice, name, depth + 1) : null
    }
    if (Array.isArray(schema.allOf) && schema.type === undefined && schema.properties === undefined)
      return this.#all(schema.allOf, name, depth)
    return this.#ofType(typeOf(schema), schema, name, depth)
  }

  #all(parts: readonly unknown[], name: string, depth: number): unknown {
    if (depth >= MAX_DEPTH) return null
    const values = parts.map((part) => this.of(part, name, depth + 1))
    return values.every(isObject) ? Object.assign({}, ...values) : values[0]
  }

  #ofType(type: string, schema: SchemaNode, name: string, depth: number): unknown {
    if (type === 'string') return sampleText(schema, name)
    if (type === 'integer' || type === 'number') return sampleNumber(schema, name, type === 'integer')
    if (type === 'boolean') return true
    if (type === 'array') return depth < MAX_DEPTH ? this.#list(schema, name, depth) : []
    if (type !== 'object') return null
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const fields = depth < MAX_DEPTH && isObject(schema.properties) ? Object.entries(schema.properties) : []
    return Object.fromEntries(
      fields
        .filter(([field]) => this.#wanted === 'all' || required.has(field))
        .map(([field, child]) => [field, this.of(child, field, depth + 1)]),
    )
  }

  #list(schema: SchemaNode, name: string, depth: number): unknown[] {
    const one = singular(name)
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    const values = first.map((part) => this.of(part, one, depth + 1))
    const least = typeof schema.minItems === 'number' ? schema.minItems : 0
    const count = Math.min(Math.max(least, values.length, schema.maxItems === 0 ? 0 : 1), MAX_ITEMS)
    while (values.length < count && isObject(schema.items)) values.push(this.of(schema.items, one, depth + 1))
    return values
  }
}

/** The first that is not null: a sample should show something. */
function typeOf({ type, properties }: SchemaNode): string {
  const types = Array.isArray(type) ? type.map(String) : [String(type ?? (isObject(properties) ? 'object' : 'null'))]
  return types.find((one) => one !== 'null') ?? 'null'
}

function sampleText({ format, pattern, minLength, maxLength }: SchemaNode, name: string): string {
  const word = wordForFormat(format) ?? wordForName(name)
  const texts = typeof pattern === 'string' ? [word, ...sampleTexts(pattern)] : [word]
  const matches = (text: string): boolean => typeof pattern !== 'string' || matchesPattern(pattern, text) === true
  const sized = texts.map((text) => withLength(text, minLength, maxLength))
  return sized.find(matches) ?? texts.find(matches) ?? word
}

/** Most samples are short; one that must be longer than this has no use. */
const MAX_TEXT = 200

function withLength(text: string, least: unknown, most: unknown): string {
  const short = typeof most === 'number' ? [...text].slice(0, most).join('').trimEnd() : text
  if (typeof least !== 'number' || short.length >= least || least > MAX_TEXT) return short
  return short.padEnd(least, short === '' ? 'x' : `-${short}`).slice(0, least)
}

export function sampleNumber(schema: SchemaNode, name: string, isInteger: boolean): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const low = Math.max(...numbersOf(minimum, exclusiveMinimum))
  const high = Math.min(...numbersOf(maximum, exclusiveMaximum))
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isInteger ? 1 : undefined
  const snap = (value: number): number =>
    step === undefined ? value : Number((Math.round(value / step) * step).toPrecision(12))
  const fits = (value: number): boolean =>
    value >= low && value <= high && value !== exclusiveMinimum && value !== exclusiveMaximum
  const usual = numberForName(name)
  const middle = (low + high) / 2
  // Of an integer Zod says the range of safe integers: its ends are no samples.
  const inside = [...(Math.abs(middle) < LARGE ? [middle] : []), ...[low + 1, high - 1].sort(nearestToZero)]
  return [usual, 1, ...inside, low, high].filter(Number.isFinite).map(snap).find(fits) ?? snap(usual)
}

const LARGE = 1e6
const nearestToZero = (a: number, b: number): number => Math.abs(a) - Math.abs(b)
const numbersOf = (...values: unknown[]): number[] => values.filter((value) => typeof value === 'number')
