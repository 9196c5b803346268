/** One voice: the same broken rule reads the same, whichever validator found it. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { fromForeignSchema, fromJsonSchema } from './json-schema.ts'
import { compileSchema, type Schema, type StandardSchema } from './schema.ts'

/** A Standard Schema of no library in particular, which says things in its own way. */
const standard = (json: object, message = 'NOPE (was "hunter2")'): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      const parsed = fromForeignSchema(json as never, 'input').parse(value)
      if (parsed.success) return { value }
      return { issues: parsed.issues.map(({ path }) => ({ message, path: path.split('/').slice(1) })) }
    },
    jsonSchema: { input: () => structuredClone(json) as never, output: () => structuredClone(json) as never },
  },
})

const issuesOf = (schema: Schema, value: unknown) => {
  const parsed = schema.parse(value)
  return parsed.success ? [] : parsed.issues
}

/** By Zod, by Ajv, by the bounded check and by a Standard Schema. */
const validators = (source: z.ZodType): [string, Schema][] => {
  const { $schema, ...json } = z.toJSONSchema(source, { io: 'input' }) as Record<string, unknown>
  return [
    ['Zod', compileSchema(source as never, 'input')],
    ['Ajv', fromJsonSchema(json as never, 'input')],
    ['the bounded check', fromForeignSchema(json as never, 'input')],
    ['a Standard Schema', compileSchema(standard(json), 'input')],
  ]
}

describe.each<[string, z.ZodType, unknown, string, string, string]>([
  [
    'an enum',
    z.object({ platform: z.enum(['facebook', 'google', 'tiktok']) }),
    { platform: 'myspace' },
    '/platform',
    'must be one of facebook, google, tiktok',
    '; got "myspace"',
  ],
  [
    'values that look alike',
    z.object({ a: z.literal(['1', 1, null, 'null', 'a b']) }),
    { a: true },
    '/a',
    'must be one of "1", 1, null, "null", "a b"',
    '; got true',
  ],
  ['a constant', z.object({ a: z.literal('x') }), { a: 1 }, '/a', 'must be "x"', '; got 1'],
  ['a type', z.object({ a: z.number() }), { a: 'x' }, '/a', 'must be a number', '; got "x"'],
  ['an integer', z.object({ a: z.int() }), { a: 1.5 }, '/a', 'must be an integer', '; got 1.5'],
  [
    'a list where an object is wanted',
    z.object({ a: z.object({ b: z.string() }) }),
    { a: [] },
    '/a',
    'must be an object',
    '; got an array',
  ],
  ['a least value', z.object({ a: z.number().min(1) }), { a: 0 }, '/a', 'must be at least 1', '; got 0'],
  ['a largest value', z.object({ a: z.number().lt(1) }), { a: 2 }, '/a', 'must be less than 1', '; got 2'],
  ['a multiple', z.object({ a: z.number().multipleOf(5) }), { a: 3 }, '/a', 'must be a multiple of 5', '; got 3'],
  ['an empty text', z.object({ sku: z.string().min(1) }), { sku: '' }, '/sku', 'must not be empty', '; got ""'],
  [
    'a short text',
    z.object({ a: z.string().min(3) }),
    { a: 'ab' },
    '/a',
    'must have at least 3 characters',
    '; got "ab"',
  ],
  [
    'a long text',
    z.object({ a: z.string().max(1) }),
    { a: 'abc' },
    '/a',
    'must have at most 1 character',
    '; got "abc"',
  ],
  [
    'a pattern',
    z.object({ a: z.string().regex(/^[a-z]+$/) }),
    { a: 'A' },
    '/a',
    'must match the pattern ^[a-z]+$',
    '; got "A"',
  ],
  ['a format', z.object({ a: z.iso.date() }), { a: 'soon' }, '/a', 'must be a date such as 2026-11-16', '; got "soon"'],
  [
    'too few items',
    z.object({ a: z.array(z.string()).min(2) }),
    { a: ['x'] },
    '/a',
    'must have at least 2 items',
    '; got an array',
  ],
  ['a missing property', z.object({ a: z.string() }), {}, '/a', 'is required', ''],
  [
    'a property that nobody knows',
    z.strictObject({ a: z.string(), b: z.string().optional() }),
    { a: 'x', c: 1 },
    '/c',
    'is not a known property; known are a, b',
    '',
  ],
  [
    'a choice of types',
    z.object({ a: z.union([z.string(), z.number(), z.null()]) }),
    { a: true },
    '/a',
    'must be a string, a number or null',
    '; got true',
  ],
  [
    'the form that was meant',
    z.object({ a: z.union([z.string(), z.object({ b: z.number() })]) }),
    { a: { b: 'x' } },
    '/a/b',
    'must be a number',
    '; got "x"',
  ],
  [
    'a kind that tells forms apart',
    z.object({
      a: z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })]),
    }),
    { a: { kind: 'z' } },
    '/a/kind',
    'must be one of x, y',
    '; got "z"',
  ],
  [
    'the form of a kind',
    z.object({ a: z.union([z.object({ kind: z.literal('x'), n: z.number() }), z.object({ kind: z.literal('y') })]) }),
    { a: { kind: 'x', n: '1' } },
    '/a/n',
    'must be a number',
    '; got "1"',
  ],
  [
    'forms that are not told apart',
    z.object({ a: z.union([z.object({ b: z.number() }), z.object({ c: z.number() })]) }),
    { a: {} },
    '/a',
    'must fit one of 2 forms: /b is required; or /c is required',
    '; got an object',
  ],
])('%s', (_what, source, value, path, constraint, got) => {
  test.each(validators(source))('reads the same by %s', (_by, schema) => {
    const [issue, ...more] = issuesOf(schema, value)
    expect(issue).toMatchObject({ path, constraint, message: `${constraint}${got}` })
    // Ajv and the bounded check may add what follows from it, but not by anything else.
    expect(more).toEqual([])
  })
})

