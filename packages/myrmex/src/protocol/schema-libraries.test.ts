/** Schemas of other libraries: whatever gives JSON Schema works, is listed, and checks arguments and results. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Pipeline } from '../pipeline/pipeline.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { Registry } from '../tool/registry.ts'
import { type Tool, tool } from '../tool/tool.ts'
import type { StandardSchema } from './schema.ts'

const call = (made: Tool, args: unknown) =>
  new Pipeline(new Registry([made])).call(plainCaller('direct', LOCAL), 'shop.price', args)

const valibotInput = v.object({ sku: v.pipe(v.string(), v.minLength(1)), count: v.optional(v.number(), 1) })
const valibotOutput = v.object({ total: v.number() })
const typeboxInput = Type.Object({
  sku: Type.String({ minLength: 1 }),
  count: Type.Optional(Type.Number({ default: 1 })),
})
/** A library whose schemas describe and leave checking to others. */
const describing: StandardSchema<{ sku: string; count?: number }> = {
  '~standard': {
    version: 1,
    vendor: 'describing',
    jsonSchema: { input: () => ({ ...typeboxInput }), output: () => ({ ...typeboxInput }) },
  },
}

const priced = { ...toolDefaults, name: 'shop.price' }
const MADE: [string, Tool][] = [
  [
    'ArkType, whose types are functions',
    tool({
      ...priced,
      input: type({ sku: 'string > 0', count: 'number = 1' }),
      output: type({ total: 'number' }),
      run: ({ sku, count }) => ({ total: sku.length * count }),
    }),
  ],
  [
    'Valibot',
    tool({
      ...priced,
      input: toStandardJsonSchema(valibotInput),
      output: toStandardJsonSchema(valibotOutput),
      run: ({ sku, count }) => ({ total: sku.length * count }),
    }),
  ],
  [
    'Valibot, as JSON Schema of draft-07',
    tool({
      ...priced,
      input: toJsonSchema(valibotInput) as never,
      output: toJsonSchema(valibotOutput) as never,
      run: (({ sku, count }: { sku: string; count: number }) => ({ total: sku.length * count })) as never,
    }),
  ],
  [
    'TypeBox',
    tool({
      ...priced,
      input: typeboxInput as never,
      output: Type.Object({ total: Type.Number() }) as never,
      run: (({ sku, count }: { sku: string; count: number }) => ({ total: sku.length * count })) as never,
    }),
  ],
  [
    'a library that only describes',
    tool({
      ...priced,
      input: describing,
      output: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
      run: ({ sku, count = 1 }) => ({ total: sku.length * count }),
    }),
  ],
]

describe.each(MADE)('%s', (_library, made) => {
  test('is listed as JSON Schema', () => {
    expect(made.input.json).toMatchObject({
      type: 'object',
      properties: { sku: { type: 'string', minLength: 1 }, count: { type: 'number' } },
      required: ['sku'],
    })
    expect(made.output.json).toMatchObject({ type: 'object', properties: { total: { type: 'number' } } })
  })

  test('accepts what fits, and fills in defaults', async () => {
    expect(await call(made, { sku: 'abc' })).toMatchObject({ status: 'success', data: { total: 3 } })
    expect(await call(made, { sku: 'abc', count: 2 })).toMatchObject({ data: { total: 6 } })
  })

  test('names every field that does not fit', async () => {
    const issues = [{ path: '/sku' }, { path: '/count' }].map((issue) => expect.objectContaining(issue))
    expect(await call(made, { sku: '', count: 'x' })).toMatchObject({
      error: { error_type: 'SchemaError', error_details: { issues: expect.arrayContaining(issues) } },
    })
  })
})

test.each([
  ['ArkType', type({ 'total?': 'number' })],
  ['Valibot', toStandardJsonSchema(v.object({ total: v.optional(v.number()) }))],
  ['TypeBox', Type.Object({ total: Type.Optional(Type.Number()) })],
])('%s gets plain objects only', async (_library, output) => {
  for (const [returned, message] of [
    [Promise.resolve({ total: 1 }), /Was an await forgotten/],
    [new (class Total {})(), /an instance of Total/],
    [JSON.parse('{"__proto__":{}}'), /__proto__/],
  ] as const) {
    const nested = { ...priced, output: output as never, input: { type: 'object' } as const }
    const made = tool({ ...nested, run: () => ({ more: returned }) as never })
    expect(await call(made, {})).toMatchObject({
      error: { error_type: 'SerializationError', error_message: expect.stringMatching(message) },
    })
  }
})

const unspeakable = v.pipe(
  v.string(),
  v.check(() => true),
)

