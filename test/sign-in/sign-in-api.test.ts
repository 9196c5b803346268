/** The API with which a console signs in: start, state, finish and logout, as OpenAPI says, and without secrets. */
import { freshStore } from '@myrmex/testing/ledger/ledger-store'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { expect, onTestFinished, test, vi } from 'vitest'

async function prepare() {
  const store = await freshStore('sqlite')
  onTestFinished(() => store.remove())
  const ledger = await store.open()
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const { host } = await signInHost(server.url, ledger)
  const api = await serveOperatorApi({ server: host.server, ledger, host })
  const texts: string[] = []
  // Each answer is checked against the OpenAPI document.
  const ask = async (path: string, body?: object) => {
    const at = `/api/servers/notes${path}`
    const { status, json } = await (body === undefined ? api.get(at) : api.post(at, body))
    texts.push(JSON.stringify(json))
    return { status, body: json }
  }
  return { issuer, server, api, ask, texts }
}

test('a login is started, followed and finished, and ended by a logout', async () => {
  const { issuer, server, ask, texts } = await prepare()
  expect((await ask('')).body).toMatchObject({ state: 'needs_sign_in', sign_in: { login: null } })
  const { body: started } = await ask('/login', {})
  expect(started.login).toMatchObject({ flow: 'browser', server: 'notes', principal: '' })
  const { id, authorization_url } = started.login
  expect((await ask('')).body.sign_in.login).toBe(id)
  expect((await ask(`/login/${id}`)).body).toEqual({ id, server: 'notes', status: 'waiting', message: null })
  expect((await new Browser().open(authorization_url)).status).toBe(200)
  await vi.waitFor(async () => expect((await ask(`/login/${id}`)).body.status).toBe('done'))
  expect((await ask('')).body).toMatchObject({ state: 'ready', sign_in: { state: 'signed_in' }, last_error: null })
  expect((await ask('/logout', {})).body).toMatchObject({
    signed_in: true,
    revoked: true,
    server: { state: 'needs_sign_in', sign_in: { reason: 'somebody signed out' } },
  })
  expect((await ask('/logout', {})).body).toMatchObject({ signed_in: false, revoked: false })
  const sent = issuer.asked.flatMap(({ body }) => [
    body.get('code_verifier'),
    body.get('code'),
    body.get('refresh_token'),
  ])
  for (const secret of [...server.tokens, ...sent]) if (secret !== null) expect(texts.join()).not.toContain(secret)
})

test('a browser elsewhere: the address that it ended at finishes the login; another one is an error that says why', async () => {
  const { ask } = await prepare()
  const { body } = await ask('/login', { flow: 'browser' })
  const { url } = await new Browser().open(body.login.authorization_url, ({ pathname }) =>
    pathname.startsWith('/oauth/'),
  )
  expect(await ask('/login/finish', { url: 'https://tools.example/' })).toMatchObject({
    status: 400,
    body: { error_type: 'ValidationError', error_message: expect.stringContaining('it has no state') },
  })
  expect(await ask('/login/finish', { url: url.href })).toMatchObject({ status: 200, body: { state: 'ready' } })
  expect(await ask('/login/l-unknown')).toMatchObject({ status: 404 })
})

test('all of it is in OpenAPI', async () => {
  const { api } = await prepare()
  const { paths } = await api.document()
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  expect(known.filter((line) => /log(in|out)/.test(line))).toEqual([
    'post /api/servers/{name}/login startLogin',
    'post /api/servers/{name}/login/finish finishLogin',
    'get /api/servers/{name}/login/{id} login',
    'post /api/servers/{name}/logout logout',
  ])
})
