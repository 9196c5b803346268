/** What goes on during a request: progress, logs, cancellation, questions to the client. */

import { legacyPeer, modernPeer, type Peer } from '@myrmex/testing/mcp-peer'
import { toolDefaults, waitTool } from '@myrmex/testing/sample-tools'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { prompt } from '../tool/prompt.ts'
import { tool } from '../tool/tool.ts'
import { createServer } from './server.ts'

const chatty = tool({
  ...toolDefaults,
  name: 'test.chatty',
  input: z.object({}),
  output: z.object({}),
  run: async (_input, ctx) => {
    ctx.progress(1, 3, 'one')
    ctx.progress(1, 3, 'again')
    ctx.emit({ part: 1 })
    ctx.progress(3, 3)
    ctx.log('debug', 'fine print')
    ctx.log('warning', { about: 'something' })
    return {}
  },
})
const form = (message: string, field: string) => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  },
})
let runs = 0
const asks = tool({
  ...toolDefaults,
  name: 'test.asks',
  input: z.object({ greeting: z.string() }),
  output: z.object({ said: z.string() }),
  run: async ({ greeting }, ctx) => {
    runs++
    const { first } = await ctx.ask({ first: form('First name?', 'name') })
    const { last } = await ctx.ask({ last: form('Last name?', 'name') })
    const name = (answer: Record<string, unknown>) => (answer.content as { name: string }).name
    return { said: `${greeting} ${name(first)} ${name(last)}` }
  },
})
const asksFirst = tool({
  ...toolDefaults,
  name: 'test.asks_first',
  input: z.object({}),
  output: z.object({ said: z.string() }),
  ask: () => ({ who: form('Who?', 'name') }),
  run: (_input, ctx) => ({ said: JSON.stringify(ctx.answers.who?.content) }),
})
const waiting = waitTool()
const server = createServer({
  name: 'talk',
  version: '1.0.0',
  tools: [chatty, asks, asksFirst, waiting.tool],
  prompts: [prompt({ name: 'p', get: async (_args, ctx) => JSON.stringify(await ctx.ask({ q: form('?', 'x') })) })],
})
const methods = (peer: Peer) => peer.received.map(({ method }) => method)

test('progress goes to the caller that sent a token, and only grows', async () => {
  const peer = modernPeer(server)
  await peer.request('tools/call', { name: 'chatty', _meta: { progressToken: 't' } })
  expect(peer.received.map(({ params }) => params)).toEqual([
    { progressToken: 't', progress: 1, total: 3, message: 'one' },
    { progressToken: 't', progress: 1.000000001, _meta: { 'myrmex/partial': { part: 1 } } },
    { progressToken: 't', progress: 3, total: 3 },
  ])
  const silent = modernPeer(server)
  await silent.request('tools/call', { name: 'chatty' })
  expect(silent.received).toEqual([])
})

test('logs come at the level asked for: by request in the modern era, by session in the legacy one', async () => {
  const now = modernPeer(server)
  await now.request('tools/call', { name: 'chatty', _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } })
  expect(methods(now)).toEqual(['notifications/message', 'notifications/message'])
  const old = await legacyPeer(server)
  await old.request('logging/setLevel', { level: 'warning' })
  await old.request('tools/call', { name: 'chatty' })
  expect(old.received).toMatchObject([
    { params: { level: 'warning', logger: 'test.chatty', data: { about: 'something' } } },
  ])
  expect(await old.request('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } })
})

test('a cancelled request stops its tool and is never answered', async () => {
  for (const peer of [modernPeer(server), await legacyPeer(server)]) {
    const before = waiting.seen.aborted.length
    const reply = peer.request('tools/call', { name: 'wait' }, 77)
    peer.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 77, reason: 'changed my mind' },
    })
    expect(await reply).toBeUndefined()
    expect(waiting.seen.aborted.at(before)).toMatchObject({
      error_type: 'CancelledError',
      message: expect.stringMatching(/changed my mind/),
    })
  }
})

test('an id that is in flight cannot be used again, and can be afterwards', async () => {
  const peer = modernPeer(server)
  const first = peer.request('tools/call', { name: 'wait' }, 5)
  expect(await peer.request('tools/list', {}, 5)).toMatchObject({
    error: { code: -32600, message: expect.stringMatching(/in flight/) },
  })
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  await first
  expect(await peer.request('tools/list', {}, 5)).toHaveProperty('result')
})

test('a closed connection stops what it was waiting for', async () => {
  const peer = modernPeer(server)
  const before = waiting.seen.aborted.length
  peer.request('tools/call', { name: 'wait' })
  peer.close()
  expect(waiting.seen.aborted.length).toBe(before + 1)
})

const accept = (name: string) => ({ action: 'accept', content: { name } })
const elicitation = { elicitation: { form: {} } }

test('a modern tool asks by input_required rounds, and gathers the answers over them', async () => {
  const peer = modernPeer(server, elicitation)
  const call = { name: 'asks', arguments: { greeting: 'Hello' } }
  const one = (await peer.request('tools/call', call)).result
  expect(one).toMatchObject({
    resultType: 'input_required',
    inputRequests: { first: { method: 'elicitation/create' } },
  })
  const two = (
    await peer.request('tools/call', {
      ...call,
      requestState: one.requestState,
      inputResponses: { first: accept('Ada') },
    })
  ).result
  expect(two).toMatchObject({ resultType: 'input_required', inputRequests: { last: {} } })
  expect(two.inputRequests).not.toHaveProperty('first')
  const three = (
    await peer.request('tools/call', {
      ...call,
      requestState: two.requestState,
      inputResponses: { last: accept('Lovelace') },
    })
  ).result
  expect(three).toMatchObject({ resultType: 'complete', structuredContent: { said: 'Hello Ada Lovelace' } })
})

