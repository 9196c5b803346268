/** The judge itself: it lets pass what is right, and sees what is wrong. And every method of ours, in-process, before it. */

import { type Conversation, MessageChecker } from '@myrmex/testing/message-checker/message-checker'
import { connectDirect, createServer } from 'myrmex'
import { describe, expect, test, vi } from 'vitest'
import * as asking from './asking.tools.ts'
import * as data from './data.tools.ts'
import * as calls from './interop.tools.ts'

const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} },
    'io.modelcontextprotocol/logLevel': 'debug',
    progressToken: 'p',
  },
}

/** What the judge finds in an answer to a request. */
function faultsIn(request: object, answer: object): string[] {
  const judge = new MessageChecker()
  const conversation = judge.conversation()
  conversation.fromClient(JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }))
  conversation.fromServer(JSON.stringify(answer))
  expect(judge.judged).toBe(1)
  return judge.faults.map(({ why }) => why)
}

const ok = (result: object) => ({ jsonrpc: '2.0', id: 1, result })
const LISTING = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] }

describe('the judge lets pass', () => {
  test.for<[string, object, object]>([
    ['a legacy list', { method: 'tools/list' }, ok(LISTING)],
    [
      'a modern list',
      { method: 'tools/list', params: MODERN },
      ok({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...LISTING }),
    ],
    ['an error', { method: 'tools/list' }, { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'x' } }],
    ['an error without an id', { method: 'tools/list' }, { jsonrpc: '2.0', error: { code: -32700, message: 'x' } }],
    ['a notification', { method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
    ['a request', { method: 'ping' }, { jsonrpc: '2.0', id: 'ask-1', method: 'roots/list' }],
    [
      'a question',
      { method: 'tools/call', params: MODERN },
      ok({ resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } }),
    ],
  ])('%s', ([, request, answer]) => {
    expect(faultsIn(request, answer)).toEqual([])
  })
})

describe('the judge finds', () => {
  test.for<[string, object, object, string]>([
    ['another JSON-RPC', { method: 'ping' }, { jsonrpc: '1.0', id: 1, result: {} }, 'jsonrpc'],
    ['a field too many', { method: 'ping' }, { ...ok({}), extra: 1 }, 'extra'],
    ['an id of null', { method: 'ping' }, { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }, 'id'],
    ['an answer to nothing', { method: 'ping' }, { jsonrpc: '2.0', id: 2, result: {} }, 'not open'],
    ['a result of another method', { method: 'tools/list' }, ok({ prompts: [] }), 'tools'],
    ['a tool without a schema', { method: 'tools/list' }, ok({ tools: [{ name: 'a' }] }), 'inputSchema'],
    ['a result that should be empty', { method: 'ping' }, ok({ pong: true }), 'pong'],
    ['a broken block', { method: 'tools/call' }, ok({ content: [{ type: 'text' }] }), 'content'],
    ['bad Base64', { method: 'resources/read' }, ok({ contents: [{ uri: 'a:b', blob: '%' }] }), 'contents'],
    ['a modern result without a type', { method: 'tools/list', params: MODERN }, ok(LISTING), 'resultType'],
    [
      'a modern list without hints',
      { method: 'tools/list', params: MODERN },
      ok({ resultType: 'complete', ...LISTING }),
      'ttlMs',
    ],
    [
      'a question that is none',
      { method: 'tools/call', params: MODERN },
      ok({ resultType: 'input_required', inputRequests: { size: { method: 'elicitation/create', params: {} } } }),
      'inputRequests.size',
    ],
    [
      'progress without a token',
      { method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
      'progressToken',
    ],
    ['an unheard-of notification', { method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/x' }, 'no method'],
    ['an unheard-of request', { method: 'ping' }, { jsonrpc: '2.0', id: 1, method: 'tools/call' }, 'no method'],
  ])('%s', ([, request, answer, why]) => {
    expect(faultsIn(request, answer).join('\n')).toContain(why)
  })

  test('a second answer to the same request', () => {
    const judge = new MessageChecker()
    const conversation = judge.conversation()
    conversation.fromClient('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    conversation.fromServer('{"jsonrpc":"2.0","id":1,"result":{}}')
    conversation.fromServer('{"jsonrpc":"2.0","id":1,"result":{}}')
    expect(judge.faults).toMatchObject([{ why: expect.stringContaining('not open') }])
  })

  test('what is no JSON at all', () => {
    const judge = new MessageChecker()
    judge.conversation().fromServer('Listening on port 3000')
    expect(judge.faults).toMatchObject([{ why: 'not JSON' }])
  })
})

const REQUESTS: [string, object?][] = [
  ['tools/list'],
  ['tools/call', { name: 'greet', arguments: { name: 'Ada' } }],
  ['tools/call', { name: 'sell', arguments: { sku: 'x' } }],
  ['tools/call', { name: 'order', arguments: {} }],
  ['tools/call', { name: 'show' }],
  ['tools/call', { name: 'chat' }],
  ['tools/call', { name: 'nobody' }],
  ['tools/call', { name: 7 }],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'interop://bytes' }],
  ['resources/read', { uri: 'interop://nowhere' }],
  ['prompts/list'],
  ['prompts/list', { cursor: 'made up' }],
  ['prompts/get', { name: 'write', arguments: { what: 'poem' } }],
  ['prompts/get', { name: 'write' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'write' }, argument: { name: 'what', value: '' } }],
  ['completion/complete', { ref: {} }],
  ['myrmex/batch', { calls: [{ name: 'greet', arguments: { name: 'Ada' } }, 7] }],
  ['no/method'],
]

const ONLY = {
  legacy: [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }],
    ['ping'],
    ['logging/setLevel', { level: 'debug' }],
    ['logging/setLevel', { level: 'loud' }],
    ['resources/subscribe', { uri: 'interop://text' }],
    ['resources/unsubscribe', { uri: 'interop://text' }],
    ['server/discover'],
  ],
  modern: [
    ['server/discover'],
    ['tools/call', { name: 'brew', arguments: { coffee: 'mocha' } }],
    ['tools/call', { name: 'haiku' }],
    ['tools/call', { name: 'roots' }],
    ['tasks/get', { taskId: 'x' }],
    ['ping'],
  ],
} satisfies Record<string, [string, object?][]>

