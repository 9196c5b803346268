/** The operator's API on a locked ledger: what the token on disk can read, and what needs a session. */
import { call, destructiveTool, ledgerFile, serve } from '@myrmex/testing/gated-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, test } from 'vitest'
import { lockLedger } from '../../ledger/operator/operator-admin.ts'
import { OperatorLock } from '../../ledger/operator/operator-lock.ts'
import { liveEvents, openSession } from './client.ts'
import { IDLE_MS, LONGEST_MS, OperatorSessions } from './operator-session.ts'
import { SessionChallenges } from './session-challenge.ts'
import { sealPassphrase } from './session-seal.ts'

const PASSPHRASE = 'correct horse battery'
const TYPE = { 'content-type': 'application/json' }

async function lockedApi() {
  const file = ledgerFile()
  const before = await file.open()
  await lockLedger(before, PASSPHRASE, 'olga', 2 ** 14)
  await before.close()
  const refund = destructiveTool('shop.refund')
  const served = await serve([refund], { file })
  await served.ledger.trust.recordDefinitions([refund.tool])
  const api = await serveOperatorApi(served)
  const post = (path: string, body: object) =>
    api.request(path, { method: 'POST', headers: TYPE, body: JSON.stringify(body) })
  const begin = async (passphrase: string, token = api.token) => {
    const { nonce } = (await post('/api/session/challenge', {})).json
    return post('/api/session', { nonce, sealed: await sealPassphrase({ token, nonce }, passphrase) })
  }
  const as = (token: string, path: string, body?: object) =>
    api.request(path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...TYPE, authorization: `Bearer ${token}` },
    })
  return { ...served, refund, api, post, begin, as }
}

test('the token on disk reads the status of the host, and nothing else on any route', async () => {
  const { api, as } = await lockedApi()
  const readable = ['/api/host', '/api/servers', '/api/profiles', '/api/switches', '/api/channels', '/api/openapi.json']
  for (const path of readable) expect((await as(api.token, path)).status, path).toBe(200)
  expect((await as(api.token, '/api/host')).json).toMatchObject({ mode: 'locked', operator: expect.any(String) })
  const routes = Object.entries((await api.document()).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method })),
  )
  for (const { path, method } of routes) {
    if (
      readable.includes(path) ||
      ['/api/session', '/api/session/challenge'].includes(path) ||
      (['/api/servers/{name}', '/api/profiles/{name}'].includes(path) && method === 'get') ||
      // They only take rights away.
      ['/api/switches/stop-everything', '/api/switches/read-only-on'].includes(path)
    )
      continue
    const got = await as(api.token, path.replaceAll(/\{\w+\}/g, 'x'), method === 'post' ? {} : undefined)
    expect(got, `${method} ${path}`).toMatchObject({ status: 403, json: { error_type: 'PermissionError' } })
  }
  for (const path of ['/api//trust', '/api/host/../trust', '/api/servers/x/restart', '/api/hosts'])
    expect((await as(api.token, path)).status, path).not.toBe(200)
})

test('the passphrase opens a session that decides with the operator’s signature, until it is ended', async () => {
  const { api, begin, as, server, ledger, refund } = await lockedApi()
  const session = await begin(PASSPHRASE)
  expect(session).toMatchObject({ status: 200, json: { idle_ms: IDLE_MS } })
  const { token } = session.json
  expect(token).toMatch(/^[\w-]{43}$/)
  const { hash } = refund.tool
  const trusted = await as(token, '/api/trust/shop.refund/trust', { hash, ask: true })
  expect(trusted).toMatchObject({
    status: 200,
    json: { level: 'trusted', unsigned: false, decision: { signed_by: ledger.lock.keyId } },
  })
  const waiting = await call(server, 'shop.refund', { n: 1 })
  const id = waiting.error?.error_details.approval
  expect((await as(api.token, `/api/approvals/${id}/approve`, {})).status).toBe(403)
  expect((await as(token, `/api/approvals/${id}/approve`, {})).json).toMatchObject({ status: 'approved' })
  expect(await call(server, 'shop.refund', { n: 1 })).toMatchObject({ status: 'success' })
  expect(await as(token, '/api/session/end', {})).toMatchObject({ status: 200 })
  expect((await as(token, '/api/approvals', undefined)).status).toBe(401)
  expect(await openSession(api, PASSPHRASE)).toMatch(/^[\w-]{43}$/)
})

