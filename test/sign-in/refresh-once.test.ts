/**
 * Of all processes that share a ledger, one renews a token and the others take it over: an issuer that rotates refresh tokens sees each of
 * them once. On both engines.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartedCommand } from '@myrmex/testing/cli/run-command'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { longTest } from '@myrmex/testing/long'
import { CLI } from '@myrmex/testing/paths'
import { authSettings, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { counted, signedIn, statusOf, storedTokens, textOf } from '@myrmex/testing/sign-in/signed-in'
import type { Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

const MACHINE = {
  client_id: 'machine',
  client_secret: 'a secret of the machine',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}

describe.each(ENGINES)('hosts on one ledger on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
  })
  afterAll(() => store.remove())

  test('refresh a token once, so that a rotating one is never used twice', async () => {
    const { issuer, server, signed } = await signedIn(ledger)
    const others = await Promise.all(
      [store.open(), store.open()].map(async (opened) => signInHost(server.url, await opened)),
    )
    const all = [signed, ...others]
    for (const one of all) expect(statusOf(one)?.state).toBe('ready')
    // The issuer forgets the access token: each host gets a 401.
    const { tokens } = await storedTokens(ledger, server)
    await issuer.revokeAccess(tokens.access_token)
    const after = await counted(issuer, server, async () => {
      for (const text of await Promise.all(all.map((one) => one.call('whoami').then(textOf)))) expect(text).toBe('ada')
    })
    expect(after.issuer).toEqual(['POST /token'])
    for (const one of all) expect(statusOf(one)?.state).toBe('ready')
  })

  test('ask for one token with client credentials, and share it', async () => {
    const issuer = await signInIssuer({ clients: [MACHINE] })
    const server = await protectedServer('sdk2', issuer)
    const auth = authSettings({
      grant: 'client_credentials',
      clientId: 'machine',
      clientSecret: 'a secret of the machine',
    })
    const ledgers = await Promise.all([store.open(), store.open(), store.open()])
    const all = await Promise.all(ledgers.map((opened) => signInHost(server.url, opened, { auth })))
    for (const one of all) expect(textOf(await one.call('whoami'))).toBe('machine')
    await issuer.revokeAccess((await storedTokens(ledger, server)).tokens.access_token)
    for (const token of new Set(server.tokens)) await issuer.revokeAccess(token)
    const after = await counted(issuer, server, async () => {
      for (const text of await Promise.all(all.map((one) => one.call('whoami').then(textOf))))
        expect(text).toBe('machine')
    })
    expect(after.issuer).toEqual(['POST /token'])
  })

  test('renew a token that another one renewed and that has expired since; it is not taken for dead', async () => {
    const { issuer, server, signed } = await signedIn(ledger)
    const idle = await signInHost(server.url, await store.open())
    expect(textOf(await idle.call('whoami'))).toBe('ada')
    for (let count = 0; count < 2; count++) {
      await issuer.revokeAccess((await storedTokens(ledger, server)).tokens.access_token)
      if (count === 0) expect(textOf(await signed.call('whoami'))).toBe('ada')
    }
    const after = await counted(issuer, server, async () => {
      expect(textOf(await idle.call('whoami'))).toBe('ada')
    })
    expect(after).toEqual({ server: ['POST /mcp', 'POST /mcp', 'POST /mcp'], issuer: ['POST /token'] })
  })

  longTest('as processes of their own refresh a token once', async () => {
    const { issuer, server } = await signedIn(ledger)
    const start = async () => {
      const folder = mkdtempSync(join(tmpdir(), 'myrmex-refresh-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
      const config = { mcpServers: { notes: { url: server.url, transport: 'http', trust: 'verified' } } }
      writeFileSync(join(folder, 'myrmex.json'), JSON.stringify(config))
      const words = ['host', '--http', '0', '--ledger', store.address, '--ledger-key', store.keyFile]
      const { PATH } = process.env
      const env = { PATH, HOME: folder, NO_COLOR: '1', MYRMEX_TRUSTED_FOLDERS: folder }
      const host = new StartedCommand(spawn(process.execPath, [CLI, ...words], { cwd: folder, env, stdio: 'pipe' }))
      onTestFinished(() => void host.child.kill('SIGKILL'))
      await vi.waitFor(() => expect(host.stderr).toMatch(/notes: ready, 2 tools/), { timeout: 60_000 })
      const [, url] = /listening at (\S+)\/mcp/.exec(host.stderr) ?? []
      return async () => {
        const body = JSON.stringify({ tool_name: 'notes.whoami', arguments: {} })
        const headers = { 'content-type': 'application/json' }
        return JSON.stringify(await (await fetch(`${url}/call`, { method: 'POST', headers, body })).json())
      }
    }
    const hosts = await Promise.all([start(), start(), start()])
    for (let round = 0; round < 5; round++) {
      await issuer.revokeAccess((await storedTokens(ledger, server)).tokens.access_token)
      const after = await counted(issuer, server, async () => {
        for (const answer of await Promise.all(hosts.map((call) => call()))) expect(answer).toContain('ada')
      })
      expect(after.issuer).toEqual(['POST /token'])
    }
  })
})
