/** Who may call over HTTP, on real sockets: tokens of principals, JWTs of a real issuer, scopes, and everything forged. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HttpAnswer, post, postModern, send } from '@myrmex/testing/http-server'
import { propertyRuns } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { add, echo } from '@myrmex/testing/sample-tools'
import {
  AUDIENCE,
  ISSUER,
  type KeyServer,
  keyServer,
  now,
  type SigningKey,
  signingKey,
  token,
} from '@myrmex/testing/token-issuer'
import fc from 'fast-check'
import { createServer, type HttpOptions, listenHttp } from 'myrmex'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { guard } from '../../packages/myrmex/src/transport/http/guard.ts'

const TOOLS = fixturePath('all.tools.ts')

interface Served {
  url: string
  origin: string
  close(): Promise<void>
}

const open: { close(): Promise<void> }[] = []
const track = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function serve(policy: object, options: HttpOptions = {}): Promise<Served> {
  const server = createServer({ name: 'auth', version: '1.0.0', tools: [add, echo], policy: parsePolicy(policy) })
  const listening = await listenHttp(server, options)
  return track({ ...listening, origin: `http://127.0.0.1:${listening.port}` })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const principal = (id: string, given: string, ...scopes: string[]) => ({ id, token_sha256: sha256(given), scopes })
const withToken = (given: string) => ({ authorization: `Bearer ${given}` })
const addOne = (url: string, headers: Record<string, string>) =>
  postModern(url, 'tools/call', { name: 'math.add', arguments: { a: 1, b: 2 } }, headers)
const sum = (got: HttpAnswer): unknown => got.json?.result?.structuredContent

let key: SigningKey
let other: SigningKey
beforeAll(async () => {
  key = await signingKey('first')
  // The same name for another key: a forger knows the name.
  other = await signingKey('first')
})

const jwt = (change: object = {}) => ({
  jwt: {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks: { keys: [key.jwk] },
    algorithms: ['ES256', 'EdDSA', 'RS256'],
    ...change,
  },
})

describe('the tokens of principals', () => {
  test('let each in as itself, and MYRMEX_TOKEN beside them', async () => {
    const { url } = await serve(
      { principals: [principal('ci', 'one', 'math.*'), principal('bot', 'two', '*')] },
      { token: 'three' },
    )
    for (const good of ['one', 'two', 'three']) expect(sum(await addOne(url, withToken(good)))).toEqual({ sum: 3 })
    for (const bad of ['One', 'one ', 'on', 'onetwo', sha256('one')].filter((text) => text.trim() !== 'one')) {
      expect((await addOne(url, withToken(bad))).status).toBe(401)
    }
    expect(sum(await addOne(url, { authorization: 'bearer one' }))).toEqual({ sum: 3 })
  })

  test.each<[string[], boolean, boolean]>([
    [['*'], true, true],
    [['math.*'], true, false],
    [['math.add'], true, false],
    [['text.echo', 'math.add'], true, true],
    [['math.sub', 'mat.*'], false, false],
    [[], false, false],
  ])('with scopes %j allow math.add: %s, text.echo: %s', async (scopes, mayAdd, mayEcho) => {
    const { url, origin } = await serve({ principals: [principal('ci', 'one', ...scopes)] })
    const calls = { 'math.add': { a: 1, b: 2 }, 'text.echo': { text: 'x' } }
    for (const [name, may] of Object.entries({ 'math.add': mayAdd, 'text.echo': mayEcho })) {
      const args = calls[name as keyof typeof calls]
      const wire = await postModern(url, 'tools/call', { name, arguments: args }, withToken('one'))
      const plain = await post(`${origin}/call`, { tool_name: name, arguments: args }, withToken('one'))
      expect(wire.json.result.isError ?? false).toBe(!may)
      expect(plain.json.status).toBe(may ? 'success' : 'failure')
      if (!may) {
        expect(wire.json.result.structuredContent).toMatchObject({
          error_type: 'PermissionError',
          error_details: { principal: 'ci', tool: name, missing_scope: name },
        })
      }
    }
  })

  test('do not open the sessions of another', async () => {
    const { url } = await serve(
      { principals: [principal('a', 'one', '*'), principal('b', 'two', '*')] },
      { token: 'three' },
    )
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const { headers } = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, withToken('one'))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const stranger of ['two', 'three']) {
      expect((await post(url, list, { ...session, ...withToken(stranger) })).status).toBe(404)
      expect((await send(url, 'GET', { ...session, ...withToken(stranger) })).status).toBe(404)
      expect((await send(url, 'DELETE', { ...session, ...withToken(stranger) })).status).toBe(404)
    }
    expect((await post(url, list, session)).status).toBe(401)
    expect((await post(url, list, { ...session, ...withToken('one') })).json.result.tools).toHaveLength(2)
  })

  test('no address but loopback is listened on without a token, principals or an issuer', async () => {
    for (const bad of [{}, { token: '' }, { policy: parsePolicy({ audit: { keep_days: 1 } }) }]) {
      expect(() => guard({ host: '0.0.0.0', ...bad })).toThrow(/token/)
    }
    expect(() => guard({ host: '127.0.0.1', token: '' })).toThrow(/empty/)
    expect(guard({ host: '0.0.0.0', token: 'Zk3vQ9-8sLw1TnXy4bRe7uPd2aGh6cJm' })).toBeTypeOf('function')
    expect(guard({ host: '0.0.0.0', policy: parsePolicy({ principals: [principal('a', 'x')] }) })).toBeTypeOf(
      'function',
    )
    expect(guard({ host: '0.0.0.0', policy: parsePolicy(jwt()) })).toBeTypeOf('function')
  })

  test.each(['access_token', 'token', 'api_key', 'ACCESS_TOKEN', 'Api_Key', '%74oken', 'x=1&token', 'token=&a'])(
    'in the query string as %s are refused, with where they belong',
    async (name) => {
      const { url, origin } = await serve({ principals: [principal('a', 'hunter2', '*')] })
      for (const place of [url, `${origin}/healthz`, `${origin}/metrics`]) {
        const got = await send(`${place}?${name}=hunter2`, 'GET', withToken('hunter2'))
        expect(got).toMatchObject({ status: 400, json: { error: { data: { error_type: 'AuthenticationError' } } } })
        expect(got.json.error.message).toMatch(/Authorization: Bearer/)
        expect(got.body + JSON.stringify(got.headers)).not.toContain('hunter2')
      }
    },
  )

  test('other queries are nobody’s business', async () => {
    const { origin } = await serve({ principals: [principal('a', 'x', '*')] })
    expect((await send(`${origin}/healthz?tokens=1&page=2`, 'GET')).status).toBe(200)
  })
})

describe('a JWT', () => {
  test.each(['ES256', 'EdDSA', 'RS256'])('signed with %s lets its subject in', async (alg) => {
    const own = await signingKey('own', alg)
    const { url, origin } = await serve(jwt({ jwks: { keys: [own.jwk] } }))
    const headers = withToken(await token(own))
    expect(sum(await addOne(url, headers))).toEqual({ sum: 3 })
    const plain = await post(`${origin}/call`, { tool_name: 'math.add', arguments: { a: 2, b: 2 } }, headers)
    expect(plain.json.data).toEqual({ sum: 4 })
  })

  test('is checked by one public key, or by a secret that an environment variable holds', async () => {
    const pem = await serve(jwt({ jwks: undefined, public_key: key.pem }))
    expect(sum(await addOne(pem.url, withToken(await token(key))))).toEqual({ sum: 3 })
    expect((await addOne(pem.url, withToken(await token(other)))).status).toBe(401)
    const shared = { jwks: undefined, secret_env: 'AUTH_TEST_SECRET', algorithms: ['HS256'] }
    await expect(serve(jwt(shared))).rejects.toThrow(/AUTH_TEST_SECRET.* is not set/)
    process.env.AUTH_TEST_SECRET = 'short'
    await expect(serve(jwt(shared))).rejects.toThrow(/fewer than 32 bytes/)
    process.env.AUTH_TEST_SECRET = 'x'.repeat(32)
    const secret = await serve(jwt(shared))
    expect(sum(await addOne(secret.url, withToken(hmac(await token(key), process.env.AUTH_TEST_SECRET))))).toEqual({
      sum: 3,
    })
    expect((await addOne(secret.url, withToken(hmac(await token(key), 'y'.repeat(32))))).status).toBe(401)
    delete process.env.AUTH_TEST_SECRET
    await expect(
      serve(jwt({ jwks: undefined, public_key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' })),
    ).rejects.toThrow(/not a key/)
  })

  const b64 = (value: object | string): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  /** The same claims, signed with HS256 and this secret. */
  const hmac = (signed: string, secret: string): string => {
    const body = `${b64({ alg: 'HS256', kid: 'first' })}.${signed.split('.')[1]}`
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
  }

  test.each<[string, () => Promise<string>, RegExp]>([
    ['expired', () => token(key, { exp: now() - 60 }), /has expired/],
    ['not valid yet', () => token(key, { nbf: now() + 60 }), /not valid yet/],
    ['without an end', () => token(key, { exp: undefined }), /has no exp/],
    ['without a subject', () => token(key, { sub: undefined }), /has no sub/],
    ['with an empty subject', () => token(key, { sub: '' }), /subject/],
    ['with a subject that is no text', () => token(key, { sub: 7 }), /./],
    ['with a line break in its subject', () => token(key, { sub: 'a\nb' }), /subject/],
    ['of another issuer', () => token(key, { iss: 'https://evil.example' }), /another issuer/],
    ['of no issuer', () => token(key, { iss: undefined }), /has no iss/],
    ['for another audience', () => token(key, { aud: 'https://other.example' }), /another audience/],
    ['for no audience', () => token(key, { aud: undefined }), /has no aud/],
    ['signed by a key of the same name', () => token(other), /signature .* wrong/],
    ['signed by a key nobody knows', async () => token(await signingKey('nobody')), /no key that fits/],
    [
      'with other claims under its signature',
      async () => {
        const [head, , signature] = (await token(key)).split('.')
        const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'root', exp: now() + 600, scope: '*' }
        return `${head}.${b64(claims)}.${signature}`
      },
      /signature .* wrong/,
    ],
    ['unsigned, with alg none', async () => `${b64({ alg: 'none' })}.${(await token(key)).split('.')[1]}.`, /./],
    [
      'unsigned, with alg None',
      async () => `${b64({ alg: 'None' })}.${(await token(key)).split('.')[1]}.`,
      /not accepted/,
    ],
    ['with no signature', async () => `${(await token(key)).split('.').slice(0, 2).join('.')}.`, /signature .* wrong/],
    ['signed with the public key as a secret (PEM)', async () => hmac(await token(key), key.pem), /not accepted/],
    [
      'signed with the public key as a secret (JWK)',
      async () => hmac(await token(key), JSON.stringify(key.jwk)),
      /not accepted/,
    ],
    ['with an algorithm that is not accepted', async () => token(await signingKey('first', 'ES384')), /not accepted/],
    ['that brings its own key', () => token(other, {}, { jwk: other.jwk, kid: undefined }), /signature .* wrong/],
    ['that says where its keys are', () => token(other, {}, { jku: 'http://127.0.0.1:9/keys' }), /signature .* wrong/],
    [
      'with an extension nobody knows',
      async () => `${b64({ alg: 'ES256', crit: ['x'], x: 1 })}.${(await token(key)).split('.')[1]}.AA`,
      /malformed/,
    ],
    ['of broken Base64', async () => 'a.b.c', /malformed/],
  ])('%s is refused', async (_what, make, reason) => {
    // By the set, and by the one key: each is a way of its own.
    for (const keys of [{}, { jwks: undefined, public_key: key.pem }]) {
      const { url } = await serve(jwt(keys))
      const got = await addOne(url, withToken(await make()))
      expect(got).toMatchObject({ status: 401, json: { error: { data: { error_type: 'AuthenticationError' } } } })
      if (!('public_key' in keys)) expect(got.json.error.message).toMatch(reason)
      expect(got.headers['www-authenticate']).toMatch(
        /^Bearer realm="myrmex", error="invalid_token", error_description="[ !#-[\]-~]+", scope="math\.\* text\.\*", resource_metadata="[^"]+"$/,
      )
    }
  })

  test('may be up to 30 seconds off', async () => {
    const { url } = await serve(jwt())
    for (const [claims, status] of [
      [{ exp: now() - 20 }, 200],
      [{ exp: now() - 40 }, 401],
      [{ nbf: now() + 20 }, 200],
      [{ nbf: now() + 40 }, 401],
    ] as const) {
      expect((await addOne(url, withToken(await token(key, claims)))).status).toBe(status)
    }
  })

  test.each<[string, object, object, boolean]>([
    ['a text', { scope: 'openid math.* text.none' }, {}, true],
    ['a list', { scope: ['openid', 'math.add'] }, {}, true],
    ['a claim of another name', { permissions: ['math.add'], scope: '' }, { scope_claim: 'permissions' }, true],
    ['a prefix', { scope: 'myrmex:math.*' }, { scope_prefix: 'myrmex:' }, true],
    ['another prefix, or none', { scope: '* math.* others:math.*' }, { scope_prefix: 'myrmex:' }, false],
    ['others', { scope: 'text.* openid' }, {}, false],
    ['nothing', { scope: '' }, {}, false],
    ['no claim at all', { scope: undefined }, {}, false],
    ['a number', { scope: 7 }, {}, false],
    ['a list of anything', { scope: [['math.add'], { a: 1 }, null] }, {}, false],
  ])('has its scopes as %s', async (_what, claims, change, may) => {
    const { url } = await serve(jwt(change))
    const got = await addOne(url, withToken(await token(key, claims)))
    expect(got.status).toBe(may ? 200 : 403)
    if (may) expect(sum(got)).toEqual({ sum: 3 })
    else
      expect(sum(got)).toMatchObject({
        error_type: 'PermissionError',
        error_details: { principal: 'jwt:id.example:ada' },
      })
  })

  test('keeps to its own sessions', async () => {
    const { url } = await serve(jwt())
    const [ada, eve] = [withToken(await token(key)), withToken(await token(key, { sub: 'eve' }))]
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const { headers } = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, ada)
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await post(url, list, { ...session, ...eve })).status).toBe(404)
    // A new token of the same subject goes on with it.
    const again = withToken(await token(key, { exp: now() + 1000 }))
    expect((await post(url, list, { ...session, ...again })).status).toBe(200)
    // One that may do less does not: streams of the session would still do more for it.
    const less = withToken(await token(key, { scope: 'text.echo' }))
    expect((await post(url, list, { ...session, ...less })).status).toBe(404)
  })

  test('learns where to get a token when it has none', async () => {
    const { url, origin } = await serve(jwt())
    const { headers } = await addOne(url, {})
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="myrmex", scope="math.* text.*", ' +
        'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
    )
    for (const path of ['', '/mcp']) {
      const got = await send(`${origin}/.well-known/oauth-protected-resource${path}`, 'GET')
      expect(got).toMatchObject({
        status: 200,
        json: {
          resource: AUDIENCE,
          authorization_servers: [ISSUER],
          scopes_supported: ['math.*', 'text.*'],
          bearer_methods_supported: ['header'],
        },
      })
    }
    const named = await serve(jwt({ audience: 'tools' }))
    const { json } = await send(`${named.origin}/.well-known/oauth-protected-resource`, 'GET', withToken('x.y.z'))
    expect(json.resource).toBe(`${named.origin}/mcp`)
    const none = await serve({ principals: [principal('a', 'x', '*')] })
    expect((await send(`${none.origin}/.well-known/oauth-protected-resource`, 'GET')).status).toBe(404)
  })
})

