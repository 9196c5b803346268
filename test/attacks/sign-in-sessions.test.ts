/**
 * Attacker: a program at another port of the machine, which shares the cookies of 127.0.0.1
 * Attack: plants its own cookies in the browser of a user before the user signs in, and uses them afterwards.
 * Stopped by: signing in gives the browser a new session; cookies of before, and those of another browser, are signed in to nothing.
 *
 * Attack: plants its own signed-in session, so that the user connects a client to the account of the attacker.
 * Stopped by: the page on which a user agrees names the account, and offers another one.
 *
 * Attacker: somebody who guesses passphrases
 * Attack: names another address in `X-Forwarded-For` with each guess.
 * Stopped by: these headers are believed only from proxies that the operator named.
 *
 * Attack: sends each guess from another IPv6 address of its own network.
 * Stopped by: IPv6 addresses count by their network (/64), which is what a customer of a provider has.
 *
 * Attacker: a web page whose name resolves to this machine
 * Attack: opens the pages of the issuer, or signs in, under its own name.
 * Stopped by: pages of the issuer are served only under the host's own name, and with the host's own URL in every link.
 *
 * Attacker: somebody who writes links to the host
 * Attack: has a page of the issuer send its visitor, a form or a token to an address of the attacker.
 * Stopped by: redirects go to the issuer itself, and to addresses that the client registered; to addresses elsewhere only after its user
 * has answered.
 */
