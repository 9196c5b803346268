/** HTTP on real sockets: who is let in, what is refused, how each era is served, and how it ends. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import {
  type HttpServerUnderTest,
  openSession,
  post,
  postModern,
  readEvents,
  send,
  serveHttp,
} from '@myrmex/testing/http-server'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { waitTool } from '@myrmex/testing/sample-tools'
import { createServer, listenHttp } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

let served: HttpServerUnderTest
beforeAll(async () => {
  served = await serveHttp()
})
afterAll(() => served.close())

const call = (name: string, args: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('the modern era', () => {
  test('answers a request as plain JSON, without a session', async () => {
    const got = await postModern(served.url, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
    expect(got).toMatchObject({
      status: 200,
      json: { id: 1, result: { resultType: 'complete', structuredContent: { sum: 3 } } },
    })
    expect(got.headers['content-type']).toBe('application/json')
    expect(got.headers).not.toHaveProperty('mcp-session-id')
  })

  test('streams when the tool has something to say before the answer', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'chatty', arguments: { times: 3 }, _meta: modernMeta({}, { progressToken: 'p' }) },
    }
    const got = await post(served.url, body, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'chatty',
    })
    expect(got.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(got.events.map(({ data }) => data)).toMatchObject([
      { method: 'notifications/progress', params: { progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 9, result: {} },
    ])
    expect(got.events.every(({ id }) => id === undefined)).toBe(true)
  })

  test('takes a closed stream for a cancellation', async () => {
    const { tool: waiting, seen } = waitTool()
    const own = await listenHttp(createServer({ name: 'w', version: '1.0.0', tools: [waiting] }))
    const headers = {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'wait',
    }
    const outgoing = request(own.url, { method: 'POST', headers })
    outgoing.on('error', () => {})
    outgoing.end(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', _meta: modernMeta() } }),
    )
    await vi.waitFor(() => expect(seen.started).toBe(1))
    outgoing.destroy()
    await vi.waitFor(() => expect(seen.aborted).toMatchObject([{ error_type: 'CancelledError' }]))
    await own.close()
  })

  test.each([
    ['no version header', { 'mcp-protocol-version': '' }],
    ['another version than the body', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method', { 'mcp-method': '' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['no name', { 'mcp-name': '' }],
    ['another name', { 'mcp-name': 'echo' }],
    ['a name in broken Base64', { 'mcp-name': '=?base64?YWRk!?=' }],
  ])('refuses headers with %s: 400 and -32020', async (_why, change) => {
    const got = await postModern(served.url, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, change)
    expect(got).toMatchObject({ status: 400, json: { id: 1, error: { code: -32020 } } })
  })

  test('reads a name in Base64', async () => {
    const name = `=?base64?${Buffer.from('add').toString('base64')}?=`
    const got = await postModern(
      served.url,
      'tools/call',
      { name: 'add', arguments: { a: 1, b: 2 } },
      { 'mcp-name': name },
    )
    expect(got.status).toBe(200)
  })

  test.each([
    ['an unknown method', 404, -32601, { jsonrpc: '2.0', id: 1, method: 'nothing', params: { _meta: modernMeta() } }],
    [
      'an unknown version',
      400,
      -32022,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'nothing',
        params: { _meta: modernMeta({}, { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }) },
      },
    ],
    ['no metadata', 400, -32602, { jsonrpc: '2.0', id: 1, method: 'nothing' }],
    ['a batch', 400, -32600, [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta() } }]],
    ['a response', 400, -32600, { jsonrpc: '2.0', id: 1, result: {} }],
    ['a wrong jsonrpc', 400, -32600, { jsonrpc: '1.0', id: 1, method: 'tools/list' }],
    ['no object', 400, -32600, 7],
  ])('%s is HTTP %i with %i', async (_what, status, code, body) => {
    const version = (body as { params?: { _meta?: Record<string, string> } }).params?._meta?.[
      'io.modelcontextprotocol/protocolVersion'
    ]
    const got = await post(served.url, body, {
      'mcp-protocol-version': version ?? '2026-07-28',
      'mcp-method': 'nothing',
    })
    expect(got).toMatchObject({ status, json: { error: { code } } })
  })

  test('a tool that fails, or does not exist, is no error of HTTP', async () => {
    expect((await postModern(served.url, 'tools/call', { name: 'add', arguments: {} })).status).toBe(200)
    const unknown = await postModern(served.url, 'tools/call', { name: 'ad' })
    expect(unknown).toMatchObject({ status: 200, json: { error: { code: -32602 } } })
  })

  test('a notification is accepted with 202 and nothing else', async () => {
    const got = await post(
      served.url,
      { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: modernMeta() } },
      { 'mcp-protocol-version': '2026-07-28' },
    )
    expect(got).toMatchObject({ status: 202, body: '' })
  })

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('%s without a session is 405', async (method) => {
    const got = await send(served.url, method)
    expect(got).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })
})

describe('the legacy era', () => {
  test('opens a session and answers in it', async () => {
    const session = await openSession(served.url)
    const got = await post(served.url, call('add', { a: 2, b: 2 }), session)
    expect(got).toMatchObject({ status: 200, json: { result: { structuredContent: { sum: 4 } } } })
    expect(got.json.result).not.toHaveProperty('resultType')
  })

  test('wants the session with every request, and knows only its own', async () => {
    expect((await post(served.url, call('add', {}))).status).toBe(400)
    expect((await post(served.url, call('add', {}), { 'mcp-session-id': 'made-up' })).status).toBe(404)
    expect((await send(served.url, 'GET', { 'mcp-session-id': 'made-up' })).status).toBe(404)
    const session = await openSession(served.url)
    expect((await post(served.url, call('add', {}), { ...session, 'mcp-protocol-version': '1900-01-01' })).status).toBe(
      400,
    )
  })

  test('streams with event ids, opened by an empty event that says when to come back', async () => {
    const session = await openSession(served.url)
    const body = {
      ...call('chatty', { times: 2 }),
      params: { name: 'chatty', arguments: { times: 2 }, _meta: { progressToken: 1 } },
    }
    const got = await post(served.url, body, session)
    expect(got.body).toMatch(/^retry: \d+\n/)
    expect(got.events[0]).toMatchObject({ id: expect.any(String), data: null })
    expect(got.events.slice(1).map(({ data }) => data)).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { id: 1 },
    ])
    expect(new Set(got.events.map(({ id }) => id)).size).toBe(4)
  })

  test('a client that was let go comes back for the answer', async () => {
    const session = await openSession(served.url)
    const first = await post(served.url, call('let_go', {}), session)
    expect(first.events).toMatchObject([{ data: null }])
    const rest = await send(served.url, 'GET', { ...session, 'last-event-id': String(first.events[0]?.id) })
    expect(rest.events.at(-1)?.data).toMatchObject({ id: 1, result: { structuredContent: { back: true } } })
    expect((await send(served.url, 'GET', { ...session, 'last-event-id': 'post99-0' })).status).toBe(404)
  })

  test('a client that lost its connection gets every event it has not seen, once', async () => {
    const session = await openSession(served.url)
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'chatty', arguments: { times: 10 }, _meta: { progressToken: 1 } },
    })
    const seen = await new Promise<string>((resolve) => {
      const outgoing = request(
        served.url,
        { method: 'POST', headers: { ...session, 'content-type': 'application/json' } },
        (response) => {
          let text = ''
          response.on('error', () => {})
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
            if (readEvents(text).length >= 4) {
              response.destroy()
              resolve(text)
            }
          })
        },
      )
      outgoing.end(body)
    })
    const before = readEvents(seen)
    const rest = await send(served.url, 'GET', { ...session, 'last-event-id': String(before.at(-1)?.id) })
    const all = [...before, ...rest.events].map(({ data }) => data).filter((data) => data !== null)
    expect(all.slice(0, -1)).toMatchObject(Array.from({ length: 10 }, (_, i) => ({ params: { progress: i + 1 } })))
    expect(all.at(-1)).toMatchObject({ id: 1, result: {} })
  })

  test('the standing stream brings changes, and there is one of it', async () => {
    const session = await openSession(served.url)
    const received: string[] = []
    const standing = request(served.url, { method: 'GET', headers: session }, (response) => {
      response.setEncoding('utf8').on('data', (chunk) => received.push(chunk))
      response.on('error', () => {})
    })
    standing.on('error', () => {})
    standing.end()
    await once(standing, 'response')
    expect((await send(served.url, 'GET', session)).status).toBe(409)
    served.server.prompts.add({ kind: 'prompt', name: 'new', get: () => '' })
    await vi.waitFor(() => expect(received.join('')).toContain('notifications/prompts/list_changed'))
    served.server.prompts.remove('new')
    standing.destroy()
  })

  test('DELETE ends the session', async () => {
    const session = await openSession(served.url)
    expect((await send(served.url, 'DELETE', session)).status).toBe(200)
    expect((await post(served.url, call('add', {}), session)).status).toBe(404)
  })

  test('batches are answered in the revision that has them', async () => {
    const session = await openSession(served.url, '2025-03-26')
    const got = await post(served.url, [call('add', { a: 1, b: 1 }, 'x'), call('sleep', { ms: 5 }, 'y')], session)
    expect(got.json).toMatchObject([{ id: 'x' }, { id: 'y' }])
    const newer = await openSession(served.url)
    expect(await post(served.url, [call('add', {})], newer)).toMatchObject({
      status: 400,
      json: { error: { code: -32600 } },
    })
  })
})

describe('beside MCP', () => {
  const tool_call = (a: unknown) => ({ tool_name: 'all.add', arguments: { a, b: 1 } })

  test('POST /call takes a ToolCall and answers a ToolResult', async () => {
    const got = await post(`${served.origin}/call`, tool_call(1))
    expect(got).toMatchObject({
      status: 200,
      json: { status: 'success', data: { sum: 2 }, error: null, explanation: null },
    })
  })

  test.each([
    ['wrong arguments', 200, 'SchemaError', tool_call('x')],
    ['an unknown tool', 404, 'ToolNotFoundError', { tool_name: 'all.ad', arguments: {} }],
    ['a name that nothing has', 404, 'ToolNotFoundError', { tool_name: 'Not a name', arguments: {} }],
    ['a name that is no text', 400, 'ValidationError', { tool_name: 7, arguments: {} }],
    ['an unknown field', 400, 'ValidationError', { ...tool_call(1), confirm: true }],
    ['no arguments', 400, 'ValidationError', { tool_name: 'all.add' }],
    ['the form of tools/call', 400, 'ValidationError', { name: 'all.add', arguments: {} }],
    ['a list', 400, 'ValidationError', []],
  ])('POST /call with %s: %i %s', async (_what, status, error_type, body) => {
    const got = await post(`${served.origin}/call`, body)
    expect(got).toMatchObject({ status, json: { status: 'failure', data: null, error: { error_type } } })
  })

  test('POST /batch gives a result each, and the whole', async () => {
    for (const body of [[tool_call(1), tool_call('x'), 7], { calls: [tool_call(1), tool_call('x'), 7] }]) {
      const got = await post(`${served.origin}/batch`, body)
      expect(got.json).toMatchObject({
        status: 'partial_success',
        results: [
          { status: 'success' },
          { error: { error_type: 'SchemaError' } },
          { error: { error_type: 'ValidationError' } },
        ],
      })
    }
    expect((await post(`${served.origin}/batch`, 7)).status).toBe(400)
    expect((await post(`${served.origin}/batch`, Array(1001).fill(tool_call(1)))).status).toBe(400)
  })

  test('GET /healthz says it is well', async () => {
    expect((await send(`${served.origin}/healthz`, 'GET')).json).toMatchObject({
      status: 'ok',
      name: 'http',
      tools_count: 7,
    })
    expect((await send(`${served.origin}/healthz`, 'POST')).status).toBe(405)
    expect((await send(`${served.origin}/else`, 'GET')).status).toBe(404)
  })
})

describe('the door', () => {
  const health = (headers: Record<string, string>) => send(`${served.origin}/healthz`, 'GET', headers)

  test.each([
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:80' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ host: 'localhost:1234', origin: 'http://localhost:3000' }, 200],
    [{ host: '[::1]:80' }, 200],
    [{ origin: 'http://127.0.0.1:9' }, 200],
  ])('with %j it answers %i', async (headers, status) => {
    expect((await health(headers as unknown as Record<string, string>)).status).toBe(status)
  })

  test('a body that is not declared as JSON is refused: a form on another site could send it', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      expect((await post(served.url, {}, { 'content-type': type })).status).toBe(415)
    }
    expect((await post(served.url, 7, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(400)
  })

  test('with a token, nobody without it comes in, and it is never taken from the URL', async () => {
    const own = await serveHttp({ token: 's3cret' })
    try {
      const list = (headers: Record<string, string>, url = own.url) => postModern(url, 'tools/list', {}, headers)
      expect(await list({})).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="myrmex"' } })
      expect((await list({ authorization: 'Bearer wrong' })).status).toBe(401)
      expect((await list({ authorization: 's3cret' })).status).toBe(401)
      expect((await list({}, `${own.url}?token=s3cret&access_token=s3cret`)).status).toBe(400)
      expect((await list({ authorization: 'Bearer s3cret' })).status).toBe(200)
      expect((await send(`${own.origin}/healthz`, 'GET')).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  test('any address but loopback wants a token', async () => {
    await expect(serveHttp({ host: '0.0.0.0' })).rejects.toThrow(/bearer token/)
    await expect(serveHttp({ host: '::', token: '' })).rejects.toThrow(/bearer token/)
  })
})

describe('limits', () => {
  test('a body over the limit is 413, declared or not', async () => {
    const own = await serveHttp({ maxBodyBytes: 1000 })
    try {
      expect((await post(own.url, 'x'.repeat(1001))).status).toBe(413)
      const chunked = request(own.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
      chunked.on('error', () => {})
      for (let i = 0; i < 20; i++) chunked.write('x'.repeat(100))
      chunked.end()
      const [response] = await once(chunked, 'response')
      expect(response.statusCode).toBe(413)
      response.resume()
    } finally {
      await own.close()
    }
  })

  test('not JSON is 400 with -32700, and an empty body too', async () => {
    for (const body of ['{"half":', '', '\u0000', 'undefined']) {
      expect(await post(served.url, body)).toMatchObject({ status: 400, json: { error: { code: -32700 } } })
    }
  })

  test('a slow request is cut off', async () => {
    const own = await serveHttp({ requestTimeoutMs: 300 })
    const socket = connect(own.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    const [chunk] = await once(socket.setEncoding('utf8'), 'data')
    expect(chunk).toMatch(/^HTTP\/1.1 408/)
    await own.close()
  }, 60_000)

  test('headers that are too large are 431', async () => {
    const socket = connect(served.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)
    const [chunk] = await once(socket.setEncoding('utf8'), 'data')
    expect(chunk).toMatch(/^HTTP\/1.1 431/)
  })

  test('connections are limited', async () => {
    const own = await serveHttp({ maxConnections: 1 })
    const first = connect(own.port, '127.0.0.1')
    await once(first, 'connect')
    const second = connect(own.port, '127.0.0.1')
    second.on('error', () => {})
    await once(second, 'close')
    first.destroy()
    await own.close()
  })

  test('a connection that says nothing more is closed', async () => {
    const own = await serveHttp({ idleTimeoutMs: 100 })
    const socket = connect(own.port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    await own.close()
  })

  test('sessions are limited: a new one ends the idle one that was not used for the longest time', async () => {
    const own = await serveHttp({ maxSessions: 2 })
    const [first, second] = [await openSession(own.url), await openSession(own.url)]
    const ping = (session: typeof first) => post(own.url, { jsonrpc: '2.0', id: 1, method: 'ping' }, session)
    await ping(first)
    const third = await openSession(own.url)
    for (const session of [first, third]) expect((await ping(session)).status).toBe(200)
    expect((await ping(second)).status).toBe(404)
    await own.close()
  })
})

test('a fault of our own is a 500 with a reference, and the server lives on', async () => {
  const own = await serveHttp()
  const broken = vi.spyOn(own.server, 'session').mockImplementation(() => {
    throw new Error('password=hunter2')
  })
  const got = await postModern(own.url, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
  expect(got).toMatchObject({
    status: 500,
    json: { error: { code: -32603, message: expect.stringMatching(/under \S+-\d+/) } },
  })
  expect(got.body).not.toContain('hunter2')
  broken.mockRestore()
  expect((await postModern(own.url, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })).status).toBe(200)
  await own.close()
})

test('closing answers what is in flight, ends open streams with a word, and lets nobody in', async () => {
  const own = await serveHttp()
  const calls = vi.spyOn(own.server.registry, 'find')
  const slow = postModern(own.url, 'tools/call', { name: 'sleep', arguments: { ms: 300 } })
  const listening = postModern(own.url, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  const session = await openSession(own.url)
  const opened = Promise.withResolvers<void>()
  const standing = send(own.url, 'GET', session, undefined, opened.resolve)
  await opened.promise
  await vi.waitFor(() => {
    expect(own.server.hub.size).toBe(2)
    expect(calls).toHaveBeenCalled()
  })
  await own.close()
  expect((await slow).json.result.structuredContent).toEqual({ slept: 300 })
  expect((await listening).events.at(-1)?.data).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  expect((await standing).status).toBe(200)
  await expect(send(own.url, 'GET')).rejects.toThrow(/ECONNREFUSED|hang up/)
})
