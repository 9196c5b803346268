/** The pages of the embedded issuer in a real browser: from an invitation to a token, by keyboard, with an audit of every page in light and dark. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accessibilityProblems, launchBrowser } from '@myrmex/testing/browser'
import { freePort } from '@myrmex/testing/free-port'
import { LONG } from '@myrmex/testing/long'
import { callWith, RawOAuth } from '@myrmex/testing/raw-oauth'
import { PASSPHRASE, signedInHost } from '@myrmex/testing/signed-in-host'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Fails for whatever the browser's console says, such as that the content policy forbids something of our own. */
async function visitor(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  onTestFinished(async () => {
    await context.close()
    expect(said.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
  })
  return page
}

const audited = async (page: Page): Promise<void> => expect(await accessibilityProblems(page), page.url()).toEqual([])

/** A client that listens for the answer, as desktop clients do. */
async function listeningClient(origin: string) {
  const answers: URL[] = []
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) answers.push(new URL(request.url, 'http://127.0.0.1'))
    response.end(
      '<!doctype html><html lang="en"><title>Done</title><main><h1>You can close this page.</h1></main></html>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const client = new RawOAuth(origin)
  await client.register({ client_name: 'Desk', redirect_uris: [redirect] })
  return { client, redirect, answers }
}

test.each(LONG ? (['light', 'dark'] as const) : (['dark'] as const))(
  'somebody accepts an invitation, signs in by keyboard, agrees, and the client gets a token (%s)',
  async (colorScheme) => {
    const { origin, ledger } = await signedInHost()
    const { code } = await ledger.invitations.create(
      'ada',
      { scopes: ['math.*'], displayName: 'Ada Lovelace' },
      'operator',
    )
    const { client, redirect, answers } = await listeningClient(origin)
    const viewport = colorScheme === 'light' ? { width: 1000, height: 800 } : { width: 360, height: 700 }
    const page = await visitor({ colorScheme, viewport })

    await page.goto(`${origin}/sign-in/invitation/${code}`)
    await audited(page)
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await page.getByLabel('The same passphrase again').fill(`${PASSPHRASE}x`)
    await page.keyboard.press('Enter')
    await page.getByText('The two passphrases differ').waitFor()
    await audited(page)
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await page.getByLabel('The same passphrase again').fill(PASSPHRASE)
    await page.keyboard.press('Enter')
    await page.getByText(`${origin}/mcp`).waitFor()
    await audited(page)

    await page.goto(client.authorizeUrl({ redirect_uri: redirect, scope: 'math.* text.*' }).href)
    await audited(page)
    // The field for the name has the focus.
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('not the passphrase')
    await page.keyboard.press('Enter')
    await page.getByText('The name or the passphrase is wrong.').waitFor()
    await audited(page)
    await page.keyboard.type(PASSPHRASE)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
    await page.getByText('1 tool').click()
    await page.getByText('math.add').waitFor()
    await page.getByText('Not included, because you may not use it: text.*').waitFor()
    await audited(page)
    // Nothing is wider than a phone.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: 'Agree' }).press('Enter')
    await page.getByText('You can close this page.').waitFor()

    expect(answers[0]?.searchParams.get('iss')).toBe(origin)
    const { json } = await client.redeem(answers[0]?.searchParams.get('code') ?? '', { redirect_uri: redirect })
    expect((await callWith(origin, json.access_token)).json.status).toBe('success')
    expect((await callWith(origin, json.access_token, 'text.echo')).status).toBe(403)
  },
)

test('somebody cancels, and uses another account', async () => {
  const { origin, ledger } = await signedInHost()
  for (const name of ['ada', 'bob']) {
    await ledger.invitations.create(name, { scopes: ['math.*'] }, 'operator')
    await ledger.credentials.setPassphrase(name, PASSPHRASE, { N: 1024, r: 8, p: 1 })
  }
  const { client, redirect, answers } = await listeningClient(origin)
  const page = await visitor()
  const signIn = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`You are signed in as ${name}`).waitFor()
  }
  await page.goto(client.authorizeUrl({ redirect_uri: redirect }).href)
  await signIn('ada')
  await page.getByRole('button', { name: 'Use another account' }).click()
  await signIn('bob')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You can close this page.').waitFor()
  expect(answers[0]?.searchParams.get('error')).toBe('access_denied')
})

describe('with a passkey', () => {
  /** An authenticator in the browser, as a phone or a laptop has one. */
  async function withAuthenticator(page: Page) {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })
    return {
      verifies: (isUserVerified: boolean) =>
        session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
      clear: () => session.send('WebAuthn.clearCredentials', { authenticatorId }),
      credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    }
  }

  test('somebody accepts an invitation and signs in, and nobody without that passkey', async () => {
    const port = await freePort()
    const { origin, ledger } = await signedInHost({ port, config: { url: `http://localhost:${port}` } })
    const { code } = await ledger.invitations.create('ada', { scopes: ['math.*'] }, 'operator')
    const { client, redirect, answers } = await listeningClient(origin)
    const page = await visitor()
    const authenticator = await withAuthenticator(page)

    await page.goto(`${origin}/sign-in/invitation/${code}`)
    const create = page.getByRole('button', { name: 'Create a passkey instead' })
    await create.waitFor()
    await audited(page)
    await create.click()
    await page.getByText('You can sign in as ada now').waitFor()
    expect(await authenticator.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])
    expect(await ledger.credentials.kinds()).toMatchObject([{ user_name: 'ada', kind: 'passkey' }])

    for (let count = 0; count < 2; count++) {
      await page.context().clearCookies()
      await page.goto(client.authorizeUrl({ redirect_uri: redirect, prompt: 'login' }).href)
      await audited(page)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByText('You are signed in as ada').waitFor()
    }
    await page.getByRole('button', { name: 'Agree' }).click()
    await page.getByText('You can close this page.').waitFor()
    const { json } = await client.redeem(answers[0]?.searchParams.get('code') ?? '', { redirect_uri: redirect })
    expect((await callWith(origin, json.access_token)).json.status).toBe('success')

    await page.context().clearCookies()
    await page.goto(client.authorizeUrl({ redirect_uri: redirect }).href)
    await ledger.users.disable('ada', 'operator')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('This host does not know this passkey').waitFor()
    await audited(page)
    await authenticator.clear()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
  })
})

test('a host at an IP address offers no passkeys, which browsers have for names only', async () => {
  const { origin, ledger } = await signedInHost()
  const { code } = await ledger.invitations.create('ada', { scopes: ['*'] }, 'operator')
  const page = await visitor()
  await page.goto(`${origin}/sign-in/invitation/${code}`)
  expect(await page.getByText('passkey').count()).toBe(0)
})
