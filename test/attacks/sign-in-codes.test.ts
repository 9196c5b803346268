/**
 * Attacker: somebody who got hold of a code or a refresh token of the embedded issuer
 * Attack: redeems a code a second time, at the same time as its client, with another verifier, or as another client.
 * Stopped by: PKCE with S256; a code is consumed by one statement that one request wins, and its second use revokes everything of its grant.
 *
 * Attack: uses a refresh token that its client has used already.
 * Stopped by: refresh tokens rotate, and the second use of one ends the grant with its access tokens.
 *
 * Attack: has an answer sent to an address of its own, for another resource, or without PKCE.
 * Stopped by: redirect URIs are compared exactly (on loopback but for the port), resources must be of this host, and PKCE is required.
 */
import { callWith, RawOAuth } from '@myrmex/testing/raw-oauth'
import { SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { addUser, signedInHost } from '@myrmex/testing/signed-in-host'
import { expect, test } from 'vitest'

async function victim() {
  const { origin, ledger } = await signedInHost()
  await addUser(ledger, 'ada', ['*'])
  const client = new RawOAuth(origin)
  await client.register()
  return { origin, client, browser: new SignInBrowser() }
}

test('a code that is redeemed again ends what it had given', async () => {
  const { origin, client, browser } = await victim()
  const code = await client.code(browser)
  const { json } = await client.redeem(code)
  expect((await callWith(origin, json.access_token)).status).toBe(200)
  expect(await client.redeem(code)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  expect((await callWith(origin, json.access_token)).status).toBe(401)
  expect((await client.refresh(json.refresh_token)).status).toBe(400)
})

test('of many requests with one code at the same time at most one gets a token, and it is of no use', async () => {
  const { origin, client, browser } = await victim()
  const code = await client.code(browser)
  const got = await Promise.all(Array.from({ length: 8 }, () => client.redeem(code)))
  const won = got.filter(({ status }) => status === 200)
  expect(won.length).toBeLessThanOrEqual(1)
  for (const { json } of won) {
    expect((await callWith(origin, json.access_token)).status).toBe(401)
    expect((await client.refresh(json.refresh_token)).status).toBe(400)
  }
})

test('a code is of no use without the verifier, to another client, or with another redirect URI', async () => {
  const { client, browser, origin } = await victim()
  const other = new RawOAuth(origin)
  await other.register()
  const tries = [
    (code: string) => client.redeem(code, { code_verifier: 'x'.repeat(43) }),
    (code: string) =>
      client.post('token', { grant_type: 'authorization_code', code, redirect_uri: 'http://127.0.0.1:9/callback' }),
    (code: string) => client.redeem(code, { redirect_uri: 'http://127.0.0.1:9/other' }),
    (code: string) => other.redeem(code, { code_verifier: client.verifier }),
  ]
  for (const attempt of tries) expect((await attempt(await client.code(browser))).status).toBe(400)
})

test('a refresh token that is used again ends the grant', async () => {
  const { origin, client, browser } = await victim()
  const first = await client.tokens(browser)
  const second = (await client.refresh(first.refresh_token)).json
  expect((await callWith(origin, second.access_token)).status).toBe(200)
  expect(await client.refresh(first.refresh_token)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  expect((await callWith(origin, second.access_token)).status).toBe(401)
  expect((await client.refresh(second.refresh_token)).status).toBe(400)
})

test('of many requests with one refresh token at the same time at most one gets a token', async () => {
  const { client, browser } = await victim()
  const { refresh_token: token } = await client.tokens(browser)
  const got = await Promise.all(Array.from({ length: 8 }, () => client.refresh(token)))
  expect(got.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
})

test('a refresh token gives no more than was agreed to, and nothing to another client', async () => {
  const { client, browser, origin } = await victim()
  const { refresh_token: token } = await client.tokens(browser)
  const wider = await client.refresh(token, { scope: 'math.* text.*' })
  expect([wider.status, wider.json.error]).toEqual([400, 'invalid_scope'])
  const other = new RawOAuth(origin)
  await other.register()
  expect((await other.refresh(token)).status).toBe(400)
  await other.post('revoke', { token })
  const { status, json } = await client.refresh(token)
  expect(status).toBe(200)
  const elsewhere = { resource: 'https://elsewhere.example/mcp' }
  expect((await client.refresh(json.refresh_token, elsewhere)).status).toBe(400)
})

test.each([
  ['another redirect URI', { redirect_uri: 'http://127.0.0.1:9/evil' }],
  ['a redirect URI elsewhere', { redirect_uri: 'https://evil.example/callback' }],
  ['a path that only begins the same', { redirect_uri: 'http://127.0.0.1:9/callback/../evil' }],
  ['an unknown client', { client_id: 'c-nobody' }],
])('%s is not redirected to', async (_what, fields) => {
  const { client, browser } = await victim()
  const page = await browser.open(client.authorizeUrl(fields))
  if (page instanceof URL) throw new Error(`redirected to ${page}`)
  expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining('This sign-in cannot go on')])
})

test.each([
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
  ['PKCE in plain text', { code_challenge_method: 'plain' }],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }],
  ['a resource that only begins the same', { resource: 'http://127.0.0.1:1/mcp' }],
  ['a token in the answer', { response_type: 'token' }],
])('with %s the client gets an error and no code', async (_what, fields) => {
  const { client, browser } = await victim()
  const url = await browser.open(client.authorizeUrl(fields))
  if (!(url instanceof URL)) throw new Error(textOf(url))
  const params = url.searchParams.size > 0 ? url.searchParams : new URLSearchParams(url.hash.slice(1))
  expect([params.has('code'), params.has('access_token'), params.has('error')]).toEqual([false, false, true])
})
