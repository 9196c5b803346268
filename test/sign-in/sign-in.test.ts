/**
 * The host signs in to servers of the SDK 1.x and 2.x that ask for it, at a real authorization server: discovery, registration, browser,
 * refresh, rotation, revocation, and what happens when a credential is dead.
 */
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { authSettings, OPERATOR, type SignInHost, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { type ProtectedServer, protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { type SignInIssuer, signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import type { Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Credential } from '../../packages/myrmex/src/host/sign-in/credential.ts'

let store: Store
let ledger: Ledger
beforeAll(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
})
afterAll(() => store.remove())

const statusOf = ({ host }: SignInHost) => host.servers()[0]
const signInOf = (signed: SignInHost) => statusOf(signed)?.sign_in

async function login(signed: SignInHost, browser = new Browser()) {
  const started = await signed.host.signIns.login('notes', { by: OPERATOR })
  const page = await browser.open(started?.authorization_url ?? '')
  return { started, page, browser }
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''
const storedTokens = async (server: ProtectedServer) => {
  const owner = { kind: 'tokens', server: 'notes', url: server.url, principal: '' } as const
  return (await ledger.upstreamTokens.read(owner))?.body as { tokens: { access_token: string; refresh_token: string } }
}
/** Everything that was asked of issuer and vendor while this ran. */
async function counted(issuer: SignInIssuer, server: ProtectedServer, work: () => Promise<unknown>) {
  const before = [issuer.requests.length, server.requests.length] as const
  await work()
  return { issuer: issuer.requests.slice(before[0]), server: server.requests.slice(before[1]) }
}

describe.each(['sdk1', 'sdk2'] as const)('a server of %s', (sdk) => {
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
    await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
    expect(textOf(await signed.call('whoami'))).toBe('ada')
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
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/callback\/notes$/),
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
    await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
    expect(textOf(await signed.call('leak'))).toBe('token [secret]')
  })
})

/** Signed in, with a server of the SDK 2.x that is ready. */
async function signedIn(
  shape: Parameters<typeof signInIssuer>[0] = {},
  options: Parameters<typeof signInHost>[2] = {},
) {
  const issuer = await signInIssuer(shape)
  const server = await protectedServer('sdk2', issuer)
  const signed = await signInHost(server.url, ledger, options)
  await login(signed)
  await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
  return { issuer, server, signed }
}

