/** A Tool carries the types of its arguments and its data: a call of it is typed, and means a version that has these types. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { ToolResult } from '../protocol/envelope.ts'
import { createServer } from '../server/server.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { connect } from './connect.ts'

const price = tool({
  ...toolDefaults,
  name: 'shop.price',
  input: z.object({ sku: z.string(), count: z.number().default(1) }),
  output: z.object({ total: z.number(), until: z.date().optional(), by: z.array(z.object({ at: z.date() })) }),
  run: ({ sku, count }) => ({ total: sku.length * count, until: new Date(0), by: [{ at: new Date(0) }] }),
})
const newer = tool({
  ...toolDefaults,
  name: 'shop.price',
  version: '2.0.0',
  input: z.object({ article: z.string() }),
  output: z.object({ cents: z.number() }),
  run: () => ({ cents: 5 }),
})
const nothing = tool({ ...toolDefaults, name: 'shop.nothing', input: z.object({}), output: z.null(), run: () => null })
const plain = tool({
  ...toolDefaults,
  name: 'shop.plain',
  input: { type: 'object' },
  output: { type: 'object' },
  run: (input) => ({ ...input }),
})
const greet = tool({
  ...toolDefaults,
  name: 'shop.greet',
  input: z.object({ who: z.string() }),
  output: 'text',
  run: ({ who }) => `Hello ${who}`,
})
const twice = tool({
  ...toolDefaults,
  name: 'shop.twice',
  input: z.object({ sku: z.string() }),
  output: z.object({ total: z.number() }),
  run: async ({ sku }, ctx) => {
    const { data } = await ctx.call(price, { sku, count: 2 })
    expectTypeOf(data).toEqualTypeOf<{
      total: number
      until?: string | undefined
      by: { at: string }[]
    } | null>()
    // @ts-expect-error: a parameter of another type
    void (() => ctx.call(price, { sku: 5 }))
    const named = await ctx.call('shop.greet', { who: 'you' })
    expectTypeOf(named).toEqualTypeOf<ToolResult>()
    return { total: data?.total ?? 0 }
  },
})

const server = createServer({ name: 'test', version: '1.0.0', tools: [price, newer, nothing, plain, greet, twice] })

test('a call of a tool is typed by it', async () => {
  const connection = await connect(server)
  const { data } = await connection.call(price, { sku: 'abc' })
  expectTypeOf(data?.total).toEqualTypeOf<number | undefined>()
  // Dates arrive as texts.
  expectTypeOf(data?.until).toEqualTypeOf<string | undefined>()
  expect(data).toEqual({
    total: 3,
    until: '1970-01-01T00:00:00.000Z',
    by: [{ at: '1970-01-01T00:00:00.000Z' }],
  })
  const told = await connection.call(greet, { who: 'you' })
  expectTypeOf(told.data).toEqualTypeOf<{ text: string } | null>()
  expect(told.data).toEqual({ text: 'Hello you' })
  expectTypeOf(await connection.call(nothing, {})).toEqualTypeOf<ToolResult<null>>()
  expectTypeOf((await connection.call(plain, { a: 1 })).data).toEqualTypeOf<Record<string, unknown> | null>()
  void (() => {
    // @ts-expect-error: a parameter is missing
    connection.call(price, {})
    // @ts-expect-error: a parameter of another type
    connection.call(price, { sku: 1 })
    // @ts-expect-error: a parameter that the tool does not have
    connection.call(price, { sku: 'a', colour: 'red' })
  })
  await connection.close()
})

test('a call of a tool runs a compatible version, also from another tool', async () => {
  const connection = await connect(server)
  // By name it would be the highest.
  expect((await connection.call('shop.price', { article: 'a' })).data).toEqual({ cents: 5 })
  expect(await connection.call(twice, { sku: 'abc' })).toMatchObject({ status: 'success', data: { total: 6 } })
  expect((await connection.call(newer, { article: 'a' })).data).toEqual({ cents: 5 })
  const future = tool({
    ...toolDefaults,
    name: 'shop.greet',
    version: '3.0.0',
    input: z.object({}),
    output: 'text',
    run: () => '',
  })
  expect(await connection.call(future, {})).toMatchObject({
    error: { error_type: 'ToolNotFoundError', error_message: expect.stringContaining('no version within ^3.0.0') },
  })
  expect((await connection.call(newer, { article: 'a' } as never, { version: '1.0.0' })).error).toMatchObject({
    error_type: 'SchemaError',
  })
  await connection.close()
})

test('any tool fits where a tool is wanted, and the other way round', async () => {
  const all: Tool[] = [price, newer, nothing, plain, greet]
  expectTypeOf(price).toExtend<Tool>()
  expectTypeOf(price).not.toExtend<Tool<{ other: number }, { x: string }>>()
  const only = Object.values({ price, greet, five: 5 }).filter((one): one is Tool => typeof one === 'object')
  expect(only.map(({ name }) => name)).toEqual(['shop.price', 'shop.greet'])
  const connection = await connect(server)
  const [first] = all as [Tool]
  const result = await connection.call(first, { sku: 'ab' })
  expectTypeOf(result).toEqualTypeOf<ToolResult>()
  expect(result.status).toBe('success')
  await connection.close()
})
