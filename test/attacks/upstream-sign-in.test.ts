/**
 * Attacker: a page in the operator's browser
 * Attack: calls the address that the browser comes back to after a sign-in, with a guessed `state`, a used one, or the code of an account
 * of its own.
 * Stopped by: `state` has 256 random bits, is good for one answer within ten minutes, and belongs to one login at one issuer.
 *
 * Attacker: an authorization server
 * Attack: answers in the name of another one, so that the code of an honest issuer is sent to it (mix-up).
 * Stopped by: `iss` must be the issuer that was asked (RFC 9207), each server has a redirect address of its own, and PKCE binds the code.
 *
 * Attack: names endpoints without TLS, a script as the address to sign in at, or answers without end.
 * Stopped by: every endpoint is https or loopback, answers are bounded in size and time, redirects to other origins are not followed.
 *
 * Attack: sends the secret of the client back in its errors.
 * Stopped by: what an issuer says is shown without secrets, in one line.
 *
 * Attack: gives tokens with a life, a type or characters that break the status or a header.
 * Stopped by: a life is limited to ten years, and other types and characters are refused.
 *
 * Attacker: a server behind the host
 * Attack: names metadata, an issuer or endpoints in the network of the host, directly or by a name that resolves to such an address.
 * Stopped by: for a server at a public address they must be public too, and the connection goes to the address that was checked.
 *
 * Attack: gives its own name an address in the network of the host after the first request, so that it passes for a server that is there.
 * Stopped by: a name counts as one of the network only if the host at that address has a valid certificate for it.
 *
 * Attack: says that its tokens are for another server, to get one that is good there.
 * Stopped by: the resource of its metadata must be its own URL, and the token is asked for that resource.
 *
 * Attack: names an issuer of its own, to be sent the secret of a client that the operator configured.
 * Stopped by: a secret needs the issuer beside it in the configuration, and no other one is asked for anything.
 *
 * Attack: answers 401 again and again, so that the host burns refresh tokens and loads the issuer.
 * Stopped by: one refresh and one more attempt; after that nothing is sent until the operator signs in.
 *
 * Attack: sends the host's token back in results, errors and log messages.
 * Stopped by: tokens are removed from everything that the server sends.
 *
 * Attacker: a process that reads or writes the ledger
 * Attack: reads tokens from the store, or puts those of one server in the row of another one.
 * Stopped by: they are encrypted under the ledger's key and bound to server, URL, caller and issuer.
 *
 * Attacker: a caller
 * Attack: signs in, signs out, or reads a login over the operator's API.
 * Stopped by: every route needs the operator's token, and in a locked ledger a session.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { authSettings, OPERATOR, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import type { Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { IssuerAddresses, isLocalAddress } from '../../packages/myrmex/src/host/sign-in/issuer-address.ts'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

let store: Store
let ledger: Ledger
beforeAll(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
})
afterAll(() => store.remove())

async function waitingLogin() {
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const signed = await signInHost(server.url, ledger)
  const { signIns } = signed.host
  const started = await signIns.login('notes', { by: OPERATOR })
  const answer = async (): Promise<URL> =>
    (await new Browser().open(started?.authorization_url ?? '', ({ pathname }) => pathname.startsWith('/oauth/'))).url
  const isSignedIn = (): boolean => signed.host.servers()[0]?.sign_in?.state === 'signed_in'
  return { issuer, server, signed, signIns, started, answer, isSignedIn }
}
const open = async (url: URL) => {
  const response = await fetch(url)
  return [response.status, await response.text()] as const
}

test('a guessed state is refused, and the login goes on', async () => {
  const { answer, isSignedIn, issuer } = await waitingLogin()
  const url = await answer()
  const guessed = new URL(url)
  guessed.searchParams.set('state', 'x'.repeat(43))
  const before = issuer.requests.length
  expect(await open(guessed)).toEqual([400, expect.stringContaining('no login is waiting for this answer')])
  expect([issuer.requests.length, isSignedIn()]).toEqual([before, false])
  expect((await open(url))[0]).toBe(200)
  expect(isSignedIn()).toBe(true)
})

test('a state is good once', async () => {
  const { answer, signIns } = await waitingLogin()
  const url = await answer()
  expect((await open(url))[0]).toBe(200)
  expect((await open(url))[0]).toBe(400)
  await expect(signIns.finishPasted('notes', url.href)).rejects.toThrow('No login of notes is waiting')
})

test.each([
  ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 'which was asked (RFC 9207)'],
  ['none, of an issuer that promises it', (url: URL) => url.searchParams.delete('iss'), 'which was asked (RFC 9207)'],
  [
    'an error of another issuer',
    (url: URL) => {
      url.searchParams.set('iss', 'https://evil.example')
      url.searchParams.set('error', 'text of an attacker')
    },
    'which was asked (RFC 9207)',
  ],
])('iss of %s ends the login without a request to the issuer', async (_what, change, message) => {
  const { answer, isSignedIn, issuer, signIns, started } = await waitingLogin()
  const url = await answer()
  change(url)
  const before = issuer.requests.length
  const [status, text] = await open(url)
  expect([status, text]).toEqual([400, expect.stringContaining(message)])
  expect(text).not.toContain('text of an attacker')
  expect([issuer.requests.length, isSignedIn()]).toEqual([before, false])
  expect(signIns.loginState(started?.id ?? '')).toMatchObject({ status: 'failed' })
})

test('an answer at the redirect address of another server is refused', async () => {
  const { answer, isSignedIn } = await waitingLogin()
  const url = await answer()
  url.pathname = '/oauth/callback/other'
  expect(await open(url)).toEqual([400, expect.stringContaining('at the address of another login')])
  expect(isSignedIn()).toBe(false)
})

test('a code that was made for other PKCE values is refused by the issuer', async () => {
  const { answer, signed, isSignedIn } = await waitingLogin()
  const own = await answer()
  const started = await signed.host.signIns.login('notes', { by: OPERATOR })
  own.searchParams.set('state', new URL(started?.authorization_url ?? '').searchParams.get('state') ?? '')
  expect(await open(own)).toEqual([400, expect.stringContaining('refused it: invalid_grant')])
  expect(isSignedIn()).toBe(false)
})

/** A login at an issuer whose metadata an attacker writes. */
async function loginWith(
  metadata: (origin: string) => object,
  resource: (url: string, issuer: string) => object = () => ({}),
) {
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  Object.assign(server.metadata ?? {}, resource(server.url, issuer.issuer))
  const read = async (path: string): Promise<object> =>
    (await (await fetch(`${issuer.issuer}/.well-known/${path}`)).json()) as object
  const known = await read('openid-configuration')
  issuer.intercept = (line, answer) => {
    if (!line.startsWith('GET /.well-known/')) return false
    answer(200, { ...known, ...metadata(issuer.issuer) })
    return true
  }
  const signed = await signInHost(server.url, ledger)
  const before = issuer.requests.length
  return {
    login: () => signed.host.signIns.login('notes', { by: OPERATOR }),
    asked: () => issuer.requests.slice(before).filter((line) => !line.startsWith('GET /.well-known/')),
  }
}

