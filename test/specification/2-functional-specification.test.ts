/** Document 2: functional specification. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, countedTool, destructiveTool, ledgerFile, serve, trust } from '@myrmex/testing/gated-server'
import { legacyPeer } from '@myrmex/testing/mcp-peer'
import { ROOT } from '@myrmex/testing/paths'
import { add, behaveTool, toolDefaults, waitTool } from '@myrmex/testing/sample-tools'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import {
  callTool,
  connectDirect,
  createServer,
  discover,
  listenHttp,
  parseToolResult,
  Registry,
  stringifyToolResult,
  type Tool,
  ToolCallSchema,
  ToolResultSchema,
  tool,
} from 'myrmex'
import { connect } from 'myrmex/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

const serverOf = (...tools: Tool[]) => createServer({ name: 'spec', version: '1.2.3', tools, observe: () => {} })

const errorOf = async (made: Tool, args: Record<string, unknown>) =>
  (await callTool(serverOf(made), { tool_name: made.name, arguments: args })).error

/** `count` tools of one module. */
const manyTools = (count: number): Tool[] =>
  Array.from({ length: count }, (_, index) => tool({ ...ADDING, name: `many.tool_${index}` }))

const ADDING = {
  ...toolDefaults,
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
}

describe('§ Design principles', () => {
  test('tool calls and results have strict schemas', () => {
    expect(ToolCallSchema.safeParse({ tool_name: 'math.add', arguments: {}, more: 1 }).success).toBe(false)
    expect(ToolResultSchema.safeParse({ status: 'fine' }).success).toBe(false)
  })

  test('performance: a tool is loaded and compiled when it is first used, and discovery is cached', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-cached-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect((await discover(folder)).modules_scanned).toBe(0)
    writeFileSync(join(folder, 'late.tools.js'), '')
    expect((await discover(folder)).modules_scanned).toBe(0)
    expect((await discover(folder, { fresh: true })).modules_scanned).toBe(1)
  })

  test('resilience: a tool that throws fails its own call, and the next call is served', async () => {
    const server = serverOf(behaveTool)
    const outcome = (how: string) => callTool(server, { tool_name: 'test.behave', arguments: { how } })
    expect(await outcome('throw')).toMatchObject({ status: 'failure', error: { error_type: 'ToolExecutionError' } })
    expect(await outcome('success')).toMatchObject({ status: 'success' })
  })

  test('extensible: methods of a program of its own are served beside those of MCP', async () => {
    const methods = { 'vendor/greet': () => ({ said: 'hello' }) }
    const client = await connect(createServer({ name: 'own', version: '1.0.0', methods }))
    onTestFinished(() => client.close())
    expect(await client.request('vendor/greet')).toMatchObject({ said: 'hello' })
  })
})

describe('§ Functional requirements', () => {
  test('1. validation: a message that does not conform to its schema is refused', async () => {
    const client = await legacyPeer(serverOf(add))
    expect(await client.request('tools/call', { arguments: {} })).toMatchObject({ error: { code: -32602 } })
  })

  test('2. serialization: objects convert to JSON and back without loss', async () => {
    const result = await callTool(serverOf(add), { tool_name: 'math.add', arguments: { a: 1, b: 2 } })
    expect(parseToolResult(stringifyToolResult(result))).toEqual(result)
  })
})

