/** Values made to fit a schema, and values close to one that fits. Not all do: validate them before use. */
import { isObject, type Json, type JsonObject, valueAtPath } from '../../packages/myrmex/src/protocol/json.ts'

const TEXTS = [
  '',
  'a',
  'aa',
  'aaa',
  'ab',
  'b',
  'abc',
  'xyz',
  'abcd',
  'é',
  '😀',
  'aaaaa',
  'a@example.com',
  '2024-02-29',
  '127.0.0.1',
  '123e4567-e89b-42d3-a456-426614174000',
  'more',
]
const KEYS = ['a', 'b', 'c', 'd', 'kind', 'below', 'x_1', 'ab', 'zb', 'other']
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

export class Sampler {
  readonly #root: JsonObject
  #state: number

  constructor(root: JsonObject, seed: number) {
    this.#root = root
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }

  value(): Json {
    return this.#of(this.#root, 0)
  }

  /** The value with one part of it changed. */
  near(value: Json): Json {
    if (Array.isArray(value) && value.length > 0 && this.#chance(0.7)) return this.#nearList(value)
    if (isObject(value) && this.#chance(0.8)) return this.#nearObject(value as JsonObject)
    if (typeof value === 'number') return value + this.#pick([1, -1, 0.5, -0.5, 0.1, 2, 1e6])
    if (typeof value === 'string' && this.#chance(0.8))
      return this.#pick([`${value}a`, value.slice(1), `b${value}`, value.toUpperCase()])
    return this.#any(1)
  }

  /** mulberry32 */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T
  }

  #of(given: unknown, depth: number): Json {
    if (!isObject(given) || depth > 6) return this.#any(depth)
    const schema = this.#flat(given as JsonObject, 0)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return this.#pick(schema.enum)
    const types = schema.type === undefined ? this.#likely(schema) : [schema.type].flat()
    switch (this.#pick(types)) {
      case 'null':
        return null
      case 'boolean':
        return this.#chance(0.5)
      case 'integer':
        return Math.round(this.#number(schema))
      case 'number':
        return this.#number(schema)
      case 'string':
        return this.#text(schema)
      case 'array':
        return this.#list(schema, depth)
      default:
        return this.#object(schema, depth)
    }
  }

  /** Without references and choices: one branch is taken, and its rules are put beside the others. */
  #flat(schema: JsonObject, depth: number): JsonObject {
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema
    const parts: unknown[] = []
    if (typeof $ref === 'string') parts.push(valueAtPath(this.#root, $ref.slice(2).split('/')))
    if (Array.isArray(anyOf)) parts.push(this.#pick(anyOf))
    if (Array.isArray(oneOf)) parts.push(this.#pick(oneOf))
    if (Array.isArray(allOf)) parts.push(...allOf)
    if (this.#chance(0.5) && isObject(schema.then)) parts.push(schema.then, schema.if)
    else if (isObject(schema.else)) parts.push(schema.else)
    if (depth > 8) return rest
    return parts
      .filter(isObject)
      .reduce((sum: JsonObject, part) => merged(sum, this.#flat(part as JsonObject, depth + 1)), rest)
  }

  #likely(schema: JsonObject): string[] {
    if (schema.properties !== undefined || schema.required !== undefined)
      return [...TYPES, 'object', 'object', 'object']
    return schema.items !== undefined ? [...TYPES, 'array', 'array'] : TYPES
  }

  #number(schema: JsonObject): number {
    const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? -4)
    const high = Number(schema.maximum ?? low + 12)
    const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : this.#pick([1, 1, 0.5, 0.1])
    return this.#pick([low, high, 0, 1, low + 1, Math.round((low + this.#random() * (high - low)) / step) * step])
  }

  #text(schema: JsonObject): string {
    const least = Number(schema.minLength ?? 0)
    const most = Number(schema.maxLength ?? least + 4)
    return this.#chance(0.4)
      ? this.#pick(TEXTS)
      : this.#pick(['a', 'b', 'z', 'é']).repeat(least + this.#below(Math.max(1, most - least + 1)))
  }

  #list(schema: JsonObject, depth: number): Json[] {
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    const least = Number(schema.minItems ?? 0)
    const length =
      least + this.#below(Math.max(1, Math.min(Number(schema.maxItems ?? least + 3), least + 4) - least + 1))
    const wanted = this.#below(length + 1)
    return Array.from({ length }, (_, index) => {
      if (schema.contains !== undefined && index < wanted)
        return this.#of(this.#chance(0.7) ? schema.contains : (prefix[index] ?? schema.items), depth + 1)
      return this.#of(prefix[index] ?? schema.items, depth + 1)
    })
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const properties = isObject(schema.properties) ? schema.properties : {}
    const needed = new Set((schema.required as string[] | undefined) ?? [])
    const value: JsonObject = {}
    for (const key of new Set([...Object.keys(properties), ...needed])) {
      if (needed.has(key) || this.#chance(depth > 3 ? 0.1 : 0.5)) value[key] = this.#of(properties[key], depth + 1)
    }
    const more = schema.additionalProperties === false ? (this.#chance(0.2) ? 1 : 0) : this.#below(3)
    for (let turn = 0; turn < more; turn++) {
      const key = this.#pick(KEYS)
      value[key] ??= this.#of(this.#ruleFor(schema, key), depth + 1)
    }
    return value
  }

  #ruleFor(schema: JsonObject, key: string): unknown {
    const patterns = isObject(schema.patternProperties) ? schema.patternProperties : {}
    const match = Object.keys(patterns).find((pattern) => new RegExp(pattern, 'u').test(key))
    return match === undefined ? schema.additionalProperties : patterns[match]
  }

  #any(depth: number): Json {
    const simple: Json[] = [null, true, false, 0, 1, -1, 1.5, 2, 7, this.#pick(TEXTS)]
    if (depth > 4) return this.#pick(simple)
    return this.#pick<() => Json>([
      () => this.#pick(simple),
      () => this.#pick(simple),
      () => [this.#any(depth + 1)],
      () => [],
      () => ({ [this.#pick(KEYS)]: this.#any(depth + 1) }),
      () => ({}),
    ])()
  }

  #nearList(list: readonly Json[]): Json {
    const index = this.#below(list.length)
    return this.#pick<() => Json>([
      () => list.with(index, this.near(list[index] as Json)),
      () => list.toSpliced(index, 1),
      () => [...list, list[index] as Json],
      () => [...list, this.#any(2)],
    ])()
  }

  #nearObject(value: JsonObject): Json {
    const key = this.#pick(Object.keys(value).length > 0 ? Object.keys(value) : KEYS)
    const { [key]: item = null, ...rest } = value
    return this.#pick<() => Json>([
      () => ({ ...value, [key]: this.near(item) }),
      () => ({ ...value, [key]: this.near(item) }),
      () => rest,
      () => ({ ...value, [this.#pick(KEYS)]: this.#any(2) }),
    ])()
  }
}

/** Both, as far as a value can be made from them: later rules win, names are joined. */
function merged(one: JsonObject, two: JsonObject): JsonObject {
  const joined = { ...one, ...two }
  if (isObject(one.properties) && isObject(two.properties))
    joined.properties = { ...one.properties, ...two.properties } as JsonObject
  if (Array.isArray(one.required) && Array.isArray(two.required)) joined.required = [...one.required, ...two.required]
  return joined
}
