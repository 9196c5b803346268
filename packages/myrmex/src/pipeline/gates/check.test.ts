import { behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { Answer } from '../../tool/answer.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import { Pipeline } from '../pipeline.ts'

const outcome = async (output: ToolDefinition['output'], returned: unknown) => {
  const made = tool({ ...toolDefaults, name: 'test.out', input: z.object({}), output, run: (() => returned) as never })
  return new Pipeline(new Registry([made])).call(plainCaller('direct', LOCAL), 'test.out', {})
}

test.each(['success', 'partial', 'unchanged'] as const)('%s keeps its status', async (how) => {
  const ended = await new Pipeline(new Registry([behaveTool])).call(plainCaller('direct', LOCAL), 'test.behave', {
    how,
  })
  const status = { success: 'success', partial: 'partial_success', unchanged: 'no_change_needed' }[how]
  expect(ended).toMatchObject({ status, data: { how }, error: null })
})

test('output that breaks its schema is a failure that names the place and not the value', async () => {
  const ended = await outcome(z.object({ n: z.number() }), { n: 'hunter2' })
  expect(ended).toMatchObject({
    status: 'failure',
    data: null,
    error: { error_type: 'ToolExecutionError', error_details: { issues: [{ path: '/n' }] } },
  })
  expect(JSON.stringify(ended)).not.toContain('hunter2')
})

test.each([
  ['Zod', z.object({ at: z.date() })],
  ['JSON Schema', { type: 'object', properties: { at: { type: 'string', format: 'date-time' } }, required: ['at'] }],
])('a Date is written out, with %s', async (_kind, output) => {
  expect(await outcome(output, { at: new Date(0) })).toMatchObject({ data: { at: '1970-01-01T00:00:00.000Z' } })
})

test('what JSON cannot hold is a SerializationError', async () => {
  const ended = await outcome(z.looseObject({}), { deep: [1n] })
  expect(ended).toMatchObject({ error: { error_type: 'SerializationError', error_details: { path: '/deep/0' } } })
})

class Point {
  x = 1
}
class Money {
  readonly cents = 150
  toJSON(): object {
    return { x: this.cents / 100 }
  }
}
const rest = { x: z.number().optional() }
interface Chain {
  x?: number | undefined
  next?: Chain | undefined
}
const chain: z.ZodType<Chain> = z.object({ ...rest, next: z.lazy(() => chain).optional() })

/** Each lets an empty object through, so that only its class can be wrong. */
const KINDS: [string, z.ZodType | object][] = [
  ['z.object', z.object(rest)],
  ['z.strictObject', z.strictObject(rest)],
  ['z.looseObject', z.looseObject(rest)],
  ['z.object with a catchall', z.object(rest).catchall(z.string())],
  ['z.record', z.record(z.string(), z.number())],
  ['z.any', z.any()],
  ['z.unknown', z.unknown()],
  ['a union', z.union([z.object(rest), z.string()])],
  ['an intersection', z.object(rest).and(z.object({ y: z.number().optional() }))],
  ['an optional object', z.object(rest).optional()],
  ['a nullable, read-only object with a default', z.object(rest).nullable().readonly().default({})],
  ['a schema that contains itself', chain],
  ['an object that is transformed', z.object(rest).transform((value) => ({ ...value }))],
  ['plain JSON Schema', { type: 'object' }],
]
const within: [string, (inner: z.ZodType | object) => ToolDefinition['output'], (value: unknown) => unknown, string][] =
  [
    ['a member', (inner) => objectOf('in', inner), (value) => ({ in: value }), '/in'],
    ['an item', (inner) => objectOf('in', listOf(inner)), (value) => ({ in: [{}, value] }), '/in/1'],
  ]
const isZod = (schema: object): schema is z.ZodType => '_zod' in schema
const objectOf = (key: string, inner: z.ZodType | object): ToolDefinition['output'] =>
  isZod(inner) ? z.object({ [key]: inner }) : ({ type: 'object', properties: { [key]: inner } } as never)
const listOf = (inner: z.ZodType | object): z.ZodType | object =>
  isZod(inner) ? z.array(inner) : { type: 'array', items: inner }

describe.each(within)('in %s', (_where, schemaOf, valueFor, path) => {
  describe.each(KINDS)('that is %s', (_kind, inner) => {
    test.each<[string, unknown, string, RegExp]>([
      ['an instance of a class', new Point(), '', /an instance of Point/],
      ['a Promise', Promise.resolve({ x: 1 }), '', /a Promise .*Was an await forgotten\?/],
      ['an Error', new RangeError('no'), '', /a RangeError/],
      ['a RegExp', /x/, '', /a RegExp/],
      ['a WeakMap', new WeakMap(), '', /a WeakMap/],
      ['a Map', new Map([['x', 1]]), '', /a Map/],
      ['bytes', new Uint8Array(1), '', /a Uint8Array/],
      ['a member named __proto__', JSON.parse('{"__proto__":{"x":1}}'), '/__proto__', /"__proto__"/],
    ])('%s is a SerializationError', async (_what, value, below, message) => {
      expect(await outcome(schemaOf(inner), valueFor(value))).toMatchObject({
        status: 'failure',
        error: {
          error_type: 'SerializationError',
          error_details: { path: path + below },
          error_message: expect.stringMatching(message),
        },
      })
    })

    test('an object with toJSON leaves as what that returns', async () => {
      expect(await outcome(schemaOf(inner), valueFor(new Money()))).toMatchObject({ data: valueFor({ x: 1.5 }) })
    })
  })
})

test.each<[string, z.ZodType, unknown, string, RegExp]>([
  ['a promise for a number', z.number(), Promise.resolve(1), '/in', /Was an await forgotten/],
  ['promises for texts', z.array(z.string()), ['a', Promise.resolve('b')], '/in/1', /Was an await forgotten/],
  ['a promise for a list', z.array(z.string()), Promise.resolve([]), '/in', /Was an await forgotten/],
  ['a promise for a choice', z.enum(['a', 'b']), Promise.resolve('a'), '/in', /Was an await forgotten/],
  [
    'a promise in a choice',
    z.union([z.object({ n: z.number() }), z.null()]),
    { n: Promise.resolve(1) },
    '/in/n',
    /a Prom/,
  ],
  ['a bigint for a number', z.number(), 1n, '/in', /a bigint/],
  ['NaN', z.number(), Number.NaN, '/in', /the number NaN/],
  ['undefined in a list', z.array(z.string().optional()), ['a', undefined], '/in/1', /undefined/],
  ['a hole in a list', z.array(z.string()), Object.assign(['a'], { 2: 'b' }), '/in/1', /undefined/],
])('%s is no broken schema but a SerializationError', async (_what, inner, value, path, message) => {
  expect(await outcome(z.object({ in: inner }), { in: value })).toMatchObject({
    error: {
      error_type: 'SerializationError',
      error_details: { path },
      error_message: expect.stringMatching(message),
    },
  })
})

test('a promise as the data of an answer is found too', async () => {
  for (const output of [z.object({ n: z.number().optional() }), { type: 'object' }])
    expect(await outcome(output, new Answer('success', Promise.resolve({ n: 1 })))).toMatchObject({
      error: { error_type: 'SerializationError', error_message: expect.stringContaining('a Promise (at the top)') },
    })
})

test('a missing field breaks the schema', async () => {
  for (const returned of [{}, { in: undefined }, undefined])
    expect(await outcome(z.object({ in: z.string() }), returned)).toMatchObject({
      error: { error_type: 'ToolExecutionError' },
    })
})

test('a schema that converts gets what it converts', async () => {
  const output = z.object({
    big: z.bigint().transform(String),
    point: z.custom<Point>((value) => value instanceof Point).transform(({ x }) => x),
    when: z.union([z.date(), z.object({ day: z.string() })]),
  })
  const returned = { big: 2n ** 70n, point: new Point(), when: new Date(0) }
  const data = { big: '1180591620717411303424', point: 1, when: '1970-01-01T00:00:00.000Z' }
  expect(await outcome(output, returned)).toMatchObject({ status: 'success', data })
})

test.each<[string, object, string]>([
  ['content blocks', { content: [{ type: 'text', text: 1n }] }, '/content/0/text'],
  [
    'the error of a part',
    { error: { error_type: 'X', error_message: 'x', error_details: { at: new Map() } } },
    '/error/error_details/at',
  ],
])('%s must be JSON too', async (_what, options, path) => {
  expect(await outcome(z.object({}), new Answer('partial_success', {}, options))).toMatchObject({
    status: 'failure',
    error: { error_type: 'SerializationError', error_details: { path } },
  })
})

test.each<[string, object, string]>([
  ['an explanation that waits', { explanation: Promise.resolve('Done.') }, '/explanation'],
  ['blocks that wait', { content: Promise.resolve([]) }, '/content'],
  ['an error that waits', { error: Promise.resolve({}) }, '/error'],
])('%s is a promise whose await was forgotten', async (_what, options, path) => {
  for (const output of [z.object({}), { type: 'object' }])
    expect(await outcome(output, new Answer('partial_success', {}, options))).toMatchObject({
      status: 'failure',
      data: null,
      explanation: null,
      error: {
        error_type: 'SerializationError',
        error_message: expect.stringContaining('Was an await forgotten?'),
        error_details: { path },
      },
    })
})

test.each<[string, object, string, RegExp]>([
  ['an explanation that is an object', { explanation: {} }, '/explanation', /must be a string/],
  ['an explanation that is a number', { explanation: 5 }, '/explanation', /must be a string/],
  ['a text that is a number', { content: [{ type: 'text', text: 5 }] }, '/content/0/text', /must be a string/],
  ['one block without a list', { content: { type: 'text', text: 'a' } }, '/content', /must be an array/],
  ['a text for a block', { content: ['a'] }, '/content/0', /must be an object/],
  ['a block of no known type', { content: [{ type: 'txt', text: 'a' }] }, '/content/0/type', /text, image/],
  ['an image without a type', { content: [{ type: 'image', data: 'AAAA' }] }, '/content/0/mimeType', /required/],
  [
    'an image that is no base64',
    { content: [{ type: 'image', data: 'a photo!', mimeType: 'image/png' }] },
    '/content/0/data',
    /base64/,
  ],
  ['a link without a name', { content: [{ type: 'resource_link', uri: 'a:b' }] }, '/content/0/name', /required/],
  ['a text for an error', { error: 'no room' }, '/error', /must be an object/],
  ['an error without a message', { error: { error_type: 'X' } }, '/error/error_message', /required/],
])('%s is an error of the tool that says so', async (_what, options, path, constraint) => {
  const ended = await outcome(z.object({ n: z.number() }), new Answer('partial_success', { n: 1 }, options))
  expect(ended).toMatchObject({
    status: 'failure',
    data: null,
    error: {
      error_type: 'ToolExecutionError',
      error_message: expect.stringMatching(/^test\.out returned an answer that is not valid: \//),
      error_details: { tool: 'test.out', issues: [{ path, constraint: expect.stringMatching(constraint) }] },
    },
  })
})

test('a success has no error, and an explanation with a toJSON is what that returns', async () => {
  const error = { error_type: 'X', error_message: 'x' }
  expect(await outcome(z.object({}), new Answer('success', {}, { error }))).toMatchObject({
    status: 'failure',
    error: { error_type: 'ToolExecutionError', error_message: expect.stringContaining('/error: ') },
  })
  const blocks = [
    { type: 'text', text: 'a', annotations: { audience: ['user'], lastModified: '2026-01-01T00:00:00Z' } },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta: { own: 1 } },
    { type: 'resource', resource: { uri: 'a:b', text: '' } },
    { type: 'resource', resource: { uri: 'a:b', blob: '' } },
    { type: 'resource_link', uri: 'a:b', name: 'b', icons: [] },
  ]
  const options = { explanation: new URL('https://a.example/b') as never, content: blocks as never, error }
  expect(await outcome(z.object({}), new Answer('no_change_needed', {}, options))).toMatchObject({
    status: 'no_change_needed',
    explanation: 'https://a.example/b',
    content: blocks,
    error,
  })
})

test('a tool with no data returns nothing, and nothing else', async () => {
  expect(await outcome(z.null(), undefined)).toMatchObject({ status: 'success', data: null })
  expect(await outcome(z.null(), { a: 1 })).toMatchObject({ status: 'failure' })
})

test('fields the output schema does not promise do not leave', async () => {
  expect(await outcome(z.object({ a: z.number() }), { a: 1, secret: 2 })).toMatchObject({ data: { a: 1 } })
  expect(JSON.stringify(await outcome(z.object({ a: z.number() }), { a: 1, secret: 2 }))).not.toContain('secret')
})