test('missing or malformed answers are asked for again', async () => {
  const peer = modernPeer(server, elicitation)
  const call = { name: 'asks', arguments: { greeting: 'Hi' } }
  const { requestState } = (await peer.request('tools/call', call)).result
  for (const inputResponses of [
    {},
    { wrong: accept('x') },
    { first: 7 },
    { first: { action: 'accept', content: {} } },
    { first: { action: 'odd' } },
  ]) {
    const { result } = await peer.request('tools/call', { ...call, requestState, inputResponses })
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { first: {} } })
  }
  expect(await peer.request('tools/call', { ...call, requestState, inputResponses: [] })).toMatchObject({
    error: { code: -32602 },
  })
})

test('request state that was tampered with, or belongs to another request, is refused', async () => {
  const peer = modernPeer(server, elicitation)
  const call = { name: 'asks', arguments: { greeting: 'Hi' } }
  const { requestState } = (await peer.request('tools/call', call)).result as { requestState: string }
  const [body, mac] = requestState.split('.') as [string, string]
  const forged = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), answers: { first: accept('Eve') } }),
  ).toString('base64url')
  for (const state of [`${body}x.${mac}`, `${forged}.${mac}`, `${body}.`, body, '', `${requestState}.x`, 7, null]) {
    const reply = await peer.request('tools/call', { ...call, requestState: state, inputResponses: {} })
    expect(reply, String(state)).toMatchObject({ error: { code: -32602 } })
  }
  const other = { name: 'asks', arguments: { greeting: 'Other' } }
  expect(await peer.request('tools/call', { ...other, requestState })).toMatchObject({ error: { code: -32602 } })
})

test('request state expires', async () => {
  const peer = modernPeer(server, elicitation)
  const call = { name: 'asks', arguments: { greeting: 'Hi' } }
  const { requestState } = (await peer.request('tools/call', call)).result
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 16 * 60_000)
  expect(await peer.request('tools/call', { ...call, requestState })).toMatchObject({ error: { code: -32602 } })
  clock.mockRestore()
})

test('a client without elicitation gets an error that names it', async () => {
  expect(await modernPeer(server).request('tools/call', { name: 'asks', arguments: { greeting: 'x' } })).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
  })
})

test.each([
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { form: {}, url: {} } }, true],
  [{ elicitation: { url: {} } }, false],
  [{ sampling: {} }, false],
])('a client that declares %j is asked for a form: %j', async (capabilities, asked) => {
  const reply = await modernPeer(server, capabilities).request('tools/call', { name: 'asks_first' })
  if (asked) expect(reply.result.resultType).toBe('input_required')
  else
    expect(reply.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } })
})

test('a definition that asks first starts its tool once, with the answers', async () => {
  const peer = modernPeer(server, elicitation)
  const { requestState, inputRequests } = (await peer.request('tools/call', { name: 'asks_first' })).result
  expect(Object.keys(inputRequests)).toEqual(['who'])
  const { result } = await peer.request('tools/call', {
    name: 'asks_first',
    requestState,
    inputResponses: { who: accept('Ada') },
  })
  expect(result.structuredContent).toEqual({ said: '{"name":"Ada"}' })
})

test('a prompt may ask too', async () => {
  const peer = modernPeer(server, elicitation)
  const { result } = await peer.request('prompts/get', { name: 'p' })
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { q: {} } })
})

test('a legacy tool asks by a request of its own and goes on where it was', async () => {
  const peer = await legacyPeer(server, '2025-11-25', elicitation)
  runs = 0
  const reply = peer.request('tools/call', { name: 'asks', arguments: { greeting: 'Hello' } })
  for (const name of ['Ada', 'Lovelace']) {
    await vi.waitFor(() => expect(peer.received.at(-1)?.id).toBeDefined())
    const question = peer.received.pop()
    expect(question).toMatchObject({ method: 'elicitation/create' })
    peer.send({ jsonrpc: '2.0', id: question?.id, result: accept(name) })
  }
  expect((await reply).result.structuredContent).toEqual({ said: 'Hello Ada Lovelace' })
  expect(runs).toBe(1)
})

test('a legacy client that refuses, or offers nothing, is a failure of the call', async () => {
  const call = { name: 'asks', arguments: { greeting: 'x' } }
  const none = await legacyPeer(server)
  expect((await none.request('tools/call', call)).result).toMatchObject({
    structuredContent: { error_type: 'UnavailableError' },
  })
  const refusing = await legacyPeer(server, '2025-11-25', elicitation)
  const reply = refusing.request('tools/call', call)
  await vi.waitFor(() => expect(refusing.received).toHaveLength(1))
  refusing.send({ jsonrpc: '2.0', id: refusing.received[0]?.id, error: { code: -1, message: 'not today' } })
  expect((await reply).result).toMatchObject({
    isError: true,
    structuredContent: { error_message: expect.stringMatching(/not today/) },
  })
})

test('an answer of any shape from a legacy client harms nobody', async () => {
  const odd = { toString: '' }
  for (const answer of [
    { error: { code: odd, message: odd } },
    { error: {} },
    { result: { action: odd, content: odd } },
    { result: {} },
  ]) {
    const peer = await legacyPeer(server, '2025-11-25', elicitation)
    const reply = peer.request('tools/call', { name: 'asks', arguments: { greeting: 'x' } })
    await vi.waitFor(() => expect(peer.received).toHaveLength(1))
    peer.send({ jsonrpc: '2.0', id: peer.received[0]?.id, ...answer })
    peer.close()
    await reply
    expect(await (await legacyPeer(server)).request('ping')).toHaveProperty('result')
  }
})
