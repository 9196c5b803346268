/** Both eras on one engine: how each opens, what each has, and what only the other knows. */

import { legacyPeer, modernMeta, modernPeer } from '@myrmex/testing/mcp-peer'
import { add, behaveTool, echo, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { toToolResult } from '../client/tool-result.ts'
import { partial } from '../tool/answer.ts'
import { tool } from '../tool/tool.ts'
import { connectDirect } from '../transport/direct.ts'
import { createServer } from './server.ts'

const server = createServer({
  name: 'test',
  version: '1.2.3',
  instructions: 'Add with care.',
  tools: [add, echo, behaveTool],
  methods: { 'agent/plan': (params) => ({ goal: params.goal }), 'agent/critique': () => ({ verdict: 'pass' }) },
})

test('server/discover returns versions, capabilities, identity and the counts of the specification', async () => {
  const { result } = await modernPeer(server).request('server/discover')
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    capabilities: {
      tools: {},
      extensions: { 'io.modelcontextprotocol/tasks': {}, 'myrmex/agent': {}, 'myrmex/batch': {} },
    },
    instructions: 'Add with care.',
    ttlMs: 300_000,
    cacheScope: 'public',
    _meta: {
      'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.2.3' },
      tools_count: 3,
      resources_count: 0,
      prompts_count: 0,
    },
  })
})

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['1999-01-01', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
])('initialize with %s agrees on %s', async (asked, agreed) => {
  const connection = connectDirect(server)
  const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const reply = await connection.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  expect(reply).toMatchObject({
    result: {
      protocolVersion: agreed,
      serverInfo: { name: 'test' },
      capabilities: { extensions: { 'myrmex/agent': { methods: ['agent/plan', 'agent/critique'] } } },
      _meta: { tools_count: 3 },
    },
  })
})

test('a legacy result carries nothing of the modern era, and the other way round', async () => {
  const old = (await (await legacyPeer(server)).request('tools/call', { name: 'math_add', arguments: { a: 1, b: 2 } }))
    .result
  expect(old).toEqual({
    content: [{ type: 'text', text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
    _meta: { 'myrmex/result': { status: 'success', explanation: null, call_id: expect.any(String) } },
  })
  const now = (await modernPeer(server).request('tools/call', { name: 'math.add', arguments: { a: 1, b: 2 } })).result
  expect(now).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
    _meta: {
      'myrmex/result': { status: 'success', explanation: null, call_id: expect.any(String) },
      'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.2.3' },
    },
  })
})

test('a failure is an error result with the ErrorDetail as structured content, in both eras', async () => {
  for (const peer of [modernPeer(server), await legacyPeer(server)]) {
    const { result } = await peer.request('tools/call', { name: 'test.behave', arguments: { how: 'declared' } })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'FullError', error_message: 'It is full.', error_details: { room: 0 } },
      _meta: { 'myrmex/result': { status: 'failure' } },
    })
  }
})

test('status and explanation travel in _meta', async () => {
  const { result } = await modernPeer(server).request('tools/call', {
    name: 'test.behave',
    arguments: { how: 'partial' },
  })
  expect(result._meta['myrmex/result']).toMatchObject({ status: 'partial_success', explanation: 'Half of it.' })
})

test('what a partial success did not do reaches the caller, in messages and by the client', async () => {
  const missed = { error_type: 'FullError', error_message: 'No room for the rest.', error_details: null }
  const halves = tool({
    ...toolDefaults,
    name: 'test.halves',
    input: z.object({}),
    output: z.object({ stored: z.number() }),
    run: () => partial({ stored: 1 }, { error: missed }),
  })
  const half = createServer({ name: 'half', version: '1.0.0', tools: [halves] })
  for (const peer of [modernPeer(half), await legacyPeer(half)]) {
    const { result } = await peer.request('tools/call', { name: 'halves', arguments: {} })
    expect(result).toMatchObject({ _meta: { 'myrmex/result': { error: missed } }, structuredContent: { stored: 1 } })
    expect(toToolResult(result)).toMatchObject({ status: 'partial_success', error: missed, data: { stored: 1 } })
  }
})

test.each(['ping', 'logging/setLevel', 'initialize', 'resources/subscribe', 'tasks/list', 'tasks/result', 'nothing'])(
  'the modern era has no %s',
  async (method) => {
    expect(await modernPeer(server).request(method)).toMatchObject({ error: { code: -32601 } })
  },
)