test.each([
  [
    'a token endpoint without TLS',
    { token_endpoint: 'http://evil.example/token' },
    /token_endpoint .* is http:\/\/evil.example\/token, which is neither https nor on loopback/,
  ],
  [
    'a token endpoint without TLS whose name begins like loopback',
    { token_endpoint: 'http://127.0.0.1.evil.example/token' },
    /neither https nor on loopback/,
  ],
  ['a script to sign in at', { authorization_endpoint: 'javascript:alert(1)' }, /authorization_endpoint/],
  [
    'a registration endpoint without TLS',
    { registration_endpoint: 'http://192.168.1.1/reg' },
    /neither https nor on loopback/,
  ],
  [
    'a revocation endpoint that is a file',
    { revocation_endpoint: 'file:///etc/passwd' },
    /neither https nor on loopback/,
  ],
  ['the name of another issuer', { issuer: 'https://accounts.example' }, /metadata/],
  ['no PKCE', { code_challenge_methods_supported: ['plain'] }, /PKCE/],
  ['more than fits', { padding: 'x'.repeat(300_000) }, /more than 262144 bytes/],
] as const)('metadata with %s ends the login', async (_what, metadata, message) => {
  const { login, asked } = await loginWith(() => metadata)
  await expect(login()).rejects.toThrow(message)
  expect(asked()).toEqual([])
})

