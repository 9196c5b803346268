import { add, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import type { Outcome } from '../outcome.ts'
import { Pipeline } from '../pipeline.ts'

const call = (args: unknown) => new Pipeline(new Registry([add])).call(plainCaller('direct', LOCAL), 'math.add', args)

test('arguments that fit go through', async () => {
  expect(await call({ a: 1, b: 2 })).toMatchObject({ status: 'success', data: { sum: 3 } })
})

test('every field that does not fit is named with its path, constraint and value', async () => {
  expect(await call({ a: 'x' })).toMatchObject({
    status: 'failure',
    data: null,
    error: {
      error_type: 'SchemaError',
      error_details: {
        tool: 'math.add',
        issues: [
          { path: '/a', constraint: 'must be a number', message: 'must be a number; got "x"', value: 'x' },
          { path: '/b', constraint: 'is required', message: 'is required', value: null },
        ],
      },
    },
  })
})

test('missing arguments count as none', async () => {
  expect(await call(undefined)).toMatchObject({ error: { error_type: 'SchemaError' } })
})

test('arguments that are too deep for a validator are refused like others that do not fit', async () => {
  const order = tool({
    ...toolDefaults,
    name: 'shop.order',
    // A default makes it work on a copy, and copying is recursive too.
    input: { type: 'object', properties: { note: { type: 'string', default: 'none' } } },
    output: { type: 'object' },
    run: () => ({}),
  })
  const args = { deep: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown }
  const result = await new Pipeline(new Registry([order])).call(plainCaller('direct', LOCAL), 'shop.order', args)
  expect(result).toMatchObject({
    status: 'failure',
    error: { error_type: 'SchemaError', error_message: expect.stringContaining('nested too deeply to be checked') },
  })
})

const any = tool({
  ...toolDefaults,
  name: 'test.any',
  input: z.looseObject({}),
  output: z.looseObject({}),
  run: (input) => input,
})

test('what JSON cannot hold never reaches a tool, also if another tool sends it', async () => {
  const relay = tool({
    ...toolDefaults,
    name: 'test.relay',
    input: z.object({}),
    output: z.looseObject({}),
    run: async (_input, ctx) => ({ ...(await ctx.call('test.any', { n: [1n] })) }),
  })
  const pipeline = new Pipeline(new Registry([any, relay]))
  const failed = { status: 'failure', error: { error_type: 'SerializationError', error_details: { path: '/n/0' } } }
  expect(await pipeline.call(plainCaller('direct', LOCAL), 'test.any', { n: [1n] })).toMatchObject(failed)
  expect(await pipeline.call(plainCaller('direct', LOCAL), 'test.relay', {})).toMatchObject({ data: failed })
})

test.each([
  ['a tool that changes state', { destructive: true }, 'failure'],
  ['a tool whose calls can be undone', { undo: () => {} }, 'failure'],
  ['a tool that only reads', {}, 'success'],
])('a misspelled argument of %s', async (_what, promises, status) => {
  const ship = tool({
    ...toolDefaults,
    ...promises,
    name: 'shop.ship',
    input: z.object({ order: z.string(), address: z.string().optional() }),
    output: z.null(),
    run: () => null,
  })
  const pipeline = new Pipeline(new Registry([ship]))
  const args = { order: 'o1', adress: '666 Wrong St' }
  const ended = (await pipeline.call(plainCaller('direct', LOCAL), 'shop.ship', args)) as Outcome
  expect(ended.status).toBe(status)
  if (status === 'success') return
  expect(ended.error).toEqual({
    error_type: 'SchemaError',
    error_message: 'The arguments do not fit shop.ship: /adress: is not a known property. Did you mean address?',
    error_details: {
      tool: 'shop.ship',
      issues: [expect.objectContaining({ path: '/adress', constraint: expect.stringContaining('order, address') })],
    },
  })
})

test('dates and URLs reach a tool as on a wire', async () => {
  const args = { at: new Date(0), in: [new URL('https://a.example/x')] }
  expect(await new Pipeline(new Registry([any])).call(plainCaller('direct', LOCAL), 'test.any', args)).toMatchObject({
    data: { at: '1970-01-01T00:00:00.000Z', in: ['https://a.example/x'] },
  })
  expect(args.at).toBeInstanceOf(Date)
})

const late = z.string().transform(((text: string) => Promise.resolve(text)) as never)

test.each<[string, z.ZodType, RegExp]>([
  ['an async superRefine', z.string().superRefine(async () => {}), /\(it returned a promise\)/],
  ['a refinement that returns a promise', z.string().refine((() => Promise.resolve(true)) as never), /\(it returned/],
  ['a transform that returns a promise', late, /\(the transform at \/a returned a promise\)/],
  [
    'a preprocess',
    z.preprocess(((text: unknown) => Promise.resolve(text)) as never, z.string()),
    /the transform at \/a /,
  ],
  [
    'one of two transforms',
    z.union([z.number().transform(String), z.object({ b: late }), late]),
    /transforms at \/a, \/a\/b /,
  ],
])('a schema that answers later after all fails its call, and says what to do: %s', async (_what, check, message) => {
  for (const side of ['input', 'output'] as const) {
    const made = tool({
      ...toolDefaults,
      name: 'test.late',
      input: z.object(side === 'input' ? { a: check } : {}),
      output: z.object(side === 'output' ? { a: check } : {}),
      run: () => ({ a: 'x' }),
    })
    const pipeline = new Pipeline(new Registry([made]))
    const result = (await pipeline.call(plainCaller('direct', LOCAL), 'test.late', { a: 'x' })) as Outcome
    expect(result).toMatchObject({ status: 'failure', error: { error_type: 'ToolExecutionError' } })
    expect(result.error?.error_message).toMatch(message)
    expect(result.error?.error_message).toMatch(new RegExp(`^the ${side} schema answers later.*Move that into run`))
  }
})

test('a transform that throws is a fault of the server, as before', async () => {
  const throws = z.string().transform((): string => {
    throw new Error('secret')
  })
  const made = tool({
    ...toolDefaults,
    name: 'test.throws',
    input: z.object({ a: throws }),
    output: z.null(),
    run: () => null,
  })
  const ended = await new Pipeline(new Registry([made]))
    .call(plainCaller('direct', LOCAL), 'test.throws', { a: 'x' })
    .catch((thrown: unknown) => thrown)
  expect(ended).toMatchObject({ code: -32603 })
  expect(JSON.stringify(ended)).not.toContain('secret')
})
