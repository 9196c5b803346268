/** Tokens of a sign-in: refreshed ahead of time, bound to server and issuer, followed by other hosts on the ledger, and revoked. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { authSettings, OPERATOR, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import {
  counted,
  isReady,
  login,
  ownerOf,
  signedIn,
  statusOf,
  storedTokens,
  textOf,
  whoami,
} from '@myrmex/testing/sign-in/signed-in'
import type { Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Credential } from '../../packages/myrmex/src/host/sign-in/credential.ts'

describe.each(EMBEDDED_FIRST)('tokens in a ledger on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
  })
  afterAll(() => store.remove())

  test('are refreshed when they have expired, with rotation, and the call does not notice', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { accessTokenTtl: 1 })
    const before = await storedTokens(ledger, server)
    await vi.waitFor(async () => {
      await signed.call('whoami')
      expect((await storedTokens(ledger, server)).tokens.refresh_token).not.toBe(before.tokens.refresh_token)
    })
    expect(textOf(await signed.call('whoami'))).toBe('ada')
    const refresh = issuer.asked.find(({ body }) => body.get('grant_type') === 'refresh_token')
    expect(refresh?.body.get('resource')).toBe(server.url)
  })

  test('are refreshed ahead of time, while requests go on with the old one', async () => {
    const { issuer, server } = await signedIn(ledger)
    const before = await storedTokens(ledger, server)
    const tokens = { ...before.tokens, lifetime: 3_600_000, expires_at: Date.now() + 50_000 }
    await ledger.upstreamTokens.write(ownerOf(server), issuer.issuer, { ...before, tokens })
    server.tokens.length = 0
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    issuer.beforeAnswer = (line) => (line === 'POST /token' ? held : Promise.resolve())
    const signed = await signInHost(server.url, ledger)
    expect(textOf(await signed.call('whoami'))).toBe('ada')
    await vi.waitFor(() => expect(issuer.requests.filter((line) => line === 'POST /token')).toHaveLength(2))
    expect(new Set(server.tokens)).toEqual(new Set([before.tokens.access_token]))
    release()
    await vi.waitFor(async () => {
      await signed.call('whoami')
      expect(server.tokens.at(-1)).not.toBe(before.tokens.access_token)
    })
    expect(issuer.requests.filter((line) => line === 'POST /token')).toHaveLength(2)
  })

  test('of a client that the issuer has forgotten: the next login registers the host again', async () => {
    const { issuer, server, signed } = await signedIn(ledger)
    await issuer.forgetClients()
    await issuer.revokeAccess((await storedTokens(ledger, server)).tokens.access_token)
    await whoami(signed).catch(() => {})
    expect(statusOf(signed)?.sign_in).toMatchObject({
      state: 'needed',
      reason: expect.stringContaining('invalid_client'),
    })
    await login(signed)
    await isReady(signed)
    expect(issuer.requests.filter((line) => line === 'POST /reg')).toHaveLength(2)
  })

  test('are bound to the URL of the server and to the issuer', async () => {
    const { issuer, server } = await signedIn(ledger)
    const moved = await signInHost(`${server.url}?other`, ledger)
    expect(statusOf(moved)?.state).toBe('needs_sign_in')
    const other = { server: 'notes', url: server.url, principal: '', store: () => ledger.upstreamTokens, log: () => {} }
    const credential = new Credential({
      ...other,
      auth: authSettings({ issuer: 'https://other.example' }),
      onChange: () => {},
      onDead: () => {},
    })
    expect([await credential.header(), await credential.news()]).toEqual([undefined, undefined])
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
    await isReady(waiting)
  })

  test('are forgotten by other hosts on the ledger when somebody signs out', async () => {
    const { server, signed } = await signedIn(ledger)
    const other = await signInHost(server.url, await store.open())
    expect(statusOf(other)?.state).toBe('ready')
    await signed.host.signIns.logout('notes', '', OPERATOR)
    await vi.waitFor(() => expect(statusOf(other)?.state).toBe('needs_sign_in'), { timeout: 10_000 })
  })

  test('are revoked and removed by a logout', async () => {
    const { issuer, server, signed } = await signedIn(ledger)
    const { tokens } = await storedTokens(ledger, server)
    expect(await signed.host.signIns.logout('notes', '', OPERATOR)).toEqual({ signedIn: true, revoked: true })
    expect(await issuer.look(tokens.access_token)).toBeUndefined()
    expect(await storedTokens(ledger, server)).toBeUndefined()
    // The registration too: the issuer may have forgotten it.
    expect(await ledger.db.query("SELECT kind FROM upstream_tokens WHERE kind = 'client'")).toEqual([])
    // At once, before anybody calls.
    expect(statusOf(signed)?.state).toBe('needs_sign_in')
    const after = await counted(issuer, server, () => signed.call('whoami'))
    expect(after).toEqual({ server: [], issuer: [] })
    expect(statusOf(signed)).toMatchObject({ state: 'needs_sign_in', sign_in: { reason: 'somebody signed out' } })
  })
})

test('refreshed tokens that the ledger cannot take yet are used, and stored as soon as it can', async () => {
  const store = await freshStore('sqlite')
  onTestFinished(() => store.remove())
  const ledger = await store.open()
  const { issuer, server, signed } = await signedIn(ledger)
  const before = await storedTokens(ledger, server)
  await issuer.revokeAccess(before.tokens.access_token)
  await ledger.db.query(
    `CREATE TRIGGER full BEFORE UPDATE OF body ON upstream_tokens BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
  )
  expect(textOf(await signed.call('whoami'))).toBe('ada')
  expect(signed.log.join('\n')).toContain('could not be stored yet')
  // Another process must not use the old refresh token meanwhile.
  expect(await ledger.upstreamTokens.claimRefresh(ownerOf(server), 1)).toBe(false)
  await ledger.db.query('DROP TRIGGER full')
  await vi.waitFor(
    async () => expect((await storedTokens(ledger, server)).tokens.refresh_token).not.toBe(before.tokens.refresh_token),
    { timeout: 10_000 },
  )
  const { tokens } = await storedTokens(ledger, server)
  expect(await issuer.look(tokens.access_token)).toBeDefined()
})