describe('keys that the issuer publishes', () => {
  let issuer: KeyServer
  const published = async (): Promise<Served> => {
    issuer = track(await keyServer(key))
    return serve(jwt({ jwks: undefined, jwks_url: issuer.url }))
  }

  test('are fetched once, and a token that was good is known again', async () => {
    const { url } = await published()
    expect(issuer.asked).toBe(0)
    const headers = withToken(await token(key))
    const all = await Promise.all([1, 2, 3, 4].map(() => addOne(url, headers)))
    expect(all.map(sum)).toEqual([1, 2, 3, 4].map(() => ({ sum: 3 })))
    for (const sub of ['a', 'b', 'c'])
      expect((await addOne(url, withToken(await token(key, { sub })))).status).toBe(200)
    expect(issuer.asked).toBe(1)
  })

  test('are fetched again when a token names a new one', async () => {
    const { url } = await published()
    expect((await addOne(url, withToken(await token(key)))).status).toBe(200)
    const next = await signingKey('second')
    issuer.keys = [next.jwk]
    const headers = withToken(await token(next))
    await vi.waitFor(async () => expect((await addOne(url, headers)).status).toBe(200), {
      timeout: 5000,
      interval: 100,
    })
    expect((await addOne(url, withToken(await token(key, { sub: 'new' })))).status).toBe(401)
  })

  test('are not fetched by every token that names one nobody knows', async () => {
    const { url } = await published()
    const stray = await signingKey('stray')
    for (let n = 0; n < 20; n++) expect((await addOne(url, withToken(await token(stray, { n })))).status).toBe(401)
    expect(issuer.asked).toBeLessThan(5)
  })

  test('that are out of reach make it 503, and known tokens and keys go on', async () => {
    const { url, origin } = await published()
    const known = withToken(await token(key))
    expect((await addOne(url, known)).status).toBe(200)
    await issuer.close()
    expect((await addOne(url, known)).status).toBe(200)
    expect((await addOne(url, withToken(await token(key, { sub: 'new' })))).status).toBe(200)
    const fresh = await serve(jwt({ jwks: undefined, jwks_url: issuer.url }))
    for (let n = 0; n < 3; n++) {
      expect(await addOne(fresh.url, withToken(await token(key, { n })))).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { error: { data: { error_type: 'UnavailableError', retry_after_ms: 1000 } } },
      })
    }
    expect((await send(`${fresh.origin}/healthz`, 'GET', withToken(await token(key)))).status).toBe(200)
    expect((await send(`${origin}/healthz`, 'GET')).status).toBe(200)
  })

  test.each<[string, number, string]>([
    ['an error', 500, '{}'],
    ['no JSON', 200, '<html>'],
    ['no keys', 200, '{"keys": 7}'],
    ['a redirect', 302, ''],
  ])('that come as %s make it 503', async (_what, status, body) => {
    const { url } = await published()
    issuer.answer = () => ({ status, body })
    expect((await addOne(url, withToken(await token(key)))).status).toBe(503)
  })

  test('may take a while: the body that comes meanwhile is not lost', async () => {
    const { origin } = await published()
    const gate = Promise.withResolvers<void>()
    issuer.gate = gate.promise
    const text = 'x'.repeat(3_000_000)
    const answer = post(`${origin}/call`, { tool_name: 'text.echo', arguments: { text } }, withToken(await token(key)))
    await vi.waitFor(() => expect(issuer.asked).toBe(1))
    gate.resolve()
    expect((await answer).json.data.text).toHaveLength(text.length)
  })
})

