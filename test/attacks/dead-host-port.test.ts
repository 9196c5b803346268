/**
 * After `kill -9` the host's `api.json` is still there, and its port is free.
 *
 * Attacker: another local user
 * Attack: listens on the port of a host that has ended, and takes the operator's passphrase from a program that opens a session there.
 * Stopped by: the passphrase travels encrypted with the token of `api.json`, for a nonce of the host. The host proves that it has the
 * token, and a recorded message opens nothing.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { destructiveTool, ledgerFile, serve } from '@myrmex/testing/gated-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../packages/myrmex/src/host/api/client.ts'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

const PASSPHRASE = 'correct horse battery'
const TYPE = { 'content-type': 'application/json' }

/** Answers like a host, and keeps what it gets. */
async function impostor(nonce: string) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push(`${JSON.stringify(request.headers)} ${body}`)
      response.setHeader('content-type', 'application/json')
      const session = { token: 'x'.repeat(43), proof: 'x'.repeat(43), expires_at: Date.now() + 1e6, idle_ms: 900_000 }
      response.end(JSON.stringify({ nonce, ...session }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, seen }
}

test('a program on the port learns neither the passphrase nor the token, and is not taken for the host', async () => {
  const { url, seen } = await impostor('a nonce')
  const token = 'secret-token-of-the-host-that-has-ended-012'
  await expect(openSession({ url, token }, PASSPHRASE)).rejects.toThrow('is not the host whose token this is')
  expect(seen).toHaveLength(2)
  for (const text of seen) {
    expect(text).not.toContain(PASSPHRASE)
    expect(text).not.toContain(token)
    expect(Buffer.from(text.match(/"sealed":"([^"]+)"/)?.[1] ?? '', 'base64url').toString('latin1')).not.toContain(
      'correct',
    )
  }
})

test('what it records opens no session of the next host, even if that has the same token', async () => {
  const file = ledgerFile()
  const before = await file.open()
  await lockLedger(before, PASSPHRASE, 'olga', 2 ** 14)
  await before.close()
  const api = await serveOperatorApi(await serve([destructiveTool('shop.refund')], { file }))
  const { url, seen } = await impostor('a nonce')
  await openSession({ url, token: api.token }, PASSPHRASE).catch(() => {})
  const body = seen[1]?.slice(seen[1].indexOf('} {') + 2) ?? ''
  expect(await api.request('/api/session', { method: 'POST', headers: TYPE, body })).toMatchObject({ status: 401 })
  expect(await openSession(api, PASSPHRASE)).toMatch(/^[\w-]{43}$/)
})
