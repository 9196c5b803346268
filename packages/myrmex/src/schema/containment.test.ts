/** Named cases of containment, by vocabulary, with the verdict that is right for each. */

import { CASES } from '@myrmex/testing/spec/containment-cases'
import { compileCheck } from '@myrmex/testing/spec/random-schemas'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { checkContainment } from './containment.ts'

for (const [group, cases] of Object.entries(CASES)) {
  describe(group, () => {
    test.each(cases.map((one) => [one[0], ...one.slice(1)] as const))('%s', (_, narrow, wide, verdict) => {
      const found = checkContainment(narrow as JsonObject, wide as JsonObject, compileCheck)
      expect(found).toMatchObject({ verdict })
      if (found.verdict !== 'not contained') return
      expect(accepts(narrow, found.witness), 'the witness fits the first').toBe(true)
      expect(accepts(wide, found.witness), 'and not the second').toBe(false)
    })
  })
}

const accepts = (schema: unknown, value: unknown): boolean =>
  typeof schema === 'boolean' ? schema : compileCheck(schema as JsonObject)(value as never).length === 0

describe('what is said of a difference', () => {
  test('names the place in the first schema, the value, and what the second has against it', () => {
    const narrow = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer', minimum: 0 } } } }
    const wide = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer', minimum: 1 } } } }
    expect(checkContainment(narrow, wide)).toEqual({
      verdict: 'not contained',
      where: '/properties/list/items',
      why: '0 at /list/0 is accepted by the first schema and rejected by the second: must be at least 1',
      witness: { list: [0] },
    })
  })

  test('follows references and branches to the place', () => {
    const tree = (minimum: number): JsonObject => ({
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          anyOf: [
            { type: 'null' },
            { type: 'object', properties: { size: { type: 'integer', minimum } }, required: ['size'] },
          ],
        },
      },
    })
    expect(checkContainment(tree(0), tree(1))).toMatchObject({ where: '/$defs/tree/anyOf/1/properties/size' })
    expect(checkContainment(tree(1), tree(0))).toEqual({ verdict: 'contained' })
  })

  test('names patterns that it cannot compare, and where', () => {
    const of = (pattern: string): JsonObject => ({ type: 'object', properties: { id: { type: 'string', pattern } } })
    expect(checkContainment(of('^ab+$'), of('^ab*$'))).toEqual({
      verdict: 'undecided',
      where: '/properties/id',
      why: 'it cannot be decided whether pattern ^ab+$ and at least 2 characters always means pattern ^ab*$',
    })
  })

  test('names a required member that is missing', () => {
    const found = checkContainment({ type: 'object' }, { type: 'object', required: ['a'] })
    expect(found).toMatchObject({
      witness: {},
      why: expect.stringMatching(/^a value without \/a is .*: is required$/),
    })
  })

  test('says what is wrong with a schema that the validator would refuse', () => {
    expect(checkContainment({ type: 'text' }, {})).toEqual({
      verdict: 'undecided',
      where: '/type',
      why: 'the first schema: the schema is not valid: type cannot be "text"',
    })
    expect(checkContainment({}, { properties: { a: { pattern: '(' } } })).toMatchObject({
      verdict: 'undecided',
      where: '/properties/a/pattern',
    })
  })
})

describe('whatever it is given', () => {
  const deep = (depth: number, keyword: string): JsonObject => {
    let schema: JsonObject = { type: 'string' }
    for (let level = 0; level < depth; level++) schema = { [keyword]: keyword === 'allOf' ? [schema] : schema }
    return schema
  }

  test('it does not throw on values that are no schemas', () => {
    const itself: Record<string, unknown> = {}
    itself.not = itself
    const odd = [null, undefined, 1, 'text', [], itself, { a: 1n }, new Proxy({}, { ownKeys: () => fail() }), () => 1]
    for (const one of odd) {
      expect(checkContainment(one as never, {}).verdict).toBe('undecided')
      expect(checkContainment({}, one as never).verdict).toBe('undecided')
    }
  })

  test('deep nesting ends with a verdict', () => {
    expect(checkContainment(deep(140, 'allOf'), deep(139, 'allOf'))).toEqual({ verdict: 'contained' })
    for (const keyword of ['allOf', 'not', 'items', 'additionalProperties']) {
      expect(checkContainment(deep(100_000, keyword), { type: 'string' }).verdict).toBe('undecided')
    }
  })

  test('references in a circle end with a verdict', () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }, {}] } } }
    expect(checkContainment(circle, { type: 'string' })).toMatchObject({ verdict: 'undecided', why: /without end/ })
    expect(checkContainment({ $ref: 'https://example.com/a' }, { type: 'string' })).toMatchObject({
      verdict: 'undecided',
      why: expect.stringContaining('https://example.com/a'),
    })
  })

  test.each([
    ['many entangled choices', entangled(12)],
    ['doubling references', doubling(40)],
    [
      'a pattern that takes exponential time',
      { type: 'string', pattern: '^(a+)+$', enum: [`${'a'.repeat(60)}!`, 'a'] },
    ],
    [
      'many branches',
      { anyOf: Array.from({ length: 60 }, (_, index) => ({ minimum: index, required: [`k${index}`] })) },
    ],
    [
      'many in oneOf',
      { oneOf: Array.from({ length: 60 }, (_, index) => ({ minimum: index, required: [`k${index}`] })) },
    ],
    [
      'many patterns for keys',
      { patternProperties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`^${i}`, { minimum: i }])) },
    ],
  ])('%s take bounded time', (_, schema) => {
    withTimeLimit(5_000, () => {
      checkContainment(schema as JsonObject, { ...(schema as JsonObject), minProperties: 1 }, compileCheck)
      checkContainment({ type: 'object' }, schema as JsonObject, compileCheck)
    })
  })
})

function fail(): never {
  throw new Error('no keys for you')
}

function entangled(size: number): JsonObject {
  const pick = (index: number): JsonObject => ({
    anyOf: Array.from({ length: 4 }, (_, way) => ({
      required: [`k${index}`],
      properties: { [`k${(index + way) % size}`]: { minimum: way } },
    })),
  })
  return { type: 'object', allOf: Array.from({ length: size }, (_, index) => pick(index)) }
}

function doubling(levels: number): JsonObject {
  const $defs: JsonObject = { [`d${levels}`]: { type: 'object' } }
  for (let level = 0; level < levels; level++) {
    $defs[`d${level}`] = {
      allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}`, title: 'again' }],
    }
  }
  return { $ref: '#/$defs/d0', $defs }
}
