import assert from 'node:assert'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { compileSchema, type SchemaSource } from './schema.ts'

const issuesOf = (source: SchemaSource, value: unknown) => {
  const parsed = compileSchema(source, 'input').parse(value)
  return parsed.success ? [] : parsed.issues
}

const zod = z.object({ name: z.string().min(3), age: z.number().int().max(150).optional(), tags: z.array(z.string()) })
const json = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3 },
    age: { type: 'integer', maximum: 150 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'tags'],
}

describe.each([
  ['Zod', zod as SchemaSource],
  ['plain JSON Schema', json as SchemaSource],
  [
    'any Standard Schema with JSON Schema',
    { '~standard': (zod as unknown as { '~standard': never })['~standard'] } as SchemaSource,
  ],
])('%s', (_kind, source) => {
  test('accepts what fits', () => {
    expect(issuesOf(source, { name: 'Ada', age: 36, tags: [] })).toEqual([])
  })

  test('names every field that does not, with its path and value', () => {
    const issues = issuesOf(source, { name: 'Al', age: 200, tags: ['a', 7] })
    expect(issues.map(({ path, value }) => ({ path, value }))).toEqual(
      expect.arrayContaining([
        { path: '/name', value: 'Al' },
        { path: '/age', value: 200 },
        { path: '/tags/1', value: 7 },
      ]),
    )
    for (const issue of issues) expect(issue.constraint).not.toBe('')
  })

  test('names a field that is missing', () => {
    expect(issuesOf(source, { tags: [] })).toMatchObject([{ path: '/name', value: null }])
  })

  test('gives JSON Schema', () => {
    const schema = compileSchema(source, 'input').json
    expect(schema).toMatchObject({ type: 'object', required: ['name', 'tags'] })
    expect(schema).not.toHaveProperty('$schema')
  })
})

test('defaults are filled in on the way in, and the caller keeps what it sent', () => {
  const withDefault = { type: 'object', properties: { n: { type: 'integer', default: 3 } } }
  const sent = {}
  expect(compileSchema(withDefault, 'input').parse(sent)).toEqual({ success: true, data: { n: 3 } })
  expect(compileSchema(z.object({ n: z.int().default(3) }), 'input').parse(sent)).toEqual({
    success: true,
    data: { n: 3 },
  })
  expect(sent).toEqual({})
  expect(compileSchema(withDefault, 'output').parse({})).toEqual({ success: true, data: {} })
})

describe('what is marked x-secret is never shown', () => {
  const secret = z.string().min(100).meta({ 'x-secret': true })

  test.each([
    ['in itself', z.object({ token: secret }), { token: 'hunter2' }],
    ['in a list', z.object({ list: z.array(z.object({ key: secret })) }), { list: [{ key: 'hunter2' }] }],
    ['as an item', z.object({ keys: z.array(secret) }), { keys: ['hunter2'] }],
    ['under free keys', z.object({ env: z.record(z.string(), secret) }), { env: { A: 'hunter2' } }],
    [
      'inside an object that is wrong',
      z.object({ a: z.strictObject({ token: secret }) }),
      { a: { token: 'hunter2', x: 1 } },
    ],
    ['beside a field nobody knows', z.strictObject({ token: secret }), { token: 'hunter2', other: 1 }],
    [
      'in one branch of a union',
      z.object({ a: z.union([z.object({ token: secret }), z.number()]) }),
      { a: { token: 'hunter2' } },
    ],
    [
      'behind a reference',
      {
        type: 'object',
        properties: { pin: { $ref: '#/$defs/s' } },
        $defs: { s: { type: 'number', 'x-secret': true } },
      },
      { pin: 'hunter2' },
    ],
    [
      'in plain JSON Schema',
      { type: 'object', properties: { token: { type: 'number', 'x-secret': true } }, required: ['b'] },
      { token: 'hunter2' },
    ],
  ])('%s', (_where, schema, value) => {
    const issues = issuesOf(schema as SchemaSource, value)
    expect(issues.length).toBeGreaterThan(0)
    expect(JSON.stringify(issues)).not.toContain('hunter2')
  })
})

test('a long value is clipped', () => {
  const [issue] = issuesOf(z.object({ n: z.number() }), { n: 'x'.repeat(10_000) })
  expect(String(issue?.value).length).toBeLessThan(300)
})