test.for(['legacy', 'modern'] as const)('every answer of every method passes in-process, %s', async (era) => {
  const judge = new MessageChecker()
  const conversation: Conversation = judge.conversation()
  const seen = (message: unknown) => conversation.fromServer(JSON.stringify(message))
  const fixture = [...Object.values(calls), ...Object.values(asking), ...Object.values(data)]
  const kind = <K extends string>(wanted: K) =>
    fixture.filter(
      (item): item is Extract<typeof item, { kind: K }> =>
        typeof item === 'object' && 'kind' in item && item.kind === wanted,
    )
  const server = createServer({
    name: 'direct',
    version: '1.0.0',
    tools: kind('tool'),
    resources: kind('resource'),
    prompts: kind('prompt'),
  })
  const connection = connectDirect(server, seen)
  const all: [string, object?][] = [...ONLY[era], ...REQUESTS]
  for (const [id, [method, params]] of all.entries()) {
    const message = { jsonrpc: '2.0', id, method, params: { ...params, ...(era === 'modern' && MODERN) } }
    conversation.fromClient(JSON.stringify(message))
    seen(await connection.send(message))
  }
  // Not a message of any kind: still answered with one.
  for (const broken of [7, null, [], {}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: {}, method: 'ping' }]) {
    seen(await connection.send(broken))
  }
  connection.close()
  expect(judge.faults).toEqual([])
  expect(judge.judged).toBeGreaterThan(all.length)
})

test('a subscription passes from its acknowledgement to its end, in-process', async () => {
  const judge = new MessageChecker()
  const conversation = judge.conversation()
  const seen = (message: unknown) => conversation.fromServer(JSON.stringify(message))
  const server = createServer({ name: 'direct', version: '1.0.0', resources: [data.words] })
  const message = {
    jsonrpc: '2.0',
    id: 'listen',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['interop://text'] }, ...MODERN },
  }
  conversation.fromClient(JSON.stringify(message))
  const ended = connectDirect(server, seen).send(message)
  await vi.waitFor(() => expect([...judge.received.keys()]).toContain('notifications/subscriptions/acknowledged'))
  server.resourceUpdated('interop://text')
  server.registry.register(calls.greet)
  await new Promise(setImmediate)
  server.close()
  seen(await ended)
  expect(judge.faults).toEqual([])
  expect([...judge.received.keys()]).toEqual(
    expect.arrayContaining([
      'notifications/subscriptions/acknowledged',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]),
  )
})
