/**
 * Every malformed message gets the right code, or silence if it is a notification; the connection lives on; no stack
 * and nothing but messages comes out. Generated, and sent in-process, to a real child on stdio and to a real socket.
 */

import { type HttpServerUnderTest, post, serveHttp } from '@myrmex/testing/http-server'
import { propertyRuns } from '@myrmex/testing/long'
import { legacyPeer, modernMeta, modernPeer } from '@myrmex/testing/mcp-peer'
import { add, behaveTool, echo } from '@myrmex/testing/sample-tools'
import { StdioChild } from '@myrmex/testing/stdio-child'
import fc from 'fast-check'
import { createServer } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const server = createServer({ name: 'm', version: '1.0.0', tools: [add, echo, behaveTool], observe: () => {} })
const LEAK = /node_modules|\.ts:\d|at [A-Za-z]+ \(|hunter2/

type Reply = { method?: string; id?: unknown; result?: unknown; error?: { code: number; message: string } } | undefined

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { value }
  return value
}

describe('by hand, on a legacy connection', () => {
  const init = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const cases: [string, unknown, number | 'silence' | 'result'][] = [
    ['a number', 7, -32600],
    ['null', null, -32600],
    ['a string', 'x', -32600],
    ['a list', [], -32600],
    ['an empty object', {}, -32600],
    ['no jsonrpc', { id: 1, method: 'ping' }, -32600],
    ['jsonrpc 1.0', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['jsonrpc as a number', { jsonrpc: 2, id: 1, method: 'ping' }, -32600],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ['an object id', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    ['a boolean id', { jsonrpc: '2.0', id: true, method: 'ping' }, -32600],
    ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 7 }, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
    ['params that are a string', { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'nothing' }, -32601],
    ['a method of Object', { jsonrpc: '2.0', id: 1, method: 'constructor' }, -32601],
    ['the method __proto__', { jsonrpc: '2.0', id: 1, method: '__proto__' }, -32601],
    [
      'a notification with an id',
      { jsonrpc: '2.0', id: 1, method: 'notifications/cancelled', params: { requestId: 1 } },
      -32601,
    ],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/nothing' }, 'silence'],
    ['a notification with broken params', { jsonrpc: '2.0', method: 'notifications/cancelled', params: [] }, 'silence'],
    ['a request without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'math.add' } }, 'silence'],
    ['an answer to nothing', { jsonrpc: '2.0', id: 99, result: {} }, 'silence'],
    ['initialize twice', { ...init, params: { protocolVersion: 'x', capabilities: {}, clientInfo: {} } }, -32600],
    ['a call without params', call(undefined), -32602],
    ['a call without a name', call({}), -32602],
    ['a name that is a list', call({ name: ['math.add'] }), -32602],
    ['arguments that are a list', call({ name: 'math.add', arguments: [] }), -32602],
    ['arguments that are null', call({ name: 'math.add', arguments: null }), -32602],
    ['an unknown tool', call({ name: 'x' }), -32602],
    ['the tool __proto__', call({ name: '__proto__' }), -32602],
    ['_meta that is a string', call({ name: 'math.add', arguments: { a: 1, b: 2 }, _meta: 'x' }), -32602],
    ['a version range that is none', call({ name: 'math.add', _meta: { 'myrmex/version': 'newest' } }), -32602],
    ['a version range that is a number', call({ name: 'math.add', _meta: { 'myrmex/version': 7 } }), -32602],
    ['extra params', call({ name: 'math.add', arguments: { a: 1, b: 2 }, extra: { deep: true } }), 'result'],
    ['an extra field beside params', { ...call({ name: 'math.add', arguments: { a: 1, b: 2 } }), extra: 1 }, 'result'],
    ['100-deep nesting', call({ name: 'text.echo', arguments: { text: nested(100) } }), 'result'],
    ['100,000-deep nesting', call({ name: 'text.echo', arguments: { text: nested(100_000) } }), 'result'],
    ['a 10 MB string', call({ name: 'text.echo', arguments: { text: 'x'.repeat(10_000_000) } }), 'result'],
    ['a 10 MB name', call({ name: 'x'.repeat(10_000_000) }), -32602],
    ['a lone surrogate', call({ name: 'text.echo', arguments: { text: '\ud800' } }), 'result'],
    [
      '__proto__ among the arguments',
      JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.add","arguments":{"__proto__":{"a":1},"a":1,"b":2}}}',
      ),
      'result',
    ],
    [
      '__proto__ for params',
      JSON.parse('{"jsonrpc":"2.0","id":1,"method":"tools/call","__proto__":{"params":{}}}'),
      -32602,
    ],
  ]

  test.each(cases)('%s', async (_what, message, expected) => {
    const peer = await legacyPeer(server)
    const reply = (await peer.send(message)) as Reply
    if (expected === 'silence') expect(reply).toBeUndefined()
    else if (expected === 'result') expect(reply).toHaveProperty('result')
    else expect(reply?.error?.code).toBe(expected)
    expect(JSON.stringify(reply) ?? '').not.toMatch(LEAK)
    expect(await peer.request('ping')).toHaveProperty('result')
  })

  test('the id of a broken request comes back where it can be read, and is absent where it cannot', async () => {
    const peer = await legacyPeer(server)
    expect(await peer.send({ jsonrpc: '1.0', id: 'mine', method: 'ping' })).toMatchObject({ id: 'mine' })
    expect(await peer.send({ jsonrpc: '2.0', id: {}, method: 'ping' })).not.toHaveProperty('id')
  })

  test('nobody is changed by __proto__', () => {
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
})

/** Something like a message: each part right, wrong or missing. */
const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', '\ud800', ''))
const part = (right: fc.Arbitrary<unknown>) =>
  fc.option(fc.oneof({ weight: 3, arbitrary: right }, odd), { nil: undefined })
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'resources/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'server/discover',
  'myrmex/batch',
  'notifications/cancelled',
  'nothing',
]
const params = fc.record(
  {
    name: part(fc.constantFrom('math.add', 'test.behave', 'text_echo', 'nobody')),
    arguments: part(fc.dictionary(fc.constantFrom('a', 'b', 'how', 'text', '__proto__'), fc.jsonValue())),
    uri: odd,
    cursor: odd,
    level: odd,
    ref: odd,
    argument: odd,
    taskId: odd,
    calls: fc.oneof(fc.array(odd), odd),
    notifications: odd,
    requestState: odd,
    inputResponses: odd,
    protocolVersion: part(fc.constant('2025-03-26')),
    capabilities: part(fc.constant({})),
    clientInfo: part(fc.constant({ name: 'x', version: '1' })),
    _meta: fc.oneof(
      fc.constant(modernMeta({ elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } })),
      odd,
    ),
  },
  { requiredKeys: [] },
)
const message = fc.record({
  jsonrpc: part(fc.constant('2.0')),
  id: part(fc.oneof(fc.integer(), fc.string())),
  method: part(fc.constantFrom(...METHODS)),
  params: part(params),
})
const value = fc
  .oneof(
    { weight: 5, arbitrary: message },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }) },
  )
  .map((one) => JSON.parse(JSON.stringify(one) ?? 'null') as unknown)