test('the words of a schema’s author stay, and the constraint is still a sentence', () => {
  const schema = compileSchema(
    z.object({
      sku: z.string().min(1, 'Enter an article number'),
      n: z.number().refine((n) => n % 2 === 0, 'must be even'),
    }) as never,
    'input',
  )
  expect(issuesOf(schema, { sku: '', n: 3 })).toEqual([
    { path: '/sku', constraint: 'must not be empty', message: 'Enter an article number', value: '' },
    { path: '/n', constraint: 'must be even', message: 'must be even', value: 3 },
  ])
})

test('a check that a Standard Schema has in code keeps the words of its library', () => {
  const even = standard({ type: 'object', properties: { n: { type: 'integer', multipleOf: 2 } } }, 'must be even')
  const loose: StandardSchema = {
    '~standard': {
      ...even['~standard'],
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  }
  expect(issuesOf(compileSchema(loose, 'input'), { n: 3 })).toEqual([
    { path: '/n', constraint: 'must be even', message: 'must be even', value: 3 },
  ])
})

describe('where a schema has a secret', () => {
  const json = {
    type: 'object',
    properties: { pin: { type: 'string', maxLength: 4, 'x-secret': true }, platform: { enum: ['a', 'b'] } },
    additionalProperties: false,
  }
  const zod = z.strictObject({
    pin: z.string().max(4).meta({ 'x-secret': true }).optional(),
    platform: z.enum(['a', 'b']).optional(),
  })
  const all: [string, Schema][] = [
    ['Zod', compileSchema(zod as never, 'input')],
    ['Ajv', fromJsonSchema(json as never, 'input')],
    ['the bounded check', fromForeignSchema(json as never, 'input')],
    ['a Standard Schema', compileSchema(standard(json), 'input')],
  ]
  test.each(all)('no text has a value, by %s', (_by, schema) => {
    const [secret, other] = issuesOf(schema, { pin: 'hunter2', platform: 'hunter2' })
    expect(secret).toEqual({
      path: '/pin',
      constraint: 'must have at most 4 characters',
      message: 'must have at most 4 characters',
      value: '[secret]',
    })
    expect(other).toMatchObject({ path: '/platform', message: 'must be one of a, b' })
    expect(JSON.stringify([secret?.message, other?.message, other?.constraint])).not.toContain('hunter2')
  })
})

test('where a schema has a secret, the words of a library are not repeated: they may have a value in them', () => {
  const json = { type: 'object', properties: { pin: { type: 'string', 'x-secret': true }, n: { multipleOf: 2 } } }
  const even = standard(json)
  const told = { type: 'object', properties: { pin: { type: 'string', 'x-secret': true } } }
  const loose: StandardSchema = {
    '~standard': {
      ...even['~standard'],
      jsonSchema: { input: () => structuredClone(told), output: () => structuredClone(told) },
    },
  }
  expect(issuesOf(compileSchema(loose, 'input'), { n: 3 })).toMatchObject([
    { path: '/n', constraint: 'must fit its schema', message: 'must fit its schema' },
  ])
})

test('lists of values and long values are cut', () => {
  const many = z.object({ a: z.enum(Array.from({ length: 500 }, (_, n) => `value_${n}`) as [string, ...string[]]) })
  for (const [, schema] of validators(many)) {
    const [issue] = issuesOf(schema, { a: 'x'.repeat(10_000) })
    expect(issue?.constraint).toMatch(/^must be one of value_0, .*, value_19 and 480 more$/)
    expect(issue?.message.length).toBeLessThan(700)
  }
})
