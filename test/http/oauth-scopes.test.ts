/** Requests out of scope with tokens of an OAuth issuer: 403 and the scope that covers them, on every surface. All other callers get a result. */
import { createHash } from 'node:crypto'
import { openSession, post, postModern, send } from '@myrmex/testing/http-server'
import { add, echo, toolDefaults } from '@myrmex/testing/sample-tools'
import { AUDIENCE, ISSUER, type SigningKey, signingKey, token } from '@myrmex/testing/token-issuer'
import { createServer, listenHttp, prompt, resource, ToolError, tool } from 'myrmex'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

let key: SigningKey
beforeAll(async () => {
  key = await signingKey('first')
})

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Fails as if it were out of scope, which only the server can say. */
const liar = tool({
  ...toolDefaults,
  name: 'math.liar',
  input: z.object({}),
  output: z.object({}),
  run: () => {
    throw new ToolError('PermissionError', 'no', { missing_scope: 'everything' })
  },
})
const nested = tool({
  ...toolDefaults,
  name: 'math.nested',
  input: z.object({}),
  output: z.object({ inner: z.string() }),
  run: async (_input, ctx) => ({ inner: (await ctx.call('text.echo', { text: 'x' })).error?.error_type ?? 'none' }),
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function serve(jwt: object = {}): Promise<string> {
  const policy = {
    jwt: { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [key.jwk] }, ...jwt },
    principals: [{ id: 'ci', token_sha256: sha256('of-ci'), scopes: ['math.*'] }],
  }
  const server = createServer({
    name: 'scoped',
    version: '1.0.0',
    tools: [add, echo, liar, nested],
    resources: [resource({ uri: 'notes://one', name: 'one', read: () => 'x' })],
    prompts: [prompt({ name: 'greet', get: () => 'Hello' })],
    policy: parsePolicy(policy),
  })
  const listening = await listenHttp(server)
  open.push(listening)
  return `http://127.0.0.1:${listening.port}`
}

const bearer = async (scope: string, claims: object = {}): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await token(key, { scope, ...claims })}`,
})

const METADATA = 'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"'
const challenge = (scope: string): string =>
  `Bearer realm="myrmex", error="insufficient_scope", error_description="The token does not cover this request", scope="${scope}", ${METADATA}`

const ECHO = { name: 'text.echo', arguments: { text: 'x' } }

describe('a call out of scope', () => {
  test('in the modern era names the scope that is needed, and nothing more', async () => {
    const origin = await serve()
    const got = await postModern(`${origin}/mcp`, 'tools/call', ECHO, await bearer('math.*'))
    expect(got).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': challenge('text.*'), 'content-type': 'application/json' },
      json: { id: 1, result: { isError: true, structuredContent: { error_type: 'PermissionError' } } },
    })
    expect(got.json.result.structuredContent.error_details).toMatchObject({ missing_scope: 'text.echo' })
  })

  test('in the legacy era also names the scopes of the token, which the next one would lack', async () => {
    const origin = await serve()
    const headers = await bearer('math.* openid')
    const session = await openSession(`${origin}/mcp`, '2025-11-25', headers)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ECHO }
    const got = await post(`${origin}/mcp`, body, { ...session, ...headers })
    expect(got).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge('math.* openid text.*') } })
    expect(got.json).toMatchObject({ id: 1, result: { isError: true } })
  })

  test('on POST /call is a ToolResult with the same status and header', async () => {
    const origin = await serve()
    const got = await post(`${origin}/call`, { tool_name: 'echo', arguments: { text: 'x' } }, await bearer('math.*'))
    expect(got).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': challenge('text.*') },
      json: { status: 'failure', error: { error_type: 'PermissionError' } },
    })
  })

  test.each([
    ['resources/read', { uri: 'notes://one' }, 'resource:scoped'],
    ['prompts/get', { name: 'greet' }, 'prompt:scoped.*'],
  ])('the same for %s', async (method, params, scope) => {
    const origin = await serve()
    const got = await postModern(`${origin}/mcp`, method, params, await bearer('math.*'))
    expect(got).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge(scope) } })
    expect(got.json.error.data).toMatchObject({ error_type: 'PermissionError' })
  })

  test('the same for the metrics', async () => {
    const origin = await serve()
    const got = await send(`${origin}/metrics`, 'GET', await bearer('math.*'))
    expect(got).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge('method:metrics') } })
    const other = await send(`${origin}/metrics`, 'GET', { authorization: 'Bearer of-ci' })
    expect([other.status, other.headers['www-authenticate']]).toEqual([403, undefined])
  })

  test.each([
    ['math.add text.echo text.*', 'text.echo'],
    ['math.*', 'text.echo'],
    ['*', '*'],
    ['', 'text.echo'],
  ])('of the offered scopes %j, the most exact that covers it', async (offered, scope) => {
    const origin = await serve({ scopes_supported: offered.split(' ').filter(Boolean) })
    const { headers } = await postModern(`${origin}/mcp`, 'tools/call', ECHO, await bearer('math.*'))
    expect(headers['www-authenticate']).toBe(challenge(scope))
  })

  test('the prefix of scopes is put back', async () => {
    const origin = await serve({ scope_prefix: 'tools:' })
    const { headers } = await postModern(`${origin}/mcp`, 'tools/call', ECHO, await bearer('tools:math.* text.*'))
    expect(headers['www-authenticate']).toBe(challenge('tools:text.*'))
    const { json } = await send(`${origin}/.well-known/oauth-protected-resource`, 'GET')
    expect(json.scopes_supported).toContain('tools:math.*')
  })
})

describe('stays a result with 200', () => {
  test('for the token of a principal, which no issuer can widen', async () => {
    const origin = await serve()
    const headers = { authorization: 'Bearer of-ci' }
    const wire = await postModern(`${origin}/mcp`, 'tools/call', ECHO, headers)
    const plain = await post(`${origin}/call`, { tool_name: 'text.echo', arguments: { text: 'x' } }, headers)
    for (const got of [wire, plain]) expect([got.status, got.headers['www-authenticate']]).toEqual([200, undefined])
    expect(plain.json.error.error_type).toBe('PermissionError')
  })

  test.each([
    ['a tool that claims it', 'math.liar'],
    ['a call that a tool makes', 'math.nested'],
  ])('for %s', async (_what, name) => {
    const origin = await serve()
    const got = await postModern(`${origin}/mcp`, 'tools/call', { name, arguments: {} }, await bearer('math.*'))
    expect([got.status, got.headers['www-authenticate']]).toEqual([200, undefined])
    expect(JSON.stringify(got.json)).toContain('PermissionError')
  })

  test('for one of several calls', async () => {
    const origin = await serve()
    const headers = await bearer('math.*')
    const calls = [{ name: 'math.add', arguments: { a: 1, b: 2 } }, ECHO]
    const batch = await postModern(`${origin}/mcp`, 'myrmex/batch', { calls }, headers)
    const plain = await post(
      `${origin}/batch`,
      calls.map(({ name, arguments: args }) => ({ tool_name: name, arguments: args })),
      headers,
    )
    const session = await openSession(`${origin}/mcp`, '2025-03-26', headers)
    const array = await post(
      `${origin}/mcp`,
      calls.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })),
      { ...session, ...headers },
    )
    for (const got of [batch, plain, array]) {
      expect([got.status, got.headers['www-authenticate']]).toEqual([200, undefined])
      expect(JSON.stringify(got.json)).toContain('PermissionError')
    }
  })
})

describe('the offered scopes', () => {
  test('are one for each module, and for resources and prompts, by default', async () => {
    const origin = await serve()
    const { json } = await send(`${origin}/.well-known/oauth-protected-resource/mcp`, 'GET')
    expect(json.scopes_supported).toEqual(['math.*', 'prompt:scoped.*', 'resource:scoped', 'text.*'])
    const { headers } = await postModern(`${origin}/mcp`, 'tools/list')
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="myrmex", scope="math.* prompt:scoped.* resource:scoped text.*", ${METADATA}`,
    )
  })

  test('are none if the policy says so', async () => {
    const origin = await serve({ scopes_supported: [] })
    const { json } = await send(`${origin}/.well-known/oauth-protected-resource`, 'GET')
    expect(json).not.toHaveProperty('scopes_supported')
    const { headers } = await postModern(`${origin}/mcp`, 'tools/list')
    expect(headers['www-authenticate']).toBe(`Bearer realm="myrmex", ${METADATA}`)
  })

  test('too many for a header are in the metadata only', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `module_${n}.*`)
    const origin = await serve({ scopes_supported: many })
    const { headers } = await postModern(`${origin}/mcp`, 'tools/list')
    expect(headers['www-authenticate']).toBe(`Bearer realm="myrmex", ${METADATA}`)
    const { json } = await send(`${origin}/.well-known/oauth-protected-resource`, 'GET')
    expect(json.scopes_supported).toHaveLength(500)
  })
})