describe('a dead credential', () => {
  test('that cannot be refreshed leads to exactly one request after the 401, then to none', async () => {
    const { issuer, server, signed } = await signedIn()
    await issuer.revokeRefresh((await storedTokens(server)).tokens.refresh_token)
    server.rejectAll = true
    const first = await counted(issuer, server, async () => {
      await expect(signed.host.upstream('notes')?.request('tools/call', { name: 'whoami' })).rejects.toMatchObject({
        error_type: 'PermissionError',
        error_details: { server: 'notes', sign_in: 'needed', command: 'npx myrmex host login notes' },
      })
    })
    expect(first).toEqual({ server: ['POST /mcp'], issuer: ['POST /token'] })
    expect(statusOf(signed)).toMatchObject({ state: 'needs_sign_in', retry_after_ms: 0 })
    expect(signInOf(signed)).toMatchObject({ state: 'needed', reason: expect.stringContaining('invalid_grant') })

    // Calls, health checks, an operator's restart, another host on this ledger: nobody is asked anything.
    const later = await counted(issuer, server, async () => {
      for (let count = 0; count < 5; count++)
        await signed.host
          .upstream('notes')
          ?.request('tools/call', { name: 'whoami' })
          .catch(() => {})
      await signed.host.restart('notes')
      await signed.host.refresh('notes').catch(() => {})
      const other = await signInHost(server.url, await store.open())
      expect(statusOf(other)?.state).toBe('needs_sign_in')
    })
    expect(later).toEqual({ server: [], issuer: [] })
    expect(signed.log.filter((line) => line.includes('needs a sign-in: '))).not.toHaveLength(0)
    expect(JSON.stringify([signed.log, signed.host.servers(), signed.host.problems])).not.toContain(
      server.tokens.at(-1),
    )

    server.rejectAll = false
    await login(signed)
    await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
  })

  test('is one whose fresh token is refused too: one refresh, one more attempt, the end', async () => {
    const { issuer, server, signed } = await signedIn()
    server.rejectAll = true
    const after = await counted(issuer, server, async () => {
      await signed.host
        .upstream('notes')
        ?.request('tools/call', { name: 'whoami' })
        .catch(() => {})
      await signed.host
        .upstream('notes')
        ?.request('tools/call', { name: 'whoami' })
        .catch(() => {})
    })
    expect(after).toEqual({ server: ['POST /mcp', 'POST /mcp'], issuer: ['POST /token'] })
    expect(statusOf(signed)?.state).toBe('needs_sign_in')
  })

  test('of many calls at once is found by one refresh', async () => {
    const { issuer, server, signed } = await signedIn()
    await issuer.revokeRefresh((await storedTokens(server)).tokens.refresh_token)
    server.rejectAll = true
    const after = await counted(issuer, server, () =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          signed.host
            .upstream('notes')
            ?.request('tools/call', { name: 'whoami' })
            .catch(() => {}),
        ),
      ),
    )
    expect(after.issuer).toEqual(['POST /token'])
  })

  test('an issuer that is down is no refusal: the credential lives, and the server is tried again', async () => {
    const { issuer, server, signed } = await signedIn()
    server.rejectAll = true
    issuer.intercept = (line, answer) => {
      if (line === 'POST /token') answer(503, 'down')
      return line === 'POST /token'
    }
    await signed.host.restart('notes')
    expect(statusOf(signed)?.state).toBe('waiting')
    issuer.intercept = undefined
    server.rejectAll = false
    await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
  })
})

