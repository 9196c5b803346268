/** Choices of objects as an output: accepted, listed with a type that every revision of MCP accepts, and checked as a choice. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { foreignDefinition } from '../client/foreign-definition.ts'
import { createServer } from '../server/server.ts'
import type { OutputSource } from './tool.ts'
import { tool } from './tool.ts'

const found = z.object({ found: z.literal(true), price: z.number() })
const missing = z.object({ found: z.literal(false), nearest: z.array(z.string()) })
const node = z.object({ name: z.string(), get next() { return node.optional() } }) // biome-ignore format: a recursive schema is one thought
const json = { found: { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] } } as const

test.each<[string, OutputSource, object, unknown, unknown]>([
  [
    'z.union',
    z.union([found, missing]),
    { anyOf: [{ type: 'object' }, { type: 'object' }] },
    { found: false, nearest: [] },
    { found: false },
  ],
  [
    'z.discriminatedUnion',
    z.discriminatedUnion('found', [found, missing]),
    { oneOf: [{}, {}] },
    { found: true, price: 1 },
    { found: true },
  ],
  [
    'z.intersection',
    found.and(z.object({ more: z.string() })),
    { properties: { more: {} } },
    { found: true, price: 1, more: 'x' },
    { found: true, price: 1 },
  ],
  [
    'z.lazy',
    z.lazy(() => node),
    { $ref: expect.any(String) },
    { name: 'a', next: { name: 'b' } },
    { name: 'a', next: {} },
  ],
  [
    'anyOf of references',
    { anyOf: [{ $ref: '#/$defs/found' }, { type: 'object', required: ['why'] }], $defs: json } as never,
    { anyOf: [{}, {}] },
    { price: 1 },
    { price: 'x' },
  ],
])('%s is an output', async (_kind, output, shape, fits, breaks) => {
  const give = (name: string, data: unknown) =>
    tool({ ...toolDefaults, name, input: z.object({}), output, run: (() => data) as never })
  const tools = [give('shop.fits', fits), give('shop.breaks', breaks)]
  expect(tools[0]?.output.json).toMatchObject({ type: 'object', ...shape })
  for (const era of ['auto', 'legacy'] as const) {
    const connection = await connect(createServer({ name: 'test', version: '1.0.0', tools }), { era })
    // Revisions before 2026-07-28 want an object at the root.
    const listed = (await connection.tools()).find(({ name }) => name === 'fits')
    expect(listed?.outputSchema).toMatchObject({ type: 'object' })
    expect(foreignDefinition(listed as never, '1.0.0').outputSchema).toEqual(tools[0]?.output.json)
    // The official client checks the data against the listed schema.
    expect(await connection.call('shop.fits')).toMatchObject({ status: 'success', data: fits })
    expect(await connection.call('shop.breaks')).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
    await connection.close()
  }
})