test.each([
  [
    'another server as its resource',
    (_url: string, issuer: string) => ({ resource: `${issuer}/api` }),
    /its metadata is about/,
  ],
  [
    'an issuer without TLS',
    () => ({ authorization_servers: ['http://evil.example'] }),
    /neither https nor on loopback/,
  ],
  ['an issuer that is no URL', () => ({ authorization_servers: ['nowhere'] }), /cannot be used|not a URL/],
] as const)('a server that names %s cannot be signed in to', async (_what, resource, message) => {
  const { login, asked } = await loginWith(() => ({}), resource)
  await expect(login()).rejects.toThrow(message)
  expect(asked()).toEqual([])
})

test.each([
  ['a life without end', { expires_in: 1e300 }, 'ready'],
  ['a life that is no number', { expires_in: 'for ever' }, 'needs_sign_in'],
  ['a line break', { access_token: 'a\r\nx-admin: true' }, 'needs_sign_in'],
  ['a type that the host cannot send', { token_type: 'mac' }, 'needs_sign_in'],
] as const)('a token with %s does no harm', async (_what, members, state) => {
  const { answer, issuer, server, signed } = await waitingLogin()
  const url = await answer()
  issuer.intercept = (line, send) => {
    if (line === 'POST /token') send(200, { access_token: 'a-token', token_type: 'Bearer', ...members })
    return line === 'POST /token'
  }
  issuer.look = async () => ({ accountId: 'ada', clientId: 'host', aud: server.url, destroy: async () => {} })
  await open(url)
  const [status] = signed.host.servers()
  expect(status?.state).toBe(state)
  expect(JSON.stringify(status)).not.toContain('a-token')
  expect(server.headers).not.toContain('x-admin')
  expect(new Set(server.tokens)).toEqual(new Set(state === 'ready' ? ['a-token'] : []))
})

test('an issuer that sends the secret of the client back is not quoted with it', async () => {
  const issuer = await signInIssuer({
    clients: [
      {
        client_id: 'host',
        client_secret: 'a-secret-of-the-host',
        redirect_uris: ['http://127.0.0.1:1/oauth/callback'],
      },
    ],
  })
  const server = await protectedServer('sdk2', issuer)
  let description = ''
  issuer.intercept = (line, answer) => {
    if (line === 'POST /token') answer(401, { error: 'invalid_client', error_description: description })
    return line === 'POST /token'
  }
  const auth = authSettings({ issuer: issuer.issuer, clientId: 'host', clientSecret: 'a-secret-of-the-host' })
  const { host, log } = await signInHost(server.url, ledger, { auth })
  host.signIns.callbackOrigin = 'http://127.0.0.1:1'
  const started = await host.signIns.login('notes', { by: OPERATOR })
  const { url } = await new Browser().open(started?.authorization_url ?? '', ({ pathname }) =>
    pathname.startsWith('/oauth/'),
  )
  const code = url.searchParams.get('code') ?? ''
  description = `no a-secret-of-the-host for ${code}`
  const refused = await host.signIns.finish(url.searchParams).catch((thrown: Error) => thrown.message)
  expect(refused).toContain('refused it: invalid_client: no [secret] for [secret]')
  const said = JSON.stringify([refused, host.signIns.loginState(started?.id ?? ''), host.servers(), log])
  expect(said).not.toContain('a-secret-of-the-host')
})

