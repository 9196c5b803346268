/** The program's own authenticator, and what a tool sees of the HTTP request and of its caller. */
import { destructiveTool } from '@myrmex/testing/gated-server'
import { openSession, post, postModern, send } from '@myrmex/testing/http-server'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { ISSUER, signingKey, token } from '@myrmex/testing/token-issuer'
import {
  type Authenticate,
  type Context,
  createServer,
  type HttpOptions,
  listenHttp,
  MemoryRecorder,
  tool,
} from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const OBJECT = z.looseObject({})
const who = tool({
  ...toolDefaults,
  name: 'me.who',
  input: z.object({}),
  output: OBJECT,
  run: (_input, { principal, request }: Context) => ({ principal, request: request && { ...request } }) as never,
})

async function serve(options: HttpOptions = {}, policy: object = {}) {
  const recorder = new MemoryRecorder()
  const server = createServer({ name: 'me', version: '1.0.0', tools: [who], recorder, policy: parsePolicy(policy) })
  const listening = await listenHttp(server, options)
  onTestFinished(() => listening.close())
  return { server, recorder, url: listening.url, origin: new URL(listening.url).origin }
}

const CALL = { name: 'me.who', arguments: {} }
const asked = async (url: string, headers: Record<string, string> = {}) =>
  (await postModern(url, 'tools/call', CALL, headers)).json.result.structuredContent

/** Callers with an API key. */
const USERS: Record<string, { id: string; scopes: string[]; claims?: Record<string, unknown> }> = {
  'key-of-ann': { id: 'ann', scopes: ['me.*'], claims: { tenant: { id: 7 } } },
  'key-of-bob': { id: 'bob', scopes: [] },
}
const byKey: Authenticate = ({ headers }) => USERS[String(headers['x-api-key'])]

describe('an authenticator', () => {
  test('admits callers with their scopes and claims, and nobody else', async () => {
    const { url, origin } = await serve({ authenticate: byKey })
    expect((await asked(url, { 'x-api-key': 'key-of-ann' })).principal).toEqual({
      id: 'ann',
      kind: 'bearer',
      scopes: ['me.*'],
      claims: { tenant: { id: 7 } },
    })
    const toolCall = { tool_name: 'me.who', arguments: {} }
    const denied = await post(`${origin}/call`, toolCall, { 'x-api-key': 'key-of-bob' })
    expect(denied.json.error).toMatchObject({ error_type: 'PermissionError' })
    for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
      const refused = await postModern(url, 'tools/call', CALL, headers)
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="myrmex"'])
      expect(refused.json.error.data.error_type).toBe('AuthenticationError')
    }
    expect((await send(`${origin}/healthz`, 'GET')).status).toBe(200)
  })

  test('sees the request, and is asked for every one', async () => {
    const seen: unknown[] = []
    const { origin } = await serve({
      authenticate: async (request) => {
        seen.push([request.method, request.url, request.headers['x-tenant'], request.remoteAddress])
        return { id: `caller ${seen.length}`, scopes: ['*'] }
      },
    })
    const call = async () =>
      (await post(`${origin}/call?x=1`, { tool_name: 'me.who', arguments: {} }, { 'x-tenant': 't7' })).json.data
        .principal.id
    expect([await call(), await call()]).toEqual(['caller 1', 'caller 2'])
    expect(seen[0]).toEqual(['POST', '/call?x=1', 't7', expect.stringContaining('127.0.0.1')])
  })

  test('comes after the tokens of the server, which stay valid', async () => {
    const { url } = await serve({ authenticate: byKey, token: 'a token of the server' })
    const bearer = (given: string) => ({ authorization: `Bearer ${given}` })
    expect((await asked(url, bearer('a token of the server'))).principal.id).toMatch(/^bearer:/)
    expect((await asked(url, { ...bearer('unknown'), 'x-api-key': 'key-of-ann' })).principal.id).toBe('ann')
    const refused = await postModern(url, 'tools/call', CALL, bearer('unknown'))
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/invalid_token/)])
  })

  test('is all that an address needs that other machines can reach', async () => {
    const { url } = await serve({ authenticate: byKey, host: '0.0.0.0' })
    const local = url.replace('0.0.0.0', '127.0.0.1')
    expect((await asked(local, { 'x-api-key': 'key-of-ann' })).principal.id).toBe('ann')
  })

  test('gives each request of a legacy session the claims that it has now', async () => {
    let plan = 'free'
    const { url } = await serve({ authenticate: () => ({ id: 'ann', scopes: ['*'], claims: { plan } }) })
    const session = await openSession(url, '2025-11-25')
    const planOf = async () => {
      const { json } = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL }, session)
      return json.result.structuredContent.principal.claims.plan
    }
    expect(await planOf()).toBe('free')
    plan = 'paid'
    expect(await planOf()).toBe('paid')
  })
})

