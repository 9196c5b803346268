/** The client: the same calls in-process, to a child and over HTTP, and one kind of error for every broken peer. */

import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { add, big, chatty, echo, fails, sleep } from '@myrmex/testing/fixtures/all.tools'
import { type HttpServerUnderTest, serveHttp } from '@myrmex/testing/http-server'
import { LONG } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { createServer, ToolError } from 'myrmex'
import { type Connection, connect, type Target } from 'myrmex/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

const TOOLS = fixturePath('all.tools.ts')

let served: HttpServerUnderTest
beforeAll(async () => {
  served = await serveHttp()
})
afterAll(() => served.close())

/** The environment of this process is not passed on, and the tools are in the checkout. */
const LEDGER = join('.myrmex', 'ledger.db')

const targets: [string, () => Target][] = [
  [
    'in-process',
    () =>
      createServer({ name: 'd', version: '1.0.0', tools: [add, big, chatty, echo, fails, sleep], observe: () => {} }),
  ],
  [
    'a command',
    () => ({ command: process.execPath, args: [CLI, 'serve', TOOLS, '--ledger', LEDGER], stderr: 'ignore' }),
  ],
  ['a URL', () => ({ url: served.url })],
]

describe.each(targets)('%s', (_kind, target) => {
  let connection: Connection
  beforeAll(async () => {
    // A tool of this process prints that it was aborted.
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    connection = await connect(target())
  })
  afterAll(async () => {
    await connection.close()
    vi.restoreAllMocks()
  })

  test('lists the tools', async () => {
    expect((await connection.tools()).map(({ name }) => name)).toEqual(expect.arrayContaining(['add', 'echo', 'sleep']))
  })

  test('gives a ToolResult', async () => {
    expect(await connection.call('all.add', { a: 1, b: 2 })).toEqual({
      status: 'success',
      data: { sum: 3 },
      error: null,
      explanation: null,
    })
  })

  const itself: Record<string, unknown> = {}
  itself.me = itself
  test.each<[string, Record<string, unknown>, string]>([
    ['a BigInt', { text: [1n] }, '/text/0'],
    ['a value that contains itself', { text: itself }, '/text/me'],
    ['a function', { text: () => 1 }, '/text'],
    ['a symbol', { text: Symbol('x') }, '/text'],
    ['a Map', { text: new Map() }, '/text'],
    ['an instance of a class', { text: new (class Point {})() }, '/text'],
    ['a Promise', { text: Promise.resolve('x') }, '/text'],
    ['NaN', { text: Number.NaN }, '/text'],
    ['a member named __proto__', JSON.parse('{"text":{"__proto__":1}}'), '/text/__proto__'],
  ])('sends nothing that JSON cannot hold: %s', async (_what, args, path) => {
    const sent = vi.spyOn(connection.client.transport as object as { send(): unknown }, 'send')
    const error = { error_type: 'SerializationError', error_details: { path } }
    expect(await connection.call('all.echo', args)).toMatchObject({ status: 'failure', data: null, error })
    await expect(connection.callOnWire('all.echo', args)).rejects.toMatchObject(error)
    await expect(connection.request('tools/call', args)).rejects.toMatchObject(error)
    const inMeta = { error_type: 'SerializationError', error_details: { path: `/_meta/myrmex~1context${path}` } }
    expect(await connection.call('all.echo', {}, { context: args })).toMatchObject({ error: inMeta })
    expect(sent).not.toHaveBeenCalled()
    sent.mockRestore()
  })

  test('sends dates and URLs as texts', async () => {
    for (const [value, text] of [
      [new Date(0), '1970-01-01T00:00:00.000Z'],
      [new URL('https://a.example/x'), 'https://a.example/x'],
    ])
      expect(await connection.call('all.echo', { value })).toMatchObject({ data: { value: text } })
  })

  test('gives failures as results, also those the server answers with an error', async () => {
    expect(await connection.call('add', { a: 'x', b: 1 })).toMatchObject({
      status: 'failure',
      data: null,
      error: { error_type: 'SchemaError' },
    })
    expect(await connection.call('fails')).toMatchObject({ error: { error_type: 'ToolExecutionError' } })
    expect(await connection.call('nobody')).toMatchObject({
      error: { error_type: 'ToolNotFoundError', error_details: { nearest: expect.any(Array) } },
    })
  })

  test('makes many calls at once, each with its own answer, however they finish', async () => {
    const calls = Array.from({ length: 200 }, (_, i) =>
      i % 4 === 0 ? connection.call('sleep', { ms: 40 - (i % 40) }) : connection.call('add', { a: i, b: 1 }),
    )
    const results = await Promise.all(calls)
    for (const [i, { data }] of results.entries()) {
      expect(data).toEqual(i % 4 === 0 ? { slept: 40 - (i % 40) } : { sum: i + 1 })
    }
  })

  test('a reply over 64 kB arrives whole', async () => {
    // The official client copies all it has read for every piece of a reply: 12 MB take it ten seconds when pieces are small.
    const size = LONG ? 12_000_000 : 1_000_000
    expect((await connection.call('big', { size })).data?.text).toHaveLength(size)
  })

  test('reports progress', async () => {
    const seen: number[] = []
    await connection.call('chatty', { times: 3 }, { onProgress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 2, 3])
  })

  test('cancels, and the next call gets its own answer', async () => {
    const stop = new AbortController()
    const call = connection.call('sleep', { ms: 60_000 }, { signal: stop.signal })
    stop.abort()
    await expect(call).rejects.toMatchObject({ error_type: 'CancelledError' })
    expect((await connection.call('add', { a: 1, b: 1 })).data).toEqual({ sum: 2 })
  })

  test('times out, and the late answer goes to nobody', async () => {
    await expect(connection.call('sleep', { ms: 1000 }, { timeoutMs: 50 })).rejects.toMatchObject({
      error_type: 'TimeoutError',
    })
    expect((await connection.call('add', { a: 2, b: 2 })).data).toEqual({ sum: 4 })
    // Ends after the late answer, had there been one.
    await connection.call('sleep', { ms: 1000 })
    expect((await connection.call('add', { a: 3, b: 3 })).data).toEqual({ sum: 6 })
  })

  test('a version range is passed on', async () => {
    expect(await connection.call('add', { a: 1, b: 1 }, { version: '^9.0.0' })).toMatchObject({
      error: { error_type: 'ToolNotFoundError' },
    })
  })
})