import { request } from 'node:http'
import { RawOAuth } from '@myrmex/testing/raw-oauth'
import { type SeenPage, SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { addUser, PASSPHRASE, signedInHost } from '@myrmex/testing/signed-in-host'
import { describe, expect, test } from 'vitest'
import { ATTEMPT_LIMITS } from '../../packages/myrmex/src/host/issuer/attempts.ts'

const page = (seen: SeenPage | URL): SeenPage => {
  if (seen instanceof URL) throw new Error(`redirected to ${seen}`)
  return seen
}

async function opened() {
  const host = await signedInHost()
  for (const name of ['ada', 'eve']) await addUser(host.ledger, name, ['*'])
  const client = new RawOAuth(host.origin)
  await client.register()
  return { host, client, url: client.authorizeUrl() }
}

const RIGHT = { user: 'ada', passphrase: PASSPHRASE }

describe('cookies that an attacker knows', () => {
  test('from before the user signed in are signed in to nothing', async () => {
    const { url, client } = await opened()
    const attacker = new SignInBrowser()
    await attacker.signIn(url, 'eve', PASSPHRASE)
    const planted = attacker.cookiesFor(new URL(url.origin))
    expect(planted).toMatch(/^myrmex_\d+=[\w-]+; myrmex_\d+\.sig=[\w-]+$/)
    const user = new SignInBrowser()
    user.plant(planted)
    const login = page(await user.submit(page(await user.open(url)), { action: 'other' }))
    const consent = page(await user.submit(login, RIGHT))
    expect(textOf(consent)).toContain('You are signed in as ada')
    expect(user.cookiesFor(new URL(url.origin))).not.toBe(planted)
    // With the cookies of before, and those of each page that the user saw on the way.
    for (const at of [login.url, consent.url]) {
      const later = new SignInBrowser()
      later.plant(planted)
      expect(textOf(page(await later.open(at)))).toContain('started in another browser')
    }
    const later = new SignInBrowser()
    later.plant(planted)
    expect(textOf(page(await later.open(client.authorizeUrl())))).toContain('Passphrase')
  })

  test('of a user without their signatures count as none', async () => {
    const { url } = await opened()
    const browser = new SignInBrowser()
    const consent = page(await browser.submit(page(await browser.open(url)), RIGHT))
    const unsigned = browser
      .cookiesFor(consent.url)
      .split('; ')
      .filter((pair) => !pair.includes('.sig='))
      .join('; ')
    const other = new SignInBrowser()
    other.plant(unsigned)
    const got = page(await other.open(consent.url))
    expect([got.status, textOf(got)]).toEqual([400, expect.stringContaining('started in another browser')])
  })

  test('of the attacker’s own account show its name before anything is given', async () => {
    const { client, url } = await opened()
    const browser = new SignInBrowser()
    await browser.signIn(url, 'eve', PASSPHRASE)
    const shown = page(await browser.open(client.authorizeUrl()))
    expect(textOf(shown)).toContain('You are signed in as eve')
    expect(shown.html).toContain('Use another account')
  })
})

test('an address that a guesser names itself changes nothing', async () => {
  const { url } = await opened()
  const browser = new SignInBrowser()
  const login = page(await browser.open(url))
  const statuses: number[] = []
  for (let count = 0; count <= ATTEMPT_LIMITS.pair; count++) {
    const headers = { 'x-forwarded-for': `10.0.0.${count}`, forwarded: `for=10.0.0.${count}` }
    statuses.push(page(await browser.submit(login, { ...RIGHT, passphrase: 'wrong wrong wrong' }, headers)).status)
  }
  expect(statuses).toEqual([...Array(ATTEMPT_LIMITS.pair).fill(400), 429])
})

test('another IPv6 address of the same network changes nothing', async () => {
  const { origin, ledger } = await signedInHost({ listen: { trustProxy: ['loopback'] } })
  await addUser(ledger, 'ada', ['*'])
  const client = new RawOAuth(origin)
  await client.register()
  const browser = new SignInBrowser()
  const login = page(await browser.open(client.authorizeUrl()))
  const guess = async (address: string): Promise<number> =>
    page(await browser.submit(login, { ...RIGHT, passphrase: 'wrong wrong wrong' }, { 'x-forwarded-for': address }))
      .status
  for (let count = 0; count < ATTEMPT_LIMITS.pair; count++) expect(await guess(`2001:db8::${count + 1}:2`)).toBe(400)
  expect(await guess('2001:db8:0:0:ffff::1')).toBe(429)
  expect(await guess('2001:db8:0:1::1')).toBe(400)
})

describe('under another host name', () => {
  const asked = (origin: string, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(origin)
      request({ hostname, port, path, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
        .on('error', reject)
        .end()
    })

  test('no page of the issuer is served', async () => {
    const { host, url } = await opened()
    for (const path of [
      url.pathname + url.search,
      '/sign-in/invitation/i-0',
      '/.well-known/oauth-authorization-server',
    ])
      expect(await asked(host.origin, path, { host: 'evil.example' })).toMatchObject({ status: 403 })
  })

  test('that a proxy seems to name, the metadata keep the host’s own', async () => {
    const { host } = await opened()
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    const { body } = await asked(host.origin, '/.well-known/oauth-authorization-server', forged)
    expect(JSON.parse(body).issuer).toBe(host.origin)
    expect(body).not.toContain('evil.example')
  })
})

test.each([
  ['/sign-in//evil.example', {}],
  ['/sign-in/continue//evil.example', {}],
  ['/sign-in/continue/https:%2F%2Fevil.example', {}],
  ['/sign-in/invitation/..%2f..%2f%2fevil.example', {}],
  ['/sign-in/session/end', { post_logout_redirect_uri: 'https://evil.example/' }],
  ['/sign-in/authorize', { redirect_uri: 'https://evil.example/', error: 'x', state: 's' }],
  ['/sign-in/authorize', { request_uri: 'https://evil.example/', client_id: 'x' }],
])('%s with %j sends nobody elsewhere', async (path, query) => {
  const { host } = await opened()
  const response = await fetch(`${host.origin}${path}?${new URLSearchParams(query)}`, { redirect: 'manual' })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('location')).toBeNull()
})

test.each([
  ['https', 'https://evil.example/', { prompt: 'none' }],
  ['https', 'https://evil.example/', { response_type: 'token' }],
  ['https', 'https://evil.example/', { resource: 'https://evil.example/' }],
  ['the scheme of an application', 'evil://here', { prompt: 'none' }],
])('a link alone sends nobody to the %s address of a client, with %s and %j', async (_what, redirect, fields) => {
  const host = await signedInHost({ config: { redirect_schemes: ['evil'] } })
  const client = new RawOAuth(host.origin)
  await client.register({ redirect_uris: [redirect] })
  const response = await fetch(client.authorizeUrl({ redirect_uri: redirect, ...fields }), { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(await response.text()).toContain('This sign-in cannot go on')
})

test('a client on this computer learns at once why it gets nothing', async () => {
  const { client } = await opened()
  const response = await fetch(client.authorizeUrl({ prompt: 'none' }), { redirect: 'manual' })
  expect(response.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:9\/callback\?error=login_required/)
})

test.each([
  ['a form that a script sends', { response_mode: 'form_post' }],
  ['a message to the window that opened it', { response_mode: 'web_message' }],
  ['a fragment', { response_mode: 'fragment' }],
])('an answer in %s is one in the query', async (_what, fields) => {
  const { client } = await opened()
  const browser = new SignInBrowser()
  const consent = page(await browser.submit(page(await browser.open(client.authorizeUrl(fields))), RIGHT))
  const answer = await browser.submit(consent, { action: 'agree' })
  expect(answer instanceof URL && [answer.searchParams.has('code'), answer.hash]).toEqual([true, ''])
})

test('a sign-in cannot be started by a form of another page', async () => {
  const { host, url } = await opened()
  const response = await fetch(`${host.origin}/sign-in/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: url.searchParams.toString(),
  })
  expect([response.status, response.headers.get('location')]).toEqual([404, null])
})
