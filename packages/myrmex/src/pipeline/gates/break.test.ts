/** The break gate driven through real calls of a real server: all the way round, by what counts and nothing else. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CallOptions,
  type CallOutcome,
  type CountedTool,
  call,
  countedTool,
  destructiveTool,
  eventually,
  grant,
  latch,
  serve,
  trust,
} from '@myrmex/testing/gated-server'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { RpcError, ToolError } from '../../protocol/errors.ts'

const FAILURES = 3
const OPEN_MS = 60_000

/** Answers, fails or waits, as set before each call. */
const moody = (
  name = 'shop.moody',
  changes: Parameters<typeof countedTool>[1] = {},
  origin?: Parameters<typeof countedTool>[2],
) => {
  const mood: { now: () => unknown } = { now: () => ({}) }
  const own = { errors: { FullError: 'when it is full' }, run: () => mood.now() as object, ...changes }
  const counted = countedTool(name, own, origin)
  return { ...counted, mood }
}

const broken = async (counted: CountedTool[], breaker: object = { failures: FAILURES, open_ms: OPEN_MS }) => {
  const served = await serve(counted, { policy: { breaker } })
  const state = (name = 'shop.moody') => served.server.pipeline.breakers.get(`${name} 1.0.0`)?.state
  return { ...served, state }
}

const fail = (): never => {
  throw new Error('the upstream is down')
}
const OPEN = { status: 'failure', error: { error_type: 'UnavailableError', error_details: { breaker: 'open' } } }
const FAILED = { status: 'failure', error: { error_type: 'ToolExecutionError' } }
const waitOf = ({ error }: CallOutcome): number => error?.error_details.retry_after_ms

afterEach(() => vi.restoreAllMocks())

/** The clock of the breaker goes ahead of the real one by as much as the test says. */
function ahead(): { forward(ms: number): void } {
  const real = performance.now.bind(performance)
  let by = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + by)
  return {
    forward: (ms) => {
      by += ms
    },
  }
}

test('closed, open, half-open, closed', async () => {
  const tool = moody()
  const { server, state, file } = await broken([tool], { failures: FAILURES, open_ms: 1000 })
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) expect(await call(server, 'shop.moody')).toMatchObject(FAILED)
  expect(state()).toBe('open')
  const refused = await call(server, 'shop.moody')
  expect(refused).toMatchObject(OPEN)
  expect(tool.ran).toHaveLength(FAILURES)
  expect(file.lines().at(-1)).toMatchObject({ outcome: 'failure', error_type: 'UnavailableError' })
  tool.mood.now = () => ({})
  await pause(waitOf(refused))
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
})

test('half-open, open again', async () => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool], { failures: FAILURES, open_ms: 60_000 })
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  clock.forward(60_000)
  expect(await call(server, 'shop.moody')).toMatchObject(FAILED)
  expect(state()).toBe('open')
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
  expect(tool.ran).toHaveLength(FAILURES + 1)
  clock.forward(59_000)
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
  tool.mood.now = () => ({})
  clock.forward(1000)
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
  // Closed again means all failures are forgiven.
  tool.mood.now = fail
  for (let n = 0; n < FAILURES - 1; n++) await call(server, 'shop.moody')
  expect(state()).toBe('closed')
})

test('the refusal says when to come back, and then a call passes', async () => {
  const clock = ahead()
  const tool = moody()
  const { server } = await broken([tool], { failures: 1, open_ms: 10_000 })
  tool.mood.now = fail
  await call(server, 'shop.moody')
  clock.forward(4000)
  const refused = await call(server, 'shop.moody')
  expect(waitOf(refused)).toBeGreaterThan(5000)
  expect(waitOf(refused)).toBeLessThanOrEqual(6000)
  expect(refused.error?.error_message).toContain(`Try again in ${waitOf(refused)} ms`)
  tool.mood.now = () => ({})
  clock.forward(waitOf(refused))
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
})

test('only failures in a row count', async () => {
  const tool = moody()
  const { server, state } = await broken([tool])
  for (let n = 0; n < 4; n++) {
    tool.mood.now = fail
    for (let m = 0; m < FAILURES - 1; m++) await call(server, 'shop.moody')
    tool.mood.now = () => ({})
    await call(server, 'shop.moody')
  }
  expect(state()).toBe('closed')
})

test('what a tool declares as its own error is an answer like others', async () => {
  const tool = moody()
  const { server, state } = await broken([tool])
  tool.mood.now = () => {
    throw new ToolError('FullError', 'It is full.')
  }
  for (let n = 0; n < FAILURES * 2; n++) {
    expect(await call(server, 'shop.moody')).toMatchObject({ error: { error_type: 'FullError' } })
  }
  expect(state()).toBe('closed')
})