test('a legacy connection does the same', async () => {
  for (const [, target] of targets) {
    const connection = await connect(target(), { era: 'legacy' })
    expect((await connection.call('add', { a: 1, b: 2 })).data).toEqual({ sum: 3 })
    await connection.close()
  }
})

describe('a broken peer is a TransportError', () => {
  const open: NetServer[] = []
  afterEach(() => {
    for (const server of open.splice(0)) server.close()
  })
  const listen = async (server: NetServer): Promise<string> => {
    open.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  }
  const http = (handler: RequestListener) => listen(createHttp(handler))
  const node = (script: string): Target => ({ command: process.execPath, args: ['-e', script], stderr: 'ignore' })

  const peers: [string, () => Target | Promise<Target>][] = [
    [
      'nobody listening',
      async () => {
        const url = await listen(createTcp())
        open.pop()?.close()
        return { url }
      },
    ],
    ['a connection reset', async () => ({ url: await listen(createTcp((socket) => socket.resetAndDestroy())) })],
    ['a socket that says nothing', async () => ({ url: await listen(createTcp(() => {})) })],
    ['no HTTP', async () => ({ url: await listen(createTcp((socket) => socket.end('hello\n'))) })],
    [
      'HTML',
      async () => ({
        url: await http((_request, response) => response.setHeader('content-type', 'text/html').end('<p>hi')),
      }),
    ],
    ['HTTP 500', async () => ({ url: await http((_request, response) => response.writeHead(500).end('no')) })],
    [
      'JSON that is no message',
      async () => ({
        url: await http((_request, response) => response.setHeader('content-type', 'application/json').end('{"a":1}')),
      }),
    ],
    ['a command that does not exist', () => ({ command: 'no-such-command-here' })],
    ['a command that exits', () => node('process.exit(3)')],
    ['a command that prints garbage and stays', () => node('console.log("garbage"); setInterval(() => {}, 1000)')],
    ['a command that says nothing', () => node('setInterval(() => {}, 1000)')],
    [
      'a command that answers with nonsense',
      () => node('process.stdin.on("data", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: 0, result: 7 })))'),
    ],
  ]

  test.each(peers)('%s', async (_what, peer) => {
    const error = await connect(await peer(), { timeoutMs: 700 }).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(ToolError)
    expect(error).toMatchObject({ error_type: 'TransportError', message: expect.stringMatching(/\S: \S/) })
  })

  test('a peer that dies in the middle of a call', async () => {
    const connection = await connect({
      command: process.execPath,
      args: [CLI, 'serve', TOOLS, '--ledger', LEDGER],
      stderr: 'ignore',
    })
    const { pid } = (connection.client as unknown as { transport: { pid: number } }).transport
    const call = connection.call('sleep', { ms: 60_000 })
    process.kill(pid, 'SIGKILL')
    await expect(call).rejects.toMatchObject({ error_type: 'TransportError' })
    await expect(connection.call('add', { a: 1, b: 1 })).rejects.toMatchObject({ error_type: 'TransportError' })
    await connection.close()
  })
})
