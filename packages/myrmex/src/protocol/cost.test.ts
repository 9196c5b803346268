import { withTimeLimit } from '@myrmex/testing/time-limit'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { costOf, costReferences } from './cost.ts'
import type { JsonObject } from './json.ts'
import { compileSchema } from './schema.ts'

const money = z.number().meta({ 'x-cost': true })
const json = (schema: z.ZodType): JsonObject => compileSchema(schema, 'input').json

const order = json(
  z.object({
    title: z.string(),
    budget: money,
    lines: z.array(z.object({ price: money, pieces: z.number() })).optional(),
    fees: z.record(z.string(), money).optional(),
  }),
)

describe('the cost of a call', () => {
  test('is the sum of what is marked as money, at any depth', () => {
    const lines = [
      { price: 3, pieces: 100 },
      { price: 4.5, pieces: 1 },
    ]
    expect(costOf(order, { title: 'x', budget: 10, lines, fees: { customs: 2 } })).toBe(19.5)
    expect(costOf(order, { title: 'x', budget: 10 })).toBe(10)
  })

  test('is nothing if nothing is marked, or the marked value is missing', () => {
    expect(costOf({ type: 'object', properties: { budget: { type: 'number' } } }, { budget: 10 })).toBe(0)
    expect(costOf(order, {})).toBe(0)
    expect(costOf(order, null)).toBe(0)
    expect(costOf(json(z.object({ budget: money.nullable() })), { budget: null })).toBe(0)
  })

  test('has a fixed part where the whole schema says so', () => {
    expect(costOf({ type: 'object', 'x-cost': 0.25 }, {})).toBe(0.25)
    expect(costOf({ ...order, 'x-cost': 1 }, { budget: 10 })).toBe(11)
    expect(costOf({ type: 'object', 'x-cost': -5 }, {})).toBe(0)
  })

  test('is so many times an amount as a count beside it says, by its default where it is not given', () => {
    const days = z.int().min(1).default(14)
    const campaign = json(z.object({ budget: z.number().meta({ 'x-cost': { times: 'days' } }), days }))
    expect(costOf(campaign, { budget: 10, days: 3 })).toBe(30)
    expect(costOf(campaign, { budget: 10 })).toBe(140)
    expect(costOf(campaign, { days: 3 })).toBe(0)
    expect(costOf(campaign, { budget: 10, days: 'many' })).toBe(Number.POSITIVE_INFINITY)
    expect(costReferences(campaign).sort()).toEqual(['/budget', '/days'])
    const open = json(z.object({ budget: z.number().meta({ 'x-cost': { times: 'days' } }) }))
    expect(costOf(open, { budget: 10 })).toBe(Number.POSITIVE_INFINITY)
  })

  test('counts the default of an amount that is left out, and only if it is left out', () => {
    const schema = json(z.object({ title: z.string(), budget: money.default(25), tip: money.optional() }))
    expect(costOf(schema, { title: 'x' })).toBe(25)
    expect(costOf(schema, { title: 'x', budget: undefined })).toBe(25)
    expect(costOf(schema, { title: 'x', budget: 3 })).toBe(3)
    expect(costOf(schema, { title: 'x', budget: 0, tip: 1 })).toBe(1)
  })

  test('counts defaults inside objects, inside lists and beside a count', () => {
    const line = z.object({ price: money.default(2) })
    const schema = json(
      z.object({
        lines: z.array(line).optional(),
        shipping: z.object({ fee: money.default(4) }).optional(),
        extra: z.object({ fee: money }).default({ fee: 8 }),
        ads: z
          .number()
          .default(10)
          .meta({ 'x-cost': { times: 'days' } }),
        days: z.int().default(3),
      }),
    )
    expect(costOf(schema, {})).toBe(38)
    expect(costOf(schema, { lines: [{}, { price: 5 }, {}], shipping: {}, extra: { fee: 0 }, days: 1 })).toBe(23)
  })

  test('finds a default wherever the schema has it: in a definition, or in another branch than the mark', () => {
    const schema: JsonObject = {
      type: 'object',
      allOf: [{ properties: { fee: { type: 'number', 'x-cost': true } } }, { properties: { fee: { default: 6 } } }],
      properties: { budget: { $ref: '#/$defs/amount', 'x-cost': true } },
      $defs: { amount: { type: 'number', default: 5 } },
    }
    expect(costOf(schema, {})).toBe(11)
    expect(costOf(schema, { fee: 1 })).toBe(6)
  })

  test('does not count the default of an alternative that is for another value', () => {
    const schema = json(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('card'), fee: money.default(3) }),
        z.object({ kind: z.literal('cash') }),
      ]),
    )
    expect(costOf(schema, { kind: 'card' })).toBe(3)
    expect(costOf(schema, { kind: 'cash' })).toBe(0)
  })

  test('is infinite where defaults never end', () => {
    const node: JsonObject = {
      type: 'object',
      properties: { price: { type: 'number', 'x-cost': true, default: 1 }, next: { $ref: '#', default: {} } },
    }
    expect(withTimeLimit(1000, () => costOf(node, {}))).toBe(Number.POSITIVE_INFINITY)
  })

  test('counts a place once, however many branches of the schema mark it', () => {
    const branch = { properties: { budget: { type: 'number', 'x-cost': true } } }
    expect(costOf({ type: 'object', ...branch, anyOf: [branch, branch], allOf: [branch] }, { budget: 7 })).toBe(7)
  })

  test('follows references, and ends where they go round', () => {
    const tree: JsonObject = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          allOf: [{ $ref: '#/$defs/node' }],
          properties: { cost: { $ref: '#/$defs/money' }, parts: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
        money: { type: 'number', 'x-cost': true },
      },
    }
    expect(costOf(tree, { cost: 1, parts: [{ cost: 2, parts: [{ cost: 4 }] }, { cost: 8 }] })).toBe(15)
    expect(costReferences(tree)).toEqual(['/cost'])
  })

  test('is found at every place that one definition is used for', () => {
    const amount: JsonObject = { $ref: '#/$defs/money' }
    const schema: JsonObject = {
      type: 'object',
      properties: { one: amount, two: amount },
      $defs: { money: { type: 'number', 'x-cost': true } },
    }
    expect(costOf(schema, { one: 1, two: 2 })).toBe(3)
    expect(costReferences(schema)).toEqual(['/one', '/two'])
  })

  test('is looked for with an end, however definitions refer to each other', () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`)
    const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: all }]))
    const money: JsonObject = { type: 'number', 'x-cost': true }
    expect(costReferences({ type: 'object', properties: { money, ...all }, $defs })).toEqual(['/money'])
  })

  test('never gives money back: less than nothing is nothing', () => {
    expect(costOf(order, { budget: -1000, fees: { customs: 5 } })).toBe(5)
  })

  test.each([['12'], [Number.NaN], [{ amount: 1 }], [true]])('is infinite where %j should be money', (budget) => {
    expect(costOf(order, { budget })).toBe(Number.POSITIVE_INFINITY)
  })

  test('sees only what a value has of its own', () => {
    const schema = { type: 'object', properties: { constructor: { type: 'number', 'x-cost': true } } }
    expect(costOf(schema, {})).toBe(0)
  })

  test('is found in tuples and in what patterns name', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number', 'x-cost': true }] },
      },
      patternProperties: { '^fee_': { type: 'number', 'x-cost': true } },
    }
    expect(costOf(schema, { pair: ['a', 3], fee_a: 2, title: 'x' })).toBe(5)
    expect(costReferences(schema)).toEqual(['/pair/1', '/*'])
  })
})

test('no pattern makes it slow', () => {
  const schema: JsonObject = { type: 'object', patternProperties: { '^(a+)+$': { type: 'number', 'x-cost': true } } }
  expect(withTimeLimit(1000, () => costOf(schema, { [`${'a'.repeat(60)}b`]: 5, aaa: 2 }))).toBe(2)
})

test('is counted over tens of thousands of names, and infinite where counting would take too long', () => {
  const named = (patterns: readonly string[]): JsonObject => ({
    type: 'object',
    patternProperties: Object.fromEntries(patterns.map((pattern) => [pattern, { type: 'number', 'x-cost': true }])),
  })
  const fees = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`fee_${n}`, 1]))
  expect(costOf(named(['^fee_']), fees)).toBe(20_000)
  const many = Array.from({ length: 300 }, (_, n) => `^(f|e|_)*${n}$`)
  expect(costOf(named(many), fees)).toBe(Number.POSITIVE_INFINITY)
})

test('names that take too long to match have an unknown cost, which is infinite', () => {
  const patternProperties = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a*b{${n}}c`, { 'x-cost': true }]))
  expect(costOf({ type: 'object', patternProperties }, { ['a'.repeat(30_000)]: 5 })).toBe(Number.POSITIVE_INFINITY)
})

test('a schema says where money stands before there is a value', () => {
  expect(costReferences(order)).toEqual(['/budget', '/lines/*/price', '/fees/*'])
  expect(costReferences({ type: 'object', 'x-cost': 3 })).toEqual([])
})
