import { propertyRuns } from '@myrmex/testing/long'
import { anySchema, compileCheck } from '@myrmex/testing/spec/random-schemas'
import { Sampler } from '@myrmex/testing/spec/schema-sampler'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FORMAT_SAMPLES, fitsFormat } from '../../schema/json-schema/formats.ts'
import type { Json, JsonObject } from '../json.ts'
import { boundedCheck, TOO_MUCH_WORK } from './bounded-schema.ts'

const secrets = new Set<string>()
const issuesOf = (schema: object, value: unknown, side: 'input' | 'output' = 'output') =>
  boundedCheck(schema as JsonObject, { side, secrets })(value)
const fits = (schema: object, value: unknown): boolean => issuesOf(schema, value).length === 0

/** Within `not` and `if` Ajv skips `contains` and `uniqueItems` if the array is shorter than its prefix. */
const isOddInAjv = (schema: unknown): boolean =>
  /"(?:contains|uniqueItems)"/.test(JSON.stringify(schema)) && /"prefixItems"/.test(JSON.stringify(schema))

test('generated schemas accept and reject the values that Ajv does', () => {
  const seen = { fits: 0, fails: 0 }
  fc.assert(
    fc.property(anySchema(), fc.nat(), (schema, seed) => {
      if (isOddInAjv(schema)) return
      const ajv = compileCheck(schema)
      const ours = boundedCheck(schema, { side: 'output', secrets })
      const sampler = new Sampler(schema, seed)
      for (let turn = 0; turn < 8; turn++) {
        const value = sampler.value()
        for (const one of [value, sampler.near(value)]) {
          const expected = ajv(one as Json).length === 0
          seen[expected ? 'fits' : 'fails']++
          expect([one, ours(one).length === 0]).toEqual([one, expected])
        }
      }
    }),
    { numRuns: propertyRuns(400, 20_000) },
  )
  expect(Math.min(seen.fits, seen.fails)).toBeGreaterThan(300)
})

