/** Keys over the wire: of single calls, of calls in batches, and of whole batches that are sent again. */

import { type CountedTool, latch, numberTool, serve } from '@myrmex/testing/gated-server'
import { post } from '@myrmex/testing/http-server'
import { legacyPeer, modernMeta } from '@myrmex/testing/mcp-peer'
import { expect, test } from 'vitest'
import { listenHttp } from '../../transport/listen-http.ts'

const listen = async (counted: CountedTool[]) => {
  const { server, file } = await serve(counted)
  const listening = await listenHttp(server)
  return { file, server, listening, origin: `http://127.0.0.1:${listening.port}` }
}
const toolCall = (n = 1) => ({ tool_name: 'shop.number', arguments: { n } })

test('POST /call takes an Idempotency-Key header', async () => {
  const number = numberTool()
  const { origin, listening } = await listen([number])
  const send = (key: string, n = 1) => post(`${origin}/call`, toolCall(n), { 'idempotency-key': key })
  expect((await send('k')).json).toMatchObject({ status: 'success', data: { run: 1 } })
  expect((await send('k')).json).toMatchObject({ status: 'success', data: { run: 1 } })
  expect(await send('k', 2)).toMatchObject({ status: 400, json: { error: { error_type: 'ValidationError' } } })
  expect(await send('x'.repeat(201))).toMatchObject({ status: 400 })
  expect(await send('')).toMatchObject({ status: 400 })
  expect(number.ran).toHaveLength(1)
  await listening.close()
})

test('POST /batch takes one for all its calls, each in its place', async () => {
  const number = numberTool()
  const { origin, listening } = await listen([number])
  const send = (calls: object[], key = 'k') => post(`${origin}/batch`, { calls }, { 'idempotency-key': key })
  const runs = ({ json }: { json: { results: { data: { run: number } | null }[] } }) =>
    json.results.map(({ data }) => data?.run)
  // The same call twice in one batch is meant twice.
  expect(runs(await send([toolCall(1), toolCall(1)]))).toEqual([1, 2])
  expect(runs(await send([toolCall(1), toolCall(1)]))).toEqual([1, 2])
  expect(runs(await send([toolCall(1), toolCall(1), toolCall(3)]))).toEqual([1, 2, 3])
  expect((await send([toolCall(9)])).json).toMatchObject({
    status: 'failure',
    results: [{ error: { error_type: 'ValidationError' } }],
  })
  expect(number.ran).toHaveLength(3)
  for (let n = 0; n < 2; n++) {
    expect((await send([toolCall(5)], '')).json).toMatchObject({
      results: [{ error: { error_type: 'ValidationError' } }],
    })
  }
  expect(number.ran).toHaveLength(3)
  await listening.close()
})

test('myrmex/batch with a key, repeated after half of it ran, runs the other half only', async () => {
  const { open, opened } = latch()
  let runs = 0
  const number = numberTool({ run: () => ({ run: ++runs }) })
  const stuck = numberTool({ run: () => opened.then(() => ({ run: ++runs })), timeout: 1000 }, 'shop.stuck')
  const { server, file } = await serve([number, stuck])
  const peer = await legacyPeer(server)
  const calls = ['number', 'stuck', 'number'].map((name, n) => ({ name, arguments: { n } }))
  const send = async (key: unknown = 'k') =>
    peer.request('myrmex/batch', { calls, _meta: { 'myrmex/idempotencyKey': key } })
  const half = (await send()).result
  expect(half).toMatchObject({
    status: 'partial_success',
    results: [{ data: { run: 1 } }, { error: { error_type: 'TimeoutError' } }, { data: { run: 2 } }],
  })
  open()
  const whole = (await send()).result
  expect(whole).toMatchObject({
    status: 'success',
    results: [{ data: { run: 1 } }, { data: { run: 3 } }, { data: { run: 2 } }],
  })
  expect([number.ran.length, stuck.ran.length]).toEqual([2, 1])
  expect(file.lines()).toHaveLength(6)
  for (const key of [7, null, '', ['k']]) {
    const { error, result } = await send(key)
    expect(error?.code ?? result.status, JSON.stringify(key)).not.toBe('success')
  }
  expect([number.ran.length, stuck.ran.length]).toEqual([2, 1])
})

test('a call in a batch may have a key of its own', async () => {
  const number = numberTool()
  const { server } = await serve([number])
  const own = (key: string) => ({ name: 'number', arguments: {}, _meta: { 'myrmex/idempotencyKey': key } })
  const peer = await legacyPeer(server)
  for (let n = 0; n < 2; n++) {
    const { result } = await peer.request('myrmex/batch', { calls: [own('a'), own('a'), own('b')] })
    expect(result.results.map(({ data }: { data: { run: number } }) => data.run)).toEqual([1, 1, 2])
  }
})

test('a modern request over HTTP has its key in its metadata', async () => {
  const number = numberTool()
  const { listening } = await listen([number])
  const params = { name: 'number', arguments: {}, _meta: modernMeta({}, { 'myrmex/idempotencyKey': 'k' }) }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'number' }
  for (let id = 1; id <= 2; id++) {
    const got = await post(listening.url, { jsonrpc: '2.0', id, method: 'tools/call', params }, headers)
    expect(got.json.result.structuredContent).toEqual({ run: 1 })
  }
  expect(number.ran).toHaveLength(1)
  await listening.close()
})