describe('a token that was found good', () => {
  afterEach(() => vi.useRealTimers())
  const ask = (check: ReturnType<typeof guard>, given: string) =>
    check({ headers: { host: 'localhost', authorization: `Bearer ${given}` }, url: '/mcp' } as never)

  test('is the same principal, at once, until it expires', async () => {
    const check = guard({ host: '127.0.0.1', policy: parsePolicy(jwt()) })
    const given = await token(key, { exp: now() + 60 })
    const [first, meanwhile] = [ask(check, given), ask(check, given)]
    expect(first).toBeInstanceOf(Promise)
    const { principal: ada } = (await first) as { principal: object }
    const claims = expect.objectContaining({ sub: 'ada' })
    expect(ada).toEqual({ id: 'jwt:id.example:ada', kind: 'bearer', scopes: ['*'], claims })
    expect(((await meanwhile) as { principal: object }).principal).toBe(ada)
    expect((ask(check, given) as { principal: object }).principal).toBe(ada)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 85_000 })
    expect(ask(check, given)).not.toBeInstanceOf(Promise)
    vi.setSystemTime(Date.now() + 10_000)
    expect(await ask(check, given)).toMatchObject({ status: 401, message: 'The token has expired' })
  })

  test('is forgotten when a thousand others came after it, and checked again', async () => {
    const check = guard({ host: '127.0.0.1', policy: parsePolicy(jwt()) })
    const tokens = await Promise.all(Array.from({ length: 1001 }, (_, n) => token(key, { n })))
    for (const given of tokens) await ask(check, given)
    for (const kept of [1, 1000]) expect(ask(check, tokens[kept] as string)).not.toBeInstanceOf(Promise)
    expect(ask(check, tokens[0] as string)).toBeInstanceOf(Promise)
    expect(await ask(check, tokens[0] as string)).toMatchObject({ principal: { id: 'jwt:id.example:ada' } })
  })
})

