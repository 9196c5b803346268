/** Values that throw when they are read, or are another value at each read: what a tool throws or returns, and what a caller sends. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../protocol/errors.ts'
import type { SchemaSource } from '../protocol/schema.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { Registry } from '../tool/registry.ts'
import { tool } from '../tool/tool.ts'
import { Outcome } from './outcome.ts'
import { Pipeline } from './pipeline.ts'

const call = async (work: () => unknown, output: SchemaSource = { type: 'object' }, args: unknown = {}) => {
  const made = tool({
    ...toolDefaults,
    name: 'test.odd',
    input: { type: 'object' },
    output,
    errors: { FullError: 'It is full.' },
    run: work as () => never,
  })
  const ended = await new Pipeline(new Registry([made])).call(plainCaller('direct', LOCAL), 'test.odd', args)
  expect(ended).toBeInstanceOf(Outcome)
  return ended as Outcome
}

const refuse = (): never => {
  throw new Error('secret')
}
/** `values` in turn, one for each time that `n` is read, and the last one from then on. */
const changing = (...values: unknown[]) => ({
  get n() {
    return values.length > 1 ? values.shift() : values[0]
  },
})

test.each<[string, () => object]>([
  [
    'a getter that throws',
    () => ({
      get room() {
        return refuse()
      },
    }),
  ],
  [
    'a getter that throws further down',
    () => ({
      list: [
        {
          get room() {
            return refuse()
          },
        },
      ],
    }),
  ],
  ['a toJSON that throws', () => ({ toJSON: refuse })],
  ['a proxy that throws', () => new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse, get: refuse })],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
  ],
  [
    'a getter that throws when it is read again',
    () => {
      let reads = 0
      return {
        get n() {
          return reads++ === 0 ? 1 : refuse()
        },
      }
    },
  ],
])('an error whose details are %s keeps its type and message', async (_what, details) => {
  const { status, error } = await call(() => {
    throw new ToolError('FullError', 'It is full.', details() as never)
  })
  expect({ status, error }).toEqual({
    status: 'failure',
    error: {
      error_type: 'FullError',
      error_message: 'It is full.',
      error_details: { not_sent: 'Reading the details threw an error.' },
    },
  })
})

test('details that are no JSON value at all are described', async () => {
  for (const details of [5n, () => 5, Symbol('x'), Promise.resolve({})]) {
    const { error } = await call(() => {
      throw new ToolError('FullError', 'It is full.', details as never)
    })
    expect(error).toMatchObject({
      error_type: 'FullError',
      error_details: { not_sent: expect.stringMatching(/^JSON cannot hold a/) },
    })
  }
})

test('details that change as they are read are copied once', async () => {
  for (const values of [
    [1, 2n],
    [1, 1, 2n],
    [1, 2, 3, 4n],
  ]) {
    const { error } = await call(() => {
      throw new ToolError('FullError', 'It is full.', changing(...values) as never)
    })
    expect(error).toMatchObject({ error_type: 'FullError', error_message: 'It is full.' })
    expect(JSON.stringify(error)).toBe(JSON.stringify(error))
  }
})

test.each<[string, SchemaSource]>([
  ['JSON Schema', { type: 'object', properties: { n: { type: 'number' } } }],
  ['a loose object', z.looseObject({ n: z.number() })],
  ['anything within an object', z.object({ in: z.any() })],
])(
  'a result that is another value at each read is recorded, or is an error that says so: %s',
  async (_schema, output) => {
    for (let reads = 0; reads < 12; reads++) {
      const odd = changing(...Array.from({ length: reads }, () => 1), 2n)
      const { status, error } = await call(() => ({ ...changing(1), in: odd, n: 1 }), output)
      if (status === 'success') continue
      expect(error).toMatchObject({
        error_type: 'SerializationError',
        error_message: expect.stringMatching(/bigint|changes/),
      })
    }
  },
)

test('arguments that are another value at each read are recorded, or are an error that says so', async () => {
  for (let reads = 0; reads < 12; reads++) {
    const args = { in: changing(...Array.from({ length: reads }, () => 1), 2n) }
    const { status, error } = await call(() => ({}), { type: 'object' }, args)
    if (status === 'success') continue
    expect(error).toMatchObject({ error_type: 'SerializationError' })
  }
})
