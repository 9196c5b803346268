/**
 * Attacker: a web page on another site
 * Attack: has its visitor's browser sign in or agree for a client of the attacker, by a form of its own or in a hidden frame.
 * Stopped by: a form counts only with our origin and the value that was made for this page and this browser; pages cannot be framed, and
 * every sign-in of a client shows its user who asks and what it gets.
 *
 * Attack: sends a link to a sign-in that the attacker began, so that the visitor finishes it.
 * Stopped by: a sign-in goes on only in the browser in which it began.
 *
 * Attacker: somebody who guesses
 * Attack: tries passphrases, many at once or from many addresses, or finds out which users there are.
 * Stopped by: attempts are counted before they are judged, by user and by address; answers and work are the same with and without such a user.
 *
 * Attacker: somebody with an invitation that was used, replaced or expired
 * Attack: opens it again, or opens it many times at once.
 * Stopped by: an invitation is used up by one statement; a newer one for the same user replaces it.
 */
import { RawOAuth } from '@myrmex/testing/raw-oauth'
import { type SeenPage, SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { addUser, PASSPHRASE, type SignedInHost, signedInHost } from '@myrmex/testing/signed-in-host'
import { describe, expect, test } from 'vitest'
import { ATTEMPT_LIMITS, Attempts } from '../../packages/myrmex/src/host/issuer/attempts.ts'

const page = (seen: SeenPage | URL): SeenPage => {
  if (seen instanceof URL) throw new Error(`redirected to ${seen}`)
  return seen
}

async function opened(): Promise<{ host: SignedInHost; client: RawOAuth; browser: SignInBrowser; login: SeenPage }> {
  const host = await signedInHost()
  await addUser(host.ledger, 'ada', ['*'])
  const client = new RawOAuth(host.origin)
  await client.register({ client_name: '<script>alert(1)</script>' })
  const browser = new SignInBrowser()
  return { host, client, browser, login: page(await browser.open(client.authorizeUrl())) }
}

const RIGHT = { user: 'ada', passphrase: PASSPHRASE }

describe('a form of another page', () => {
  test.each([
    ['with another origin', { origin: 'https://evil.example' }],
    ['of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['without an origin', { origin: 'null' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused', async (_what, headers) => {
    const { browser, login } = await opened()
    const got = page(await browser.submit(login, RIGHT, headers))
    expect(got.status).toBe(403)
  })

  test('without the value of our page is refused', async () => {
    const { browser, login } = await opened()
    const got = page(await browser.submit(login, { ...RIGHT, form: 'x' }))
    expect([got.status, textOf(got)]).toEqual([403, expect.stringContaining('out of date')])
  })

  test('with the value of the attacker’s own page is refused', async () => {
    const { host, browser, login } = await opened()
    const attacker = new RawOAuth(host.origin)
    await attacker.register()
    const own = page(await new SignInBrowser().open(attacker.authorizeUrl()))
    const value = /name="form" value="([^"]+)"/.exec(own.html)?.[1] as string
    expect(page(await browser.submit(login, { ...RIGHT, form: value })).status).toBe(403)
  })
})

test('a sign-in that another browser began cannot be finished', async () => {
  const { login } = await opened()
  const got = page(await new SignInBrowser().open(login.url))
  expect([got.status, textOf(got)]).toEqual([400, expect.stringContaining('started in another browser')])
})

test('no page can be framed, run code of others, or send its form elsewhere', async () => {
  const { host, login } = await opened()
  const { code } = await host.ledger.invitations.create('bob', { scopes: ['*'] }, 'operator')
  const browser = new SignInBrowser()
  const pages = [
    login,
    page(await browser.open(new URL(`${host.origin}/sign-in/invitation/${code}`))),
    page(await browser.open(new URL(`${host.origin}/sign-in/authorize`))),
  ]
  for (const { headers, html } of pages) {
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(html).not.toMatch(/<script(?! src="\/sign-in\/)|\son\w+=|\sstyle=|javascript:/i)
  }
  expect(login.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:9")
  expect(login.html).toContain('&lt;script&gt;')
  const cookies = login.headers.getSetCookie()
  for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/samesite=lax.*httponly|httponly.*samesite=lax/)
})

test('a login alone gives nothing: its user has to agree, each time', async () => {
  const { client, browser, login } = await opened()
  const consent = page(await browser.submit(login, RIGHT))
  expect(textOf(consent)).toContain('Allow access?')
  await browser.submit(consent, { action: 'agree' })
  expect(textOf(page(await browser.open(client.authorizeUrl())))).toContain('Allow access?')
  const none = await browser.open(client.authorizeUrl({ prompt: 'none' }))
  expect(none instanceof URL && none.searchParams.get('error')).toBeTruthy()
})

test('to agree without having signed in is refused', async () => {
  const { browser, login } = await opened()
  expect(page(await browser.submit(login, { action: 'agree' })).status).toBe(403)
})

describe('guessing', () => {
  test('ends after some attempts, also for the right passphrase and for users that there are not', async () => {
    for (const user of ['ada', 'nobody']) {
      const { browser, login } = await opened()
      const seen: SeenPage[] = []
      for (let count = 0; count < ATTEMPT_LIMITS.pair; count++)
        seen.push(page(await browser.submit(login, { user, passphrase: 'wrong wrong wrong' })))
      expect(seen.map(({ status }) => status)).toEqual(Array(ATTEMPT_LIMITS.pair).fill(400))
      const late = page(await browser.submit(login, { user, passphrase: PASSPHRASE }))
      expect([late.status, textOf(late)]).toEqual([429, expect.stringContaining('Too many attempts')])
    }
  })

  test('many at once are no way around', async () => {
    const { browser, login } = await opened()
    const got = await Promise.all(
      Array.from({ length: 12 }, () => browser.submit(login, { user: 'ada', passphrase: 'wrong wrong wrong' })),
    )
    expect(got.filter((one) => page(one).status === 400)).toHaveLength(ATTEMPT_LIMITS.pair)
  })

  test('says the same about a user that there is, one that there is not, and one that is disabled', async () => {
    const { host, browser, login } = await opened()
    await addUser(host.ledger, 'dora', ['*'])
    await host.ledger.users.disable('dora', 'operator')
    const texts: string[] = []
    for (const [user, passphrase] of [
      ['ada', 'wrong'],
      ['nobody', 'wrong'],
      ['dora', PASSPHRASE],
    ] as const) {
      const got = page(await browser.submit(login, { user, passphrase }))
      texts.push(`${got.status} ${got.html.replaceAll(user, 'NAME')}`)
    }
    expect(new Set(texts).size).toBe(1)
  })

  test('of one address does not lock a user out of another', () => {
    const attempts = new Attempts(() => 0)
    for (let count = 0; count < ATTEMPT_LIMITS.pair; count++) attempts.begin('ada', '10.0.0.1')
    expect(() => attempts.begin('ada', '10.0.0.1')).toThrow('Too many attempts')
    attempts.begin('ada', '10.0.0.2')
  })

  test('of many users from one address ends, and of one user from many addresses too', () => {
    const one = new Attempts(() => 0)
    for (let count = 0; count < ATTEMPT_LIMITS.address; count++) one.begin(`user${count}`, '10.0.0.1')
    expect(() => one.begin('another', '10.0.0.1')).toThrow('Too many attempts')
    const many = new Attempts(() => 0)
    for (let count = 0; count < ATTEMPT_LIMITS.user; count++) many.begin('ada', `10.0.0.${count}`)
    expect(() => many.begin('ada', '10.0.1.1')).toThrow('Too many attempts')
  })
})

describe('an invitation', () => {
  const invited = async () => {
    const host = await signedInHost()
    const { code } = await host.ledger.invitations.create('bob', { scopes: ['*'] }, 'operator')
    const browser = new SignInBrowser()
    const url = new URL(`${host.origin}/sign-in/invitation/${code}`)
    return { ...host, browser, url, form: page(await browser.open(url)) }
  }
  const chosen = { passphrase: PASSPHRASE, again: PASSPHRASE }

  test('works once, of many at the same time too', async () => {
    const { browser, url, form, ledger } = await invited()
    const got = await Promise.all(Array.from({ length: 5 }, () => browser.submit(form, chosen)))
    expect(got.filter((one) => page(one).status === 200)).toHaveLength(1)
    expect(page(await browser.open(url)).status).toBe(404)
    expect(await ledger.credentials.isPassphrase('bob', PASSPHRASE)).toBe(true)
  })

  test('stops working when there is a newer one, when it is revoked, and when the user is disabled', async () => {
    const { browser, url, ledger, origin } = await invited()
    const newer = await ledger.invitations.create('bob', {}, 'operator')
    expect(page(await browser.open(url)).status).toBe(404)
    const at = new URL(`${origin}/sign-in/invitation/${newer.code}`)
    expect(page(await browser.open(at)).status).toBe(200)
    await ledger.users.disable('bob', 'operator')
    expect(page(await browser.open(at)).status).toBe(404)
  })

  test('cannot be guessed, and a guess learns nothing', async () => {
    const { browser, url, origin } = await invited()
    const [, id] = /(i-\w+)-/.exec(url.pathname) ?? []
    const known = page(await browser.open(new URL(`${origin}/sign-in/invitation/${id}-${'A'.repeat(43)}`)))
    const unknown = page(await browser.open(new URL(`${origin}/sign-in/invitation/i-000000000000-${'A'.repeat(43)}`)))
    expect([known.status, known.html]).toEqual([404, unknown.html])
  })

  test.each([
    ['is short', 'short one'],
    ['is one letter', 'aaaaaaaaaaaaaaaa'],
    ['is a common one', 'password1234567'],
    ['is the name', 'bobbobbobbobbob'],
  ])('a passphrase that %s is not accepted', async (_what, passphrase) => {
    const { browser, form } = await invited()
    const got = page(await browser.submit(form, { passphrase, again: passphrase }))
    expect(got.status).toBe(400)
    expect(got.html).not.toContain(passphrase)
  })
})
