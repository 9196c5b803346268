/** Hostile JSON Schemas, and values to check with them. They begin as schemas of every keyword. */
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { mutated } from './mutate.ts'
import { type Json, oddValue, toText } from './odd-values.ts'

const TEXT = { type: 'string' }
const VALID: readonly object[] = [
  {
    type: 'object',
    properties: { a: TEXT, b: { type: 'number', minimum: 0 } },
    required: ['a'],
    additionalProperties: false,
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: true } } },
    properties: {
      list: { $ref: '#/$defs/node' },
      tags: { type: 'array', items: TEXT, uniqueItems: true, maxItems: 5 },
    },
    patternProperties: { '^x-': TEXT },
    propertyNames: { maxLength: 20 },
    dependentRequired: { list: ['tags'] },
    unevaluatedProperties: false,
  },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    definitions: { money: { type: 'integer', multipleOf: 5, 'x-cost': true } },
    properties: { price: { $ref: '#/definitions/money' }, when: { type: 'string', format: 'date-time' } },
    dependencies: { price: ['when'] },
  },
  { anyOf: [{ type: 'null' }, { enum: ['a', 1, null, { b: [] }] }, { const: { a: 1 } }], not: { type: 'array' } },
  {
    oneOf: [TEXT, { type: 'array', prefixItems: [TEXT], contains: { type: 'number' }, minContains: 1, maxContains: 2 }],
  },
  {
    type: 'object',
    properties: { kind: TEXT, pin: { type: 'string', 'x-secret': true, pattern: '^[0-9]{4}$', default: '0000' } },
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['pin'] },
    else: { minProperties: 1 },
  },
  { $id: 'urn:a', $anchor: 'here', $dynamicAnchor: 'd', type: 'object', properties: { a: { $dynamicRef: '#d' } } },
]

const VALUES: readonly Json[] = [
  { a: 'x', b: 1 },
  { list: { next: { next: {} } }, tags: ['a', 'b'], 'x-y': 'z' },
  { price: 10, when: '2026-11-16T00:00:00Z' },
  null,
  ['a', 1, 2],
  { kind: 'a', pin: '1234' },
  'a'.repeat(40),
]

const REFERENCES = [
  '#',
  '#/',
  '#/$defs/none',
  '#/properties/a',
  'http://127.0.0.1:1/x.json',
  'file:///etc/passwd',
  'urn:a',
  '#here',
]

/** Small schemas that take a lot of work where that is not bounded. */
const BOMBS: readonly ((random: SeededRandom) => object)[] = [
  // for an engine that backtracks
  (random) => ({
    type: 'string',
    pattern: random.pick(['^(a+)+$', '^(a|a)*$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']),
  }),
  // a chain in which each refers to the next one twice
  (random) => {
    const $defs: Record<string, object> = { d0: TEXT }
    const depth = random.between(20, 40)
    for (let at = 1; at <= depth; at++) {
      const $ref = `#/$defs/d${at - 1}`
      $defs[`d${at}`] = { allOf: [{ $ref }, { properties: { a: { $ref } } }] }
    }
    return { $ref: `#/$defs/d${depth}`, $defs }
  },
]

/** A value as JSON would bring it: hostile numbers and depths included. */
const overTheWire = (value: Json): Json => JSON.parse(toText(value))

export function hostileSchema(random: SeededRandom): Json {
  if (random.often(0.02)) return random.pick(BOMBS)(random)
  const valid = random.pick(VALID)
  const schema = mutated(valid, random, random.between(1, 4))
  if (random.often(0.1) && typeof schema === 'object' && schema !== null)
    Object.assign(schema, { $ref: random.pick(REFERENCES) })
  return overTheWire(schema)
}

/** The valid schemas, to compare hostile ones with. */
export const validSchema = (random: SeededRandom): object => random.pick(VALID)

export const hostileInstance = (random: SeededRandom): Json =>
  overTheWire(random.often(0.2) ? oddValue(random) : mutated(random.pick(VALUES), random, random.between(0, 2)))