test('metadata that redirects to another origin is not followed', async () => {
  const inner = createServer((_request, response) => void response.end('{}'))
  const asked: unknown[] = []
  inner.on('request', ({ url }) => asked.push(url))
  inner.listen(0, '127.0.0.1')
  await once(inner, 'listening')
  onTestFinished(() => void inner.close())
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  issuer.intercept = (line, answer) => {
    answer(302, '', { location: `http://127.0.0.1:${(inner.address() as AddressInfo).port}/inside` })
    return line !== ''
  }
  const signed = await signInHost(server.url, ledger)
  await expect(signed.host.signIns.login('notes', { by: OPERATOR })).rejects.toThrow('Signing in is not possible')
  expect(asked).toEqual([])
})

test('addresses in the network of the host are refused for a public server, whatever name they have', async () => {
  const names: Record<string, string[]> = {
    'mcp.example': ['203.0.113.7'],
    'login.example': ['203.0.113.8'],
    'inside.example': ['10.0.0.5'],
    'both.example': ['203.0.113.9', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
  }
  const resolve = async (host: string) => names[host] ?? []
  const addresses = new IssuerAddresses('https://mcp.example/mcp', undefined, resolve)
  const tried = (url: string) => addresses.resolve(new URL(url))
  expect(await tried('https://login.example/token')).toEqual(['203.0.113.8'])
  for (const url of [
    'https://inside.example/token',
    'https://both.example/token',
    'https://metadata.example/latest',
    'https://localhost/token',
    'http://127.0.0.1:7350/api',
    'https://[::1]/token',
    'https://[::ffff:10.0.0.1]/token',
    'https://192.168.0.1/token',
    'https://0x7f.1/token',
  ])
    await expect(tried(url), url).rejects.toThrow('is in a private network')
  // The configuration of the operator is believed, and a local server may have a local issuer.
  const pinned = new IssuerAddresses('https://mcp.example/mcp', 'https://inside.example', resolve)
  expect(await pinned.resolve(new URL('https://inside.example/token'))).toEqual(['10.0.0.5'])
  await expect(pinned.resolve(new URL('https://metadata.example/'))).rejects.toThrow('private network')
  const local = new IssuerAddresses('http://127.0.0.1:3000/mcp', undefined, resolve)
  expect(await local.resolve(new URL('https://inside.example/token'))).toEqual(['10.0.0.5'])
  for (const address of [
    'fd00::1',
    'fe80::1%eth0',
    '::',
    '::127.0.0.1',
    '100.64.1.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])
    expect(isLocalAddress(address), address).toBe(true)
  for (const address of ['8.8.8.8', '2606:4700::1111']) expect(isLocalAddress(address), address).toBe(false)
})

test('the secret of a client is sent to no issuer but the one that the operator named', async () => {
  const [honest, evil] = [await signInIssuer(), await signInIssuer()]
  const server = await protectedServer('sdk2', evil)
  const secret = { clientId: 'machine', clientSecret: 'a secret of the machine' }
  const auth = authSettings({ grant: 'client_credentials', issuer: honest.issuer, ...secret })
  const { host } = await signInHost(server.url, ledger, { auth })
  expect(host.servers()[0]?.sign_in?.reason).toContain('and auth.issuer is')
  expect([honest.requests, evil.requests]).toEqual([[], []])
})

describe('a server whose name resolves to an address in the network of the host', () => {
  const inside = 'http://127.0.0.1:9200/'
  const named = (port: number, host = 'mcp.example') =>
    new IssuerAddresses(`https://${host}:${port}/mcp`, undefined, async () => ['127.0.0.1'])

  test('and is not there gains nothing: its name may have had another address before', async () => {
    const inner = createServer()
    inner.listen(0, '127.0.0.1')
    await once(inner, 'listening')
    onTestFinished(() => void inner.close())
    const { port } = inner.address() as AddressInfo
    await expect(named(port).resolve(new URL(inside))).rejects.toThrow('is in a private network')
    await expect(named(port).resolve(new URL(`https://mcp.example:${port}/mcp`))).rejects.toThrow('private network')
  })

  test('and has no certificate for its name gains nothing, and one that has may have its issuer there', async () => {
    const { key, cert } = await certificateOf('mcp.example')
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, cert])
    onTestFinished(() => setDefaultCACertificates(before))
    const inner = createTlsServer({ key, cert })
    inner.listen(0, '127.0.0.1')
    await once(inner, 'listening')
    onTestFinished(() => void inner.close())
    const { port } = inner.address() as AddressInfo
    await expect(named(port, 'evil.example').resolve(new URL(inside))).rejects.toThrow('is in a private network')
    // Also where the operator has switched off what fetch checks of certificates.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(named(port, 'evil.example').resolve(new URL(inside))).rejects.toThrow('is in a private network')
    expect(await named(port).resolve(new URL(inside))).toEqual(['127.0.0.1'])
  })
})

/** Signed by itself. */
async function certificateOf(name: string): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert])
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

