/** The embedded issuer on the wire: its metadata, what its tokens admit, and how they end. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { definitionOf, destructiveTool, eventually, ledgerFile, trust } from '@myrmex/testing/gated-server'
import { openSession } from '@myrmex/testing/http-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { callWith, RawOAuth } from '@myrmex/testing/raw-oauth'
import { SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { addUser, type SignedInHost, signedInHost } from '@myrmex/testing/signed-in-host'
import { openLedger } from 'myrmex'
import { describe, expect, test } from 'vitest'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

async function hostWith(scopes: string[], options = {}): Promise<SignedInHost> {
  const host = await signedInHost(options)
  await addUser(host.ledger, 'ada', scopes)
  return host
}

const json = async (url: string): Promise<Record<string, unknown>> => (await (await fetch(url)).json()) as never

describe('metadata', () => {
  test('leads from a request without a token to the issuer', async () => {
    const { origin, url } = await signedInHost()
    const first = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect(first.status).toBe(401)
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
    expect(first.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`)
    expect(await json(metadata)).toMatchObject({
      resource: url.href,
      authorization_servers: [origin],
      scopes_supported: ['math.*', 'text.*'],
    })
    const issuer = await json(`${origin}/.well-known/oauth-authorization-server`)
    expect(issuer).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/sign-in/authorize`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      response_modes_supported: ['query'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect(issuer.scopes_supported).toEqual(['openid', 'offline_access', 'math.*', 'text.*'])
    expect(await json(`${origin}/.well-known/openid-configuration`)).toEqual(issuer)
  })

  test('of a profile names the profile, whether or not there is one', async () => {
    const { origin } = await signedInHost()
    const metadata = `${origin}/.well-known/oauth-protected-resource`
    expect(await json(`${metadata}/mcp/p/readers`)).toMatchObject({ resource: `${origin}/mcp/p/readers` })
    expect(await json(`${metadata}/elsewhere`)).toMatchObject({ resource: `${origin}/mcp` })
    expect(await json(metadata)).toMatchObject({ resource: `${origin}/mcp` })
  })

  test('names the configured URL behind a proxy', async () => {
    const { signIn, url } = await signedInHost({
      config: { url: 'https://tools.example' },
      listen: { allowedHosts: ['tools.example'] },
    })
    expect([url.href, signIn.tokens.jwt.issuer]).toEqual(['https://tools.example/mcp', 'https://tools.example'])
  })
})

describe('a token', () => {
  test('admits its user, with its scopes', async () => {
    const { origin } = await hostWith(['math.*'])
    const tokens = await new RawOAuth(origin).tokens(new SignInBrowser(), 'ada', { scope: 'math.* text.*' })
    expect(await callWith(origin, tokens.access_token)).toMatchObject({ status: 200, json: { data: { sum: 3 } } })
    expect(await callWith(origin, tokens.access_token, 'text.echo')).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('error="insufficient_scope"'),
      json: { error: { error_message: expect.stringContaining('user:ada may not call text.echo') } },
    })
  })

  test('makes its user the caller: in approvals, grants, limits and the audit, and no other user', async () => {
    const { origin, ledger, server } = await hostWith(['*'])
    await addUser(ledger, 'bob', ['*'])
    const refund = destructiveTool('text.refund')
    server.registry.register(refund.tool)
    await trust(ledger, refund)
    const tokenOf = async (user: string) =>
      (await new RawOAuth(origin).tokens(new SignInBrowser(), user, { scope: 'math.* text.*' })).access_token
    const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')]
    const waits = { json: { error: { error_type: 'PermissionError', error_details: { status: 'waiting' } } } }
    expect(await callWith(origin, ada, 'text.refund')).toMatchObject(waits)
    expect(await ledger.approvals.list('waiting')).toMatchObject([{ principal: 'user:ada', tool: 'text.refund' }])
    await ledger.grants.give(definitionOf(refund.tool), 'operator', { principal: 'user:ada' })
    expect(await callWith(origin, ada, 'text.refund')).toMatchObject({ json: { status: 'success' } })
    expect(await callWith(origin, bob, 'text.refund')).toMatchObject(waits)
    const policy = parsePolicy({ limits: { principal: { calls: 1, per_ms: 3_600_000 } } })
    server.pipeline.setRules(policy, server.pipeline.constitution)
    expect(await callWith(origin, ada)).toMatchObject({ status: 200 })
    expect(await callWith(origin, ada)).toMatchObject({ json: { error: { error_type: 'ApiLimitExceeded' } } })
    expect(await callWith(origin, bob)).toMatchObject({ status: 200 })
    const api = await serveOperatorApi({ server, ledger })
    const { calls } = (await api.get('/api/calls?tool=text.refund')).json as { calls: { principal: string }[] }
    expect(calls.map(({ principal }) => principal).sort()).toEqual(['user:ada', 'user:ada', 'user:bob'])
  })

  test('never has more than its user has now', async () => {
    const { origin, ledger } = await hostWith(['*'])
    const { access_token: token } = await new RawOAuth(origin).tokens(new SignInBrowser())
    expect((await callWith(origin, token)).status).toBe(200)
    await ledger.users.change('ada', { scopes: ['text.*'] }, 'operator')
    expect((await callWith(origin, token)).status).toBe(403)
    await ledger.users.change('ada', { scopes: ['math.add'] }, 'operator')
    expect((await callWith(origin, token)).status).toBe(200)
  })

  test('ends with its user, and stays ended when the user is enabled again', async () => {
    const { origin, ledger } = await hostWith(['*'])
    const client = new RawOAuth(origin)
    const { access_token: token, refresh_token: refresh } = await client.tokens(new SignInBrowser())
    await ledger.users.disable('ada', 'operator')
    const got = await callWith(origin, token)
    expect([got.status, got.challenge]).toEqual([
      401,
      expect.stringContaining('The user of the token may not sign in any more'),
    ])
    expect((await client.refresh(refresh)).status).toBe(400)
    await ledger.users.enable('ada', 'operator')
    // By its time, or, within the same second, by its grant.
    expect((await callWith(origin, token)).challenge).toMatch(/has to sign in again|sign-in of the token was revoked/)
    expect((await client.refresh(refresh)).status).toBe(400)
  })

  test('ends when its user chooses a new passphrase', async () => {
    const { origin, ledger } = await hostWith(['*'])
    const client = new RawOAuth(origin)
    const { access_token: token, refresh_token: refresh } = await client.tokens(new SignInBrowser())
    expect((await callWith(origin, token)).status).toBe(200)
    await addUser(ledger, 'ada', ['*'])
    expect((await callWith(origin, token)).challenge).toContain('The sign-in of the token was revoked')
    expect((await client.refresh(refresh)).status).toBe(400)
  })

  test('ends when its refresh token is revoked, in every process', async () => {
    const { origin } = await hostWith(['*'])
    const client = new RawOAuth(origin)
    const { access_token: token, refresh_token: refresh } = await client.tokens(new SignInBrowser())
    expect((await callWith(origin, token)).status).toBe(200)
    expect((await client.post('revoke', { token: refresh })).status).toBe(200)
    expect(await callWith(origin, token)).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('was revoked'),
    })
    expect((await client.refresh(refresh)).status).toBe(400)
  })

  test('for a profile carries it, and a user that is bound to another one gets nothing with it', async () => {
    const profiles = [{ name: 'readers', tools: ['math.*'], readOnly: true }]
    const { origin, ledger, signIn } = await hostWith(['*'], { profiles })
    const resource = `${origin}/mcp/p/readers`
    const { access_token: token } = await new RawOAuth(origin).tokens(new SignInBrowser(), 'ada', { resource })
    expect((await callWith(origin, token)).status).toBe(200)
    expect((await callWith(origin, token, 'text.echo')).json.error.error_type).toBe('ToolNotFoundError')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    expect(claims.aud).toBe(resource)
    const verified = { id: 'jwt', kind: 'bearer' as const, scopes: ['math.*'], claims }
    expect(signIn.tokens.admit(verified)).toMatchObject({ id: 'user:ada', profile: 'readers', scopes: ['math.*'] })
    await ledger.users.change('ada', { profile: 'writers' }, 'operator')
    expect((await callWith(origin, token)).challenge).toContain('a profile that its user does not have')
  })

  test('of a user that is bound to a profile carries that profile', async () => {
    const { origin, ledger, signIn } = await signedInHost()
    await addUser(ledger, 'bob', ['*'], 'readers')
    const { access_token: token } = await new RawOAuth(origin).tokens(new SignInBrowser(), 'bob')
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    expect(signIn.tokens.admit({ id: 'jwt', kind: 'bearer', scopes: ['*'], claims })).toMatchObject({
      profile: 'readers',
    })
  })
})

test('when a user is disabled by another process, what it has open ends, and a held call of it never runs', async () => {
  const file = ledgerFile()
  const ledger = await file.open()
  const { origin, url, server } = await hostWith(['*'], { ledger })
  await addUser(ledger, 'bob', ['*'])
  const refund = destructiveTool('text.refund')
  server.registry.register(refund.tool)
  await trust(ledger, refund)
  server.pipeline.approvalSettings = { ...server.pipeline.approvalSettings, holdMs: 60_000 }
  const client = async (user: string) => {
    const { access_token } = await new RawOAuth(origin).tokens(new SignInBrowser(), user, { scope: 'math.* text.*' })
    const headers = { authorization: `Bearer ${access_token}` }
    const session = await openSession(url.href, '2025-11-25', headers)
    const standing = get(url, { headers: { ...session, ...headers, accept: 'text/event-stream' } })
    const [stream] = (await once(standing, 'response')) as [IncomingMessage]
    return { stream: stream.resume(), call: callWith(origin, access_token, 'text.refund').catch(() => 'cut') }
  }
  const [ada, bob] = [await client('ada'), await client('bob')]
  await eventually(() => expect(server.pipeline.heldCalls.size).toBe(2))
  await (await file.open()).users.disable('ada', 'operator')
  await once(ada.stream, 'close')
  expect(await ada.call).toBe('cut')
  for (const { id } of await ledger.approvals.list('waiting')) await ledger.approvals.approve(id, 'operator')
  expect(await bob.call).toMatchObject({ json: { status: 'success' } })
  expect([bob.stream.closed, refund.ran.length]).toEqual([false, 1])
  bob.stream.destroy()
})

test('what one process decides counts for a token in another', async () => {
  const file = `sign-in-${process.pid}.db`
  const ledger = await openLedger(file)
  const { origin } = await hostWith(['*'], { ledger })
  const { access_token: token } = await new RawOAuth(origin).tokens(new SignInBrowser())
  expect((await callWith(origin, token)).status).toBe(200)
  const other = await openLedger(file)
  await other.users.disable('ada', 'operator')
  expect((await callWith(origin, token)).status).toBe(401)
  await other.close()
  await ledger.close()
})

test('two accounts can be used in one browser, one after the other', async () => {
  const { origin, ledger } = await hostWith(['*'])
  await addUser(ledger, 'bob', ['text.*'])
  const browser = new SignInBrowser()
  const client = new RawOAuth(origin)
  await client.code(browser)
  const again = await browser.open(client.authorizeUrl())
  if (again instanceof URL) throw new Error('nothing was asked')
  expect(textOf(again)).toContain('You are signed in as ada')
  const login = await browser.submit(again, { action: 'other' })
  if (login instanceof URL) throw new Error('nothing was asked')
  expect(textOf(login)).toContain('Passphrase')
  expect(await client.code(browser, 'bob', { scope: 'text.*' })).toBeTruthy()
  const seen = browser.seen.map(textOf)
  expect(seen.at(-1)).toContain('You are signed in as bob')
})

test('a user who agrees to nothing sends the client an error', async () => {
  const { origin } = await hostWith(['*'])
  const client = new RawOAuth(origin)
  const browser = new SignInBrowser()
  await client.code(browser)
  const page = await browser.open(client.authorizeUrl())
  if (page instanceof URL) throw new Error('nothing was asked')
  const url = await browser.submit(page, { action: 'deny' })
  expect(url instanceof URL && url.searchParams.get('error')).toBe('access_denied')
})

test('a web client of an origin that the operator named can sign in, and no other', async () => {
  const web = 'https://client.example'
  const { origin } = await hostWith(['*'], { listen: { allowedOrigins: [web] } })
  const asPage = async (path: string, method: string, from: string) => {
    const headers = { origin: from, 'access-control-request-method': 'POST', 'content-type': 'application/json' }
    const body = method === 'POST' ? JSON.stringify({ redirect_uris: [`${web}/callback`] }) : undefined
    const response = await fetch(`${origin}${path}`, { method, headers, body })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  for (const [path, method, status] of [
    ['/.well-known/oauth-protected-resource/mcp', 'GET', 200],
    ['/.well-known/oauth-authorization-server', 'GET', 200],
    ['/sign-in/register', 'OPTIONS', 204],
    ['/sign-in/register', 'POST', 201],
    ['/sign-in/token', 'OPTIONS', 204],
    ['/sign-in/token', 'POST', 400],
    ['/sign-in/revoke', 'OPTIONS', 204],
    ['/mcp', 'OPTIONS', 204],
  ] as const) {
    expect([path, ...(await asPage(path, method, web))]).toEqual([path, status, web])
    expect(await asPage(path, method, 'https://evil.example')).toEqual([403, null])
  }
  // Its pages for people are of no other origin.
  expect((await asPage('/sign-in/style.css', 'GET', web))[1]).toBeNull()
})