test.each<[string, object, unknown[], unknown[]]>([
  [
    'ids and anchors',
    {
      $id: 'https://a.example/root',
      $defs: { x: { $id: 'sub', $anchor: 'n', type: 'string' } },
      properties: { a: { $ref: 'sub' }, b: { $ref: 'sub#n' } },
    },
    [{ a: 'x', b: 'y' }],
    [{ a: 1 }, { b: 1 }],
  ],
  [
    'draft-07 items and dependencies',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      additionalItems: false,
      dependencies: { a: ['b'], c: { required: ['d'] } },
    },
    [['x'], { a: 1, b: 1 }, { c: 1, d: 1 }],
    [['x', 1], [1], { a: 1 }, { c: 1 }],
  ],
  [
    'draft-07 definitions',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a',
      definitions: { a: { type: 'string' } },
    },
    ['x'],
    [1],
  ],
  [
    'unevaluated properties through references',
    {
      allOf: [{ $ref: '#/$defs/a' }],
      anyOf: [{ properties: { b: true } }, { required: ['zzz'] }],
      unevaluatedProperties: false,
      $defs: { a: { properties: { a: true } } },
    },
    [{ a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    'unevaluated items',
    { prefixItems: [{ type: 'string' }], contains: { const: 5 }, unevaluatedItems: false },
    [['x', 5]],
    [['x', 5, 6]],
  ],
  [
    'dynamic references',
    { $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { other: 1 } }],
  ],
  ['nullable', { type: 'string', nullable: true }, ['x', null], [1]],
  ['characters of two units', { minLength: 2, maxLength: 2 }, ['🐜🐜', 'ab'], ['🐜', 'abc']],
  [
    'patterns with lookaround, as Zod writes them for addresses',
    {
      pattern:
        "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    },
    ['a.b@example.com'],
    ['.a@example.com', 'a..b@example.com'],
  ],
  ['own members only', { required: ['constructor'] }, [JSON.parse('{"constructor":1}'), 'text'], [{}]],
  [
    '__proto__ as a name',
    JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    [JSON.parse('{"__proto__":"x"}')],
    [JSON.parse('{"__proto__":1}'), {}],
  ],
  [
    'equal values in any order',
    { enum: [{ a: 1, b: [2] }], uniqueItems: true },
    [{ b: [2], a: 1 }],
    [{ a: 1 }, { a: 1, b: [2], c: 3 }],
  ],
  [
    'items that repeat',
    { uniqueItems: true },
    [[1, '1', [1]]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
])('%s', (_what, schema, accepted, rejected) => {
  for (const value of accepted) expect([value, issuesOf(schema, value)]).toEqual([value, []])
  for (const value of rejected) expect([value, fits(schema, value)]).toEqual([value, false])
})

test('formats reject what Ajv rejects of common texts, and accept its samples', () => {
  for (const [format, samples] of Object.entries(FORMAT_SAMPLES)) {
    for (const text of [...samples, ...samples.flatMap((one) => [`${one} `, `${one}\n`]), 'x y', '{', '%', '[']) {
      const expected = fitsFormat(format, text)
      // Ours are more lenient about what is in a URI, never about what is an ordinary sample.
      if (samples.includes(text)) expect([format, text, fits({ format }, text)]).toEqual([format, text, true])
      else if (
        ![
          'uri-reference',
          'uri-template',
          'json-pointer',
          'regex',
          'relative-json-pointer',
          'uri',
          'url',
          'iso-time',
          'iso-date-time',
          'time',
          'date-time',
          'byte',
        ].includes(format)
      )
        expect([format, text, fits({ format }, text)]).toEqual([format, text, expected])
    }
  }
})

describe('a schema is rejected', () => {
  const doubling = (levels: number): JsonObject => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, n) => [
        `d${n}`,
        n === levels - 1 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    ) as JsonObject,
  })

  test.each<[string, object, RegExp]>([
    ['if its references double too often', doubling(30), /more than 20000 schemas to one value/],
    ['if it refers to itself', { $ref: '#' }, /refers to itself/],
    [
      'if it refers to itself around a corner',
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } },
      /refers to itself/,
    ],
    ['if a pattern has backreferences', { pattern: '(a+)\\1' }, /backreferences are not supported/],
    ['if a pattern is too large', { pattern: '((a{99}){99}){99}' }, /too large/],
    [
      'if its patterns together are too large',
      { properties: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n, { pattern: `a{999}${n}` }])) },
      /too large/,
    ],
    ['if a pattern is invalid', { patternProperties: { '(': true } }, /unterminated group/i],
    ['if a reference leads outside', { $ref: 'https://example.com/schema' }, /not in it/],
    ['if a reference leads nowhere', { $ref: '#/$defs/none' }, /not in it/],
    ['if a keyword has an invalid value', { minimum: '1' }, /minimum/],
    ['if a type is unknown', { type: 'strin' }, /unknown type/],
    ['if a part is not a schema', { properties: { a: 1 } }, /not a schema/],
    ['if its dialect is unknown', { $schema: 'https://example.com/mine' }, /dialect/],
    ['if it is asynchronous', { $async: true }, /async/],
  ])('%s', (_why, schema, message) => {
    expect(() => issuesOf(schema, {})).toThrow(message)
  })

  test('but not if it contains itself one level deeper, or doubles within the bound', () => {
    expect(fits({ properties: { next: { $ref: '#' } }, additionalProperties: false }, { next: { next: {} } })).toBe(
      true,
    )
    expect(fits(doubling(10), {})).toBe(true)
  })
})

test('at most 20 issues are collected, and the rest is not looked at', () => {
  expect(
    issuesOf(
      { items: { type: 'string' } },
      Array.from({ length: 100_000 }, () => 1),
    ),
  ).toHaveLength(20)
})

test('a value that takes too many steps or is nested too deeply does not fit', () => {
  const tree = { items: { allOf: [{ $ref: '#' }, { $ref: '#' }] } }
  let deep: unknown = 'x'
  for (let level = 0; level < 40; level++) deep = [deep]
  expect(issuesOf(tree, deep)).toMatchObject([{ constraint: TOO_MUCH_WORK, message: 'takes too long to check' }])
  for (let level = 0; level < 5000; level++) deep = [deep]
  expect(issuesOf({ items: { $ref: '#' } }, deep)).toMatchObject([{ message: 'is nested too deeply' }])
})

