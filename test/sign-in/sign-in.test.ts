/**
 * The host signs in to servers of the SDK 1.x (2025-11-25) and 2.x (2026-07-28) that ask for it, at a real authorization server: discovery,
 * registration, browser, device code, client credentials.
 */
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { authSettings, OPERATOR, type SignInHost, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { counted, isReady, login, signedIn, statusOf, storedTokens, textOf } from '@myrmex/testing/sign-in/signed-in'
import type { Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clientDocument } from '../../packages/myrmex/src/host/sign-in/client-document.ts'

let store: Store
let ledger: Ledger
beforeAll(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
})
afterAll(() => store.remove())

const signInOf = (signed: SignInHost) => statusOf(signed)?.sign_in

describe.each([
  ['sdk1', '2025-11-25'],
  ['sdk2', '2026-07-28'],
] as const)('a server of %s (%s)', (sdk, protocol) => {
  test('asks for a sign-in; nothing is sent until the operator has signed in, then it is connected at once', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer(sdk, issuer)
    const signed = await signInHost(server.url, ledger)
    expect(statusOf(signed)).toMatchObject({
      state: 'needs_sign_in',
      sign_in: { state: 'needed', reason: 'nobody has signed in yet', command: 'npx myrmex host login notes' },
      last_error: { error_type: 'PermissionError' },
    })
    expect(server.requests).toEqual(['POST /mcp'])
    expect(issuer.requests).toEqual([])
    expect(signed.host.problems[0]?.message).toContain('npx myrmex host login notes')
    await expect(signed.host.upstream('notes')?.request('tools/call', { name: 'whoami' })).rejects.toThrow(
      'The operator of this host signs in with: npx myrmex host login notes',
    )
    expect(server.requests).toHaveLength(1)

    const { page, started } = await login(signed)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Signed in to notes.')])
    expect(page.text).not.toContain('<script')
    await isReady(signed)
    expect(textOf(await signed.call('whoami'))).toBe('ada')
    expect(statusOf(signed)?.protocol).toBe(protocol)
    expect(signInOf(signed)).toMatchObject({
      state: 'signed_in',
      issuer: issuer.issuer,
      scopes: ['notes.read'],
      refreshable: true,
    })
    // PKCE, the resource indicator and a registration for this server.
    const url = new URL(started?.authorization_url ?? '')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource: server.url,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/notes$/),
    })
    const exchange = issuer.asked.find(({ line }) => line === 'POST /token')
    expect(Object.fromEntries(exchange?.body ?? [])).toMatchObject({
      resource: server.url,
      code_verifier: expect.any(String),
    })
  })

  test('a token that the server sends back is hidden from callers', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer(sdk, issuer)
    const signed = await signInHost(server.url, ledger)
    await login(signed)
    await isReady(signed)
    expect(textOf(await signed.call('leak'))).toBe('token [secret]')
  })
})