describe('a session', () => {
  const call = (origin: string, session: Record<string, string>, headers: Record<string, string>) =>
    post(`${origin}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ECHO }, { ...session, ...headers })

  test('goes on with a token of the same caller that has more scopes, and not with the old one', async () => {
    const origin = await serve()
    const [less, more] = [await bearer('math.add'), await bearer('math.* text.*')]
    const session = await openSession(`${origin}/mcp`, '2025-11-25', less)
    expect((await call(origin, session, less)).status).toBe(403)
    expect(await call(origin, session, more)).toMatchObject({
      status: 200,
      json: { result: { structuredContent: { text: 'x' } } },
    })
    expect((await call(origin, session, less)).status).toBe(404)
    expect((await call(origin, session, more)).status).toBe(200)
  })

  test.each([
    ['of another subject', 'math.* text.*', { sub: 'eve' }],
    ['with other scopes', 'text.*', {}],
    ['that lost one and has another', 'math.* other.*', {}],
    ['with none', '', {}],
  ])('is unknown to a token %s', async (_what, scope, claims) => {
    const origin = await serve()
    const headers = await bearer('math.* openid')
    const session = await openSession(`${origin}/mcp`, '2025-11-25', headers)
    expect((await call(origin, session, await bearer(scope, claims))).status).toBe(404)
  })
})

test('algorithms are those that fit the key, if the policy names none', async () => {
  const origin = await serve()
  for (const alg of ['ES256', 'EdDSA', 'RS256', 'PS256', 'ES384']) {
    const own = await signingKey('own', alg)
    const server = await serve({ jwks: { keys: [own.jwk] } })
    const headers = { authorization: `Bearer ${await token(own, { scope: '*' })}` }
    expect((await postModern(`${server}/mcp`, 'tools/list', {}, headers)).status).toBe(200)
    expect((await postModern(`${origin}/mcp`, 'tools/list', {}, headers)).status).toBe(401)
  }
})