test.each<[string, StandardSchema, RegExp]>([
  ['Valibot by itself', v.object({}), /\(valibot\) cannot give a JSON Schema\. Wrap it in toStandardJsonSchema/],
  ['a schema that answers later', toStandardJsonSchema(v.objectAsync({}) as never), /answers later/],
  ['a check without a word', toStandardJsonSchema(v.object({ a: unspeakable })), /\(valibot\) has no JSON Schema: /],
])('%s is refused at registration', (_what, input, message) => {
  expect(() => tool({ ...priced, input, output: { type: 'object' }, run: () => ({}) })).toThrow(message)
})

test.each<[string, StandardSchema, StandardSchema, RegExp | undefined]>([
  ['a Date as input', type({ a: 'Date' }), type({}), /input schema has Date, .* at \/a\. .*string\.date\.parse/],
  ['a bounded Date', type({ a: 'Date > d"2020-01-01"' }), type({}), /has Date, .* at \/a/],
  ['a bigint', type({ a: 'bigint' }), type({}), /has bigint, .* at \/a/],
  ['a literal bigint', type({ a: '5n' }), type({}), /has bigint, .* at \/a/],
  ['a symbol', type({ a: 'symbol' }), type({}), /has symbol/],
  ['a Map', type({ 'a?': type.instanceOf(Map) }), type({}), /has Map, .* at \/a/],
  ['a Date in a list', type({ a: 'Date[]' }), type({}), /has Date, .* at \/a\/\*/],
  ['a Date in a union', type({ a: type({ b: 'string | Date' }) }), type({}), /has Date, .* at \/a\/b/],
  ['a Map as output', type({}), type({ m: 'Map' }), /output schema has Map, .* at \/m/],
  ['two of them', type({ a: 'Date', b: 'bigint' }), type({}), /at \/a\. .*; .*at \/b\./],
  ['a Date as output', type({}), type({ a: 'Date' }), undefined],
  ['a text that becomes a Date', type({ a: 'string.date.parse', u: 'string.url.parse' }), type({}), undefined],
  ['unknown', type({ a: 'unknown', 'b?': 'string | undefined' }), type({}), undefined],
  ['a narrowed text', type({ a: type('string').narrow((text) => text !== 'x') }), type({}), undefined],
])('ArkType with %s', (_what, input, output, message) => {
  const make = () => tool({ ...priced, input, output, run: () => ({}) as never })
  if (message === undefined) expect(make).not.toThrow()
  else expect(make).toThrow(message)
})

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__defineGetter__']

test.each<[string, (name: string) => StandardSchema, (name: string) => StandardSchema]>([
  ['Zod', (name) => z.object({ [name]: z.string() }), (name) => z.object({ [name]: z.string().optional() })],
  [
    'Zod, with a default',
    (name) => z.object({ [name]: z.string() }),
    (name) => z.object({ [name]: z.string().default('x') }),
  ],
  ['ArkType', (name) => type({ [name]: 'string' }), (name) => type({ [`${name}?`]: 'string' } as never) as never],
  [
    'Valibot',
    (name) => toStandardJsonSchema(v.object({ [name]: v.string() })),
    (name) => toStandardJsonSchema(v.object({ [name]: v.optional(v.string()) })),
  ],
])('a property that every object inherits must be required: %s', async (_library, required, optional) => {
  for (const name of INHERITED) {
    for (const side of ['input', 'output'])
      expect(
        () => tool({ ...priced, input: type({}), output: type({}), [side]: optional(name), run: () => ({}) as never }),
        name,
      ).toThrow(
        `the ${side} schema has an optional property at /${name}, and every object inherits a member of that name`,
      )
    const made = tool({ ...priced, input: required(name), output: required(name), run: (args) => args as never })
    expect(await call(made, { [name]: 'a' })).toMatchObject({ status: 'success', data: { [name]: 'a' } })
    expect(await call(made, {})).toMatchObject({ status: 'failure', error: { error_type: 'SchemaError' } })
  }
})

test('such a property is found in lists and forms, and plain JSON Schema may have it', async () => {
  const within = z.object({ list: z.array(z.union([z.string(), z.object({ toString: z.string().optional() })])) })
  expect(() => tool({ ...priced, input: within, output: within, run: () => ({}) as never })).toThrow(
    /optional property at \/list\/\*\/toString/,
  )
  const input = { type: 'object', properties: { constructor: { type: 'string' } } }
  const made = tool({ ...priced, input, output: input, run: (args) => args })
  expect(await call(made, {})).toMatchObject({ status: 'success', data: {} })
})
