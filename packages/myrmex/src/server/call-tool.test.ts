/** `callTool`: ToolCall in, ToolResult out, in process and through every gate. */
import { add, behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { MemoryRecorder } from '../pipeline/audit/memory-recorder.ts'
import { ToolResultSchema } from '../protocol/envelope.ts'
import { tool } from '../tool/tool.ts'
import { callTool } from './call-tool.ts'
import { createServer } from './server.ts'

const pay = tool({
  ...toolDefaults,
  name: 'shop.pay',
  destructive: true,
  input: z.object({}),
  output: z.object({}),
  run: () => ({}),
})
const recorder = new MemoryRecorder()
const server = createServer({ name: 's', version: '1.0.0', tools: [add, behaveTool, pay], recorder, observe: () => {} })

test('a success has its data', async () => {
  expect(await callTool(server, { tool_name: 'math.add', arguments: { a: 1, b: 2 } })).toEqual({
    status: 'success',
    data: { sum: 3 },
    error: null,
    explanation: null,
  })
})

describe('it never throws for a failure', () => {
  test.each<[string, unknown, string]>([
    ['no call at all', undefined, 'ValidationError'],
    ['a text', '{"tool_name":"math.add","arguments":{}}', 'ValidationError'],
    ['no arguments', { tool_name: 'math.add' }, 'ValidationError'],
    ['a member that a call does not have', { tool_name: 'math.add', arguments: {}, confirm: true }, 'ValidationError'],
    ['a name that is no text', { tool_name: 7, arguments: {} }, 'ValidationError'],
    ['an unknown tool', { tool_name: 'math.sub', arguments: {} }, 'ToolNotFoundError'],
    ['arguments that do not fit', { tool_name: 'math.add', arguments: { a: 'x' } }, 'SchemaError'],
    ['a tool that changes state and is not trusted', { tool_name: 'shop.pay', arguments: {} }, 'PermissionError'],
    ['a tool that throws', { tool_name: 'test.behave', arguments: { how: 'throw' } }, 'ToolExecutionError'],
  ])('%s: %s', async (_what, call, error_type) => {
    const result = await callTool(server, call as never)
    expect(ToolResultSchema.parse(result)).toMatchObject({ status: 'failure', data: null, error: { error_type } })
  })
})

test('what is wrong with a call is named, without its values', async () => {
  const { error } = await callTool(server, { tool_name: 'math.add', arguments: 'hunter2', confirm: 1 } as never)
  expect(error?.error_message).toBe(
    'Not a ToolCall: /arguments: must be an object; /confirm: is not a known property; known are tool_name, arguments',
  )
  expect(JSON.stringify(error)).not.toContain('hunter2')
})

test('principal and metadata are those of the call, which is recorded', async () => {
  const principal = { id: 'ada', kind: 'agent', scopes: ['text.*'] } as const
  const refused = await callTool(server, { tool_name: 'add', arguments: { a: 1, b: 2 } }, { principal })
  expect(refused.error).toMatchObject({ error_type: 'PermissionError', error_details: { missing_scope: 'math.add' } })
  const meta = { 'myrmex/version': '^9.0.0' }
  expect(await callTool(server, { tool_name: 'math_add', arguments: {} }, { meta })).toMatchObject({
    error: { error_type: 'ToolNotFoundError' },
  })
  expect(recorder.records().at(-2)).toMatchObject({ tool: 'math.add', principal: 'ada', transport: 'direct' })
})
