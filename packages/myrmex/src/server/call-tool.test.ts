/** `callTool`: ToolCall in, ToolResult out, in process and through every gate. */
import { add, behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { MemoryRecorder } from '../pipeline/audit/memory-recorder.ts'
import { ToolResultSchema } from '../protocol/envelope.ts'
import { tool } from '../tool/tool.ts'
import { connectDirect } from '../transport/direct.ts'
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

describe('an envelope has all of its fields', () => {
  const none = tool({
    ...toolDefaults,
    name: 'test.none',
    input: z.object({}),
    output: z.object({}).optional(),
    run: () => undefined,
  } as never)
  const own = createServer({ name: 's', version: '1.0.0', tools: [none, add] })

  test('data is null for a tool that returns none', async () => {
    const result = await callTool(own, { tool_name: 'test.none', arguments: {} })
    expect(result).toStrictEqual({ status: 'success', data: null, error: null, explanation: null })
  })

  test.each([
    ['myrmex/dryRun', 1, null],
    ['myrmex/idempotencyKey', '', null],
    ['myrmex/version', 5, null],
    [
      'myrmex/context',
      { run: 5 },
      { issues: [{ path: '/_meta/myrmex~1context/run', constraint: 'must be a string' }] },
    ],
  ])('error_details are null if there are none, and do not repeat the error_type: %s', async (name, value, details) => {
    const { error } = await callTool(
      own,
      { tool_name: 'math.add', arguments: { a: 1, b: 2 } },
      { meta: { [name]: value } },
    )
    expect(error).toStrictEqual({
      error_type: 'ValidationError',
      error_message: expect.stringContaining(name),
      error_details: details,
    })
  })

  test('of an unknown tool too', async () => {
    const { error } = await callTool(own, { tool_name: 'math.ad', arguments: {} })
    expect(error?.error_details).toStrictEqual({ name: 'math.ad', nearest: ['math.add'] })
  })

  test('a number out of range is refused where it is, before the tool runs', async () => {
    const { error } = await callTool(own, { tool_name: 'math.add', arguments: JSON.parse('{"a":1e999,"b":1}') })
    expect(error).toMatchObject({ error_type: 'SerializationError', error_details: { path: '/a' } })
  })
})

describe('what is wrong is said in plain words', () => {
  test('an empty name is called empty', async () => {
    const { error } = await callTool(server, { tool_name: '', arguments: {} })
    expect(error?.error_message).toBe('Unknown tool: (empty).')
  })

  test('a tool that returns no text', async () => {
    const text = tool({
      ...toolDefaults,
      name: 'test.text',
      input: z.object({}),
      output: 'text',
      run: () => 5 as never,
    })
    const own = createServer({ name: 's', version: '1.0.0', tools: [text] })
    const { error } = await callTool(own, { tool_name: 'test.text', arguments: {} })
    expect(error?.error_message).toContain('must be a text')
  })

  test('a middleware that fails is named, and its cause is in the log only', async () => {
    const observed: unknown[] = []
    const own = createServer({
      name: 's',
      version: '1.0.0',
      tools: [add],
      observe: ({ thrown }) => observed.push(thrown),
      use: [
        async (_call, next) => next(),
        function quotas() {
          throw new Error('hunter2')
        },
      ],
    })
    const { error } = await callTool(own, { tool_name: 'math.add', arguments: { a: 1, b: 2 } })
    expect(error).toMatchObject({
      error_type: 'ToolExecutionError',
      error_message: expect.stringMatching(
        /^The middleware quotas of the server failed\. The log has the cause under call /,
      ),
    })
    expect(observed).toEqual([new Error('hunter2')])
  })
})

describe('options that are not valid are a failure, so that nobody calls with more rights than were meant', () => {
  const sum = { tool_name: 'math.add', arguments: { a: 1, b: 2 } }
  test.each<[string, unknown, string]>([
    [
      'a principal without anything',
      { principal: {} },
      'principal is not valid: id is missing; kind is missing; scopes is missing',
    ],
    ['a number', { principal: 5 }, 'principal must be an object with id, kind and scopes, not 5'],
    ['a text', { principal: 'x' }, 'principal must be an object with id, kind and scopes, not "x"'],
    ['null', { principal: null }, 'principal must be an object with id, kind and scopes, not null'],
    [
      'no scopes',
      { principal: { id: 'x', kind: 'bearer' } },
      "scopes is missing: list what it may call; ['*'] is everything, and [] nothing",
    ],
    [
      'misspelled scopes',
      { principal: { id: 'x', kind: 'agent', scope: [] } },
      '"scope" is not a known option. Did you mean scopes?',
    ],
    [
      'scopes as a text',
      { principal: { id: 'x', kind: 'bearer', scopes: 'x.*' } },
      'scopes must be a list of texts, not "x.*"',
    ],
    [
      'an empty id',
      { principal: { id: '', kind: 'bearer', scopes: [] } },
      'id must be a text of 1 to 200 characters, not ""',
    ],
    [
      'a misspelled principal',
      { principle: { id: 'x', kind: 'bearer', scopes: [] } },
      '"principle" is not a known option. Did you mean principal?',
    ],
    ['metadata that is no object', { meta: 'myrmex/dryRun' }, 'meta must be an object, not "myrmex/dryRun"'],
    ['options that are no object', 5, 'The options of callTool() must be an object, not 5'],
  ])('%s', async (_what, options, message) => {
    const { status, error } = await callTool(server, sum, options as never)
    expect({ status, type: error?.error_type }).toEqual({ status: 'failure', type: 'ValidationError' })
    expect(error?.error_message).toContain(message)
  })

  test('a principal with scopes, and the local user without, may call', async () => {
    for (const principal of [
      { id: 'x', kind: 'bearer', scopes: ['*'] },
      { id: 'local', kind: 'local' },
    ] as const)
      expect((await callTool(server, sum, { principal, meta: undefined } as never)).data).toEqual({ sum: 3 })
    const none = { id: 'x', kind: 'bearer', scopes: [] } as const
    expect((await callTool(server, sum, { principal: none })).error?.error_type).toBe('PermissionError')
  })

  test('a direct connection takes no other principals', () => {
    expect(() => connectDirect(server, () => {}, { id: 'x', kind: 'bearer' })).toThrow(/principal .*scopes is missing/)
    expect(() => connectDirect(server, () => {}, {} as never)).toThrow(/principal .*id is missing/)
  })
})
