/**
 * Attacker: a program that registers as a client of the embedded issuer
 * Attack: registers an address elsewhere in plain text, a script as its address, keys or a logo to be fetched, or thousands of clients.
 * Stopped by: only https, this machine and schemes that the operator named are accepted; everything else that a client says about itself is
 * dropped; an address can register 20 clients a minute, one that nobody uses is forgotten after a day, and of 5,000 the one unused longest.
 *
 * Attack: has the host fetch a metadata document from its own network.
 * Stopped by: documents are https, on no special-use address, not redirected, and small.
 *
 * Attacker: a caller with a token of another kind
 * Attack: uses a token of a user, a code or an ID token at the operator's API, the operator's token as a user, or a token of another host.
 * Stopped by: the API takes only the operator's token or session; callers need an access token (at+jwt) of this issuer for this resource.
 */
import { callWith, RawOAuth } from '@myrmex/testing/raw-oauth'
import { SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { addUser, signedInHost } from '@myrmex/testing/signed-in-host'
import { generateKeyPair, importJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { operatorApi } from '../../packages/myrmex/src/host/api/operator-api.ts'
import { issuerKeys } from '../../packages/myrmex/src/host/issuer/issuer-keys.ts'

describe('a client', () => {
  test.each([
    ['http://evil.example/callback'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['cursor://callback'],
    ['https://user:secret@evil.example/'],
    ['https://evil.example/#here'],
    ['not a URL'],
  ])('cannot register %s', async (uri) => {
    const { origin } = await signedInHost()
    const got = await new RawOAuth(origin).register({ redirect_uris: [uri] })
    expect([got.status, got.json.error]).toEqual([400, expect.stringMatching(/^invalid_/)])
  })

  test('can register a scheme that the operator allows', async () => {
    const { origin } = await signedInHost({ config: { redirect_schemes: ['cursor'] } })
    expect((await new RawOAuth(origin).register({ redirect_uris: ['cursor://callback'] })).status).toBe(201)
  })

  test('keeps nothing that it says about itself but its name and addresses', async () => {
    const { origin } = await signedInHost()
    const { json } = await new RawOAuth(origin).register({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['implicit', 'client_credentials'],
      response_types: ['token'],
      jwks_uri: 'http://169.254.169.254/',
      logo_uri: 'http://169.254.169.254/',
      sector_identifier_uri: 'https://127.0.0.1/',
      scope: '*',
      client_name: `Name${'\u202e'}\n<b>`,
    })
    expect(json).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      client_name: 'Name <b>',
    })
    expect(Object.keys(json)).not.toContain('client_secret')
    expect(JSON.stringify(json)).not.toContain('169.254')
  })

  test('cannot flood the ledger', async () => {
    const { origin } = await signedInHost()
    const got = []
    for (let count = 0; count < 25; count++) got.push((await new RawOAuth(origin).register()).status)
    expect(got.filter((status) => status === 201)).toHaveLength(20)
  })

  test('that nobody uses makes room for others when there are too many, and those in use stay', async () => {
    const { origin, ledger } = await signedInHost()
    const { issuerRecords: records } = ledger
    await records.put('Client', 'used', '{}', 180 * 24 * 3_600_000)
    for (let count = 0; count < 4999; count++) await records.put('Client', `c-${count}`, '{}', 3_600_000 + count)
    expect((await new RawOAuth(origin).register()).status).toBe(201)
    expect([await records.count('Client'), await records.find('Client', 'c-0')]).toEqual([5000, undefined])
    expect(await records.find('Client', 'used')).toBeDefined()
  })

  test('cannot have sign-ins kept without end', async () => {
    const { origin } = await signedInHost()
    const client = new RawOAuth(origin)
    await client.register()
    const statuses = []
    for (let count = 0; count < 61; count++)
      statuses.push((await fetch(client.authorizeUrl(), { redirect: 'manual' })).status)
    expect(statuses).toEqual([...Array(60).fill(303), 429])
  })

  test.each([['Authorize'], ['authorize/'], ['%61uthorize'], ['TOKEN'], ['register/'], ['']])(
    'gains nothing by the path /sign-in/%s, which a router might take for another one',
    async (path) => {
      const { origin } = await signedInHost()
      const client = new RawOAuth(origin)
      await client.register()
      const { search } = client.authorizeUrl({ response_mode: 'form_post' })
      for (const method of ['GET', 'POST'])
        expect((await fetch(`${origin}/sign-in/${path}${search}`, { method, redirect: 'manual' })).status).toBe(404)
    },
  )

  test('cannot register where the operator does not want it', async () => {
    const { origin } = await signedInHost({ config: { registration: false } })
    expect((await new RawOAuth(origin).register()).status).toBe(404)
  })

  test.each([
    ['https://127.0.0.1:1/client.json'],
    ['https://localhost/client.json'],
    ['http://desk.example/client.json'],
    ['https://169.254.169.254/latest/meta-data'],
  ])('cannot have %s fetched', async (id) => {
    const { origin } = await signedInHost()
    const client = new RawOAuth(origin)
    client.id = id
    const page = await new SignInBrowser().open(client.authorizeUrl())
    expect(page instanceof URL).toBe(false)
    if (!(page instanceof URL))
      expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining('cannot go on')])
  })

  test('whose document names an address that is not allowed is refused', async () => {
    const id = 'https://desk.example/client.json'
    const fetched = async () =>
      Response.json({
        client_id: id,
        redirect_uris: ['evil://callback'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
      })
    const { origin } = await signedInHost({ fetch: fetched })
    const client = new RawOAuth(origin)
    client.id = id
    const page = await new SignInBrowser().open(client.authorizeUrl({ redirect_uri: 'evil://callback' }))
    expect(page instanceof URL).toBe(false)
  })
})

