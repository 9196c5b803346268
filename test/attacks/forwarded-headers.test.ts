/**
 * Attacker: a remote caller behind a reverse proxy
 * Attack: reaches an open server on loopback through the proxy, whose connection is one of this machine, and is taken for the local user.
 * Stopped by: a request with a header of a proxy is never that of the local user, and a server that trusts a proxy does not start without
 * tokens.
 *
 * Attacker: anybody who can send a request
 * Attack: writes `X-Forwarded-Host` or `Forwarded` itself, to pass for a host that is served or to move the OAuth metadata to its own site.
 * Stopped by: these headers are believed only from addresses that the operator named, of several values only that of the nearest proxy,
 * and both kinds together are refused.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { add } from '@myrmex/testing/sample-tools'
import { ISSUER, signingKey } from '@myrmex/testing/token-issuer'
import { createServer, type HttpOptions, listenHttp } from 'myrmex'
import { afterEach, describe, expect, test } from 'vitest'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function serve(options: HttpOptions = {}, policy: object = {}): Promise<number> {
  const pages = {
    has: (path: string) => path === '/page',
    serve: async (_request: object, response: { end(text: string): void }) => response.end('page'),
  }
  const server = createServer({ name: 'proxied', version: '1.0.0', tools: [add], policy: parsePolicy(policy) })
  const listening = await listenHttp(server, { pages, ...options })
  open.push(listening)
  return listening.port
}

async function answerTo(
  port: number,
  path: string,
  headers: readonly string[],
): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1')
  const body = '{"tool_name":"math.add","arguments":{"a":1,"b":2}}'
  const isCall = path === '/call'
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => (text += part))
  const own = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: 127.0.0.1']
  const head = [
    `${isCall ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    ...own,
    'Connection: close',
    'Content-Type: application/json',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${isCall ? body.length : 0}\r\n\r\n${isCall ? body : ''}`)
  await once(socket, 'close')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }
}

describe('a caller behind a proxy is the local user', () => {
  const PROXIED = [
    'X-Forwarded-For: 203.0.113.7',
    'X-Forwarded-Host: tools.example',
    'X-Forwarded-Proto: https',
    'Forwarded: for=203.0.113.7',
    'X-Real-IP: 203.0.113.7',
    'Via: 1.1 proxy',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-For: ',
    'X-Forwarded-Port: 1',
    'X-Forwarded-Server: proxy',
    'X-Forwarded-Prefix: /tools',
    'X-Forwarded-Scheme: https',
    'X-Forwarded-Ssl: on',
    'X-FORWARDED-ANYTHING: 1',
    'X-Original-For: 203.0.113.7',
    'X-Original-Host: tools.example',
    'X-Client-Ip: 203.0.113.7',
    'X-Cluster-Client-Ip: 203.0.113.7',
    'X-Azure-ClientIP: 203.0.113.7',
    'X-Envoy-External-Address: 203.0.113.7',
    'True-Client-Ip: 203.0.113.7',
    'Cf-Connecting-Ip: 203.0.113.7',
    'CDN-Loop: cdn',
    'CloudFront-Viewer-Address: 203.0.113.7:1',
    'Fastly-Client-Ip: 203.0.113.7',
    'Fly-Client-Ip: 203.0.113.7',
    'Forwarded-For: 203.0.113.7',
    // Node drops the headers after the first thousand, by default.
    `${'a:\r\n'.repeat(3000)}X-Forwarded-For: 203.0.113.7`,
  ].map((header) => [header.slice(0, 30), header] as const)

  test.each(PROXIED)('%s', async (_shown, header) => {
    for (const localUsers of ['own', 'all'] as const) {
      const port = await serve({ localUsers })
      expect((await answerTo(port, '/call', [])).text).toContain('"sum":3')
      const got = await answerTo(port, '/call', [header])
      expect(got.status).toBe(403)
      expect(got.text).toContain('callers through a proxy need a token')
      expect((await answerTo(port, '/page', [header])).status).toBe(403)
      // A load balancer may still look.
      expect((await answerTo(port, '/healthz', [header])).status).toBe(200)
    }
  })

  test.each(['X-Request-Id: 1', 'Forward: 1', 'X-Forward: 1', 'Viable: 1', 'Confidence: 1', 'Traceparent: 00-1-1-0'])(
    'but a program on this machine that sends %s is',
    async (header) => {
      expect((await answerTo(await serve(), '/call', [header])).text).toContain('"sum":3')
    },
  )

  test('a server that trusts a proxy and asks for no token does not start', async () => {
    await expect(serve({ trustProxy: ['loopback'] })).rejects.toThrow(/callers need a token: set MYRMEX_TOKEN/)
  })

  test('with a token it is the caller of the token', async () => {
    const port = await serve({ token: 'secret', trustProxy: ['loopback'] })
    const proxied = ['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-Host: 127.0.0.1']
    expect((await answerTo(port, '/call', proxied)).status).toBe(401)
    expect((await answerTo(port, '/call', [...proxied, 'Authorization: Bearer secret'])).text).toContain('"sum":3')
    expect((await answerTo(port, '/page', proxied)).status).toBe(200)
  })
})

describe('a Host header that only the attacker wrote is believed', () => {
  const statusOf = async (options: HttpOptions, ...headers: string[]): Promise<number> =>
    (await answerTo(await serve({ token: 'secret', ...options }), '/healthz', headers)).status
  const behind = { allowedHosts: ['tools.example'], trustProxy: ['loopback'] }

  test('of an address that is no proxy', async () => {
    for (const trustProxy of [[], ['192.0.2.1'], ['10.0.0.0/8', '2001:db8::/32']]) {
      const options = { allowedHosts: ['tools.example'], trustProxy }
      expect(await statusOf(options, 'Host: evil.example', 'X-Forwarded-Host: tools.example')).toBe(403)
      expect(await statusOf(options, 'Host: evil.example', 'Forwarded: host=tools.example')).toBe(403)
      expect(await statusOf(options, 'Host: tools.example', 'X-Forwarded-Host: evil.example')).toBe(200)
    }
  })

  test.each([
    ['alone', ['X-Forwarded-Host: tools.example'], 200],
    ['in capitals', ['X-Forwarded-Host: Tools.Example:443'], 200],
    ['as Forwarded', ['Forwarded: for=203.0.113.7;host="tools.example";proto=https'], 200],
    ['of another host', ['X-Forwarded-Host: evil.example'], 403],
    ['before that of the proxy', ['X-Forwarded-Host: tools.example, evil.example'], 403],
    [
      'in a header before that of the proxy',
      ['X-Forwarded-Host: tools.example', 'X-Forwarded-Host: evil.example'],
      403,
    ],
    ['in an element before that of the proxy', ['Forwarded: host=tools.example, host=evil.example'], 403],
    ['of the proxy after that of the client', ['X-Forwarded-Host: evil.example, tools.example'], 200],
    ['in both kinds of headers', ['X-Forwarded-Host: tools.example', 'Forwarded: host=tools.example'], 400],
    ['in a kind that the proxy passes on', ['X-Forwarded-Proto: https', 'Forwarded: host=tools.example'], 400],
    ['twice in one element', ['Forwarded: host=evil.example;host=tools.example'], 400],
    ['with a quote that does not end', ['Forwarded: host="tools.example'], 400],
    ['empty', ['X-Forwarded-Host: '], 403],
    ['with a protocol that is none', ['X-Forwarded-Host: tools.example', 'X-Forwarded-Proto: javascript'], 400],
    ['with a user', ['X-Forwarded-Host: tools.example@evil.example'], 403],
    ['with a line break in it', ['X-Forwarded-Host: tools.example\\r\\nX: y'], 403],
  ])('%s', async (_what, headers, status) => {
    expect(await statusOf(behind, 'Host: 192.0.2.9', ...headers)).toBe(status)
  })

  test('two Host headers are refused, or the first counts', async () => {
    expect(await statusOf({ allowedHosts: ['tools.example'] }, 'Host: evil.example', 'Host: tools.example')).not.toBe(
      200,
    )
  })
})

describe('the OAuth metadata points to the attacker', () => {
  const resourceOf = async (options: HttpOptions, ...headers: string[]): Promise<string> => {
    const { jwk } = await signingKey('first')
    const policy = { jwt: { issuer: ISSUER, audience: 'tools', jwks: { keys: [jwk] } } }
    const port = await serve(options, policy)
    const { text } = await answerTo(port, '/.well-known/oauth-protected-resource', headers)
    const { text: refused } = await answerTo(port, '/mcp', headers)
    const { resource } = JSON.parse(text.slice(text.indexOf('{')))
    const [, metadata] = /resource_metadata="([^"]*)"/.exec(refused) ?? []
    expect(metadata).toBe(`${new URL(resource).origin}/.well-known/oauth-protected-resource/mcp`)
    return resource
  }

  test('by a header of anybody', async () => {
    const headers = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']
    expect(await resourceOf({}, 'Host: 127.0.0.1', ...headers)).toBe('http://127.0.0.1/mcp')
    expect(await resourceOf({ trustProxy: ['192.0.2.1'] }, 'Host: 127.0.0.1', ...headers)).toBe('http://127.0.0.1/mcp')
  })

  test('behind a proxy that is trusted it is the address that clients use', async () => {
    const options = { allowedHosts: ['tools.example'], trustProxy: ['127.0.0.0/8'] }
    const headers = ['X-Forwarded-Host: tools.example', 'X-Forwarded-Proto: https']
    expect(await resourceOf(options, ...headers)).toBe('https://tools.example/mcp')
    expect(await resourceOf(options, 'Forwarded: proto=https;host=tools.example')).toBe('https://tools.example/mcp')
    expect(await resourceOf(options, 'Host: tools.example', 'X-Forwarded-Proto: https')).toBe(
      'https://tools.example/mcp',
    )
  })
})

test.each([
  'everybody',
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.1/8/8',
  '::1/129',
  '*',
  '',
  'localhost',
  '10.0.0.0/-1',
  '1.2.3.4/',
])('the proxy %j cannot be named', async (address) => {
  await expect(serve({ token: 'secret', trustProxy: [address] })).rejects.toThrow(/not an address, a range/)
})

test.each(['tools.example:443', 'https://tools.example', '*.example', '', 'a b'])(
  'the host %j cannot be named',
  async (name) => {
    await expect(serve({ token: 'secret', allowedHosts: [name] })).rejects.toThrow(/not a host name without a port/)
  },
)