describe('what a tool sees', () => {
  const HEADERS = { 'x-tenant': 'seven', 'accept-language': 'de', 'user-agent': 'test' }
  const SECRETS = {
    cookie: 'a=1',
    'proxy-authorization': 'Basic YTpi',
    'x-api-key': 'k',
    'x-auth-token': 't',
    'x-amz-security-token': 't',
    'x-session-id': 's',
    'ocp-apim-subscription-key': 'k',
    'x-hub-signature-256': 's',
    'x-csrf-token': 'c',
  }

  test('of the headers, in every era and by every path: none that carries credentials', async () => {
    const { url, origin, recorder } = await serve({ token: 'a token of the server' })
    const headers = { ...HEADERS, ...SECRETS, authorization: 'Bearer a token of the server' }
    const session = await openSession(url, '2025-11-25', { authorization: headers.authorization })
    const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL }
    const toolCall = { tool_name: 'me.who', arguments: {} }
    const batch = { calls: [{ name: 'me.who' }] }
    const seen = [
      (await asked(url, headers)).request,
      (await post(url, legacy, { ...session, ...headers })).json.result.structuredContent.request,
      (await post(`${origin}/call`, toolCall, headers)).json.data.request,
      (await post(`${origin}/batch`, { calls: [toolCall] }, headers)).json.results[0].data.request,
      (await postModern(url, 'myrmex/batch', batch, headers)).json.result.results[0].data.request,
    ]
    for (const request of seen) {
      expect(request).toMatchObject({ headers: HEADERS, remoteAddress: expect.stringContaining('127.0.0.1') })
      const hidden = [...Object.keys(SECRETS), 'authorization', 'mcp-session-id']
      expect(hidden.filter((name) => name in request.headers)).toEqual([])
    }
    expect(JSON.stringify(recorder.records().map(({ data: _, data_text: __, ...line }) => line))).not.toContain('seven')
  })

  test('on another transport there is none', async () => {
    const { server } = await serve()
    const { result } = await modernPeer(server).request('tools/call', CALL)
    expect(result.structuredContent).toEqual({ principal: { id: 'local', kind: 'local' } })
  })

  test('of a JWT: its claims, which cannot be changed', async () => {
    const key = await signingKey('k1')
    const jwt = {
      issuer: ISSUER,
      audience: 'https://tools.example/mcp',
      algorithms: ['ES256'],
      jwks: { keys: [key.jwk] },
    }
    const { url } = await serve({}, { jwt })
    const authorization = `Bearer ${await token(key, { tenant: { id: 7 }, email: 'ada@example.com' })}`
    const { principal } = await asked(url, { authorization })
    expect(principal).toMatchObject({
      id: 'jwt:id.example:ada',
      claims: { sub: 'ada', tenant: { id: 7 }, email: 'ada@example.com' },
    })
  })
})

test('claims and headers are no part of an approval: the id of the principal is', async () => {
  const pay = destructiveTool('me.pay')
  const server = createServer({ name: 'me', version: '1.0.0', tools: [pay.tool] })
  await server.ledger.trustTool(pay.tool, 'ada', { ask: true })
  let claims = { plan: 'free' }
  const { url, close } = await listenHttp(server, { authenticate: () => ({ id: 'ann', scopes: ['*'], claims }) })
  onTestFinished(() => close())
  const call = () => postModern(url, 'tools/call', { name: 'me.pay', arguments: {} })
  const { approval } = (await call()).json.result.structuredContent.error_details
  await server.ledger.approvals.approve(approval, 'ada')
  claims = { plan: 'paid' }
  expect((await call()).json.result.isError).toBeUndefined()
  expect(pay.ran).toHaveLength(1)
})
