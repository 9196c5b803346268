/** Document 1: technical overview. */
import { call, countedTool, serve } from '@myrmex/testing/gated-server'
import { modernPeer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { ROOT } from '@myrmex/testing/paths'
import { add, behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import {
  callTool,
  createServer,
  discover,
  ERROR_TYPES,
  ErrorDetailSchema,
  envelopeSchemas,
  PROTOCOL_VERSION,
  parseToolCall,
  Registry,
  stringifyToolCall,
  type Tool,
  ToolCallSchema,
  ToolResultSchema,
  tool,
} from 'myrmex'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { checkBump, compare, migrationNote } from '../../packages/myrmex/src/spec/diff.ts'
import { lint } from '../../packages/myrmex/src/spec/lint.ts'
import { renderDocument } from '../../packages/myrmex/src/spec/render.ts'
import { type ToolBody, toolBody } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'
import { DOCUMENT_SCHEMAS, FAILURE, GENERATE_CODE, SUCCESS } from './document-examples.ts'

const serverOf = (...tools: Tool[]) => createServer({ name: 'spec', version: '1.0.0', tools, observe: () => {} })

const generateCode = tool({
  ...toolDefaults,
  name: 'ai_code_editing.generate_code',
  description: 'Writes code to a prompt.',
  input: z.object({
    prompt: z
      .string()
      .min(1)
      .describe('What the code should do.')
      .meta({ examples: ['Sum a list.'] }),
    language: z.string().describe('Its language.'),
    context_code: z.string().optional().describe('Code around it.'),
  }),
  output: z.object({
    generated_code: z.string().describe('The code.'),
    language: z.string().describe('Its language.'),
  }),
  errors: { ModelUnavailable: 'No model answers.' },
  security: 'The code is not run.',
  examples: [
    {
      title: 'A sum',
      arguments: { prompt: 'Sum a list.', language: 'python' },
      data: { generated_code: 'sum', language: 'python' },
    },
    { title: 'No prompt', arguments: { prompt: '', language: 'python' }, error: 'SchemaError' },
  ],
  run: ({ language }) => ({ generated_code: 'sum', language }),
})

const rendered = (made: Tool = generateCode): string => renderDocument([toolBody(made)])
const body = toolBody(generateCode)

/** The level of the step that a change of the definition needs. */
const stepFor = (change: Partial<ToolBody>): string => compare(body, { ...body, ...change }).level

const properties = body.inputSchema.properties as Record<string, object>
const fields = body.outputSchema.properties as Record<string, object>

describe('§2 Principles', () => {
  test('machine readable: the schemas of a tool are JSON Schema, in the list of tools and in the registry', async () => {
    const { result } = await modernPeer(serverOf(generateCode)).request('tools/list')
    const [entry] = new Registry([generateCode]).list()
    expect(result.tools[0].inputSchema).toEqual(entry?.inputSchema)
    expect(entry?.inputSchema).toMatchObject({ type: 'object', required: ['prompt', 'language'] })
  })

  test('discoverable: the specification documents of a folder are written from its tools', () => {
    expect(rendered()).toContain('## Tool: `ai_code_editing.generate_code`')
  })
})

describe('§3.1 Tool call', () => {
  test('the JSON Schema is that of the document', () => {
    expect(envelopeSchemas().ToolCall).toEqual(DOCUMENT_SCHEMAS.ToolCall)
  })

  test('tool_name is required', () => {
    expect(ToolCallSchema.safeParse({ arguments: {} }).success).toBe(false)
  })

  test('tool_name is module.tool in lower case, digits and underscores, as the pattern of the document says', () => {
    const accepts = (tool_name: string) => ToolCallSchema.safeParse({ tool_name, arguments: {} }).success
    expect(['a.b', 'a_1.b_2.c', 'x.1'].every(accepts)).toBe(true)
    expect(['a', 'A.b', 'a.', '.b', 'a..b', 'a-b.c', 'a.b\n', ''].some(accepts)).toBe(false)
  })

  test('arguments is required and an object', () => {
    const accepts = (args: unknown) => ToolCallSchema.safeParse({ tool_name: 'a.b', arguments: args }).success
    expect(accepts({ anything: [1] })).toBe(true)
    expect([undefined, null, [], 'text', 7].some(accepts)).toBe(false)
  })

  test('other fields are refused', () => {
    expect(ToolCallSchema.safeParse({ tool_name: 'a.b', arguments: {}, id: 1 }).success).toBe(false)
  })

  test('the example is a tool call', () => {
    expect(ToolCallSchema.parse(GENERATE_CODE)).toEqual(GENERATE_CODE)
  })
})

describe('§3.2 Tool result', () => {
  test('the JSON Schema is that of the document', () => {
    expect(envelopeSchemas().ToolResult).toEqual(DOCUMENT_SCHEMAS.ToolResult)
  })

  test('status is success, failure, no_change_needed or partial_success', () => {
    const accepts = (status: string) => ToolResultSchema.safeParse({ status, data: {} }).success
    expect(['success', 'no_change_needed', 'partial_success'].every(accepts)).toBe(true)
    expect(ToolResultSchema.safeParse({ status: 'failure', error: FAILURE.error }).success).toBe(true)
    expect(['done', 'SUCCESS', ''].some(accepts)).toBe(false)
  })

  test('data is an object or null', () => {
    const accepts = (data: unknown) => ToolResultSchema.safeParse({ status: 'success', data }).success
    expect([{ a: 1 }, null, undefined].every(accepts)).toBe(true)
    expect([[], 'text', 7].some(accepts)).toBe(false)
  })

  test('explanation is a string or null', () => {
    const accepts = (explanation: unknown) => ToolResultSchema.safeParse({ status: 'success', explanation }).success
    expect(['because', null, undefined].every(accepts)).toBe(true)
    expect(accepts(7)).toBe(false)
  })

  test('only status is required', () => {
    expect(ToolResultSchema.safeParse({ status: 'success' }).success).toBe(true)
    expect(ToolResultSchema.safeParse({ data: {} }).success).toBe(false)
  })

  test('a failure has an error', () => {
    expect(ToolResultSchema.safeParse({ status: 'failure' }).success).toBe(false)
  })

  test('a failure has no data', () => {
    expect(ToolResultSchema.safeParse({ ...FAILURE, data: {} }).success).toBe(false)
  })

  test('a success of a tool without output has null as its data', async () => {
    const quiet = tool({ ...toolDefaults, name: 'test.quiet', input: z.object({}), output: z.null(), run: () => null })
    expect(await callTool(serverOf(quiet), { tool_name: 'test.quiet', arguments: {} })).toEqual({
      status: 'success',
      data: null,
      error: null,
      explanation: null,
    })
  })

  test('the example of a success is a tool result', () => {
    expect(ToolResultSchema.parse(SUCCESS)).toEqual(SUCCESS)
  })

  test('the example of a failure is a tool result', () => {
    expect(ToolResultSchema.parse(FAILURE)).toEqual(FAILURE)
  })
})

describe('§3.3 Error detail', () => {
  test('the JSON Schema is that of the document', () => {
    expect(envelopeSchemas().ErrorDetail).toEqual(DOCUMENT_SCHEMAS.ErrorDetail)
  })

  test('error_type and error_message are required', () => {
    expect(ErrorDetailSchema.safeParse({ error_message: 'm' }).success).toBe(false)
    expect(ErrorDetailSchema.safeParse({ error_type: 't' }).success).toBe(false)
  })

  test('error_details is an object, a string or null', () => {
    const accepts = (error_details: unknown) =>
      ErrorDetailSchema.safeParse({ error_type: 't', error_message: 'm', error_details }).success
    expect([{ parameter: 'prompt' }, 'text', null, undefined].every(accepts)).toBe(true)
    expect([7, [], true].some(accepts)).toBe(false)
  })

  test('the eight standard error types are in the catalogue', () => {
    expect(Object.keys(ERROR_TYPES)).toEqual(
      expect.arrayContaining([
        'ValidationError',
        'FileNotFoundError',
        'AuthenticationError',
        'ResourceNotFound',
        'ToolExecutionError',
        'ApiLimitExceeded',
        'TimeoutError',
        'PermissionError',
      ]),
    )
  })
})

describe('§4.1 Template', () => {
  const sections = [...rendered().matchAll(/^### (\d\. .*)$/gm)].map(([, title]) => title)
  const section = (number: number): string =>
    rendered()
      .split(/^### /m)
      .find((part) => part.startsWith(`${number}. `)) ?? ''

  test('a document has the eight sections in this order', () => {
    expect(sections).toEqual([
      '1. Tool Purpose and Description',
      '2. Invocation Name',
      '3. Input Schema (Parameters)',
      '4. Output Schema (Return Value)',
      '5. Error Handling',
      '6. Idempotency',
      '7. Usage Examples',
      '8. Security Considerations',
    ])
  })

  test('1. the purpose says what the tool does, and the version is under the heading of the tool', () => {
    expect(section(1)).toContain('Writes code to a prompt.')
    expect(rendered()).toMatch(/^## Tool: `ai_code_editing\.generate_code`\n\n\*\*Version\*\*: 1\.0\.0$/m)
  })

  test('2. the invocation name is module_name.tool_name', () => {
    expect(section(2)).toContain('`ai_code_editing.generate_code`')
  })

  test('3. the input has a table and a JSON Schema, with required parameters marked', () => {
    expect(section(3)).toMatch(/\| `prompt` \| `string` \| Yes \|/)
    expect(section(3)).toMatch(/\| `context_code` \| `string` \| No \|/)
    expect(jsonBlocks(section(3))).toEqual([body.inputSchema])
  })

  test('4. the output has a table and a JSON Schema', () => {
    expect(section(4)).toMatch(/\| `generated_code` \| `string` \|/)
    expect(jsonBlocks(section(4))).toEqual([body.outputSchema])
  })

  test('5. the errors have a type, a condition and the structure of their details', () => {
    expect(section(5)).toContain('`ModelUnavailable`')
    expect(section(5)).toContain('No model answers.')
    expect(section(5)).toContain('error_details')
  })

  test('6. idempotency says what a repeated call does', () => {
    expect(section(6)).toMatch(/\*\*idempotent\*\*/)
  })

  test('7. the examples are complete calls and results, of a success and a failure', () => {
    const [sent, got, refused, failed] = jsonBlocks(section(7))
    for (const one of [sent, refused]) expect(ToolCallSchema.safeParse(one).success).toBe(true)
    expect(ToolResultSchema.parse(got)).toMatchObject({ status: 'success', data: { generated_code: 'sum' } })
    expect(ToolResultSchema.parse(failed)).toMatchObject({ status: 'failure', error: { error_type: 'SchemaError' } })
  })

  test('8. security names the risks', () => {
    expect(section(8)).toContain('The code is not run.')
  })

  test('a document without one of the sections is reported', () => {
    const without = rendered().replace(/### 8\. Security Considerations[\s\S]*/, '')
    expect(lint('a.md', without).map(({ rule }) => rule)).toContain('missing-section')
    expect(lint('a.md', rendered())).toEqual([])
  })
})

describe('§4.2 JSON Schema', () => {
  test('input and output schemas are required', () => {
    const { input: _, ...without } = {
      ...toolDefaults,
      name: 'a.b',
      input: z.object({}),
      output: z.object({}),
      run: () => ({}),
    }
    expect(() => tool(without as never)).toThrow(expect.objectContaining({ error_type: 'RegistrationError' }))
  })

  test('type, description, required, properties, items and examples stand in the schema', () => {
    const lists = tool({
      ...toolDefaults,
      name: 'test.lists',
      input: z.object({ names: z.array(z.string().describe('One name.')).describe('Names.') }),
      output: z.object({}),
      run: () => ({}),
    })
    expect(lists.input.json).toMatchObject({
      type: 'object',
      properties: {
        names: { type: 'array', description: 'Names.', items: { type: 'string', description: 'One name.' } },
      },
      required: ['names'],
    })
    expect(properties.prompt).toMatchObject({ examples: ['Sum a list.'] })
  })

  test('a field without type or description is reported', () => {
    const bare = rendered().replaceAll(',\n      "description": "Its language."', '')
    expect(lint('a.md', bare).map(({ rule }) => rule)).toContain('no-description')
  })
})

describe('§5.1 Protocol version', () => {
  test('the version of the protocol is 1.0.0, beside the MCP revisions', () => {
    expect(PROTOCOL_VERSION).toBe('1.0.0')
  })
})

describe('§5.2 Tool versions', () => {
  test('a tool has a semantic version of its own', () => {
    expect(() =>
      tool({
        ...toolDefaults,
        name: 'a.b',
        version: '1.0',
        input: z.object({}),
        output: z.object({}),
        run: () => ({}),
      }),
    ).toThrow(/semantic version/)
  })

  test('adding a required parameter is breaking', () => {
    const schema = { ...body.inputSchema, properties: { ...properties, model: { type: 'string' } } }
    expect(stepFor({ inputSchema: { ...schema, required: ['prompt', 'language', 'model'] } })).toBe('major')
  })

  test('removing a parameter is breaking', () => {
    const { context_code: _, ...rest } = properties
    expect(
      stepFor({ inputSchema: { ...body.inputSchema, properties: rest, additionalProperties: false } as never }),
    ).toBe('major')
  })

  test('changing the type of a parameter is breaking', () => {
    const changed = { ...properties, prompt: { type: 'integer' } }
    expect(stepFor({ inputSchema: { ...body.inputSchema, properties: changed } })).toBe('major')
  })

  test('an incompatible change of the output is breaking', () => {
    const changed = { ...fields, generated_code: { type: 'array', items: { type: 'string' } } }
    expect(stepFor({ outputSchema: { ...body.outputSchema, properties: changed } as never })).toBe('major')
  })

  test('adding an optional parameter is a minor step', () => {
    const more = { ...properties, model: { type: 'string', description: 'Which model.' } }
    expect(stepFor({ inputSchema: { ...body.inputSchema, properties: more } as never })).toBe('minor')
  })

  test('adding a field to the output is a minor step', () => {
    const more = { ...fields, lines: { type: 'integer', description: 'How many.' } }
    expect(stepFor({ outputSchema: { ...body.outputSchema, properties: more } as never })).toBe('minor')
  })

  test('a change of the documentation is a patch', () => {
    expect(stepFor({ description: 'Writes code as a prompt asks.' })).toBe('patch')
  })

  test('a step that is too small for its changes is refused', () => {
    expect(checkBump('1.0.0', '1.1.0', 'major')).toMatchObject({ enough: false, wouldDo: '2.0.0' })
  })
})

describe('§5.3 Compatibility', () => {
  test('versions of a tool live side by side, and a caller can ask for the one it knows', async () => {
    const next = tool({
      ...toolDefaults,
      name: 'math.add',
      version: '2.0.0',
      input: z.object({ numbers: z.array(z.number()) }),
      output: z.object({ sum: z.number() }),
      run: ({ numbers }) => ({ sum: numbers.reduce((sum, one) => sum + one, 0) }),
    })
    const client = modernPeer(serverOf(add, next))
    const old = { name: 'add', arguments: { a: 1, b: 2 }, _meta: { 'myrmex/version': '^1.0.0' } }
    expect(await client.request('tools/call', old)).toMatchObject({ result: { structuredContent: { sum: 3 } } })
    const newest = { name: 'add', arguments: { numbers: [1, 2] } }
    expect(await client.request('tools/call', newest)).toMatchObject({ result: { structuredContent: { sum: 3 } } })
  })

  test('a breaking change comes with a migration note', () => {
    const { context_code: _, ...rest } = properties
    const after = { ...body, version: '2.0.0', inputSchema: { ...body.inputSchema, properties: rest } } as ToolBody
    expect(migrationNote(body, after, compare(body, after))).toContain('context_code')
  })
})

describe('§6.1 JSON', () => {
  const echo = tool({
    ...toolDefaults,
    name: 'test.echo',
    input: z.object({ value: z.any() }),
    output: z.object({ value: z.any() }),
    run: ({ value }) => ({ value }),
  })
  const echoed = async (value: unknown) =>
    (await callTool(serverOf(echo), { tool_name: 'test.echo', arguments: { value } })).data?.value

  test('text is UTF-8: every character survives', async () => {
    expect(await echoed('Grüße, 世界 🐜')).toBe('Grüße, 世界 🐜')
  })

  test('compact for transmission, indented for documentation', () => {
    const sent = { tool_name: 'example.tool', arguments: { param: 'value' } }
    expect(stringifyToolCall(sent)).toBe('{"tool_name":"example.tool","arguments":{"param":"value"}}')
    expect(stringifyToolCall(sent, { pretty: true })).toBe(JSON.stringify(sent, null, 2))
  })

  test('dates are ISO 8601', async () => {
    const now = tool({
      ...toolDefaults,
      name: 'test.now',
      input: z.object({}),
      output: z.object({ at: z.date() }),
      run: () => ({ at: new Date(Date.UTC(2024, 0, 15, 10, 30)) }),
    })
    const { data } = await callTool(serverOf(now), { tool_name: 'test.now', arguments: {} })
    expect(data).toEqual({ at: '2024-01-15T10:30:00.000Z' })
  })

  test('numbers are JSON numbers: leading zeros and hexadecimal are not', () => {
    for (const number of ['007', '0x1F', '1_000', '+1', 'NaN'])
      expect(() => parseToolCall(`{"tool_name":"a.b","arguments":{"n":${number}}}`)).toThrow(
        expect.objectContaining({ error_type: 'ValidationError' }),
      )
  })
})

describe('§6.2 Types', () => {
  const typesTool = tool({
    ...toolDefaults,
    name: 'test.types',
    input: z.object({}),
    output: z.object({
      text: z.string(),
      int: z.int(),
      float: z.number(),
      bool: z.boolean(),
      list: z.array(z.number()),
      object: z.object({ a: z.number() }),
      none: z.null(),
      date: z.date(),
      url: z.any(),
    }),
    run: () => ({
      text: 'a',
      int: 1,
      float: 0.5,
      bool: true,
      list: [1, 2],
      object: { a: 1 },
      none: null,
      date: new Date(0),
      url: new URL('file:///tmp/a.txt'),
    }),
  })

  test('strings, numbers, booleans, arrays, objects and null are themselves; dates and paths are strings', async () => {
    const { data } = await callTool(serverOf(typesTool), { tool_name: 'test.types', arguments: {} })
    expect(data).toEqual({
      text: 'a',
      int: 1,
      float: 0.5,
      bool: true,
      list: [1, 2],
      object: { a: 1 },
      none: null,
      date: '1970-01-01T00:00:00.000Z',
      url: 'file:///tmp/a.txt',
    })
  })
})

describe('§6.3 Serialization', () => {
  test('a tool call is written as JSON, read from JSON, and is the same', () => {
    const sent = { tool_name: 'example.tool', arguments: { param: 'value' } }
    expect(parseToolCall(stringifyToolCall(sent, { pretty: true }))).toEqual(sent)
  })
})

describe('§7.1 Request and response', () => {
  test('a call is answered with one result', async () => {
    const result = await callTool(serverOf(add), { tool_name: 'math.add', arguments: { a: 1, b: 2 } })
    expect(result).toEqual({ status: 'success', data: { sum: 3 }, error: null, explanation: null })
  })
})

describe('§7.2 Error flow', () => {
  test('invalid arguments: a failure with an error, and the tool does not run', async () => {
    const counted = countedTool('shop.look')
    const { server } = await serve([counted])
    expect(await call(server, 'shop.look', { n: 'many' })).toMatchObject({
      status: 'failure',
      error: { error_type: 'SchemaError' },
    })
    expect(counted.ran).toEqual([])
  })

  test('a tool that fails: a failure with an error', async () => {
    const result = await callTool(serverOf(behaveTool), { tool_name: 'test.behave', arguments: { how: 'declared' } })
    expect(result).toEqual({
      status: 'failure',
      data: null,
      error: { error_type: 'FullError', error_message: 'It is full.', error_details: { room: 0 } },
      explanation: null,
    })
  })

  test('a tool that succeeds: a success with data', async () => {
    const result = await callTool(serverOf(behaveTool), { tool_name: 'test.behave', arguments: { how: 'success' } })
    expect(result).toMatchObject({ status: 'success', data: { how: 'success' }, error: null })
  })
})

describe('§8.1 Tool call message', () => {
  test('tool_name is the invocation name of the document, and arguments fit its input schema', async () => {
    const result = await callTool(serverOf(generateCode), GENERATE_CODE)
    expect(result).toMatchObject({ status: 'success', data: { language: 'python' } })
  })
})

describe('§8.2 Tool result message', () => {
  test('every result has a status, data, error and explanation', async () => {
    for (const how of ['success', 'partial', 'unchanged', 'declared', 'throw']) {
      const result = await callTool(serverOf(behaveTool), { tool_name: 'test.behave', arguments: { how } })
      expect(Object.keys(result)).toEqual(['status', 'data', 'error', 'explanation'])
      expect(ToolResultSchema.safeParse(result).success).toBe(true)
    }
  })
})

describe('§8.3 Standard error object', () => {
  test('a validation error says which parameter failed and why', async () => {
    const result = await callTool(serverOf(generateCode), {
      tool_name: 'ai_code_editing.generate_code',
      arguments: { prompt: '', language: 'python' },
    })
    expect(result.error?.error_details).toMatchObject({ issues: [{ path: '/prompt', value: '' }] })
  })
})

describe('§10 Future considerations', () => {
  test('asynchronous operations: a call becomes a task that is asked for later', async () => {
    const slow = tool({
      ...toolDefaults,
      name: 'test.slow',
      task: true,
      input: z.object({}),
      output: z.object({}),
      run: async () => ({}),
    })
    const client = modernPeer(serverOf(slow), TASKS_CAPABILITY)
    const { result } = await client.request('tools/call', { name: 'slow' })
    expect(result).toMatchObject({ resultType: 'task' })
    await expect
      .poll(async () => (await client.request('tasks/get', { taskId: result.taskId })).result.status)
      .toBe('completed')
  })

  test('streaming: a tool sends parts of its result ahead', async () => {
    const parts = tool({
      ...toolDefaults,
      name: 'test.parts',
      input: z.object({}),
      output: z.object({ count: z.int() }),
      run: (_input, ctx) => {
        ctx.emit({ row: 1 })
        ctx.emit({ row: 2 })
        return { count: 2 }
      },
    })
    const client = modernPeer(serverOf(parts))
    await client.request('tools/call', { name: 'parts', _meta: { progressToken: 't' } })
    const sent = client.received.map(({ params }) => (params?._meta as Record<string, unknown>)?.['myrmex/partial'])
    expect(sent).toEqual([{ row: 1 }, { row: 2 }])
  })

  test('discovery: the tools of a folder are found', async () => {
    const { tools } = await discover(`${ROOT}/examples`)
    expect(tools.map(({ name }) => name)).toContain('file_utility.read_file_content')
  })

  test('binary data: content blocks hold images and sound', async () => {
    const { answer } = await import('myrmex')
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }
    const draw = tool({
      ...toolDefaults,
      name: 'test.draw',
      input: z.object({}),
      output: z.object({}),
      run: () => answer({}, { content: [image] }),
    })
    expect(await modernPeer(serverOf(draw)).request('tools/call', { name: 'draw' })).toMatchObject({
      result: { content: [image] },
    })
  })

  test('context: a formal schema for the work that a call belongs to', async () => {
    const context = { run: 'r1', step: 's1', budget: 5000, locale: 'de' }
    const seen = tool({
      ...toolDefaults,
      name: 'test.seen',
      input: z.object({}),
      output: z.looseObject({}),
      run: (_input, ctx) => ctx.context as Record<string, unknown>,
    })
    const client = modernPeer(serverOf(seen))
    const asked = (given: unknown) => client.request('tools/call', { name: 'seen', _meta: { 'myrmex/context': given } })
    expect((await asked(context)).result.structuredContent).toEqual(context)
    expect((await asked({ run: 7 })).error).toMatchObject({ code: -32602 })
  })

  test('batches: many calls in one request, each with its result', async () => {
    const calls = [
      { tool_name: 'math.add', arguments: { a: 1, b: 2 } },
      { tool_name: 'math.add', arguments: { a: 'x' } },
    ]
    const { result } = await modernPeer(serverOf(add)).request('myrmex/batch', { calls })
    expect(result).toMatchObject({ status: 'partial_success', results: [{ status: 'success' }, { status: 'failure' }] })
  })
})

describe('§11.1 Checklist', () => {
  test('a tool takes a ToolCall and returns a ToolResult, without a wrapper of its own', async () => {
    const result = await callTool(serverOf(generateCode), GENERATE_CODE)
    expect(ToolResultSchema.parse(result)).toEqual(result)
  })

  test('what the checklist asks of a document is checked by spec lint', () => {
    for (const section of ['5. Error Handling', '6. Idempotency', '7. Usage Examples', '8. Security Considerations']) {
      const without = rendered().replace(new RegExp(`### ${section}[\\s\\S]*?(?=\\n### |$(?![\\s\\S]))`), '')
      expect(lint('a.md', without).map(({ rule }) => rule)).toContain('missing-section')
    }
  })
})

describe('§11.2 Validation', () => {
  test('every call is recorded for the audit, refused ones too', async () => {
    const { server, file } = await serve([countedTool('shop.look')])
    await call(server, 'shop.look')
    await call(server, 'shop.look', { n: 'many' })
    expect(file.lines()).toMatchObject([{ outcome: 'success' }, { outcome: 'failure', error_type: 'SchemaError' }])
  })

  test('a rate limit stops a tool that is called too often', async () => {
    const limited = tool({
      ...toolDefaults,
      name: 'test.limited',
      limit: { calls: 1, per_ms: 3_600_000 },
      input: z.object({}),
      output: z.object({}),
      run: () => ({}),
    })
    const server = serverOf(limited)
    const called = () => callTool(server, { tool_name: 'test.limited', arguments: {} })
    expect((await called()).status).toBe('success')
    expect((await called()).error).toMatchObject({ error_type: 'ApiLimitExceeded' })
  })
})

/** What is in the ```json blocks of a part of a document. */
function jsonBlocks(markdown: string): unknown[] {
  return [...markdown.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text]) => JSON.parse(text as string))
}