describe('every part of the work is a step', () => {
  const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
  const named = (count: number, value: unknown) => Object.fromEntries(times(count, (n) => [`n${n}`, value]))
  const chain = (levels: number, innermost: object): object =>
    levels === 0 ? innermost : { allOf: [chain(levels - 1, innermost)] }
  const numbers = times(1000, (n) => n)

  test.each<[string, object, unknown]>([
    ['items of any kind', { allOf: times(100, () => ({ items: true })) }, numbers],
    ['first items of any kind', { allOf: times(100, () => ({ prefixItems: times(1000, () => true) })) }, numbers],
    ['further items of any kind', { allOf: times(100, () => ({ prefixItems: [true], items: true })) }, numbers],
    ['items that are looked for', { allOf: times(100, () => ({ contains: true })) }, numbers],
    [
      'items that nobody evaluated',
      { allOf: times(100, () => ({ contains: { minimum: -1 }, unevaluatedItems: true })) },
      times(60, (n) => n),
    ],
    ['alternatives that accept everything', { items: { allOf: times(1000, () => true) } }, times(100, () => 1)],
    [
      'alternatives that reject everything',
      { items: { not: { anyOf: times(1000, () => false) } } },
      times(100, () => 1),
    ],
    ['the text of a pattern that matches at once', { allOf: times(1000, () => ({ pattern: 'x' })) }, 'x'.repeat(1000)],
    ['names without a pattern', { allOf: times(100, () => ({ patternProperties: {} })) }, named(1000, 1)],
    ['names of any kind', { allOf: times(100, () => ({ propertyNames: true })) }, named(1000, 1)],
    ['names that are counted', { allOf: times(100, () => ({ minProperties: 1 })) }, named(1000, 1)],
    ['names that others depend on', { items: { dependentRequired: named(1000, []) } }, times(100, () => ({}))],
    [
      'members that were evaluated, at each level',
      { ...chain(300, { properties: named(200, true) }), unevaluatedProperties: false },
      named(200, 1),
    ],
  ])('%s', (_what, schema, value) => {
    const check = boundedCheck(schema as JsonObject, { side: 'output', secrets, steps: 10_000 })
    expect(check(value)).toMatchObject([{ constraint: TOO_MUCH_WORK }])
  })
})

test('on the input side a member with a default is not required, and is filled in where that is allowed', () => {
  const schema = { properties: { a: { type: 'number', default: 3 } }, required: ['a'] } as JsonObject
  const check = boundedCheck(schema, { side: 'input', secrets })
  const value = {}
  expect(check(value)).toEqual([])
  expect(value).toEqual({})
  expect(check(value, true)).toEqual([])
  expect(value).toEqual({ a: 3 })
  expect(issuesOf(schema, {})).toMatchObject([{ path: '/a', message: 'is required' }])
})

describe('defaults', () => {
  const filled = (schema: object, value: object) => {
    const issues = boundedCheck(schema as JsonObject, { side: 'input', secrets })(value, true)
    return { value, issues: issues.length }
  }

  test('are a new value each time: a tool that changes one changes no other call', () => {
    const schema = { properties: { tags: { default: ['a'] }, at: { default: {}, properties: { x: { default: 1 } } } } }
    const { value } = filled(schema, {})
    expect(value).toEqual({ tags: ['a'], at: { x: 1 } })
    ;(value as { tags: string[] }).tags.push('b')
    expect(filled(schema, {}).value).toEqual({ tags: ['a'], at: { x: 1 } })
    expect(schema.properties.at.default).toEqual({})
  })

  test('of alternatives are not filled in, as in Ajv: the alternative may not be the one that holds', () => {
    const schema = {
      anyOf: [
        { properties: { kind: { const: 'a' }, size: { default: 1 } } },
        { properties: { kind: { const: 'b' }, size: { type: 'string' } } },
      ],
    }
    expect(filled(schema, { kind: 'b' })).toEqual({ value: { kind: 'b' }, issues: 0 })
    const needed = { oneOf: [{ properties: { a: { default: 1 } }, required: ['a'] }, { required: ['b'] }] }
    expect(filled(needed, { b: 1 })).toEqual({ value: { b: 1 }, issues: 0 })
  })
})