test('no content of the header lets a caller in or breaks anything', async () => {
  const { url } = await serve({ ...jwt(), principals: [principal('a', 'secret', '*')] })
  const good = await token(key)
  const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/=:;, "\'\t%'), maxLength: 40 })
  const mangled = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('', 'A', '.', '=', ' ', '-'))
    .filter(([at, by]) => good[at] !== by)
    .map(([at, by]) => good.slice(0, at) + by + good.slice(at + 1))
    // The last character of Base64 has bits that say nothing.
    .filter((text) => text.slice(0, -1) !== good.slice(0, -1))
  const part = fc.oneof(
    word,
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  )
  const header = fc.oneof(
    word,
    fc
      .tuple(fc.constantFrom('Bearer', 'bearer', 'Basic', 'DPoP', ''), fc.constantFrom(' ', '  ', ''), word)
      .map((all) => all.join('')),
    fc.tuple(part, part, part).map((parts) => `Bearer ${parts.join('.')}`),
    mangled.map((text) => `Bearer ${text}`),
  )
  await fc.assert(
    fc.asyncProperty(header, async (authorization) => {
      const got = await addOne(url, { authorization })
      expect([authorization, got.status]).toEqual([authorization, 401])
      expect(got.headers['www-authenticate']).toMatch(/^Bearer realm="myrmex"/)
    }),
    { numRuns: propertyRuns(100, 300) },
  )
  expect((await addOne(url, withToken(good))).status).toBe(200)
})