test('tokens are not in the store in clear, and those of one server cannot be used for another', async () => {
  const { answer, server, isSignedIn } = await waitingLogin()
  await open(await answer())
  expect(isSignedIn()).toBe(true)
  await vi.waitFor(() => expect(server.tokens).not.toEqual([]))
  const rows = JSON.stringify(await ledger.db.query('SELECT * FROM upstream_tokens'))
  for (const token of server.tokens) expect(rows).not.toContain(token)

  const other = await protectedServer('sdk2', await signInIssuer())
  const target = { kind: 'tokens', server: 'notes', url: other.url, principal: '' } as const
  await ledger.upstreamTokens.write(target, 'https://issuer.example', {})
  await ledger.db.query(
    `UPDATE upstream_tokens SET body = (SELECT body FROM upstream_tokens WHERE kind = 'tokens' AND issuer LIKE 'http://127%' LIMIT 1)
     WHERE issuer = 'https://issuer.example'`,
  )
  const signed = await signInHost(other.url, ledger)
  expect(signed.host.servers()[0]).toMatchObject({
    state: 'needs_sign_in',
    sign_in: { reason: 'the stored tokens cannot be opened' },
  })
  expect(other.tokens).toEqual([])
})

test('a caller can neither sign in nor out, and without a session nobody can in a locked ledger', async () => {
  const locked = await freshStore('sqlite')
  onTestFinished(() => locked.remove())
  await lockLedger(await locked.open(), 'a long passphrase of the operator', 'the operator', 2 ** 14)
  await locked.close()
  const closed = await locked.open()
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const { host } = await signInHost(server.url, closed)
  const api = await serveOperatorApi({ server: host.server, ledger: closed, host }, { token: 'the token of callers' })
  const routes = [
    ['POST', '/api/servers/notes/login'],
    ['POST', '/api/servers/notes/login/finish'],
    ['GET', '/api/servers/notes/login/l-1'],
    ['POST', '/api/servers/notes/logout'],
  ] as const
  for (const [method, path] of routes)
    for (const [token, status] of [
      [undefined, 401],
      ['wrong', 401],
      ['the token of callers', 401],
      [api.token, 403],
    ] as const) {
      const answered = await api.request(path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(method === 'POST' && { body: '{}' }),
      })
      expect([path, token, answered.status]).toEqual([path, token, status])
    }
  // A program that has the ledger open has no session either.
  await expect(host.signIns.login('notes', { by: 'a program' })).rejects.toThrow('locked')
  expect(issuer.requests).toEqual([])
})
