/** Paths through output schemas: what is certain, what is possible and why it is no more, what is out of the question and why. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../protocol/json.ts'
import { pointerSteps } from '../../../protocol/json.ts'
import { AnalysedSchema } from './alternatives.ts'
import { followPath } from './follow-path.ts'

const text: JsonObject = { type: 'string' }
const closed = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** `certain`, or why it may be absent, or, after a cross, why it cannot be. */
function said(schema: JsonObject, path: string): string {
  const found = followPath(new AnalysedSchema(schema), pointerSteps(path))
  if (!found.found) return `× ${found.reached} ${found.why}`
  return found.doubt ?? 'certain'
}

describe('an object', () => {
  test.each([
    ['a required field', closed({ a: text }), '/a', 'certain'],
    ['an optional field', closed({ a: text }, []), '/a', '/a is optional'],
    ['a field it has not', closed({ a: text }), '/b', '×  which has a'],
    [
      'a field it does not name, where others are not spoken of',
      { type: 'object', properties: { a: text } },
      '/b',
      '×  which has a',
    ],
    [
      'a field it does not name, where others may come',
      { type: 'object', properties: { a: text }, additionalProperties: true },
      '/b',
      '/b is not named in the schema',
    ],
    ['a field of an object that says nothing', { type: 'object' }, '/b', '/b is not named in the schema'],
    ['a required field that is not described', { type: 'object', required: ['a'] }, '/a', 'certain'],
    ['a field by its pattern', { type: 'object', patternProperties: { '^x_': text } }, '/x_1', '/x_1 is optional'],
    ['a field of no pattern', { type: 'object', patternProperties: { '^x_': text } }, '/y', '×  which has no fields'],
    [
      'the inside of any other field',
      { type: 'object', additionalProperties: closed({ n: text }) },
      '/q/m',
      '× /q which has n',
    ],
    [
      'a name that is ruled out',
      { type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: text },
      '/b',
      '×  which has no fields',
    ],
    [
      'what no part evaluates',
      { type: 'object', allOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      '/b',
      '×  which has a',
    ],
    [
      'a value that may be null',
      closed({ a: { anyOf: [closed({ b: text }), { type: 'null' }] } }),
      '/a/b',
      'not every result has /a/b',
    ],
    [
      'a value of two types',
      closed({ a: { type: ['object', 'string'], required: ['b'] } }),
      '/a/b',
      '/a need not be an object',
    ],
  ])('%s', (_, schema, path, expected) => {
    expect(said(schema, path)).toBe(expected)
  })
})

describe('a list', () => {
  const list = (more: JsonObject): JsonObject => ({ type: 'array', items: text, ...more })
  test.each([
    ['an item', list({}), '/0', 'the result may have no items'],
    ['an item that must be there', list({ minItems: 1 }), '/0', 'certain'],
    ['an item beyond those', list({ minItems: 1 }), '/1', 'the result may have as few as 1 items'],
    ['an item beyond the last', list({ maxItems: 1 }), '/1', '×  which is a list that never has an item 1'],
    ['the place after the last', list({}), '/-', '×  which is a list, and - names the place after the last'],
    ['a name', list({}), '/first', '×  which is a list: an index must follow, not "first"'],
    ['an odd index', list({}), '/01', '×  which is a list: an index must follow, not "01"'],
    [
      'a tuple',
      { type: 'array', prefixItems: [text, closed({ a: text })], items: false, minItems: 2 },
      '/1/a',
      'certain',
    ],
    [
      'an item after a tuple',
      { type: 'array', prefixItems: [text], items: false },
      '/1',
      '×  which is a list that never has an item 1',
    ],
    [
      'a tuple of draft-07',
      { type: 'array', items: [text, text], additionalItems: false },
      '/2',
      '×  which is a list that never has an item 2',
    ],
  ])('%s', (_, schema, path, expected) => {
    expect(said(schema as JsonObject, path)).toBe(expected)
  })
})

describe('choices and references', () => {
  const tree = {
    $ref: '#/$defs/tree',
    $defs: { tree: closed({ left: { $ref: '#/$defs/tree' }, name: text }, ['name']) },
  }
  const either = {
    oneOf: [closed({ kind: { const: 'a' }, x: text }), closed({ kind: { const: 'b' }, x: text, y: text })],
  }
  const conditional = {
    type: 'object',
    if: { properties: { a: { const: 1 } } },
    // biome-ignore lint/suspicious/noThenProperty: it is the name of a keyword
    then: closed({ a: {}, b: text }),
    else: closed({ c: text }),
  }
  test.each([
    ['a schema in itself', tree, '/left/left/name', '/left is optional'],
    ['what all choices have', either, '/x', 'certain'],
    ['what one of them has', either, '/y', 'not every result has /y'],
    ['what none of them has', either, '/z', '×  which has kind, x, y'],
    ['both parts of allOf', { allOf: [closed({ a: text, b: text }), { required: ['b'] }] }, '/b', 'certain'],
    [
      'a choice that cannot be',
      { type: 'object', required: ['a'], anyOf: [{ type: 'string' }, { properties: { a: text } }] },
      '/a',
      'certain',
    ],
    ['what follows from a condition', conditional, '/b', 'not every result has /b'],
    ['what follows from none', conditional, '/d', '×  which has a, b, c'],
    [
      'what comes with another',
      { type: 'object', properties: { a: text }, dependentSchemas: { a: { properties: { b: text } } } },
      '/b',
      'not every result has /b',
    ],
    [
      'a reference to elsewhere',
      { type: 'object', properties: { a: text }, $ref: 'https://example.com/other' },
      '/b',
      '/b is not named in the schema',
    ],
    ['a schema that accepts nothing', { type: 'object', properties: { a: false } }, '/a', '×  which has a'],
  ])('%s', (_, schema, path, expected) => {
    expect(said(schema as JsonObject, path)).toBe(expected)
  })
})