describe('myrmex serve', () => {
  let folder: string
  let child: ChildProcess
  let said = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'myrmex-auth-'))
    // Nobody listens on the discard port.
    const policy = {
      ...jwt({ jwks: undefined, jwks_url: 'http://127.0.0.1:9/keys' }),
      principals: [principal('ci', 'one', 'all.add')],
    }
    await writeFile(join(folder, 'myrmex.policy.json'), JSON.stringify(policy))
    const tools = join(folder, 'all.tools.ts')
    await writeFile(tools, `export * from ${JSON.stringify(TOOLS)}`)
    child = spawn(process.execPath, [CLI, 'serve', tools, '--http', '0'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await vi.waitFor(() => expect(said).toMatch(/tools at http/))
  })
  afterAll(async () => {
    child.kill()
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })

  test('takes the policy of its folder, and logs what it cannot reach without logging a token', async () => {
    const url = /http:\S+mcp/.exec(said)?.[0] as string
    expect((await addOne(url, withToken('two'))).status).toBe(401)
    const call = (name: string) => postModern(url, 'tools/call', { name, arguments: { a: 1, b: 2 } }, withToken('one'))
    expect(sum(await call('add'))).toEqual({ sum: 3 })
    expect(sum(await call('fails'))).toMatchObject({ error_type: 'PermissionError' })
    const unchecked = await token(key)
    expect((await addOne(url, withToken(unchecked))).status).toBe(503)
    await vi.waitFor(() => expect(said).toContain("the issuer's keys are unavailable"))
    expect(said).not.toContain(unchecked)
    expect(said).not.toContain(unchecked.split('.')[2])
  })
})