describe('§ Error conditions', () => {
  test('TransportError: the connection is refused', async () => {
    await expect(connect({ url: 'http://127.0.0.1:9/mcp' })).rejects.toMatchObject({ error_type: 'TransportError' })
  })

  test('ToolNotFoundError: no tool has the name; the error names similar ones', async () => {
    const result = await callTool(serverOf(add), { tool_name: 'math.ad', arguments: {} })
    expect(result.error).toMatchObject({ error_type: 'ToolNotFoundError', error_details: { nearest: ['math.add'] } })
  })

  test('SchemaError: the arguments do not fit the schema of the tool', async () => {
    expect(await errorOf(add, { a: 'one', b: 2 })).toMatchObject({
      error_type: 'SchemaError',
      error_details: { issues: [{ path: '/a', value: 'one' }] },
    })
  })

  test('ValidationError: a ToolCall lacks a field or has one of the wrong type', async () => {
    const result = await callTool(serverOf(add), { tool_name: 'math.add' } as never)
    expect(result.error?.error_type).toBe('ValidationError')
  })

  test('SerializationError: a value cannot be JSON, in or out', async () => {
    const returnsBigint = tool({
      ...toolDefaults,
      name: 'test.big',
      input: z.object({ n: z.any() }),
      output: z.object({ n: z.any() }),
      run: () => ({ n: 1n }),
    })
    expect(await errorOf(returnsBigint, { n: 1 })).toMatchObject({ error_type: 'SerializationError' })
    expect(await errorOf(returnsBigint, { n: 2n })).toMatchObject({ error_type: 'SerializationError' })
  })

  test('TimeoutError: a tool takes longer than its timeout, which is 30 s by default', async () => {
    expect(await errorOf(waitTool(20).tool, {})).toMatchObject({ error_type: 'TimeoutError' })
    expect(add.timeout).toBe(30_000)
  })

  test('RegistrationError: another definition under the same name, or an invalid one', () => {
    const registry = new Registry([add])
    const other = tool({ ...ADDING, name: 'math.add', description: 'Another one.' })
    expect(() => registry.register(other)).toThrow(expect.objectContaining({ error_type: 'RegistrationError' }))
    expect(() => tool({ ...ADDING, name: 'Math' })).toThrow(
      expect.objectContaining({ error_type: 'RegistrationError' }),
    )
  })
})

describe('§ MCPToolCall schema (request)', () => {
  test('a JSON-RPC request tools/call with an id, a name and arguments', async () => {
    const client = await legacyPeer(serverOf(add))
    const params = { name: 'add', arguments: { a: 1, b: 2 } }
    expect(await client.request('tools/call', params, 'id-1')).toMatchObject({ id: 'id-1', result: {} })
    expect(await client.request('tools/call', params, 7)).toMatchObject({ id: 7, result: {} })
  })
})

describe('§ MCPToolResult schema (response)', () => {
  test('the id of the request, content blocks, and isError if the tool failed', async () => {
    const client = await legacyPeer(serverOf(behaveTool))
    const outcome = async (how: string) =>
      (await client.request('tools/call', { name: 'behave', arguments: { how } })).result
    const [good, bad] = [await outcome('success'), await outcome('declared')]
    expect(good.content[0]).toEqual({ type: 'text', text: '{"how":"success"}' })
    expect(good.isError ?? false).toBe(false)
    expect(bad.content[0]).toEqual({ type: 'text', text: 'FullError: It is full.' })
    expect(bad.isError).toBe(true)
  })

  test('the text is the JSON of structured data', async () => {
    const { result } = await (await legacyPeer(serverOf(add))).request('tools/call', {
      name: 'add',
      arguments: { a: 1, b: 2 },
    })
    expect(JSON.parse(result.content[0].text)).toEqual({ sum: 3 })
  })
})

describe('§ Tool registration schema', () => {
  test('an entry has name, description, inputSchema and metadata', () => {
    expect(new Registry([add]).list()).toEqual([
      {
        name: 'math.add',
        description: 'For tests.',
        inputSchema: expect.objectContaining({ type: 'object', required: ['a', 'b'] }),
        metadata: { module: 'math', destructive: false, deprecated_in: null, cache_ttl: 300 },
      },
    ])
  })

  test('metadata says in which version a tool was deprecated', () => {
    const old = tool({ ...ADDING, name: 'math.old', version: '1.1.0', deprecatedIn: '1.1.0' })
    expect(new Registry([old]).list()[0]?.metadata.deprecated_in).toBe('1.1.0')
  })
})