test('so is a word of the catalogue that the tool declares as its own', async () => {
  const tool = moody('shop.moody', { errors: { TimeoutError: 'when the bank takes too long' } })
  const { server, state } = await broken([tool])
  tool.mood.now = () => {
    throw new ToolError('TimeoutError', 'The bank takes too long.')
  }
  for (let n = 0; n < FAILURES * 2; n++) await call(server, 'shop.moody')
  expect(state()).toBe('closed')
})

test('arguments that break the schema say nothing about the tool', async () => {
  const tool = moody()
  const { server, state } = await broken([tool])
  for (let n = 0; n < FAILURES * 2; n++) {
    expect(await call(server, 'shop.moody', { n: 'one' })).toMatchObject({ error: { error_type: 'SchemaError' } })
  }
  expect(state()).toBe('closed')
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
})

test.each([
  ['throws', fail],
  ['rejects', () => Promise.reject(new Error('down'))],
  ['breaks its output schema', () => 'no object'],
  ['returns what JSON cannot hold', () => ({ n: 1n })],
  ['never answers', () => new Promise(() => {})],
  ['says that what is behind it is down', () => Promise.reject(new ToolError('UnavailableError', 'down'))],
])('a tool that %s is unwell', async (_how, now) => {
  const tool = moody('shop.moody', { timeout: 20 })
  const { server, state } = await broken([tool])
  tool.mood.now = now
  for (let n = 0; n < FAILURES; n++) expect((await call(server, 'shop.moody')).status).toBe('failure')
  expect(state()).toBe('open')
})

const away = (): never => {
  throw new ToolError('UnavailableError', 'The upstream is restarted.', { server: 'shop', retry_after_ms: 1 })
}

test('an upstream that is away does not open the breaker of its tool, and is called as soon as it is back', async () => {
  const tool = moody('shop.moody', {}, 'upstream')
  const { server, state, ledger } = await broken([tool])
  await trust(ledger, tool)
  tool.mood.now = away
  for (let n = 0; n < FAILURES * 2; n++)
    expect(await call(server, 'shop.moody')).toMatchObject({ error: { error_details: { server: 'shop' } } })
  expect(tool.ran).toHaveLength(FAILURES * 2)
  expect(state()).toBe('closed')
  tool.mood.now = () => ({})
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
})

test('nor does it forgive what its tool did wrong, or decide for a probe', async () => {
  const clock = ahead()
  const tool = moody('shop.moody', {}, 'upstream')
  const { server, state, ledger } = await broken([tool])
  await trust(ledger, tool)
  tool.mood.now = fail
  for (let n = 0; n < FAILURES - 1; n++) expect(await call(server, 'shop.moody')).toMatchObject(FAILED)
  tool.mood.now = away
  await call(server, 'shop.moody')
  tool.mood.now = fail
  await call(server, 'shop.moody')
  expect(state()).toBe('open')
  clock.forward(OPEN_MS)
  tool.mood.now = away
  await call(server, 'shop.moody')
  expect(state()).toBe('half-open')
  tool.mood.now = () => ({})
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
})

test('of twenty parallel calls one is let through to see', async () => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool])
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  clock.forward(OPEN_MS)
  const { open, opened } = latch()
  tool.mood.now = () => opened.then(() => ({}))
  const calls = Array.from({ length: 20 }, () => call(server, 'shop.moody'))
  await eventually(() => expect(tool.ran).toHaveLength(FAILURES + 1))
  expect(state()).toBe('half-open')
  open()
  const all = await Promise.all(calls)
  expect(all.filter(({ status }) => status === 'success')).toHaveLength(1)
  for (const one of all.filter(({ status }) => status !== 'success')) {
    expect(one).toMatchObject(OPEN)
    expect(waitOf(one)).toBeGreaterThan(0)
  }
  expect(tool.ran).toHaveLength(FAILURES + 1)
  expect(state()).toBe('closed')
})

test('a probe that is cancelled does not hold the breaker for ever', async () => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool])
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  clock.forward(OPEN_MS)
  tool.mood.now = () => new Promise(() => {})
  const peer = modernPeer(server)
  const probe = peer.request('tools/call', { name: 'moody', arguments: {} }, 7)
  await eventually(() => expect(tool.ran).toHaveLength(FAILURES + 1))
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  expect(await probe).toBeUndefined()
  expect(state()).toBe('half-open')
  tool.mood.now = () => ({})
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
})

test('nor does one that ends as an error of the protocol', async () => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool])
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  clock.forward(OPEN_MS)
  tool.mood.now = () => Promise.reject(new RpcError(-32021, 'no such capability'))
  await expect(call(server, 'shop.moody')).rejects.toThrow(/capability/)
  expect(state()).toBe('half-open')
  tool.mood.now = () => ({})
  expect(await call(server, 'shop.moody')).toMatchObject({ status: 'success' })
})

