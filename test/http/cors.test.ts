/** Web pages of other origins: preflights before authentication, headers for the named origins, nothing for any other. */
import { type HttpAnswer, post, postModern, send } from '@myrmex/testing/http-server'
import { add } from '@myrmex/testing/sample-tools'
import { createServer, type HttpOptions, listenHttp } from 'myrmex'
import { afterEach, describe, expect, test } from 'vitest'

const PAGE = 'https://console.example'
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function serve(options: HttpOptions = {}): Promise<string> {
  const server = createServer({ name: 'cors', version: '1.0.0', tools: [add] })
  const listening = await listenHttp(server, { allowedOrigins: [PAGE, 'http://localhost:5173'], ...options })
  open.push(listening)
  return `http://127.0.0.1:${listening.port}`
}

const corsHeaders = ({ headers }: HttpAnswer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const preflight = (url: string, origin = PAGE, more: Record<string, string> = {}) =>
  send(url, 'OPTIONS', { origin, 'access-control-request-method': 'POST', ...more })

describe('a preflight', () => {
  test.each(['/mcp', '/call', '/batch', '/.well-known/oauth-protected-resource', '/healthz'])(
    'of a named origin is answered before authentication, at %s',
    async (path) => {
      const origin = await serve({ token: 'secret' })
      const got = await preflight(`${origin}${path}`)
      expect(got).toMatchObject({
        status: 204,
        body: '',
        headers: {
          'access-control-allow-origin': PAGE,
          'access-control-allow-methods': 'GET, POST, DELETE',
          'access-control-max-age': '600',
          vary: 'Origin, Access-Control-Request-Headers',
        },
      })
      expect(got.headers).not.toHaveProperty('access-control-allow-credentials')
    },
  )

  test('allows the headers of MCP, and those of a tool, and no others', async () => {
    const origin = await serve({ token: 'secret' })
    const wanted =
      'authorization, content-type, mcp-param-Region, mcp-session-id, idempotency-key, cookie, x-admin, mcp-\u00e9'
    const { headers } = await preflight(`${origin}/mcp`, PAGE, { 'access-control-request-headers': wanted })
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
    for (const name of [
      'authorization',
      'content-type',
      'accept',
      'last-event-id',
      'mcp-protocol-version',
      'mcp-session-id',
      'mcp-method',
      'mcp-name',
      'mcp-param-region',
      'idempotency-key',
    ])
      expect(allowed).toContain(name)
    for (const name of ['cookie', 'x-admin', '*']) expect(allowed).not.toContain(name)
  })

  test('of a page on the public network to this one is allowed if the browser asks', async () => {
    const origin = await serve()
    const asked = await preflight(`${origin}/mcp`, PAGE, { 'access-control-request-private-network': 'true' })
    expect(asked.headers['access-control-allow-private-network']).toBe('true')
    expect((await preflight(`${origin}/mcp`)).headers).not.toHaveProperty('access-control-allow-private-network')
  })
})

describe('an answer to a page of a named origin', () => {
  test('can be read, with its session, challenge and waiting time', async () => {
    const origin = await serve({ token: 'secret' })
    const headers = { origin: PAGE, authorization: 'Bearer secret' }
    const got = await postModern(`${origin}/mcp`, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, headers)
    expect(got).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Retry-After',
        vary: 'Origin',
      },
    })
  })

  test.each([
    ['401', '/mcp', { 'content-type': 'application/json' }, 401],
    ['404', '/nothing', { authorization: 'Bearer secret' }, 404],
    ['405', '/call', { authorization: 'Bearer secret' }, 405],
  ])('can be read if it is an error: %s', async (_what, path, headers, status) => {
    const origin = await serve({ token: 'secret' })
    const got = await send(`${origin}${path}`, 'GET', { origin: PAGE, ...headers })
    expect(got).toMatchObject({ status, headers: { 'access-control-allow-origin': PAGE } })
    expect(got.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  })

  test('each origin gets its own name', async () => {
    const origin = await serve()
    for (const page of [PAGE, 'http://localhost:5173']) {
      const got = await send(`${origin}/healthz`, 'GET', { origin: page })
      expect(got.headers['access-control-allow-origin']).toBe(page)
    }
  })

  test('a stream of a legacy session has them too', async () => {
    const origin = await serve()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const got = await post(`${origin}/mcp`, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, { origin: PAGE })
    expect(got.headers['mcp-session-id']).toBeTypeOf('string')
    expect(got.headers['access-control-expose-headers']).toContain('Mcp-Session-Id')
  })
})

test('a page of this machine that is not named can be served, and cannot read the answer', async () => {
  const origin = await serve()
  const page = 'http://localhost:3000'
  const got = await send(`${origin}/healthz`, 'GET', { origin: page })
  expect([got.status, corsHeaders(got)]).toEqual([200, []])
  const asked = await preflight(`${origin}/mcp`, page)
  expect([asked.status, corsHeaders(asked)]).toEqual([405, []])
})

test('without an origin the answer has no such header, and caches learn that', async () => {
  const origin = await serve()
  const got = await send(`${origin}/healthz`, 'GET')
  expect([got.status, corsHeaders(got), got.headers.vary]).toEqual([200, [], 'Origin'])
})

test('without named origins nothing of this is sent', async () => {
  const origin = await serve({ allowedOrigins: [] })
  const got = await send(`${origin}/healthz`, 'GET', { origin: 'http://localhost:3000' })
  expect([got.status, corsHeaders(got), got.headers.vary]).toEqual([200, [], undefined])
  expect((await preflight(`${origin}/mcp`, 'http://localhost:3000')).status).toBe(405)
})

test.each([
  ['*', /Name each origin/],
  ['null', /sandboxed page/],
  ['console.example', /not an origin/],
  ['https://console.example/', /must be written as browsers send it: https:\/\/console\.example$/],
  ['https://Console.Example', /as browsers send it/],
  ['https://console.example:443', /as browsers send it/],
  ['https://console.example/app', /as browsers send it/],
  ['file:///tmp/page.html', /not an origin/],
  ['https://*.example', /is a pattern/],
])('the origin %j cannot be named', async (origin, why) => {
  await expect(serve({ allowedOrigins: [origin] })).rejects.toThrow(why)
})
