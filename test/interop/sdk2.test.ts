/** What only the reference client 2.x shows: era negotiation to the letter, missing capabilities, ended subscriptions. */

import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { LONG } from '@myrmex/testing/long'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import {
  CHANGING_SERVER,
  startTapped,
  type TappedServer,
  type Target,
  TOOLS_SERVER,
  TRANSPORTS,
} from './tapped-server.ts'

const transportOf = (target: Target) =>
  target.kind === 'stdio'
    ? new StdioClientTransport({ ...target, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(target.url))

/** A client that can do nothing but call. */
const bare = (mode: VersionNegotiationMode) =>
  new Client({ name: 'bare', version: '2.0.0' }, { versionNegotiation: { mode } })

/** Tells the server to end, and waits until it has. */
async function end(server: TappedServer, connection: ReturnType<typeof transportOf>): Promise<void> {
  if (connection instanceof StdioClientTransport) process.kill(connection.pid as number, 'SIGTERM')
  await server.close()
}

const MODES = [
  { era: 'legacy', mode: 'legacy' },
  { era: 'modern', mode: 'auto' },
  { era: 'modern', mode: { pin: '2026-07-28' } },
] as const

const EVERY = TRANSPORTS.flatMap((transport) => MODES.map((mode) => ({ transport, ...mode })))
/** The short form has each era and each transport once. */
const CASES = LONG ? EVERY : EVERY.filter((_, index) => index === 0 || index === 4)

describe.each(CASES)('client 2.x, mode $mode over $transport', ({ transport, mode, era }) => {
  let server: TappedServer
  const client = bare(mode)

  beforeAll(async () => {
    server = await startTapped(TOOLS_SERVER, transport)
    await client.connect(transportOf(server.target))
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test('lands in the era it is meant to', () => {
    expect(client.getProtocolEra()).toBe(era)
    expect(client.getDiscoverResult()?.supportedVersions).toEqual(
      era === 'modern' ? ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] : undefined,
    )
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    })
  })

  test('learns which capability a tool needs of it, and the connection stays', async () => {
    const call = client.callTool({ name: 'brew', arguments: { coffee: 'mocha' } })
    if (era === 'modern') {
      await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
    } else {
      expect(await call).toMatchObject({ isError: true, structuredContent: { error_type: 'UnavailableError' } })
    }
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      structuredContent: { greeting: 'Hello, Ada!' },
    })
  })

  test('runs a batch by a method of our own', async () => {
    const calls = [
      { name: 'greet', arguments: { name: 'Ada' } },
      { name: 'sell', arguments: { sku: 'CO-17' } },
      { name: 'nobody', arguments: {} },
    ]
    const result = await client.request({ method: 'myrmex/batch', params: { calls } }, z.looseObject({}))
    expect(result).toMatchObject({
      status: 'partial_success',
      results: [
        { status: 'success', data: { greeting: 'Hello, Ada!' } },
        { status: 'failure', error: { error_type: 'OutOfStock' } },
        { status: 'failure', error: { error_type: 'ToolNotFoundError' } },
      ],
    })
  })

  test('is refused a method nobody has', async () => {
    // Over HTTP the modern era says 404 beside it, and there this client reads the status and not the body.
    const code = era === 'modern' && transport === 'http' ? 'CLIENT_HTTP_NOT_IMPLEMENTED' : -32601
    await expect(client.request({ method: 'myrmex/nothing' }, z.looseObject({}))).rejects.toMatchObject({ code })
  })

  test('was sent nothing but messages of the official schemas', async () => {
    await client.close()
    await server.close()
    expect(server.judge.faults).toEqual([])
    expect(server.judge.codes).toContain(-32601)
  })
})

describe.each(LONG ? TRANSPORTS : TRANSPORTS.slice(0, 1))('client 2.x over %s', (transport) => {
  let server: TappedServer

  beforeAll(async () => {
    server = await startTapped(CHANGING_SERVER, transport)
  })
  afterAll(() => server.close())

  test('does not connect when pinned to a revision we do not speak', async () => {
    const client = bare({ pin: '2099-01-01' })
    onTestFinished(() => client.close())
    await expect(client.connect(transportOf(server.target))).rejects.toMatchObject({
      code: -32022,
      data: { requested: '2099-01-01', supported: expect.arrayContaining(['2026-07-28']) },
    })
  })

  test('keeps its list of tools up to date by itself', async () => {
    const refreshed = Promise.withResolvers<string[]>()
    const client = new Client(
      { name: 'watching', version: '2.0.0' },
      {
        versionNegotiation: { mode: 'auto' },
        listChanged: {
          tools: { debounceMs: 0, onChanged: (_, tools) => refreshed.resolve((tools ?? []).map(({ name }) => name)) },
        },
      },
    )
    onTestFinished(() => client.close())
    await client.connect(transportOf(server.target))
    await client.callTool({ name: 'grow', arguments: { name: 'fresh' } })
    expect(await refreshed.promise).toContain('fresh')
  })

  test('learns that a server which was asked to end has ended its subscription on purpose', async () => {
    const client = bare('auto')
    onTestFinished(() => client.close())
    const connection = transportOf(server.target)
    await client.connect(connection)
    const subscription = await client.listen({ toolsListChanged: true })
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
    await end(server, connection)
    expect(await subscription.closed).toBe('graceful')
  })

  test('was sent nothing but messages of the official schemas', async () => {
    await server.close()
    expect(server.judge.faults).toEqual([])
    expect(server.judge.received.get('notifications/tools/list_changed')).toBe(1)
  })
})

test.for(CASES.filter(({ mode }) => typeof mode === 'string'))(
  'a call in flight is answered before the server ends, $era over $transport',
  async (given) => {
    const server = await startTapped(TOOLS_SERVER, given.transport)
    const client = bare(given.mode)
    onTestFinished(async () => {
      await client.close()
      await server.close()
    })
    const connection = transportOf(server.target)
    await client.connect(connection)
    const begun = Promise.withResolvers<void>()
    const call = client.callTool(
      { name: 'echo', arguments: { text: 'last words', after_ms: 300 } },
      { onprogress: () => begun.resolve() },
    )
    await begun.promise
    // The server may wait ten seconds for calls in flight. Once there are none, it ends.
    await withTimeLimit(5000, async () => {
      const ended = end(server, connection)
      expect(await call).toMatchObject({ structuredContent: { text: 'last words' } })
      await ended
    })
    expect(server.judge.faults).toEqual([])
  },
)
