/** Tokens of callers over HTTP: what they admit, while the host runs. */

import { once } from 'node:events'
import { get } from 'node:http'
import { openSession, post, postModern, send } from '@myrmex/testing/http-server'
import { modernMeta } from '@myrmex/testing/mcp-peer'
import { twoServers } from '@myrmex/testing/profiles/two-servers'
import { expect, test, vi } from 'vitest'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const CALL = { tool_name: 'ants.read_ants', arguments: {} }

test('a token of a profile has it wherever it connects, and no other', async () => {
  const { ledger, origin } = await twoServers()
  const { token } = await ledger.tokens.create('cursor', { scopes: ['*'], profile: 'ants' }, 'ada')
  const list = async (path: string) => {
    const { status, json } = await postModern(`${origin}${path}`, 'tools/list', {}, bearer(token))
    return status === 200 ? json.result.tools.map(({ name }: { name: string }) => name) : status
  }
  const own = ['ants_read_ants', 'ants_wait_ants', 'ants_write_ants', 'myrmex_call_tool', 'myrmex_search_tools']
  expect(await list('/mcp')).toEqual(own)
  expect(await list('/mcp/p/ants')).toEqual(own)
  expect(await list('/mcp/p/bees')).toBe(403)
  // Nor does it learn which others there are.
  expect(await list('/mcp/p/nobody')).toBe(403)
  expect((await post(`${origin}/p/bees/call`, CALL, bearer(token))).status).toBe(403)
  expect((await send(`${origin}/metrics`, 'GET', bearer(token))).status).toBe(403)
  expect((await send(`${origin}/healthz`, 'GET', bearer(token))).json).toMatchObject({ tools_count: 5 })
  expect((await post(`${origin}/call`, CALL, bearer(token))).json).toMatchObject({ status: 'success' })
})

test('a profile narrows what scopes allow, and adds nothing', async () => {
  const { ledger, origin } = await twoServers()
  const { token } = await ledger.tokens.create('ci', { scopes: ['bees.*', 'ants.read_ants'], profile: 'ants' }, 'ada')
  const call = async (tool_name: string) =>
    (await post(`${origin}/call`, { tool_name, arguments: {} }, bearer(token))).json.error?.error_type ?? 'success'
  expect(await call('ants.read_ants')).toBe('success')
  expect(await call('ants.write_ants')).toBe('PermissionError')
  expect(await call('bees.read_bees')).toBe('ToolNotFoundError')
})

test('on loopback callers without a token still come in, and nobody with a bad one', async () => {
  const { ledger, origin } = await twoServers()
  const { token } = await ledger.tokens.create('ci', { scopes: ['*'] }, 'ada')
  const status = async (headers: Record<string, string>) => (await post(`${origin}/call`, CALL, headers)).status
  expect(await status({})).toBe(200)
  expect(await status(bearer(token))).toBe(200)
  const mistyped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')
  for (const bad of [mistyped, 'myx_', 'myx_short']) expect(await status(bearer(bad))).toBe(401)
  await ledger.tokens.revoke('ci', 'ada')
  expect(await status(bearer(token))).toBe(401)
})

test('with requireToken nobody comes in without one', async () => {
  const { ledger, origin } = await twoServers({ requireToken: true })
  expect(await post(`${origin}/call`, CALL)).toMatchObject({ status: 401 })
  expect(await post(`${origin}/call`, CALL, bearer('something'))).toMatchObject({ status: 401 })
  const { token } = await ledger.tokens.create('ci', { scopes: ['ants.*'] }, 'ada')
  expect((await post(`${origin}/call`, CALL, bearer(token))).json).toMatchObject({ status: 'success' })
})

test('tokens of the ledger and MYRMEX_TOKEN are accepted side by side', async () => {
  const { ledger, origin } = await twoServers({ token: 'the-token-of-everybody-else' })
  const { token } = await ledger.tokens.create('ci', { scopes: ['ants.*'] }, 'ada')
  for (const good of [token, 'the-token-of-everybody-else'])
    expect((await post(`${origin}/call`, CALL, bearer(good))).status).toBe(200)
  expect((await post(`${origin}/call`, CALL)).status).toBe(401)
})

test('when a token is revoked by another process, its streams and sessions end', async () => {
  const { ledger, file, log, origin, url } = await twoServers()
  const { token } = await ledger.tokens.create('ci', { scopes: ['*'] }, 'ada')
  const session = await openSession(url, '2025-11-25', bearer(token))
  const headers = { ...session, ...bearer(token), accept: 'text/event-stream' }
  const standing = get(url, { headers })
  const [stream] = (await once(standing, 'response')) as [import('node:http').IncomingMessage]
  stream.resume()
  const listening = fetch(url, {
    method: 'POST',
    headers: {
      ...bearer(token),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: { notifications: { toolsListChanged: true }, _meta: modernMeta() },
    }),
  })
  const reader = (await listening).body?.getReader()
  await reader?.read()
  const inFlight = postModern(url, 'tools/call', { name: 'ants_wait_ants', arguments: {} }, bearer(token))
  const plain = ['/call', '/batch'].map((path) => {
    const call = { tool_name: 'ants.wait_ants', arguments: {} }
    return post(`${origin}${path}`, path === '/call' ? call : { calls: [call] }, bearer(token))
  })
  await vi.waitFor(() => expect(log.filter((line) => line.includes('waiting ants'))).toHaveLength(3))
  const cut = Promise.all([inFlight, ...plain].map((one) => expect(one).rejects.toThrow()))
  const other = await file.open()
  await other.tokens.revoke('ci', 'ada')
  await Promise.all([once(stream, 'close'), cut])
  for (;;) {
    const read = await reader?.read().catch(() => ({ done: true }))
    if (read === undefined || read.done) break
  }
  expect(
    (await post(url, { jsonrpc: '2.0', id: 5, method: 'tools/list' }, { ...session, ...bearer(token) })).status,
  ).toBe(401)
})
