/**
 * A credential that is dead: exactly one request after the 401, and then none, to nobody, until somebody signs in. With servers of both
 * eras and a real authorization server.
 */
import { webhookReceiver } from '@myrmex/testing/host/webhook-receiver'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import {
  counted,
  isReady,
  login,
  signedIn,
  statusOf,
  storedTokens,
  textOf,
  whoami,
} from '@myrmex/testing/sign-in/signed-in'
import type { Ledger } from 'myrmex'
import { liveEvents } from 'myrmex/api'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

let store: Store
let ledger: Ledger
beforeAll(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
})
afterAll(() => store.remove())

describe.each([['sdk1'], ['sdk2']] as const)('a dead credential of a server of %s', (sdk) => {
  test('that cannot be refreshed leads to exactly one request after the 401, then to none', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk })
    await issuer.revokeRefresh((await storedTokens(ledger, server)).tokens.refresh_token)
    server.rejectAll = true
    const first = await counted(issuer, server, async () => {
      await expect(whoami(signed)).rejects.toMatchObject({
        error_type: 'PermissionError',
        error_details: { server: 'notes', sign_in: 'needed', command: 'npx myrmex host login notes' },
      })
    })
    expect(first).toEqual({ server: ['POST /mcp'], issuer: ['POST /token'] })
    expect(statusOf(signed)).toMatchObject({ state: 'needs_sign_in', retry_after_ms: 0 })
    expect(statusOf(signed)?.sign_in).toMatchObject({
      state: 'needed',
      reason: expect.stringContaining('invalid_grant'),
    })

    // Calls, health checks, an operator's restart, another host on this ledger: nobody is asked anything.
    const later = await counted(issuer, server, async () => {
      for (let count = 0; count < 5; count++) await whoami(signed).catch(() => {})
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
    await isReady(signed)
  })

  test('is one whose fresh token is refused too: one refresh, one more attempt, the end', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk })
    server.rejectAll = true
    const after = await counted(issuer, server, async () => {
      await whoami(signed).catch(() => {})
      await whoami(signed).catch(() => {})
    })
    expect(after).toEqual({ server: ['POST /mcp', 'POST /mcp'], issuer: ['POST /token'] })
    expect(statusOf(signed)?.state).toBe('needs_sign_in')
  })

  test('is an alert, once, of all hosts on the ledger: a live event and an announcement', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk })
    const other = await signInHost(server.url, await store.open())
    const receiver = await webhookReceiver()
    const target = { kind: 'webhook', url: receiver.url, secret: 's'.repeat(32) } as const
    for (const { host } of [signed, other])
      host.notifier.configure({
        channels: [{ name: 'ops', kind: 'webhook', withArguments: false, target }],
        link: undefined,
      })
    const { url, token } = await serveOperatorApi({ server: signed.host.server, ledger, host: signed.host })
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const { promise: opened, resolve: onOpen } = Promise.withResolvers<string>()
    const events = liveEvents(url, token, { signal: stop.signal, onOpen })
    const alert = (async () => {
      for await (const { event } of events) if (event.type === 'needs_sign_in') return event.data
    })()
    await Promise.all([isReady(other), opened])
    await issuer.revokeRefresh((await storedTokens(ledger, server)).tokens.refresh_token)
    server.rejectAll = true
    await whoami(signed).catch(() => {})
    await whoami(other).catch(() => {})
    const said = {
      server: 'notes',
      reason: expect.stringContaining('invalid_grant'),
      command: 'npx myrmex host login notes',
    }
    expect(await alert).toEqual(said)
    expect(JSON.parse((await receiver.arrived(1)).body)).toMatchObject({ type: 'server.needs_sign_in', ...said })
    // Neither another host nor a restart announces it again.
    await signInHost(server.url, await store.open())
    await Promise.all([signed, other].map(({ host }) => host.notifier.close()))
    expect(receiver.received).toHaveLength(1)
  })

  test('of many calls at once is found by one refresh', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk })
    await issuer.revokeRefresh((await storedTokens(ledger, server)).tokens.refresh_token)
    server.rejectAll = true
    const after = await counted(issuer, server, () =>
      Promise.all(Array.from({ length: 10 }, () => whoami(signed).catch(() => {}))),
    )
    expect(after.issuer).toEqual(['POST /token'])
  })

  test('an issuer that is down is no refusal: the credential lives, and the server is tried again', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk })
    server.rejectAll = true
    issuer.intercept = (line, answer) => {
      if (line === 'POST /token') answer(503, 'down')
      return line === 'POST /token'
    }
    await signed.host.restart('notes')
    expect(statusOf(signed)?.state).toBe('waiting')
    issuer.intercept = undefined
    server.rejectAll = false
    await isReady(signed)
  })

  test('of sessions of callers ends them; with the next sign-in they are opened again', async () => {
    const { issuer, server, signed } = await signedIn(ledger, { sdk }, { sessions: 'caller' })
    expect(textOf(await signed.call('whoami'))).toBe('ada')
    await issuer.revokeRefresh((await storedTokens(ledger, server)).tokens.refresh_token)
    server.rejectAll = true
    expect(textOf(await signed.call('whoami'))).toContain('needs a sign-in')
    server.rejectAll = false
    await login(signed)
    await isReady(signed)
    expect(textOf(await signed.call('whoami'))).toBe('ada')
  })
})