test.each(['server/discover', 'subscriptions/listen', 'tasks/update', 'nothing'])(
  'the legacy era has no %s',
  async (method) => {
    expect(await (await legacyPeer(server)).request(method)).toMatchObject({ error: { code: -32601 } })
  },
)

test.each(['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])(
  'revisions before 2025-11-25 have no %s',
  async (method) => {
    const params = { taskId: 'none' }
    for (const [version, code] of [
      ['2025-06-18', -32601],
      ['2025-11-25', method === 'tasks/list' ? undefined : -32602],
    ] as const)
      expect((await (await legacyPeer(server, version)).request(method, params)).error?.code).toBe(code)
  },
)

test('agent/plan and agent/critique work in both eras', async () => {
  expect(await modernPeer(server).request('agent/plan', { goal: 'x' })).toMatchObject({
    result: { goal: 'x', resultType: 'complete' },
  })
  expect(await (await legacyPeer(server)).request('agent/critique')).toMatchObject({ result: { verdict: 'pass' } })
})

test('a method of one’s own cannot stand in for one of the protocol', () => {
  expect(() => createServer({ name: 'x', version: '1.0.0', methods: { 'tools/call': () => ({}) } })).toThrow(/taken/)
})

test('an unknown version is answered with the ones we speak', async () => {
  const params = { _meta: modernMeta({}, { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }) }
  const reply = await connectDirect(server).send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
  expect(reply).toMatchObject({
    error: { code: -32022, data: { requested: '1900-01-01', supported: expect.arrayContaining(['2026-07-28']) } },
  })
})

test.each([
  ['no metadata at all', {}],
  ['metadata that is no object', { _meta: 7 }],
  ['no client capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }],
])('a request with %s, before initialize, is malformed', async (_why, params) => {
  const reply = await connectDirect(server).send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
  expect(reply).toMatchObject({ id: 1, error: { code: -32602, data: { field: '_meta' } } })
})

test('client info is not required', async () => {
  const params = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  expect(await connectDirect(server).send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })).toHaveProperty(
    'result',
  )
})

test('an unknown tool is -32602 with the names that are near, if any', async () => {
  expect(await modernPeer(server).request('tools/call', { name: 'math.ad', arguments: {} })).toMatchObject({
    error: {
      code: -32602,
      data: { error_type: 'ToolNotFoundError', nearest: ['math.add'] },
    },
  })
  expect(await modernPeer(server).request('tools/call', { name: 'nobody', arguments: {} })).toMatchObject({
    error: { code: -32602, message: 'Unknown tool: nobody.', data: { nearest: [] } },
  })
})

test('a version range picks the version, and one that fits none says which there are', async () => {
  const call = (range: string) =>
    modernPeer(server).request('tools/call', {
      name: 'math.add',
      arguments: { a: 1, b: 1 },
      _meta: { 'myrmex/version': range },
    })
  expect(await call('^1.0.0')).toHaveProperty('result')
  expect(await call('^2.0.0')).toMatchObject({ error: { code: -32602, data: { versions: ['1.0.0'] } } })
})

test('a JSON-RPC batch is answered where its revision has batches, and refused elsewhere', async () => {
  const batch = [
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'b', method: 'nothing' },
    7,
  ]
  expect(await (await legacyPeer(server, '2025-03-26')).send(batch)).toMatchObject([
    { id: 'a', result: {} },
    { id: 'b', error: { code: -32601 } },
    { error: { code: -32600 } },
  ])
  expect(await (await legacyPeer(server, '2025-03-26')).send([])).toMatchObject({ error: { code: -32600 } })
  expect(await (await legacyPeer(server, '2025-11-25')).send(batch)).toMatchObject({ error: { code: -32600 } })
  expect(await modernPeer(server).send(batch)).toMatchObject({ error: { code: -32600 } })
})

test('myrmex/batch runs many calls with a result each', async () => {
  const calls = [
    { name: 'math.add', arguments: { a: 1, b: 2 } },
    { name: 'math.add', arguments: {} },
    { name: 'no.tool', arguments: {} },
    { nothing: true },
  ]
  for (const peer of [modernPeer(server), await legacyPeer(server)]) {
    const { result } = await peer.request('myrmex/batch', { calls })
    expect(result).toMatchObject({
      status: 'partial_success',
      results: [
        { status: 'success', data: { sum: 3 } },
        { status: 'failure', error: { error_type: 'SchemaError' } },
        { status: 'failure', error: { error_type: 'ToolNotFoundError' } },
        { status: 'failure', error: { error_type: 'ValidationError' } },
      ],
    })
  }
})