describe('other grants and clients', () => {
  test('client credentials: nobody signs in, and a 401 leads to one new token', async () => {
    const client = {
      client_id: 'machine',
      client_secret: 'a secret of the machine',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    }
    const issuer = await signInIssuer({ clients: [client] })
    const server = await protectedServer('sdk2', issuer)
    const auth = authSettings({
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: 'a secret of the machine',
    })
    const signed = await signInHost(server.url, ledger, { auth })
    expect(statusOf(signed)).toMatchObject({ state: 'ready', sign_in: { state: 'signed_in', refreshable: true } })
    expect(textOf(await signed.call('whoami'))).toBe('machine')
    await issuer.revokeAccess((await storedTokens(ledger, server)).tokens.access_token)
    const after = await counted(issuer, server, () => signed.call('whoami'))
    expect(after).toEqual({ server: ['POST /mcp', 'POST /mcp'], issuer: ['POST /token'] })
    expect(JSON.stringify(await storedTokens(ledger, server))).not.toContain('a secret of the machine')
  })

  test('client credentials that are refused are not tried again', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    const auth = authSettings({ grant: 'client_credentials', clientId: 'machine', clientSecret: 'wrong secret' })
    const signed = await signInHost(server.url, ledger, { auth })
    expect(statusOf(signed)).toMatchObject({
      state: 'needs_sign_in',
      sign_in: { reason: expect.stringContaining('invalid_client') },
    })
    const after = await counted(issuer, server, async () => {
      await expect(signed.call('notes_whoami')).rejects.toThrow('Its server notes needs a sign-in by the operator')
      await signed.host
        .upstream('notes')
        ?.request('tools/call', { name: 'whoami' })
        .catch(() => {})
    })
    expect(after).toEqual({ server: [], issuer: [] })
  })

  test('client credentials with other scopes in the configuration get another token', async () => {
    const secret = { clientId: 'machine', clientSecret: 'a secret of the machine' }
    const client = {
      ...{ client_id: secret.clientId, client_secret: secret.clientSecret, redirect_uris: [], response_types: [] },
      grant_types: ['client_credentials'],
    }
    const issuer = await signInIssuer({ clients: [client] })
    const server = await protectedServer('sdk2', issuer)
    server.callScope = 'notes.write'
    const withScopes = (scopes: string[]) => {
      const auth = authSettings({ grant: 'client_credentials', issuer: issuer.issuer, ...secret, scopes })
      return signInHost(server.url, ledger, { auth })
    }
    const reader = await withScopes(['notes.read'])
    expect(textOf(await reader.call('whoami'))).toContain('adds it to auth.scopes of notes in myrmex.json')
    const writer = await withScopes(['notes.read', 'notes.write'])
    expect(textOf(await writer.call('whoami'))).toBe('machine')
  })

  test('client credentials whose issuer cannot be used are not tried again either', async () => {
    const [issuer, other] = [await signInIssuer(), await signInIssuer()]
    const server = await protectedServer('sdk2', other)
    const secret = { clientId: 'machine', clientSecret: 'a secret of the machine' }
    const auth = authSettings({ grant: 'client_credentials', issuer: issuer.issuer, ...secret })
    const signed = await signInHost(server.url, ledger, { auth })
    expect(statusOf(signed)).toMatchObject({
      state: 'needs_sign_in',
      sign_in: { reason: expect.stringContaining(`and auth.issuer is ${issuer.issuer}`) },
    })
    const after = await counted(issuer, server, async () => {
      await expect(signed.call('notes_whoami')).rejects.toThrow('Its server notes needs a sign-in by the operator')
    })
    expect(after).toEqual({ server: [], issuer: [] })
  })

  test('client credentials whose issuer has trouble for now are tried again', async () => {
    const client = {
      ...{ client_id: 'machine', client_secret: 'a secret of the machine', redirect_uris: [], response_types: [] },
      grant_types: ['client_credentials'],
    }
    const issuer = await signInIssuer({ clients: [client] })
    const server = await protectedServer('sdk2', issuer)
    issuer.intercept = (line, answer) => {
      if (line.startsWith('GET /.well-known/')) answer(503, {})
      return line.startsWith('GET /.well-known/')
    }
    const secret = { clientId: 'machine', clientSecret: 'a secret of the machine' }
    const auth = authSettings({ grant: 'client_credentials', issuer: issuer.issuer, ...secret })
    const signed = await signInHost(server.url, ledger, { auth })
    expect(statusOf(signed)).toMatchObject({
      state: 'waiting',
      last_error: { message: expect.stringContaining(`${issuer.issuer} answered 503`) },
    })
    issuer.intercept = undefined
    await isReady(signed)
  })

  test('a device code', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    const signed = await signInHost(server.url, ledger, { auth: authSettings({ grant: 'device' }) })
    const started = await signed.host.signIns.login('notes', { by: OPERATOR })
    expect(started).toMatchObject({ flow: 'device', authorization_url: null, user_code: expect.any(String) })
    await new Browser().open(started?.verification_uri_complete ?? '')
    await isReady(signed)
    expect(signed.host.signIns.loginState(started?.id ?? '')).toMatchObject({ status: 'done' })
  })

  test('a client id metadata document comes before registration', async () => {
    const url = 'https://myrmex.example/client.json'
    const document = {
      client_id: url,
      client_name: 'Our host',
      redirect_uris: ['http://127.0.0.1/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }
    const { issuer } = await signedIn(
      ledger,
      { documents: { [url]: document } },
      { auth: authSettings({ clientMetadataUrl: url }) },
    )
    expect(issuer.requests).not.toContain('POST /reg')
    expect(issuer.asked.find(({ line }) => line === 'GET /auth')?.body.get('client_id')).toBe(url)
  })

  test('a host with a public URL has a metadata document of its own, and browsers come back to that URL', async () => {
    const origin = 'https://tools.example'
    const document = clientDocument(origin, 'notes') as { client_id: string; redirect_uris: string[] }
    const issuer = await signInIssuer({ documents: { [document.client_id]: document } })
    const server = await protectedServer('sdk2', issuer)
    const signed = await signInHost(server.url, ledger)
    const { signIns } = signed.host
    Object.assign(signIns, { publicOrigin: origin, resolve: async () => ['203.0.113.7'] })
    const started = await signIns.login('notes', { by: OPERATOR })
    // Of its own, so that no issuer can have the answer of another one sent to its login.
    expect(started).toMatchObject({ redirect_uri: `${origin}/oauth/callback/notes` })
    const { url } = await new Browser().open(started?.authorization_url ?? '', ({ host }) => host === 'tools.example')
    await signIns.finishPasted('notes', url.href)
    await isReady(signed)
    expect(issuer.requests).not.toContain('POST /reg')
    // An issuer cannot read a document in a private network.
    Object.assign(signIns, { resolve: async () => ['10.0.0.7'] })
    expect(await signIns.login('notes', { by: OPERATOR })).toMatchObject({
      redirect_uri: `${origin}/oauth/callback/notes`,
    })
    expect(issuer.requests).toContain('POST /reg')
  })

  test('a registration is kept for the next login', async () => {
    const { issuer, signed } = await signedIn(ledger)
    signed.host.signIns.callbackOrigin = undefined
    await login(signed)
    expect(issuer.requests.filter((line) => line === 'POST /reg')).toHaveLength(1)
  })

  test('without registration the operator learns what to register', async () => {
    const issuer = await signInIssuer({ registration: false })
    const server = await protectedServer('sdk2', issuer)
    const signed = await signInHost(server.url, ledger)
    await expect(login(signed)).rejects.toThrow(
      /Register one there with the redirect URI http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/notes, and set auth.client_id of notes/,
    )
  })

  test('a scope that a call needs is asked for at the next login; the connection stays open', async () => {
    const { issuer, server, signed } = await signedIn(ledger)
    server.callScope = 'notes.write'
    await expect(signed.host.upstream('notes')?.request('tools/call', { name: 'whoami' })).rejects.toMatchObject({
      error_type: 'PermissionError',
      error_details: { missing_scope: 'notes.write', command: 'npx myrmex host login notes' },
    })
    expect(statusOf(signed)).toMatchObject({ state: 'ready', sign_in: { missing_scopes: ['notes.write'] } })
    const { started } = await login(signed)
    expect(new URL(started?.authorization_url ?? '').searchParams.get('scope')).toBe(
      'notes.read notes.write offline_access',
    )
    await vi.waitFor(async () => expect(textOf(await signed.call('whoami'))).toBe('ada'))
    expect(issuer.requests.filter((line) => line === 'POST /reg')).toHaveLength(2)
  })

  test('a 401 that does not say how to sign in is one if the server has metadata', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    server.challenge = undefined
    const signed = await signInHost(server.url, ledger)
    expect(statusOf(signed)).toMatchObject({ state: 'needs_sign_in', sign_in: { state: 'needed' } })
    expect(server.requests).toEqual(['POST /mcp', 'GET /.well-known/oauth-protected-resource/mcp'])
    await login(signed)
    await isReady(signed)
    // Without metadata it is an error like any other.
    server.challenge = undefined
    server.metadata = undefined
    const other = await signInHost(`${server.url}?other`, ledger)
    expect(statusOf(other)).toMatchObject({ state: 'waiting', sign_in: null })
  })

  test('headers with an authorization mean no OAuth, and neither does auth: none', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    for (const options of [{ headers: { authorization: 'Bearer fixed' } }, { auth: 'none' as const }]) {
      const signed = await signInHost(server.url, ledger, options)
      expect(statusOf(signed)).toMatchObject({ state: 'waiting', sign_in: null })
      await expect(signed.host.signIns.login('notes', { by: OPERATOR })).rejects.toThrow(
        'Nobody can sign in to notes here',
      )
    }
  })
})

test('over SSE too: the sign-in is the same, and the stream has the token', async () => {
  const issuer = await signInIssuer()
  const server = await protectedServer('sse', issuer)
  const signed = await signInHost(server.url, ledger, { transport: 'auto' })
  expect(statusOf(signed)?.state).toBe('needs_sign_in')
  expect(server.requests).toEqual(['POST /mcp'])
  await login(signed)
  await isReady(signed)
  expect(textOf(await signed.call('whoami'))).toBe('ada')
  server.rejectAll = true
  await issuer.revokeRefresh((await storedTokens(ledger, server)).tokens.refresh_token)
  const after = await counted(issuer, server, () => signed.call('whoami'))
  expect(after).toEqual({ server: ['POST /message'], issuer: ['POST /token'] })
  expect(statusOf(signed)?.state).toBe('needs_sign_in')
})