const CODES = [-32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022]

function judge(sent: unknown, reply: Reply | Reply[]): void {
  for (const one of Array.isArray(reply) ? reply : [reply]) {
    // A subscription that came out right is acknowledged by a notification.
    if (one === undefined || one.method !== undefined) continue
    expect('result' in one !== 'error' in one).toBe(true)
    if (one.error !== undefined) expect(CODES, JSON.stringify([sent, one])).toContain(one.error.code)
    expect(JSON.stringify(one)).not.toMatch(LEAK)
  }
}

describe('generated', () => {
  test.each([
    ['a modern', async () => modernPeer(server)],
    ['a legacy', () => legacyPeer(server)],
    ['a 2025-03-26', () => legacyPeer(server, '2025-03-26')],
  ])('%s connection answers anything and lives on', async (_era, open) => {
    await fc.assert(
      fc.asyncProperty(value, async (sent) => {
        const peer = await open()
        // A subscription is answered when it ends, which is not now.
        const reply = await Promise.race([peer.send(sent), new Promise((resolve) => setTimeout(resolve, 50))])
        judge(sent, reply as Reply)
        const alive = (await peer.send({
          jsonrpc: '2.0',
          id: 'alive?',
          method: 'tools/list',
          params: { _meta: modernMeta() },
        })) as Reply
        expect(alive).toHaveProperty('result')
        peer.close()
      }),
      { numRuns: propertyRuns(300, 1000) },
    )
  })
})

describe('on the wire', () => {
  let child: StdioChild
  let served: HttpServerUnderTest
  beforeAll(async () => {
    child = new StdioChild()
    await child.initialize()
    served = await serveHttp()
  })
  afterAll(async () => {
    child.kill()
    await served.close()
  })

  /** Text that is no JSON, JSON that is no message, and messages cut in half. */
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    value.map((one) => JSON.stringify(one)),
    fc.tuple(value, fc.nat(100)).map(([one, cut]) => JSON.stringify(one).slice(0, cut)),
  )

  test('stdio survives any lines in any chunks, with nothing on stdout but messages', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), async (lines, size) => {
        const bytes = Buffer.from(`${lines.map((line) => line.replaceAll('\n', ' ')).join('\n')}\n`)
        for (let at = 0; at < bytes.length; at += size) child.write(bytes.subarray(at, at + size))
        const id = `alive-${++count}`
        child.send({ jsonrpc: '2.0', id, method: 'ping' })
        expect(await child.answer(id)).toMatchObject({ result: {} })
      }),
      { numRuns: 150 },
    )
    for (const line of child.lines) judge(line, Array.isArray(line) ? line : [line])
    expect(child.process.exitCode).toBeNull()
    expect(child.stderr).not.toMatch(/internal fault/)
  })

  test('HTTP answers any body with a status and a message, and lives on', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (body, claimsModern) => {
        const headers: Record<string, string> = claimsModern
          ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' }
          : {}
        const got = await post(served.url, body, headers)
        expect([200, 202, 400, 404]).toContain(got.status)
        if (got.json !== undefined) judge(body, got.json)
      }),
      { numRuns: 200 },
    )
  })
})
