import { expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { fromJsonSchema } from './json-schema.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const NUMBER = { contains: { type: 'number' } }
const accepts = (schema: JsonObject, value: unknown): boolean => fromJsonSchema(schema, 'output').parse(value).success

test.each([
  ['an empty list', NUMBER, [], false],
  ['no fitting item', NUMBER, ['a'], false],
  ['a fitting item', NUMBER, ['a', 1], true],
  ['an empty list after one that fits', { items: NUMBER }, [[1], []], false],
  ['an empty member after one that fits', { additionalProperties: NUMBER }, { a: [1], b: [] }, false],
  ['an empty list after one that fits, in draft-07', { $schema: DRAFT_07, items: NUMBER }, [[1], []], false],
  ['as many as asked for', { ...NUMBER, minContains: 2 }, [1, 'a', 2], true],
  ['fewer than asked for', { ...NUMBER, minContains: 2 }, [1, 'a'], false],
  ['more than allowed', { ...NUMBER, maxContains: 1 }, [1, 2], false],
  ['none, where none is needed', { ...NUMBER, minContains: 0 }, [], true],
  ['more than draft-07 would count', { $schema: DRAFT_07, ...NUMBER, maxContains: 1 }, [1, 2], true],
  ['an item that anything fits', { contains: { oneOf: [{}] } }, [], false],
  ['a boolean schema', { contains: false }, [1], false],
  ['items that contains has evaluated', { ...NUMBER, unevaluatedItems: false }, [1, 2], true],
])('contains: %s', (_what, schema, value, expected) => {
  expect(accepts(schema as JsonObject, value)).toBe(expected)
})

test('the issue says how many items are asked for', () => {
  const parsed = fromJsonSchema({ ...NUMBER, minContains: 2, maxContains: 3 }, 'output').parse([1])
  expect(parsed).toMatchObject({
    issues: [{ path: '', constraint: 'must have at least 2 and at most 3 of the items that the schema asks for' }],
  })
})

const HOSTILE = { toString: 1, valueOf: null, constructor: {} }

test.each([
  ['const, with other members', { const: { a: 1 } }, HOSTILE, false],
  ['const, with the same members', { const: HOSTILE }, { ...HOSTILE }, true],
  ['enum, with other members', { enum: ['a', { a: [1] }] }, HOSTILE, false],
  ['enum, with the same members', { enum: ['a', { a: [1] }] }, { a: [1] }, true],
  ['enum of scalars', { enum: ['a', 1] }, HOSTILE, false],
  ['uniqueItems, of two that differ', { uniqueItems: true }, [HOSTILE, { ...HOSTILE, toString: 2 }], true],
  ['uniqueItems, of two that are the same', { uniqueItems: true }, [HOSTILE, 1, { ...HOSTILE }], false],
  ['uniqueItems, of two scalars', { uniqueItems: true }, [1, 'a', 1], false],
  ['uniqueItems, of scalars only', { uniqueItems: true, items: { type: 'number' } }, [1, 2, 1], false],
  ['uniqueItems, off', { uniqueItems: false }, [1, 1], true],
])('members named like those of Object are compared like others: %s', (_what, schema, value, expected) => {
  expect(accepts(schema as JsonObject, value)).toBe(expected)
})

test('the issue of a repeated item names the list', () => {
  const messageOf = (schema: JsonObject, value: unknown) => {
    const parsed = fromJsonSchema(schema, 'output').parse(value)
    return parsed.success ? undefined : parsed.issues[0]?.message
  }
  expect(messageOf({ uniqueItems: true }, [{}, {}])).toMatch(/^must not have the same item twice/)
  expect(messageOf({ uniqueItems: true, items: { type: 'number' } }, [1, 1])).toMatch(
    /^must not have the same item twice/,
  )
})
