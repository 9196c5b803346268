/**
 * Identifiers in a message are looked up, parsed, repeated and kept before the rights of the caller are known.
 *
 * Attacker: a remote caller
 * Attack: without any right, sends a version range of several megabytes, whose parsing blocks the server for seconds.
 * Stopped by: a range has at most 256 characters.
 *
 * Attack: sends names, URIs, ids or progress tokens of megabytes, which come back in every error and notification, and stay in memory.
 * Stopped by: all of them have a limit, which is checked before anything is looked up.
 *
 * Attack: sends an array of millions of broken messages in a session of 2025-03-26, each of which gets an error, so that the memory is full.
 * Stopped by: an array has at most 1,000 messages.
 *
 * Attack: sends `POST /call` a body with 600,000 unknown members, all of which the error lists.
 * Stopped by: a call has at most 20 members, and an issue at most 1,000 characters.
 */
import { post } from '@myrmex/testing/http-server'
import { legacyPeer, modernMeta, modernPeer } from '@myrmex/testing/mcp-peer'
import { connectDirect, createServer, listenHttp, MemoryRecorder, type Principal, resource, tool } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

const NOBODY: Principal = { id: 'nobody', kind: 'bearer', scopes: [] }
const LONG = 'a'.repeat(1_000_000)

const made = (name: string) =>
  tool({
    name,
    version: '1.0.0',
    description: 'Does nothing.',
    input: z.object({}),
    output: z.object({}),
    errors: {},
    idempotent: true,
    destructive: false,
    security: 'None.',
    examples: [],
    run: (_input, ctx) => {
      ctx.progress(1, 2)
      return {}
    },
  })
const serverOf = () =>
  createServer({
    name: 's',
    version: '1.0.0',
    tools: [made('shop.look')],
    resources: [resource({ uriTemplate: 'memo://{id}', name: 'memo', read: () => 'text' })],
  })

type Reply = { result?: { structuredContent?: unknown }; error?: { message: string } }

describe('a long version range blocks the server', () => {
  test('a caller without scopes is refused before the range is parsed', async () => {
    const connection = connectDirect(serverOf(), () => {}, NOBODY)
    for (const range of ['>=1 '.repeat(250_000), '1||'.repeat(250_000), '1.0.0 - '.repeat(100_000)]) {
      const params = { name: 'shop.look', arguments: {}, _meta: { ...modernMeta(), 'myrmex/version': range } }
      const reply = (await connection.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })) as Reply
      expect(reply.error?.message).toMatch(/^A version range has at most 256 characters/)
      expect(JSON.stringify(reply).length).toBeLessThan(1000)
    }
  })

  test('ordinary ranges are as before', async () => {
    const peer = modernPeer(serverOf())
    const call = (range: string) =>
      peer.request('tools/call', { name: 'look', arguments: {}, _meta: { 'myrmex/version': range } })
    expect((await call('^1.0.0 || ^2.0.0')).result).toMatchObject({ structuredContent: {} })
    expect((await call('^3.0.0')).error?.message).toContain('no version within ^3.0.0')
  })
})

describe('long names, URIs, ids and tokens come back and stay', () => {
  test('a call of a tool with a long name is recorded, with a part of the name', async () => {
    const recorder = new MemoryRecorder()
    const server = createServer({ name: 's', version: '1.0.0', tools: [], recorder })
    await modernPeer(server).request('tools/call', { name: LONG, arguments: {} })
    expect(recorder.records()).toMatchObject([{ tool: LONG.slice(0, 200), error_type: 'ToolNotFoundError' }])
  })

  const REQUESTS: Record<string, [method: string, params: Record<string, unknown>]> = {
    'a tool': ['tools/call', { name: LONG, arguments: {} }],
    'a prompt': ['prompts/get', { name: LONG }],
    'a resource': ['resources/read', { uri: `memo://${LONG}` }],
    'a prompt to complete': [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: LONG }, argument: { name: 'a', value: '' } },
    ],
    'a template to complete': [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: LONG }, argument: { name: 'a', value: '' } },
    ],
    'a progress token': ['tools/call', { name: 'look', arguments: {}, _meta: { progressToken: LONG } }],
    'a progress token that is none': ['tools/call', { name: 'look', arguments: {}, _meta: { progressToken: [LONG] } }],
    'a method': [LONG, {}],
  }

  test.each(Object.entries(REQUESTS))('%s', async (_what, [method, params]) => {
    const server = serverOf()
    const connection = connectDirect(server)
    const { _meta, ...rest } = params as { _meta?: object }
    const modern = { ...rest, _meta: { ...modernMeta(), ..._meta } }
    const start = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const send = (sent: object, name = method) => connection.send({ jsonrpc: '2.0', id: 1, method: name, params: sent })
    await send(start, 'initialize')
    for (const sent of [modern, params]) {
      const reply = (await send(sent)) as Reply
      expect(reply.error?.message).toBeTypeOf('string')
      expect(JSON.stringify(reply).length).toBeLessThan(2000)
    }
  })

  test('an id', () => {
    const reply = connectDirect(serverOf()).send({ jsonrpc: '2.0', id: LONG, method: 'ping' })
    expect(reply).toMatchObject({ error: { message: expect.stringContaining('at most 1000 characters') } })
    expect(JSON.stringify(reply).length).toBeLessThan(1000)
  })

  test('a tool in a batch', async () => {
    const { result } = await modernPeer(serverOf()).request('myrmex/batch', { calls: [{ name: LONG }] })
    expect(result.results[0].error).toMatchObject({ error_type: 'ToolNotFoundError' })
    expect(JSON.stringify(result).length).toBeLessThan(2000)
  })

  test('subscriptions', async () => {
    const peer = await legacyPeer(serverOf())
    expect((await peer.request('resources/subscribe', { uri: `memo://${LONG}` })).error?.message).toMatch(/8192/)
    for (let n = 0; n < 1000; n++) await peer.request('resources/subscribe', { uri: `memo://${n}` })
    expect((await peer.request('resources/subscribe', { uri: 'memo://one-more' })).error?.message).toMatch(/1000/)
    expect((await peer.request('resources/subscribe', { uri: 'memo://7' })).result).toEqual({})
    await peer.request('resources/unsubscribe', { uri: 'memo://7' })
    expect((await peer.request('resources/subscribe', { uri: 'memo://one-more' })).result).toEqual({})
  })
})

test('an array of many messages gets one error', async () => {
  const connection = connectDirect(serverOf())
  const start = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  await connection.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: start })
  const reply = await connection.send(new Array(100_000).fill(1))
  expect(reply).toMatchObject({ error: { message: expect.stringContaining('1000 are the most') } })
  expect(JSON.stringify(reply).length).toBeLessThan(1000)
  expect(await connection.send(new Array(1000).fill(1))).toHaveLength(1000)
})

test('unknown members of a plain call are not listed without end', async () => {
  const listening = await listenHttp(serverOf(), { port: 0 })
  onTestFinished(() => listening.close())
  const url = `http://127.0.0.1:${listening.port}`
  const extra = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))
  const call = { tool_name: 'shop.look', arguments: {} }
  for (const more of [extra, { [LONG]: 1 }]) {
    const one = await post(`${url}/call`, { ...call, ...more })
    expect(one.json.error).toMatchObject({ error_type: 'ValidationError' })
    expect(one.body.length).toBeLessThan(5000)
    const many = await post(`${url}/batch`, { calls: [{ ...call, ...more }] })
    expect(many.body.length).toBeLessThan(5000)
  }
  expect((await post(`${url}/call`, { ...call, more: 1 })).json.error.error_message).toContain(
    '/more: is not a known property',
  )
})