test('a Date is a date-time on the wire', () => {
  expect(compileSchema(z.object({ at: z.date() }), 'output').json).toMatchObject({
    properties: { at: { type: 'string', format: 'date-time' } },
  })
})

test.each([
  ['bigint', z.bigint()],
  ['map', z.map(z.string(), z.string())],
  ['symbol', z.symbol()],
])('z.%s() has no place in JSON and is refused', (_name, inner) => {
  expect(() => compileSchema(z.object({ inner }), 'input')).toThrow(/at \/inner/)
})

test('a $ref to the network is never fetched', () => {
  const schema = compileSchema({ type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/x.json' } } }, 'input')
  expect(() => schema.parse({ a: 1 })).toThrow(/does not compile/)
})

test('draft-07 is understood when a schema says so, an unknown dialect is named', () => {
  const draft7 = compileSchema({ $schema: 'http://json-schema.org/draft-07/schema#', ...json }, 'input')
  expect(draft7.parse({ name: 'Ada', tags: [] }).success).toBe(true)
  expect(() => compileSchema({ $schema: 'urn:mine', type: 'object' }, 'input').parse({})).toThrow(/dialect urn:mine/)
})

test('a schema that contains itself works call after call, and is walked for cycles', () => {
  interface Node {
    name: string
    children?: Node[] | undefined
  }
  const node: z.ZodType<Node> = z.object({
    name: z.string(),
    get children() {
      return z.array(node).optional()
    },
  })
  const schema = compileSchema(node, 'output')
  expect(schema.validates).toBe('values')
  for (let i = 0; i < 2; i++) {
    expect(schema.parse({ name: 'a', children: [{ name: 'b' }] }).success).toBe(true)
    expect(schema.parse({ name: 'a', children: [{ name: 7 }] }).success).toBe(false)
  }
})

test('a schema used twice is still plain', () => {
  const name = z.string()
  expect(compileSchema(z.object({ a: name, b: z.array(name) }), 'output').validates).toBe('plain')
  for (const inner of [z.any(), z.unknown(), z.date(), z.string().transform(() => 1n), z.record(z.string(), z.any())]) {
    expect(compileSchema(z.object({ inner }), 'output').validates).toBe('values')
  }
})

test('a tuple says how long it is without a bare false, which older validators misread', () => {
  const { json } = compileSchema(z.object({ pair: z.tuple([z.string(), z.number()]) }), 'output')
  expect((json.properties as Record<string, object>).pair).not.toHaveProperty('items')
  expect(json).toMatchObject({ properties: { pair: { maxItems: 2, minItems: 2 } } })
})

test('names that every object inherits are there only if somebody sent them', () => {
  const schema = compileSchema(
    { type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] },
    'input',
  )
  expect(schema.parse({ toString: 1 }).success).toBe(true)
  expect(schema.parse({ toString: 1, constructor: 'x' }).success).toBe(true)
  expect(schema.parse({ toString: 1, constructor: 7 }).success).toBe(false)
  expect(schema.parse({}).success).toBe(false)
})

test('schemas do not know of each other, whatever they call their parts', () => {
  const of = (type: string, more: object = {}) =>
    compileSchema(
      { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type } }, ...more },
      'output',
    )
  const schemas = [
    of('string'),
    of('number'),
    of('string', { $id: 'https://example.com/one' }),
    of('number', { $id: 'https://example.com/one' }),
  ]
  for (const schema of [...schemas, ...schemas]) {
    const wants = (schema.json.$defs as { x: { type: string } }).x.type
    expect(schema.parse({ a: 'text' }).success).toBe(wants === 'string')
    expect(schema.parse({ a: 7 }).success).toBe(wants === 'number')
  }
  const within = compileSchema(
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['n'] } as never,
    'output',
  )
  expect(within.parse({ n: 1, next: { n: 2 } }).success).toBe(true)
  expect(within.parse({ n: 1, next: {} }).success).toBe(false)
})

test('a schema that would answer later is refused', () => {
  expect(() => compileSchema({ $async: true, type: 'object' }, 'input').parse({})).toThrow(/\$async/)
})

test('a value that JSON cannot represent is described, not thrown over', () => {
  for (const value of [10n, () => 1, Symbol('x'), { deep: 10n }, { toJSON: () => assert.fail('no') }])
    expect(issuesOf(z.object({ n: z.number() }), { n: value })).toMatchObject([
      { path: '/n', value: expect.stringContaining('that JSON cannot represent') },
    ])
})