test('calls that began before it opened neither close it, nor let a second probe in', async () => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool])
  const slow = [latch(), latch()] as const
  const peer = modernPeer(server)
  tool.mood.now = () => slow[0].opened.then(() => ({}))
  const succeeds = call(server, 'shop.moody')
  await eventually(() => expect(tool.ran).toHaveLength(1))
  tool.mood.now = () => slow[1].opened.then(() => ({}))
  const cancelled = peer.request('tools/call', { name: 'moody', arguments: {} }, 8)
  await eventually(() => expect(tool.ran).toHaveLength(2))
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  expect(state()).toBe('open')
  // Results from before the failure no longer count.
  slow[0].open()
  expect(await succeeds).toMatchObject({ status: 'success' })
  expect(state()).toBe('open')
  clock.forward(OPEN_MS)
  const probe = latch()
  tool.mood.now = () => probe.opened.then(() => ({}))
  const probing = call(server, 'shop.moody')
  await eventually(() => expect(state()).toBe('half-open'))
  const ran = tool.ran.length
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } })
  expect(await cancelled).toBeUndefined()
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
  expect(tool.ran).toHaveLength(ran)
  probe.open()
  expect(await probing).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
})

test('results that are only repeated say nothing about the tool', async () => {
  const tool = moody()
  const { server, state } = await broken([tool])
  tool.mood.now = fail
  for (let n = 0; n < FAILURES * 2; n++)
    expect(await call(server, 'shop.moody', {}, { key: 'k' })).toMatchObject(FAILED)
  expect(tool.ran).toHaveLength(1)
  expect(state()).toBe('closed')
})

test.each<[string, CallOptions, object]>([
  ['a recorded success', { key: 'good' }, {}],
  ['a key that is no key', { key: 'x'.repeat(300) }, {}],
  ['a key of other arguments', { key: 'good' }, { n: 2 }],
])('%s does not close it: the tool has not run', async (_what, options, args) => {
  const clock = ahead()
  const tool = moody()
  const { server, state } = await broken([tool])
  expect(await call(server, 'shop.moody', {}, { key: 'good' })).toMatchObject({ status: 'success' })
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  clock.forward(OPEN_MS)
  await call(server, 'shop.moody', args, options)
  expect(state()).toBe('half-open')
  expect(tool.ran).toHaveLength(FAILURES + 1)
  expect(await call(server, 'shop.moody')).toMatchObject(FAILED)
  expect(state()).toBe('open')
})

test('a ledger that cannot keep keys is not the fault of the tool', async () => {
  const tool = moody()
  const { server, state, file } = await broken([tool])
  file.exec('ALTER TABLE once RENAME TO gone')
  for (let n = 0; n < FAILURES * 2; n++) {
    expect(await call(server, 'shop.moody', {}, { key: `k${n}` })).toMatchObject({
      error: { error_type: 'UnavailableError' },
    })
  }
  expect(tool.ran).toHaveLength(0)
  expect(state()).toBe('closed')
})

test('each tool and each version has its own', async () => {
  const one = moody()
  const two = moody('shop.moody', { version: '2.0.0' })
  const other = moody('shop.other')
  const { server, state } = await broken([one, two, other])
  two.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
  expect(await call(server, 'shop.moody', {}, { meta: { 'myrmex/version': '^1' } })).toMatchObject({
    status: 'success',
  })
  expect(await call(server, 'shop.other')).toMatchObject({ status: 'success' })
  expect(state()).toBe('closed')
})

test('it stays open when the registry changes', async () => {
  const tool = moody()
  const { server } = await broken([tool])
  tool.mood.now = fail
  for (let n = 0; n < FAILURES; n++) await call(server, 'shop.moody')
  server.registry.register(countedTool('shop.new').tool)
  expect(await call(server, 'shop.moody')).toMatchObject(OPEN)
})

test('an open breaker does not spend the approval of a call', async () => {
  const refund = { ...destructiveTool('shop.refund', { input: z.object({}), run: fail }) }
  const { server, ledger } = await broken([refund], { failures: 1, open_ms: 60_000 })
  await grant(ledger, refund)
  expect(await call(server, 'shop.refund')).toMatchObject(FAILED)
  await ledger.grants.revoke('shop.refund', 'ada')
  const { error } = await call(server, 'shop.refund')
  await ledger.approvals.approve(error?.error_details.approval, 'ada')
  expect(await call(server, 'shop.refund')).toMatchObject(OPEN)
  expect(await ledger.approvals.find(error?.error_details.approval)).toMatchObject({ status: 'approved' })
})
