import { add } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
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
