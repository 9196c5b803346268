import { behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { type ToolDefinition, tool } from '../../tool/tool.ts'
import { Pipeline } from '../pipeline.ts'

const outcome = async (output: ToolDefinition['output'], returned: unknown) => {
  const made = tool({ ...toolDefaults, name: 'test.out', input: z.object({}), output, run: (() => returned) as never })
  return new Pipeline(new Registry([made])).call(plainCaller('direct', LOCAL), 'test.out', {})
}

test.each(['success', 'partial', 'unchanged'] as const)('%s keeps its status', async (how) => {
  const ended = await new Pipeline(new Registry([behaveTool])).call(plainCaller('direct', LOCAL), 'test.behave', {
    how,
  })
  const status = { success: 'success', partial: 'partial_success', unchanged: 'no_change_needed' }[how]
  expect(ended).toMatchObject({ status, data: { how }, error: null })
})

test('output that breaks its schema is a failure that names the place and not the value', async () => {
  const ended = await outcome(z.object({ n: z.number() }), { n: 'hunter2' })
  expect(ended).toMatchObject({
    status: 'failure',
    data: null,
    error: { error_type: 'ToolExecutionError', error_details: { issues: [{ path: '/n' }] } },
  })
  expect(JSON.stringify(ended)).not.toContain('hunter2')
})

test.each([
  ['Zod', z.object({ at: z.date() })],
  ['JSON Schema', { type: 'object', properties: { at: { type: 'string', format: 'date-time' } }, required: ['at'] }],
])('a Date is written out, with %s', async (_kind, output) => {
  expect(await outcome(output, { at: new Date(0) })).toMatchObject({ data: { at: '1970-01-01T00:00:00.000Z' } })
})

test('what JSON cannot hold is a SerializationError', async () => {
  const ended = await outcome(z.looseObject({}), { deep: [1n] })
  expect(ended).toMatchObject({ error: { error_type: 'SerializationError', error_details: { path: '/deep/0' } } })
})

test('a tool with no data returns nothing, and nothing else', async () => {
  expect(await outcome(z.null(), undefined)).toMatchObject({ status: 'success', data: null })
  expect(await outcome(z.null(), { a: 1 })).toMatchObject({ status: 'failure' })
})

test('fields the output schema does not promise do not leave', async () => {
  expect(await outcome(z.object({ a: z.number() }), { a: 1, secret: 2 })).toMatchObject({ data: { a: 1 } })
  expect(JSON.stringify(await outcome(z.object({ a: z.number() }), { a: 1, secret: 2 }))).not.toContain('secret')
})