describe('§ Server capabilities schema', () => {
  test('the handshake returns name, version, capabilities, and how many tools, resources and prompts there are', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const reply = await connectDirect(serverOf(add)).send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(reply).toMatchObject({
      result: {
        serverInfo: { name: 'spec', version: '1.2.3' },
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
        },
        _meta: { tools_count: 1, resources_count: 0, prompts_count: 0 },
      },
    })
  })
})

describe('§ Performance SLOs', () => {
  test('registration takes less than 1 ms a tool', () => {
    expect(withTimeLimit(100, () => new Registry(manyTools(100)), 5).size).toBe(100)
  })

  test('list_registered_tools (registry.list) takes less than 5 ms for 1,000 tools', () => {
    const registry = new Registry(manyTools(1000))
    registry.list()
    expect(withTimeLimit(5, () => registry.list(), 5)).toHaveLength(1000)
  })

  test('get_tool_schema (registry.schema) takes less than 1 ms', () => {
    const registry = new Registry(manyTools(1000))
    registry.list()
    expect(withTimeLimit(1, () => registry.schema('many.tool_500'), 5)).toMatchObject({ input: { type: 'object' } })
  })

  test('a call on stdio takes less than 10 ms, and a thousand of them less than a second', async () => {
    const child = new StdioChild(['serve', join(ROOT, 'testing/fixtures/all.tools.ts'), '--ledger', ledgerFile().path])
    onTestFinished(() => child.kill())
    await child.initialize()
    child.call('warm', 'add', { a: 0, b: 0 })
    await child.answer('warm')
    await withTimeLimit(10, async () => {
      child.call('one', 'add', { a: 1, b: 2 })
      return child.answer('one')
    })
    const answers = await withTimeLimit(1000, async () => {
      for (let n = 0; n < 1000; n++) child.call(n, 'add', { a: n, b: 1 })
      return Promise.all(Array.from({ length: 1000 }, (_, n) => child.answer(n)))
    })
    expect(answers.map(({ result }) => result.structuredContent.sum)).toEqual(answers.map((_, n) => n + 1))
  })

  test('a call over HTTP takes less than 100 ms, and a hundred of them less than a second', async () => {
    const listening = await listenHttp(serverOf(add))
    onTestFinished(() => listening.close())
    const headers = { 'content-type': 'application/json' }
    const post = async (n: number) => {
      const body = JSON.stringify({ tool_name: 'math.add', arguments: { a: n, b: 1 } })
      const response = await fetch(`http://127.0.0.1:${listening.port}/call`, { method: 'POST', headers, body })
      return (await response.json()) as { data: { sum: number } }
    }
    await post(0)
    await withTimeLimit(100, () => post(1))
    const answers = await withTimeLimit(1000, () => Promise.all(Array.from({ length: 100 }, (_, n) => post(n))))
    expect(answers.map(({ data }) => data.sum)).toEqual(answers.map((_, n) => n + 1))
  })

  test('discovery takes less than 2 s for this repository, and its result is cached for 300 s', async () => {
    const found = await withTimeLimit(2000, () => discover(join(ROOT, 'examples'), { fresh: true }))
    expect(found.tools.map(({ name }) => name)).toContain('file_utility.read_file_content')
    expect(await discover(join(ROOT, 'examples'))).toBe(found)
  })

  test('validation takes less than 1 ms a message', () => {
    const sent = { tool_name: 'math.add', arguments: { a: 1, b: 2 } }
    expect(withTimeLimit(1, () => ToolCallSchema.parse(sent), 5)).toEqual(sent)
    expect(withTimeLimit(1, () => add.input.parse(sent.arguments), 5)).toMatchObject({ success: true })
  })
})

