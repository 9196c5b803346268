import { createRequire } from 'node:module'
import { propertyRuns } from '@myrmex/testing/long'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { judge, scopeOf } from '../../schema/json-schema/judge.ts'
import { CheckedSchema } from './checked-schema.ts'
import { isPlainSchema } from './plain-schema.ts'
import { TimeLimit, TOO_SLOW } from './time-limit.ts'

const require = createRequire(import.meta.url)
const { default: Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
const addFormats = require('ajv-formats') as { default: (ajv: object) => void }

/** What the rest of the house says of a value: undefined where the schema cannot be used. */
function ajvSays(schema: JsonObject, side: 'input' | 'output', value: unknown): boolean | undefined {
  try {
    return compileSchema(schema, side).parse(value).success
  } catch {
    return undefined
  }
}

const surelyFits = (schema: JsonObject, value: unknown, fillsDefaults: boolean): boolean =>
  judge(schema, value, scopeOf(schema), { fillsDefaults }) === 'fits'

const RUNS = propertyRuns(300, 1500)

const NAMES = ['a', 'b', 'c', 'constructor', '__proto__', 'x-y']
const PATTERNS = ['^a+$', 'b', '[', '^(?=a)', '^\\p{L}$', '\\d{2,3}', '(a|b)*c']
const FORMATS = ['date-time', 'date', 'email', 'uri', 'uuid', 'regex', 'int32']
const TEXTS = [
  ...[
    '',
    'a',
    'aa',
    'b',
    'é',
    '🐜',
    '2026-01-31T12:00:00Z',
    '2026-02-28',
    '2026-02-30',
    'a@b.co',
    'https://a.b/c',
    '12',
  ],
  '123e4567-e89b-42d3-a456-426614174000',
]
const TYPES = ['string', 'string', 'integer', 'number', 'boolean', 'null', 'object', 'object', 'array', 'strin']

const pick = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const { value: aValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'xsmall' },
    pick<unknown>(...TEXTS, 0, 1, -1, 2, 1.5, 3, 1e300, null, true),
    // As JSON is read, with what every object inherits.
    fc.dictionary(pick(...NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

const aBound = pick(0, 1, 2, 3, 1.5, -1)

/** Schemas as people write them: a few keywords each, some of them wrong. */
const { schema: aSchema } = fc.letrec((tie) => {
  const schema = tie('schema')
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof({ weight: 5, arbitrary: pick(...TYPES) }, fc.uniqueArray(pick(...TYPES), { maxLength: 3 })),
    enum: fc.array(aValue, { maxLength: 3 }),
    const: aValue,
    default: aValue,
    minimum: aBound,
    exclusiveMaximum: aBound,
    multipleOf: aBound,
    minLength: aBound,
    maxLength: aBound,
    maxItems: aBound,
    minProperties: aBound,
    pattern: pick(...PATTERNS),
    format: pick(...FORMATS),
    uniqueItems: fc.boolean(),
    items: schema,
    required: fc.array(pick(...NAMES), { maxLength: 2 }),
    additionalProperties: schema,
    propertyNames: schema,
    anyOf: fc.array(schema, { maxLength: 2 }),
    oneOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
    allOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
    not: schema,
    prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
    if: schema,
    $ref: pick('#', '#/$defs/a', '#/$defs/a', '#/properties/a', '#/$defs/nowhere', 'http://elsewhere/x', '#anchor'),
    description: pick<unknown>('words', 'words', 3),
    nullable: fc.boolean(),
    'x-anything': aValue,
  }
  const properties = fc.dictionary(pick(...NAMES), schema, { maxKeys: 3 }).map((map) => ['properties', map] as const)
  const others = Object.entries(keywords).map(([word, held]) => held.map((value) => [word, value] as const))
  const keyword = fc.oneof({ weight: 8, arbitrary: properties }, ...others)
  return {
    schema: fc.oneof(
      { depthSize: 'xsmall' },
      pick<unknown>({ type: 'string' }, { type: 'integer' }, {}, true),
      fc.array(keyword, { minLength: 1, maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  }
})

/** With a definition to refer to. */
const aRoot = fc
  .tuple(aSchema, aSchema)
  .map(([node, other]) => ({ ...(typeof node === 'object' ? node : {}), $defs: { a: other } }) as JsonObject)
const aSide = pick<'input' | 'output'>('input', 'output')

describe('what is seen without Ajv', () => {
  /** Ajv as protocol/json-schema.ts sets it up, kept, since making one takes most of the time. */
  const ajvs = (['input', 'output'] as const).map((side) => {
    const ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      useDefaults: side === 'input',

      logger: false,
    })
    addFormats.default(ajv)
    return [side, ajv] as const
  })
  const ajvOf = new Map(ajvs)

  test('a schema that is surely valid compiles, and a value that surely fits it is one that Ajv takes', () => {
    const seen = { valid: 0, fits: 0 }
    fc.assert(
      fc.property(aRoot, fc.array(aValue, { minLength: 1, maxLength: 8 }), aSide, (schema, values, side) => {
        if (!isPlainSchema(schema)) return
        seen.valid++
        const check = ajvOf.get(side)?.compile(schema)
        ajvOf.get(side)?.removeSchema(schema)
        for (const value of values) {
          if (!surelyFits(schema, value, side === 'input')) continue
          seen.fits++
          expect(check?.(structuredClone(value))).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
    expect(seen.valid / RUNS).toBeGreaterThan(200 / 1500)
    expect(seen.fits / RUNS).toBeGreaterThan(200 / 1500)
  })

  test.each<[string, JsonObject, unknown]>([
    ['a reference that goes round', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, ''],
    ['one that goes round beside another way', { anyOf: [{ $ref: '#' }, { type: 'string' }] }, ''],
    ['a default that does not fit', { properties: { a: { type: 'string', default: 1 } } }, {}],
    [
      'a default that the names do not allow',
      { properties: { a: { default: 1 } }, propertyNames: { maxLength: 0 } },
      {},
    ],
    ['a default in a part', { allOf: [{ properties: { a: { default: 1 } } }], propertyNames: { maxLength: 0 } }, {}],
    ['a format of numbers', { format: 'int32' }, 1e300],
  ])('nothing is sure about %s', (_, schema, value) => {
    expect(ajvSays(schema, 'input', value)).not.toBe(true)
    expect(isPlainSchema(schema) && surelyFits(schema, value, true)).toBe(false)
  })

  test('what tools are made of is seen without Ajv', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^[a-z/]+$', description: 'where' },
        lines: { type: 'array', items: { $ref: '#/$defs/line' } },
        at: { type: 'string', format: 'date-time' },
        kind: { anyOf: [{ const: 'a' }, { type: 'null' }], default: null },
      },
      required: ['path'],
      additionalProperties: false,
      $defs: { line: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
    }
    expect(isPlainSchema(schema)).toBe(true)
    const value = { path: 'a/b', lines: [{ sku: 'x' }], at: '2026-01-31T12:00:00Z', kind: 'a' }
    expect(surelyFits(schema, value, true)).toBe(true)
    expect(surelyFits(schema, { ...value, path: 'A' }, true)).toBe(false)
    expect(surelyFits(schema, { ...value, lines: [{}] }, true)).toBe(false)
    expect(surelyFits(schema, { ...value, more: 1 }, true)).toBe(false)
  })
})

test('the verdict is the one that every call is judged by', () => {
  const seen = { fits: 0, breaks: 0, unusable: 0 }
  fc.assert(
    fc.property(aRoot, aValue, aSide, (schema, value, side) => {
      const judged = new CheckedSchema(schema, side, new TimeLimit())
      const { faults } = judged
      const expected = ajvSays(schema, side, value)
      if (faults === TOO_SLOW) throw new Error('too slow')
      if (faults.length > 0) {
        seen.unusable++
        expect(expected).toBeUndefined()
        return
      }
      const misfits = judged.faultsOf(value)
      // One that goes round is only noticed when a value is there.
      if (expected === undefined) {
        expect(misfits).toMatchObject([{ message: expect.stringContaining('cannot be checked') }])
      } else expect(misfits).toHaveLength(expected ? 0 : (misfits as []).length || 1)
      seen[expected === true ? 'fits' : 'breaks']++
    }),
    { numRuns: 100 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
})

describe('a schema that cannot be used', () => {
  const faults = (schema: JsonObject) => new CheckedSchema(schema, 'input', new TimeLimit()).faults

  test.each<[string, JsonObject, PropertyKey[], string]>([
    [
      'a type there is not',
      { properties: { a: { type: 'strin' } } },
      ['properties', 'a', 'type'],
      'must be one of array, boolean, integer',
    ],
    [
      'a pattern that is none',
      { properties: { a: { pattern: '(' } } },
      ['properties', 'a', 'pattern'],
      'does not compile',
    ],
    [
      'a reference to nothing',
      { properties: { a: { $ref: '#/$defs/b' } } },
      ['properties', 'a', '$ref'],
      'does not exist',
    ],
    [
      'a remote reference',
      { allOf: [{ $ref: 'https://a.example/b.json' }] },
      ['allOf', 0, '$ref'],
      'Nothing is fetched',
    ],
    ['a dialect nobody knows', { $schema: 'http://json-schema.org/draft-04/schema#' }, ['$schema'], 'draft-04'],
    ['a promise', { $async: true }, ['$async'], '$async'],
    [
      'required as in draft 3',
      { properties: { a: { required: true } } },
      ['properties', 'a', 'required'],
      'must be an array',
    ],
  ])('%s: the place is named', (_, schema, path, message) => {
    const found = faults({ type: 'object', ...schema })
    expect(found).toContainEqual({ path, message: expect.stringContaining(message) })
  })

  test('draft-07 is known where it is named', () => {
    const schema: JsonObject = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { items: [{ type: 'string' }] } },
    }
    const judged = new CheckedSchema(schema, 'input', new TimeLimit())
    expect(judged.faults).toEqual([])
    expect(judged.faultsOf({ a: ['x'] })).toEqual([])
    expect(judged.faultsOf({ a: [1] })).toMatchObject([{ path: ['a', 0] }])
  })

  test.each(['input', 'output'] as const)('two schemas of the same $id do not meet, on the side of the %s', (side) => {
    for (const type of ['string', 'integer']) {
      const $defs = { x: { $id: 'http://a.example/x', type } }
      const schema: JsonObject = { type: 'object', properties: { a: { $ref: 'http://a.example/x' } }, $defs }
      const judged = new CheckedSchema(schema, side, new TimeLimit())
      expect(judged.faults).toEqual([])
      expect(judged.faultsOf({ a: type === 'string' ? 'x' : 1 })).toEqual([])
      expect(judged.faultsOf({ a: type === 'string' ? 1 : 'x' })).toHaveLength(1)
    }
  })
})

test('a value is not changed by being judged', () => {
  const schema: JsonObject = { type: 'object', properties: { a: { type: 'string', default: 'x' } }, oneOf: [{}] }
  const value = {}
  expect(new CheckedSchema(schema, 'input', new TimeLimit()).faultsOf(value)).toEqual([])
  expect(value).toEqual({})
})

describe('hostile schemas are stopped', () => {
  const hostile = (schema: JsonObject, value: unknown, patience = new TimeLimit(200, 600)) => {
    return withTimeLimit(1000, () => {
      const checked = new CheckedSchema(schema, 'output', patience)
      expect(checked.faults).toEqual([])
      return checked.faultsOf(value)
    })
  }

  test('a pattern that backtracks', () => {
    const schema: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '^(?=a)(a+)+$' } } }
    expect(hostile(schema, { a: `${'a'.repeat(40)}!` })).toBe(TOO_SLOW)
  })

  test('references that double', () => {
    const $defs: JsonObject = { d40: { type: 'string' } }
    for (let n = 0; n < 40; n++)
      $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }
    expect(hostile({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }, { a: 'x' })).toBe(TOO_SLOW)
  })

  test('references that go round', () => {
    const schema: JsonObject = { type: 'object', allOf: [{ $ref: '#' }] }
    // Long enough that a busy machine gets to the end of its stack first.
    const found = hostile(schema, {}, new TimeLimit(15_000, 15_000))
    expect(found).toMatchObject([{ message: expect.stringContaining('Maximum call stack') }])
  })

  test('many of them take no longer than three', () => {
    const patience = new TimeLimit(200, 600)
    const forever = () => {
      for (;;);
    }
    withTimeLimit(1500, () => {
      for (let n = 0; n < 20; n++) expect(patience.run(forever)).toBe(TOO_SLOW)
    })
    expect(patience.run(() => 'done')).toBe(TOO_SLOW)
    expect(new TimeLimit().run(() => 'done')).toBe('done')
  })
})
