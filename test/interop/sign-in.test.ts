/**
 * Signing in to the embedded issuer with the official clients (SDK 1.x and 2.x, both eras): they discover it, register, send their user to
 * its pages, and go on with what they get. What the operator decides about the user counts for them at once.
 */
import { LONG } from '@myrmex/testing/long'
import { CALLBACK, OAUTH_CLIENTS, OAuthMemory, type SignedInClient } from '@myrmex/testing/oauth-clients'
import { SignInBrowser } from '@myrmex/testing/sign-in-browser'
import { addUser, PASSPHRASE, type SignedInHost, signedInHost } from '@myrmex/testing/signed-in-host'
import { describe, expect, test, vi } from 'vitest'

const memoryOf = (user = 'ada'): OAuthMemory => {
  const browser = new SignInBrowser()
  return new OAuthMemory((url) => browser.signIn(url, user, PASSPHRASE))
}

async function hostWith(scopes: string[], options = {}): Promise<SignedInHost> {
  const host = await signedInHost(options)
  await addUser(host.ledger, 'ada', scopes)
  return host
}

/** The token is still good for hours by its own account; only a refresh helps. */
const forgetAccessToken = (memory: OAuthMemory): void => {
  if (memory.stored !== undefined) memory.stored = { ...memory.stored, access_token: 'a.b.c' }
}

describe.each(Object.entries(OAUTH_CLIENTS))('%s', (_name, clientFor) => {
  test('registers, signs its user in, and can use what the user may use', async () => {
    const { url } = await hostWith(['math.*'])
    const memory = memoryOf()
    const client = clientFor(url, memory)
    await client.connect()
    expect(memory.opened[0]?.searchParams.get('scope')).toContain('math.* text.*')
    expect(memory.opened[0]?.searchParams.get('resource')).toBe(url.href)
    expect(memory.answers[0]?.get('iss')).toBe(url.origin)
    expect(memory.stored?.scope).toContain('math.*')
    expect(memory.stored?.scope).not.toContain('text.*')
    expect(await client.tools()).toEqual(['math_add'])
    expect(await client.call('math.add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(memory.opened).toHaveLength(1)
  })

  test('renews its token without its user, and gets a new refresh token each time', async () => {
    const { url } = await hostWith(['*'])
    const memory = memoryOf()
    const client = clientFor(url, memory)
    await client.connect()
    const first = memory.stored?.refresh_token
    forgetAccessToken(memory)
    await client.connect()
    expect(await client.tools()).toEqual(['math_add', 'text_echo'])
    expect(memory.opened).toHaveLength(1)
    expect(memory.stored?.refresh_token).not.toBe(first)
  })

  test.runIf(LONG)('is rejected as soon as its user is disabled, and cannot renew its token', async () => {
    // SDK 2.x says there that it forgets its tokens.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { url, ledger } = await hostWith(['*'])
    const memory = memoryOf()
    const client = clientFor(url, memory)
    await client.connect()
    await ledger.users.disable('ada', 'operator')
    await expect(client.call('math.add', { a: 1, b: 2 })).rejects.toThrow()
    await expect(client.connect()).rejects.toThrow()
    expect(memory.opened.length).toBeGreaterThan(1)
  })

  test('asks its user again for a call that its token does not cover, once the operator allows it', async () => {
    const { url, ledger } = await hostWith(['math.*'])
    const memory = memoryOf()
    const client = clientFor(url, memory)
    await client.connect()
    expect(memory.stored?.scope).not.toContain('text.*')
    await ledger.users.change('ada', { scopes: ['math.*', 'text.*'] }, 'operator')
    expect(await client.call('text.echo', { text: 'x' })).toEqual({ text: 'x' })
    expect(memory.opened).toHaveLength(2)
    expect(memory.opened[1]?.searchParams.get('scope')).toContain('math.*')
    expect(await client.call('math.add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(memory.opened).toHaveLength(2)
  })

  test.runIf(LONG)('goes on after a restart of the host', async () => {
    const first = await hostWith(['*'])
    const memory = memoryOf()
    const client = clientFor(first.url, memory)
    await client.connect()
    const { ledger } = first
    const again = await restarted(first)
    expect(again.ledger).toBe(ledger)
    await connectAgain(client)
    expect(await client.call('math.add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    forgetAccessToken(memory)
    await client.connect()
    expect(memory.opened).toHaveLength(1)
  })
})

/** A connection that the old host has closed may be tried first. */
const connectAgain = (client: SignedInClient): Promise<void> => client.connect().catch(() => client.connect())

/** The listener and the issuer end, and only the ledger is left. */
async function restarted(host: SignedInHost): Promise<SignedInHost> {
  await host.stop()
  return signedInHost({ port: Number(host.url.port), ledger: host.ledger })
}

test('a client names a document about itself instead of registering', async () => {
  const document = 'https://desk.example/client.json'
  const fetched: string[] = []
  const { url, ledger } = await signedInHost({
    fetch: async (input) => {
      fetched.push(String(input))
      const body = {
        client_id: document,
        client_name: 'Desk',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      }
      return Response.json(body)
    },
  })
  await addUser(ledger, 'ada', ['*'])
  const browser = new SignInBrowser()
  const memory = new OAuthMemory((at) => browser.signIn(at, 'ada', PASSPHRASE))
  memory.clientMetadataUrl = document
  const client = (OAUTH_CLIENTS['SDK 2.x, modern'] as NonNullable<(typeof OAUTH_CLIENTS)[string]>)(url, memory)
  await client.connect()
  expect(await client.tools()).toEqual(['math_add', 'text_echo'])
  expect(memory.opened[0]?.searchParams.get('client_id')).toBe(document)
  expect(fetched).toEqual([document])
  expect(browser.seen.at(-1)?.html).toContain('Desk (desk.example)')
})
