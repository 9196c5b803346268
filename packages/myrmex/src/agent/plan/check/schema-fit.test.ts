/** Whether values of one schema fit another: never, surely or perhaps, and the message for never. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../protocol/json.ts'
import { AnalysedSchema } from './alternatives.ts'
import { fitOf } from './schema-fit.ts'

const id = (type_id: string): JsonObject => ({ type: 'string', type_id })
const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const closed = (properties: JsonObject): JsonObject => ({ ...object(properties), additionalProperties: false })
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] })

const said = (comes: JsonObject, taken: JsonObject): string => {
  const [source, input] = [new AnalysedSchema(comes), new AnalysedSchema(taken)]
  const found = fitOf({ schema: source, alternatives: source.alternativesOf(comes) }, input, taken)
  return found.fit === 'never' ? found.why : found.fit
}

test.each<[string, JsonObject, JsonObject, string]>([
  ['the same', { type: 'string', minLength: 1 }, { type: 'string', minLength: 1 }, 'surely'],
  ['an integer for a number', { type: 'integer' }, { type: 'number' }, 'surely'],
  ['a number for an integer', { type: 'number' }, { type: 'integer' }, 'perhaps'],
  ['tighter bounds', { type: 'number', minimum: 2, maximum: 3 }, { type: 'number', minimum: 1 }, 'surely'],
  ['wider bounds', { type: 'number', minimum: 0 }, { type: 'number', minimum: 1 }, 'perhaps'],
  [
    'bounds that never meet',
    { type: 'number', maximum: 0 },
    { type: 'number', minimum: 1 },
    'is at most 0 where at least 1 is taken',
  ],
  ['a number for a text', { type: 'number' }, { type: 'string' }, 'is number where string is taken'],
  ['anything for a text', {}, { type: 'string' }, 'perhaps'],
  ['a text for anything', { type: 'string' }, {}, 'surely'],
  ['another id', id('a_id'), id('b_id'), 'is an a_id where a b_id is taken'],
  ['an id for what says nothing', id('a_id'), { type: 'string' }, 'surely'],
  ['another id, where both may be null', orNull(id('a_id')), orNull(id('b_id')), 'is an a_id where a b_id is taken'],
  [
    'null where only null is common',
    orNull({ type: 'string' }),
    orNull({ type: 'number' }),
    'is null or string where null or number is taken',
  ],
  ['null for null', { type: 'null' }, orNull({ type: 'number' }), 'surely'],
  ['some of the values', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, 'perhaps'],
  ['all of the values', { enum: ['a'] }, { enum: ['a', 'b'] }, 'surely'],
  ['none of the values', { enum: ['a', 'b'] }, { const: 'c' }, 'is "a" or "b", and none of that is taken'],
  [
    'values that a pattern refuses',
    { enum: ['a', 'b'] },
    { type: 'string', pattern: '^c' },
    'is "a" or "b", and none of that is taken',
  ],
  [
    'values that never come',
    { type: 'string', maxLength: 2 },
    { enum: ['long'] },
    'is never "long", and nothing else is taken',
  ],
  [
    'a list of others',
    list(id('a_id')),
    list(id('b_id')),
    'is a list, of which each item is an a_id where a b_id is taken',
  ],
  ['an object without a field', closed({ a: id('a_id') }), object({ b: id('b_id') }), 'has no b, which is required'],
  [
    'an object with another field',
    closed({ a: { type: 'number' } }),
    object({ a: id('a_id') }),
    'has an a that is number where string is taken',
  ],
  ['an object with a field too many', closed({ a: {}, b: {} }), closed({ a: {} }), 'has a b, which is not taken'],
  [
    'lists of objects',
    list(closed({ a: id('a_id') })),
    list(object({ a: id('c_id') })),
    'is a list, of which each item has an a that is an a_id where a c_id is taken',
  ],
])('%s', (_, comes, taken, expected) => {
  expect(said(comes, taken)).toBe(expected)
})
