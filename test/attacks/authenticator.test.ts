/**
 * A program can find out itself who calls over HTTP (`authenticate`). Its function is not part of the platform, and fails like any code.
 *
 * Attacker: a remote caller
 * Attack: calls from a foreign web page, makes the authenticator fail or hang, or gets an identity that the server gives itself, to be let in
 * or to read a credential in an error or the log.
 * Stopped by: Host and Origin are checked first. Only a well-formed principal with a list of scopes is let in: an authenticator that fails, or
 * returns anything else, rejects the request, and neither the answer nor the log has the credential.
 */
import { post, send } from '@myrmex/testing/http-server'
import { echo } from '@myrmex/testing/sample-tools'
import { type Authenticate, createServer, listenHttp } from 'myrmex'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { log } from '../../packages/myrmex/src/server/log.ts'

const SECRET = 'key-0123456789-of-mallory'
const CALL = { tool_name: 'text.echo', arguments: { text: 'in' } }

async function serve(authenticate: Authenticate): Promise<string> {
  const server = createServer({ name: 'a', version: '1.0.0', tools: [echo] })
  const { url, close } = await listenHttp(server, { authenticate })
  onTestFinished(() => close())
  return new URL(url).origin
}

let logged = ''
beforeEach(() => {
  logged = ''
  vi.spyOn(log, 'error').mockImplementation((fields, message) => {
    logged += `${message} ${JSON.stringify(fields)}`
  })
})
afterEach(() => void vi.restoreAllMocks())

const attempt = (origin: string, headers: Record<string, string> = {}) =>
  post(`${origin}/call`, CALL, { 'x-api-key': SECRET, authorization: `Custom ${SECRET}`, ...headers })

describe('an authenticator that fails lets nobody in', () => {
  test.each<[string, Authenticate]>([
    [
      'throws',
      () => {
        throw new Error(`no such key: ${SECRET}`)
      },
    ],
    ['rejects', () => Promise.reject(new Error(`no such key: ${SECRET}`))],
    ['returns no object', () => 'ann' as never],
    ['returns null', () => null as never],
    ['gives no scopes', () => ({ id: 'ann' }) as never],
    ['gives scopes that are no list', () => ({ id: 'ann', scopes: '*' }) as never],
    ['gives an empty scope', () => ({ id: 'ann', scopes: [''] })],
    ['gives no id', () => ({ id: '', scopes: ['*'] })],
    ['gives a long id', () => ({ id: 'x'.repeat(201), scopes: ['*'] })],
    ['gives an id with control characters', () => ({ id: 'ann\n', scopes: ['*'] })],
    ['gives the id of the local user', () => ({ id: 'local', scopes: ['*'] })],
    ['gives the id of a token', () => ({ id: 'bearer:0123456789ab', scopes: ['*'] })],
    ['gives the id of a JWT', () => ({ id: 'jwt:id.example:ada', scopes: ['*'] })],
    ['gives claims that are no JSON', () => ({ id: 'ann', scopes: ['*'], claims: { now: 1n } })],
  ])('one that %s', async (_what, authenticate) => {
    const { status, json, body } = await attempt(await serve(authenticate))
    expect(status).toBe(503)
    expect(json).toMatchObject({ status: 'failure', error: { error_type: 'UnavailableError' } })
    expect(logged).toContain('authenticate failed')
    for (const text of [body, logged]) expect(text).not.toContain(SECRET)
  })

  test('one that hangs, after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reached = Promise.withResolvers<void>()
    const origin = await serve(() => {
      reached.resolve()
      return new Promise(() => {})
    })
    const waiting = attempt(origin)
    await reached.promise
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect((await waiting).status).toBe(503)
  })
})

test('a foreign origin or host does not reach it', async () => {
  const authenticate = vi.fn(() => ({ id: 'ann', scopes: ['*'] }))
  const origin = await serve(authenticate)
  expect((await attempt(origin, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await attempt(origin, { host: 'evil.example' })).status).toBe(403)
  expect((await send(`${origin}/call?access_token=${SECRET}`, 'POST')).status).toBe(400)
  expect(authenticate).not.toHaveBeenCalled()
  expect((await attempt(origin)).status).toBe(200)
})

test('with an authenticator, a process of the same user needs credentials too', async () => {
  expect((await attempt(await serve(() => undefined))).status).toBe(401)
})

test('it cannot change the headers that the server reads', async () => {
  const origin = await serve(({ headers }) => {
    Object.assign(headers, { 'idempotency-key': 'x'.repeat(500) })
    return { id: 'ann', scopes: ['*'] }
  })
  expect((await attempt(origin)).json).toMatchObject({ status: 'success' })
})