test('guessing is slow and soon refused, also with the right passphrase', async () => {
  const { begin } = await lockedApi()
  const started = performance.now()
  for (let time = 0; time < 5; time++)
    expect(await begin(`wrong passphrase ${time}`)).toMatchObject({
      status: 401,
      json: { error_message: 'Wrong passphrase.' },
    })
  expect(performance.now() - started).toBeGreaterThan(4900)
  expect(await begin(PASSPHRASE)).toMatchObject({ status: 429 })
})

test('a passphrase counts only if it is encrypted with the host’s token for a fresh nonce, and other attempts lock nobody out', async () => {
  const { api, post, begin } = await lockedApi()
  expect((await post('/api/session', { passphrase: PASSPHRASE })).status).toBe(400)
  for (let time = 0; time < 8; time++)
    expect(await begin(PASSPHRASE, 'x'.repeat(43))).toMatchObject({
      status: 401,
      json: { error_message: expect.stringContaining('not encrypted with this host') },
    })
  const nonce = '99999999.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const sealed = await sealPassphrase({ token: api.token, nonce }, PASSPHRASE)
  expect(await post('/api/session', { nonce, sealed })).toMatchObject({ status: 401 })
  const { nonce: fresh } = (await post('/api/session/challenge', {})).json
  const body = { nonce: fresh, sealed: await sealPassphrase({ token: api.token, nonce: fresh }, PASSPHRASE) }
  const both = await Promise.all([post('/api/session', body), post('/api/session', body)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect(await post('/api/session', body)).toMatchObject({ status: 401 })
})

test('a nonce expires', async () => {
  let now = 0
  const challenges = new SessionChallenges('t'.repeat(43), () => now)
  const nonce = challenges.issue()
  const sealed = await sealPassphrase(challenges.context(nonce), 'grün '.repeat(150))
  now = 60_000
  await expect(challenges.passphrase(nonce, sealed)).rejects.toThrow('expired')
  now = 59_999
  expect(await challenges.passphrase(nonce, sealed)).toBe('grün '.repeat(150))
})

async function sessionsAt(now: () => number): Promise<OperatorSessions> {
  const ledger = await ledgerFile().open()
  const key = await lockLedger(ledger, PASSPHRASE, 'olga', 2 ** 14)
  return new OperatorSessions(
    new OperatorLock({ ledger: key.ledger, operator: key.public_key }, ledger.lock.files),
    now,
  )
}

test('a session ends after a time without use, and at last in any case', async () => {
  let now = 0
  const sessions = await sessionsAt(() => now)
  const { token } = await sessions.begin(PASSPHRASE)
  now = IDLE_MS - 1
  expect(sessions.signerOf(token)).toBeDefined()
  now += IDLE_MS
  expect(sessions.signerOf(token)).toBeUndefined()
  now = 0
  const long = await sessions.begin(PASSPHRASE)
  for (now = 0; now < LONGEST_MS - IDLE_MS; now += IDLE_MS / 2) expect(sessions.signerOf(long.token)).toBeDefined()
  now = LONGEST_MS
  expect(sessions.signerOf(long.token)).toBeUndefined()
  expect(sessions.signerOf('')).toBeUndefined()
})

test('watching a session does not keep it open', async () => {
  let now = 0
  const sessions = await sessionsAt(() => now)
  const { token } = await sessions.begin(PASSPHRASE)
  const isOpen = sessions.watch(token)
  now = IDLE_MS - 1
  expect(isOpen()).toBe(true)
  now = IDLE_MS
  expect(isOpen()).toBe(false)
  expect(sessions.watch('')()).toBe(false)
})

test('a live stream ends with its session: nothing that happens afterwards is sent', async () => {
  const { api, begin, as, server } = await lockedApi()
  const { token } = (await begin(PASSPHRASE)).json
  const seen: string[] = []
  const opened = Promise.withResolvers<string>()
  const ended = (async () => {
    for await (const { event } of liveEvents(api.url, token, { onOpen: opened.resolve })) seen.push(event.type)
  })()
  await opened.promise
  await as(token, '/api/session/end', {})
  await call(server, 'shop.refund', { n: 1 })
  await ended
  expect(seen).toEqual([])
})

test('in open mode there is no session to open', async () => {
  const served = await serve([destructiveTool('shop.refund')])
  const api = await serveOperatorApi(served)
  expect(await api.post('/api/session/challenge', {})).toMatchObject({ status: 409 })
  expect(await api.post('/api/session', { nonce: '', sealed: '' })).toMatchObject({ status: 409 })
  expect((await api.get('/api/host')).json).toMatchObject({ mode: 'open', operator: null })
})