describe('§ Design constraints', () => {
  test('1. schema-first: a tool without schemas cannot be registered', () => {
    const { input: _, ...without } = ADDING
    expect(() => tool({ ...without, name: 'math.add' } as never)).toThrow(/input schema is missing|input/)
  })

  test('2. transport agnostic: the same tool gives the same result in process and over HTTP', async () => {
    const server = serverOf(add)
    const listening = await listenHttp(server)
    onTestFinished(() => listening.close())
    const remote = await connect({ url: listening.url })
    const local = await connect(server)
    onTestFinished(async () => void (await Promise.all([remote.close(), local.close()])))
    const args = { a: 1, b: 2 }
    expect(await remote.call('math.add', args)).toEqual(await local.call('math.add', args))
  })

  test('3. no silent failures: an unparseable line is answered', async () => {
    const listening = await listenHttp(serverOf(add))
    onTestFinished(() => listening.close())
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const response = await fetch(listening.url, { method: 'POST', headers, body: '{"jsonrpc"' })
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })

  test('4. idempotent registration: the same definition again is nothing, another one under its name an error', () => {
    const registry = new Registry([add])
    const same = tool({ ...ADDING, name: 'math.add' })
    expect(registry.register(same).size).toBe(1)
    const other = tool({ ...ADDING, name: 'math.add', output: z.object({ sum: z.int() }) })
    expect(() => registry.register(other)).toThrow(/another definition/)
  })

  test('5. JSON-RPC 2.0: protocol errors have the standard codes', async () => {
    const client = await legacyPeer(serverOf(add))
    expect(await client.send({ jsonrpc: '1.0', id: 1, method: 'ping' })).toMatchObject({ error: { code: -32600 } })
    expect(await client.request('tools/fly')).toMatchObject({ error: { code: -32601 } })
    expect(await client.request('tools/call', {})).toMatchObject({ error: { code: -32602 } })
  })

  test('5. application errors are results in MCP; the codes that MCP defines for itself are its own, from -32020 on', async () => {
    const { result } = await (await legacyPeer(serverOf(behaveTool))).request('tools/call', {
      name: 'behave',
      arguments: { how: 'declared' },
    })
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'FullError' } })
  })

  test('6. destructive tools are blocked until they are trusted, where calls are dispatched', async () => {
    const refund = destructiveTool('shop.refund')
    const { server, ledger } = await serve([refund])
    expect((await call(server, 'shop.refund')).error?.error_type).toBe('PermissionError')
    await trust(ledger, refund)
    await ledger.grants.give({ tool: 'shop.refund', version: '1.0.0', hash: refund.tool.hash }, 'ada')
    expect((await call(server, 'shop.refund')).status).toBe('success')
    expect(refund.ran).toHaveLength(1)
  })
})

describe('§ Algorithm integration', () => {
  test('OBSERVE: list_registered_tools (registry.list) says which modules there are', () => {
    const modules = new Registry([add, behaveTool]).list().map(({ metadata }) => metadata.module)
    expect(modules).toEqual(['math', 'test'])
  })

  test('THINK: get_tool_schema (registry.schema) says which arguments are required', () => {
    expect(new Registry([add]).schema('math.add')?.input).toMatchObject({ required: ['a', 'b'] })
  })

  test('EXECUTE: calls are dispatched through a transport', async () => {
    const client = await connect(serverOf(add))
    onTestFinished(() => client.close())
    expect((await client.call('math.add', { a: 1, b: 2 })).data).toEqual({ sum: 3 })
  })

  test('VERIFY: isError and the output schema of a result are checked', async () => {
    expect(await errorOf(behaveTool, { how: 'badOutput' })).toMatchObject({ error_type: 'ToolExecutionError' })
  })

  test('LEARN: latencies and errors of every call are recorded', async () => {
    const { server, file } = await serve([countedTool('shop.look')])
    await call(server, 'shop.look')
    expect(file.lines()).toMatchObject([{ tool: 'shop.look', outcome: 'success', duration_ms: expect.any(Number) }])
  })
})
