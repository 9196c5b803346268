import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonObject } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { fitsSchema, sampleValue } from './sample.ts'

const sample = (schema: z.ZodType): unknown => sampleValue(compileSchema(schema, 'output').json)

test('values follow from formats, names and bounds', () => {
  const schema = z.object({
    order_id: z.string(),
    title: z.string(),
    price: z.number(),
    quantity: z.int(),
    orderedOn: z.string(),
    created_at: z.iso.datetime(),
    day: z.iso.date(),
    website: z.url(),
    contact: z.email(),
    key: z.uuid(),
    confidence: z.number().min(0).max(1),
    port: z.int().min(1).max(65_535),
    tiny: z.number().gt(0).lt(0.5),
    below: z.int().max(-5),
    code: z.string().regex(/^[A-Z]{2}-\d{3}$/),
    short: z.string().max(4),
    long: z.string().min(12),
    done: z.boolean(),
  })
  expect(sample(schema)).toEqual({
    order_id: 'order_1',
    title: 'Sample title',
    price: 19.99,
    quantity: 3,
    orderedOn: '2026-01-31',
    created_at: '2026-01-31T12:00:00Z',
    day: '2026-01-31',
    website: 'https://example.com/',
    contact: 'ada@example.com',
    key: '123e4567-e89b-42d3-a456-426614174000',
    confidence: 0.8,
    port: 8080,
    tiny: 0.25,
    below: -6,
    code: expect.stringMatching(/^[A-Z]{2}-\d{3}$/),
    short: 'Samp',
    long: 'Sample long-',
    done: true,
  })
})

test('what the author shows comes first, and null only where nothing else may be', () => {
  const schema = z.object({
    shown: z.string().meta({ examples: ['as shown'] }),
    chosen: z.enum(['red', 'blue']),
    fixed: z.literal(7),
    usual: z.string().default('usual'),
    maybe: z.string().nullable(),
    never: z.null(),
    lines: z.array(z.object({ sku: z.string() })),
    pairs: z.array(z.string()).min(2),
    both: z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })),
  })
  expect(sample(schema)).toEqual({
    shown: 'as shown',
    chosen: 'red',
    fixed: 7,
    usual: 'usual',
    maybe: 'Sample maybe',
    never: null,
    lines: [{ sku: 'chair-red' }],
    pairs: ['Sample pair', 'Sample pair'],
    both: { a: 3, b: 3 },
  })
})

test('a schema that no sample fits has none, and one that holds itself has a small one', () => {
  expect(sampleValue({ type: 'object', properties: { a: { not: {} } }, required: ['a'] })).toBeUndefined()
  const tree: JsonObject = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }
  expect(JSON.stringify(sampleValue(tree)).length).toBeLessThan(500)
  expect(fitsSchema(tree, sampleValue(tree))).toBe(true)
})

test('numbers are natural within any bounds', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), (low, span) => {
      const schema: JsonObject = { type: 'integer', minimum: low, maximum: low + span }
      const value = sampleValue(schema) as number
      expect(fitsSchema(schema, value)).toBe(true)
      if (low <= 0 && low + span >= 3) expect(Math.abs(value)).toBeLessThan(4)
    }),
    { numRuns: propertyRuns(50, 1000) },
  )
})