describe('a token', () => {
  const signedIn = async () => {
    const host = await signedInHost()
    await addUser(host.ledger, 'ada', ['*'])
    const client = new RawOAuth(host.origin)
    const tokens = await client.tokens(new SignInBrowser(), 'ada', { scope: 'openid math.*' })
    return { ...host, client, tokens: tokens as typeof tokens & { id_token: string } }
  }

  test('of the issuer that is no access token admits nobody', async () => {
    const { origin, tokens } = await signedIn()
    expect((await callWith(origin, tokens.access_token)).status).toBe(200)
    for (const token of [tokens.id_token, tokens.refresh_token])
      expect((await callWith(origin, token)).status).toBe(401)
  })

  test('that was changed, is for another resource, or is signed by nobody or another key admits nobody', async () => {
    const { origin, tokens, ledger } = await signedIn()
    const keys = await issuerKeys(ledger.issuerRecords)
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] as string, 'base64url').toString())
    const sign = async (changed: object, header: object = {}, key?: CryptoKey) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys.signing.kid, ...header })
        .sign(key ?? ((await importJWK(keys.signing as never, 'ES256')) as CryptoKey))
    expect((await callWith(origin, await sign({}))).status).toBe(200)
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const bad = [
      await sign({ aud: 'https://elsewhere.example/mcp' }),
      await sign({ aud: [`${origin}/mcp`, 'https://elsewhere.example'] }),
      await sign({ aud: `${origin}/mcp/p/../x` }),
      await sign({ aud: `${origin}/mcp?x` }),
      await sign({ iss: 'https://elsewhere.example' }),
      await sign({ sub: 'nobody' }),
      await sign({ grant: undefined }),
      await sign({ iat: undefined }),
      await sign({ exp: 1 }),
      await sign({}, { typ: 'JWT' }),
      await sign({}, {}, privateKey),
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${tokens.access_token.split('.')[1]}.`,
    ]
    for (const token of bad) expect((await callWith(origin, token)).status).toBe(401)
  })

  test('of a user opens nothing at the operator’s API, and that of the operator calls nothing', async () => {
    const operator = 'Zk3vQ9-8sLw1TnXy4bRe7uPd2aGh6cJm'
    const first = await signedInHost()
    const api = operatorApi({ server: first.server, ledger: first.ledger, token: operator })
    await first.stop()
    const { origin, ledger, url } = await signedInHost({ ledger: first.ledger, listen: { api } })
    await addUser(ledger, 'ada', ['*'])
    const { access_token: token } = await new RawOAuth(origin).tokens(new SignInBrowser())
    for (const path of ['/api/users', '/api/invitations', '/api/host'])
      expect((await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    const post = { method: 'POST', body: '{"user":"eve","scopes":["*"]}' }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    expect((await fetch(`${origin}/api/invitations`, { ...post, headers })).status).toBe(401)
    expect((await callWith(url.origin, operator)).status).toBe(401)
  })
})
