import { behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { RpcError } from '../../protocol/errors.ts'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { type ObservedError, Pipeline } from '../pipeline.ts'

const caller = plainCaller('direct', LOCAL)

test('a declared error keeps its type and details', async () => {
  const ended = await new Pipeline(new Registry([behaveTool])).call(caller, 'test.behave', { how: 'declared' })
  expect(ended).toMatchObject({ error: { error_type: 'FullError', error_details: { room: 0 } } })
})

test('what a tool throws otherwise reaches the log whole and the caller not at all', async () => {
  const observed: ObservedError[] = []
  const pipeline = new Pipeline(new Registry([behaveTool]), { observe: (one) => observed.push(one) })
  const ended = await pipeline.call(caller, 'test.behave', { how: 'throw' })
  expect(ended).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
  expect(JSON.stringify(ended)).not.toMatch(/hunter2|secret|run\.test/)
  expect(observed).toMatchObject([{ tool: 'test.behave', thrown: { message: expect.stringMatching(/hunter2/) } }])
})

test.each([
  ['rejects', async () => Promise.reject(new Error('x'))],
  ['throws nothing', () => Promise.reject()],
])('a tool that %s is a failure', async (_how, run) => {
  const bad = tool({ ...toolDefaults, name: 'test.bad', input: z.object({}), output: z.object({}), run: run as never })
  const pipeline = new Pipeline(new Registry([bad]), { observe: () => {} })
  expect(await pipeline.call(caller, 'test.bad', {})).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
})

test('a thrown RpcError is a protocol error, not a result', async () => {
  const run = () => {
    throw new RpcError(-32603, 'down')
  }
  const bad = tool({ ...toolDefaults, name: 'test.bad', input: z.object({}), output: z.object({}), run })
  expect(await new Pipeline(new Registry([bad])).call(caller, 'test.bad', {})).toBeInstanceOf(RpcError)
})