describe('tokens', () => {
  test('are refreshed when they have expired, with rotation, and the call does not notice', async () => {
    const { issuer, server, signed } = await signedIn({ accessTokenTtl: 1 })
    const before = await storedTokens(server)
    await vi.waitFor(async () => {
      await signed.call('whoami')
      expect((await storedTokens(server)).tokens.refresh_token).not.toBe(before.tokens.refresh_token)
    })
    expect(textOf(await signed.call('whoami'))).toBe('ada')
    const refresh = issuer.asked.find(({ body }) => body.get('grant_type') === 'refresh_token')
    expect(refresh?.body.get('resource')).toBe(server.url)
  })

  test('are refreshed once by all processes that share the ledger, so that a rotating one is never used twice', async () => {
    const { issuer, server, signed } = await signedIn()
    const others = await Promise.all(
      [store.open(), store.open()].map(async (opened) => signInHost(server.url, await opened)),
    )
    const all = [signed, ...others]
    for (const one of all) expect(statusOf(one)?.state).toBe('ready')
    // The issuer forgets the access token: each host gets a 401.
    const { tokens } = await storedTokens(server)
    await issuer.revokeAccess(tokens.access_token)
    const after = await counted(issuer, server, async () => {
      for (const text of await Promise.all(all.map((one) => one.call('whoami').then(textOf)))) expect(text).toBe('ada')
    })
    expect(after.issuer).toEqual(['POST /token'])
    for (const one of all) expect(statusOf(one)?.state).toBe('ready')
  })

  test('are bound to the URL of the server and to the issuer', async () => {
    const { issuer, server } = await signedIn()
    const moved = await signInHost(`${server.url}?other`, ledger)
    expect(statusOf(moved)?.state).toBe('needs_sign_in')
    const other = { server: 'notes', url: server.url, principal: '', store: () => ledger.upstreamTokens, log: () => {} }
    const credential = new Credential({
      ...other,
      auth: authSettings({ issuer: 'https://other.example' }),
      onChange: () => {},
    })
    expect([await credential.header(), await credential.hasNews()]).toEqual([undefined, false])
    const before = server.tokens.length
    const pinned = await signInHost(server.url, ledger, { auth: authSettings({ issuer: 'https://other.example' }) })
    expect([statusOf(pinned)?.state, server.tokens.length]).toEqual(['needs_sign_in', before])
    await expect(login(pinned)).rejects.toThrow(
      `it names the issuer "${issuer.issuer}", and auth.issuer is https://other.example`,
    )
  })

  test('are used by another host on the ledger as soon as somebody has signed in there', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    const waiting = await signInHost(server.url, await store.open())
    expect(statusOf(waiting)?.state).toBe('needs_sign_in')
    const signed = await signInHost(server.url, ledger)
    await login(signed)
    await vi.waitFor(() => expect(statusOf(waiting)?.state).toBe('ready'), { timeout: 10_000 })
  })

  test('are revoked and removed by a logout', async () => {
    const { issuer, server, signed } = await signedIn()
    const { tokens } = await storedTokens(server)
    expect(await signed.host.signIns.logout('notes', '', OPERATOR)).toEqual({ revoked: true })
    expect(await issuer.look(tokens.access_token)).toBeUndefined()
    expect(await storedTokens(server)).toBeUndefined()
    const after = await counted(issuer, server, () => signed.call('whoami'))
    expect(after).toEqual({ server: [], issuer: [] })
    expect(statusOf(signed)).toMatchObject({ state: 'needs_sign_in', sign_in: { reason: 'somebody signed out' } })
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
    await issuer.revokeAccess((await storedTokens(server)).tokens.access_token)
    const after = await counted(issuer, server, () => signed.call('whoami'))
    expect(after).toEqual({ server: ['POST /mcp', 'POST /mcp'], issuer: ['POST /token'] })
    expect(JSON.stringify(await storedTokens(server))).not.toContain('a secret of the machine')
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

  test('a device code', async () => {
    const issuer = await signInIssuer()
    const server = await protectedServer('sdk2', issuer)
    const signed = await signInHost(server.url, ledger, { auth: authSettings({ grant: 'device' }) })
    const started = await signed.host.signIns.login('notes', { by: OPERATOR })
    expect(started).toMatchObject({ flow: 'device', authorization_url: null, user_code: expect.any(String) })
    await new Browser().open(started?.verification_uri_complete ?? '')
    await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
    expect(signed.host.signIns.loginState(started?.id ?? '')).toMatchObject({ status: 'done' })
  })

  test('a client id metadata document comes before registration', async () => {
    const url = 'https://myrmex.example/client.json'
    const document = {
      client_id: url,
      client_name: 'Our host',
      redirect_uris: ['http://127.0.0.1/sign-in/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }
    const { issuer } = await signedIn(
      { documents: { [url]: document } },
      { auth: authSettings({ clientMetadataUrl: url }) },
    )
    expect(issuer.requests).not.toContain('POST /reg')
    expect(issuer.asked.find(({ line }) => line === 'GET /auth')?.body.get('client_id')).toBe(url)
  })

  test('a registration is kept for the next login', async () => {
    const { issuer, signed } = await signedIn()
    signed.host.signIns.callbackOrigin = undefined
    await login(signed)
    expect(issuer.requests.filter((line) => line === 'POST /reg')).toHaveLength(1)
  })

  test('without registration the operator learns what to register', async () => {
    const issuer = await signInIssuer({ registration: false })
    const server = await protectedServer('sdk2', issuer)
    const signed = await signInHost(server.url, ledger)
    await expect(login(signed)).rejects.toThrow(
      /Register one there with the redirect URI http:\/\/127\.0\.0\.1:\d+\/sign-in\/callback\/notes, and set auth.client_id of notes/,
    )
  })

  test('a scope that a call needs is asked for at the next login; the connection stays open', async () => {
    const { issuer, server, signed } = await signedIn()
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
  await vi.waitFor(() => expect(statusOf(signed)?.state).toBe('ready'))
  expect(textOf(await signed.call('whoami'))).toBe('ada')
  server.rejectAll = true
  await issuer.revokeRefresh((await storedTokens(server)).tokens.refresh_token)
  const after = await counted(issuer, server, () => signed.call('whoami'))
  expect(after).toEqual({ server: ['POST /message'], issuer: ['POST /token'] })
  expect(statusOf(signed)?.state).toBe('needs_sign_in')
})
