import { add, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
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
          { path: '/a', constraint: 'expected "number"', value: 'x' },
          { path: '/b', constraint: 'expected "number"', value: null },
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
