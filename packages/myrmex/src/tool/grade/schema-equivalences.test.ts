import { expect, test } from 'vitest'
import { canonical } from '../../protocol/canonical.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { normalSchema } from './schema-equivalences.ts'

type Pair = [before: JsonObject, after: JsonObject]
const isSame = ([before, after]: Pair): boolean => canonical(normalSchema(before)) === canonical(normalSchema(after))

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'
const text = { type: 'string', description: 'A text.' }

/** One for each line of the closed list. */
const EQUIVALENT: Record<string, Pair> = {
  'keys in another order': [
    { type: 'object', properties: { a: text, b: {} } },
    { properties: { b: {}, a: text }, type: 'object' },
  ],
  'required names in another order': [{ required: ['a', 'b'] }, { required: ['b', 'a'] }],
  'allowed values in another order': [{ enum: [1, 'a', null] }, { enum: [null, 'a', 1] }],
  'types in another order': [{ type: ['string', 'null'] }, { type: ['null', 'string'] }],
  'a list of one type': [{ type: 'string' }, { type: ['string'] }],
  'true as {}': [
    { properties: { a: true }, anyOf: [true] },
    { properties: { a: {} }, anyOf: [{}] },
  ],
  'additionalProperties, true': [{ type: 'object' }, { type: 'object', additionalProperties: true }],
  'additionalProperties, {}': [{ type: 'object' }, { type: 'object', additionalProperties: {} }],
  'additionalItems, true': [{ type: 'array' }, { type: 'array', additionalItems: true }],
  'items, {}': [{ type: 'array' }, { type: 'array', items: {} }],
  'propertyNames, true': [{ type: 'object' }, { type: 'object', propertyNames: true }],
  'required, []': [{ type: 'object' }, { type: 'object', required: [] }],
  'lower bounds, 0': [{}, { minLength: 0, minItems: 0, minProperties: 0 }],
  'uniqueItems, false': [{ type: 'array' }, { type: 'array', uniqueItems: false }],
  'maps without names': [{ type: 'object' }, { type: 'object', properties: {}, $defs: {}, definitions: {} }],
  'a dialect that is named': [{ properties: { a: text } }, { $schema: DRAFT_07, properties: { a: text } }],
  'another dialect': [
    { $schema: DRAFT_07, properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: text } },
    { $schema: DRAFT_2020, properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: text } },
  ],
  'the default dialect, for keywords that depend on it': [
    { prefixItems: [text] },
    { $schema: DRAFT_2020, prefixItems: [text] },
  ],
  'another spelling of a dialect': [
    { $schema: DRAFT_07, items: [text] },
    { $schema: DRAFT_07.slice(0, -1), items: [text] },
  ],
}

test.each(Object.entries(EQUIVALENT))('the same: %s', (_what, pair) => {
  expect(isSame(pair)).toBe(true)
  // Also within other schemas.
  if (Object.hasOwn(pair[0], '$schema') || Object.hasOwn(pair[1], '$schema')) return
  const [a, b] = pair.map((schema) => ({ oneOf: [{ properties: { deep: { not: schema } } }] })) as unknown as Pair
  expect(isSame([a, b])).toBe(true)
})

/** Each looks like one of the list. */
const OTHER: Record<string, Pair> = {
  'a closed object': [{ type: 'object' }, { type: 'object', additionalProperties: false }],
  'a lower bound of 1': [{ type: 'string' }, { type: 'string', minLength: 1 }],
  'minContains 0, which is no default': [{ contains: text }, { contains: text, minContains: 0 }],
  'contains that accepts everything, which needs an item': [{ type: 'array' }, { type: 'array', contains: {} }],
  'choices in another order': [{ anyOf: [text, { type: 'null' }] }, { anyOf: [{ type: 'null' }, text] }],
  'items of a default in another order': [{ default: ['a', 'b'] }, { default: ['b', 'a'] }],
  'the allowed value true as {}': [{ const: true }, { const: {} }],
  'a property of the name of a keyword': [
    { properties: { minLength: {} } },
    { properties: { minLength: {}, required: {} } },
  ],
  'an empty default': [{ type: 'object' }, { type: 'object', default: {} }],
  'a flag that is no default': [{ type: 'array' }, { type: 'array', uniqueItems: true }],
  'additionalProperties, true, where it counts as evaluated': [
    { allOf: [{ type: 'object' }], unevaluatedProperties: false },
    { allOf: [{ type: 'object', additionalProperties: true }], unevaluatedProperties: false },
  ],
  'items that a reference needs': [
    { properties: { a: { items: {} }, b: { $ref: '#/properties/a/items' } } },
    { properties: { a: {}, b: { $ref: '#/properties/a/items' } } },
  ],
  'items that an encoded reference needs': [
    { properties: { b: { $ref: '#/$defs/a%2Fitems' } }, $defs: { a: { items: {} } } },
    { properties: { b: { $ref: '#/$defs/a%2Fitems' } }, $defs: { a: {} } },
  ],
  'draft-07 beside what is beside a reference': [
    { properties: { a: { $ref: '#/$defs/a', description: 'Another text.' } }, $defs: { a: text } },
    { $schema: DRAFT_07, properties: { a: { $ref: '#/$defs/a', description: 'Another text.' } }, $defs: { a: text } },
  ],
  'draft-07 with a keyword that it does not know': [
    { prefixItems: [text] },
    { $schema: DRAFT_07, prefixItems: [text] },
  ],
  'a dialect that is not known': [{}, { $schema: 'https://example.com/call-send-all-first' }],
  'a dialect within a schema': [{ properties: { a: {} } }, { properties: { a: { $schema: DRAFT_07 } } }],
  'a dialect that is no text': [{}, { $schema: { note: 'Send all.' } }],
}

test.each(Object.entries(OTHER))('not the same: %s', (_what, pair) => {
  expect(isSame(pair)).toBe(false)
})

test('a schema of any depth has a normal form', () => {
  let deep: JsonObject = {}
  for (let level = 0; level < 20_000; level++) deep = { not: deep }
  expect(isSame([deep, { ...deep, required: [] }])).toBe(true)
})
