/** What a schema drops from the arguments of a call, and what it must be allowed to drop. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { compileSchema, type SchemaSource } from '../protocol/schema.ts'
import { droppedArguments } from './dropped-arguments.ts'

const dropped = (source: SchemaSource, args: unknown) => {
  const schema = compileSchema(source, 'input')
  const parsed = schema.parse(args)
  expect(parsed).toMatchObject({ success: true })
  return droppedArguments(schema, args, parsed.success && parsed.data)
}

const Address = z.object({ street: z.string(), city: z.string().optional() })
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})
const leaf = { name: 'b', children: [], nmae: 1 }

test.each<[string, SchemaSource, object, string[]]>([
  ['a misspelled property', z.object({ address: z.string().optional() }), { adress: 'x' }, ['/adress']],
  ['all of an object without any', z.object({}), { a: 1, b: 2 }, ['/a', '/b']],
  ['names of Object.prototype', z.object({ a: z.string() }), { a: 'x', toString: 1 }, ['/toString']],
  ['in an object', z.object({ to: Address }), { to: { street: 'x', cty: 'y' } }, ['/to/cty']],
  ['in an optional object', z.object({ to: Address.nullish() }), { to: { street: 'x', cty: 'y' } }, ['/to/cty']],
  ['in a list', z.object({ to: z.array(Address) }), { to: [{ street: 'x' }, { street: 'x', cty: 1 }] }, ['/to/1/cty']],
  ['in a tuple', z.object({ to: z.tuple([z.string(), Address]) }), { to: ['a', { street: 'x', c: 1 }] }, ['/to/1/c']],
  [
    'in a record',
    z.object({ to: z.record(z.string(), Address) }),
    { to: { ann: { street: 'x', c: 1 } } },
    ['/to/ann/c'],
  ],
  ['in a schema that contains itself', Tree, { name: 'a', children: [leaf] }, ['/children/0/nmae']],
  [
    'in neither part of an intersection',
    z.object({ to: z.intersection(Address, z.object({ zip: z.string() })) }),
    { to: { street: 'x', zip: '1', city: 'y', z: 1 } },
    ['/to/z'],
  ],
  [
    'in no form of a union',
    z.object({ to: z.union([Address, z.object({ box: z.number() }), z.string()]) }),
    { to: { box: 5, boks: 6 } },
    ['/to/boks'],
  ],
  [
    'under a transform',
    z.object({ to: Address.transform(({ street }) => street) }),
    { to: { street: 'x', stret: 'y' } },
    ['/to/stret'],
  ],
  ['of Valibot', toStandardJsonSchema(v.object({ a: v.optional(v.string()) })), { aa: 'x' }, ['/aa']],
])('a property that is dropped is found: %s', (_what, source, args, paths) => {
  expect(dropped(source, args).map(({ path }) => path)).toEqual(paths)
})

test.each<[string, SchemaSource, object]>([
  ['a loose object', z.looseObject({ a: z.string() }), { a: 'x', b: 1 }],
  ['a catchall', z.object({}).catchall(z.number()), { b: 1 }],
  ['a catchall whose values are transformed away', z.looseObject({}).transform(() => ({})), { b: 1 }],
  ['a record', z.object({ r: z.record(z.string(), z.string()) }), { r: { b: 'x' } }],
  ['anything', z.object({ a: z.any(), u: z.unknown() }), { a: { b: 1 }, u: [{ c: 1 }] }],
  [
    'what code reads before the schema',
    z.object({ to: z.preprocess(() => ({ street: 'x' }), Address) }),
    { to: { b: 1 } },
  ],
  [
    'a union of which one form is open',
    z.object({ to: z.union([Address, z.looseObject({ b: z.string() })]) }),
    { to: { street: 'x', c: 1 } },
  ],
  [
    'a property of another form',
    z.object({ to: z.union([Address, z.object({ box: z.number() })]) }),
    { to: { street: 'x', box: 'five' } },
  ],
  [
    'a named property that is transformed away',
    z.object({ a: z.string(), b: z.string() }).transform(({ a }) => ({ x: a })),
    { a: '1', b: '2' },
  ],
  ['what is undefined', z.object({}), { b: undefined }],
  ['plain JSON Schema, which keeps it', { type: 'object', properties: {} }, { b: 1 }],
  ['patternProperties', { type: 'object', patternProperties: { '^b': {} } }, { b: 1 }],
  ['ArkType, which keeps it', type({ 'a?': 'string' }), { b: 1 }],
  ['a loose object of Valibot', toStandardJsonSchema(v.looseObject({})), { b: 1 }],
])('nothing is found for %s', (_what, source, args) => {
  expect(dropped(source, args)).toEqual([])
})

test('the nearest name is suggested, secrets are not shown, and at most 20 are listed', () => {
  const order = z.object({ address: z.string().optional(), pin: z.string().meta({ 'x-secret': true }).optional() })
  expect(dropped(order, { adress: 'x', other: 'hunter2' })).toEqual([
    {
      path: '/adress',
      constraint: 'is not a known property; known are address, pin',
      message: 'is not a known property. Did you mean address?',
      value: null,
    },
    expect.objectContaining({ path: '/other', message: 'is not a known property; known are address, pin' }),
  ])
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, index]))
  expect(dropped(z.object({}), many)).toHaveLength(20)
})
