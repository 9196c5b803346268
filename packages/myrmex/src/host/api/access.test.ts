/** Access to the operator's API: only with its token in the Authorization header. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { countedTool, destructiveTool, serve } from '@myrmex/testing/gated-server'
import { type OperatorClient, serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, test } from 'vitest'
import { assertOperatorToken, operatorToken, operatorTokenCheck } from './operator-token.ts'

const refund = destructiveTool('shop.refund')
const CALLERS = 'a-token-of-those-who-may-call-tools-only'

async function guarded(): Promise<OperatorClient & { approval: string }> {
  const served = await serve([countedTool('shop.price'), refund])
  const { name: tool, version, hash } = refund.tool
  const exact = { tool, version, hash, args_hash: '0', principal: 'eve' }
  const { id } = await served.ledger.approvals.request(exact, '{}', 'it changes state')
  return { ...(await serveOperatorApi(served, { token: CALLERS })), approval: id }
}

const JSON_TYPE = { 'content-type': 'application/json' }

test('without the token nothing is answered on any route, whichever way another one is sent', async () => {
  const api = await guarded()
  const paths = Object.entries((await api.document()).paths)
  const routes = paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
  // Every part of the API is in the document, so every route is tried.
  const parts = readdirSync(join(import.meta.dirname, 'routes')).length
  expect(new Set(routes.map(({ path }) => path.split('/')[2])).size).toBeGreaterThan(parts / 2)
  for (const route of ['post /api/approvals/{id}/approve', 'post /api/servers', 'get /api/logs/{name}'])
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(route)
  for (const { path, method } of [
    ...routes,
    { path: '/api/openapi.json', method: 'get' },
    { path: '/api', method: 'get' },
  ]) {
    const init = { method, headers: JSON_TYPE, ...(method === 'post' && { body: '{}' }) }
    const got = await api.request(path.replaceAll(/\{\w+\}/g, 'x'), init)
    expect(got, `${method} ${path}`).toMatchObject({ status: 401, json: { error_type: 'AuthenticationError' } })
    expect(got.headers.get('www-authenticate')).toContain('Bearer')
  }
  const { token } = api
  for (const headers of [
    { authorization: `Bearer ${CALLERS}` },
    { authorization: `Bearer ${token}x` },
    { authorization: token },
    { authorization: `Basic ${btoa(`operator:${token}`)}` },
    { authorization: 'Bearer ' },
    { cookie: `token=${token}; authorization=Bearer ${token}` },
    { 'x-api-key': token },
  ]) {
    expect(await api.request('/api/host', { headers: new Headers(Object.entries(headers)) })).toMatchObject({
      status: 401,
    })
  }
  expect(await api.request(`/api/host?token=${token}&access_token=${token}`)).toMatchObject({ status: 401 })
  expect(await api.get('/api/host')).toMatchObject({ status: 200 })
})

test('a caller cannot approve: its token is not the operator’s, and the operator’s calls nothing', async () => {
  const api = await guarded()
  const headers = { ...JSON_TYPE, authorization: `Bearer ${CALLERS}` }
  const yes = await api.request(`/api/approvals/${api.approval}/approve`, { method: 'POST', headers, body: '{}' })
  expect(yes.status).toBe(401)
  expect((await api.get(`/api/approvals/${api.approval}`)).json.status).toBe('waiting')
  const call = { method: 'POST', headers: { ...JSON_TYPE, authorization: `Bearer ${api.token}` }, body: '{}' }
  expect(await api.request('/call', call)).toMatchObject({ status: 401 })
})

test('a page of another site gets nowhere, even with the token', async () => {
  const api = await guarded()
  const authorization = `Bearer ${api.token}`
  const approve = `/api/approvals/${api.approval}/approve`
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    const got = await api.request(approve, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization, origin },
      body: '{}',
    })
    expect(got, origin).toMatchObject({ status: 403 })
  }
  expect(await hostIs(api, 'evil.example')).toBe(403)
  // What a form, a beacon or an image of another page can send.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
    const headers = { authorization, ...(type !== '' && { 'content-type': type }) }
    const got = await api.request(approve, { method: 'POST', headers, body: Buffer.from('{}') })
    expect(got, type).toMatchObject({ status: 415 })
  }
  expect(await api.request(approve, { headers: { authorization } })).toMatchObject({ status: 404 })
  const preflight = await api.request(approve, {
    method: 'OPTIONS',
    headers: { origin: api.origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(401)
  for (const { headers } of [preflight, await api.get('/api/host')]) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'set-cookie')).toEqual([])
  }
  expect((await api.get(`/api/approvals/${api.approval}`)).json.status).toBe('waiting')
  const own = { method: 'POST', headers: { ...JSON_TYPE, authorization, origin: api.origin }, body: '{}' }
  expect(await api.request(approve, own)).toMatchObject({
    status: 200,
    json: { status: 'approved', decided_by: 'ada' },
  })
})

/** fetch says itself which host it means. */
function hostIs(api: OperatorClient, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${api.token}` }
    request(`${api.origin}/api/host`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('a body that is no JSON, too large or has more in it than is known is refused', async () => {
  const api = await guarded()
  const post = (body: string) =>
    api.request(`/api/approvals/${api.approval}/deny`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${api.token}` },
      body,
    })
  expect(await post('{')).toMatchObject({ status: 400 })
  expect(await post('[]')).toMatchObject({ status: 400 })
  expect(await post('{"notes":"x"}')).toMatchObject({
    status: 400,
    json: { error_message: 'Malformed request: json/notes: is not a known property' },
  })
  expect(await post('{"note":7}')).toMatchObject({
    json: { error_message: 'Malformed request: json/note: must be a string' },
  })
  expect(await post(JSON.stringify({ note: 'x'.repeat(70_000) }))).toMatchObject({ status: 413 })
  const nested = (levels: number): string => `{"note":${'['.repeat(levels)}${']'.repeat(levels)}}`
  expect(await post(nested(30_000))).toMatchObject({
    status: 400,
    json: { error_message: 'Malformed request: the body is nested more than 100 levels deep.' },
  })
  // Brackets in a text are none.
  expect(await post(JSON.stringify({ note: 7, more: `"${'['.repeat(500)}` }))).toMatchObject({
    json: { error_message: expect.stringContaining('json/note: must be a string') },
  })
  expect(await post('')).toMatchObject({ status: 200, json: { status: 'denied' } })
})

test('what is refused before any route is documented for each, in the shape of every error', async () => {
  const api = await guarded()
  const right = { authorization: `Bearer ${api.token}` }
  const large = JSON.stringify({ note: 'x'.repeat(70_000) })
  for (const [template, methods] of Object.entries((await api.document()).paths)) {
    const path = template.replaceAll(/\{\w+\}/g, 'x')
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const refused = (init: RequestInit) => api.documented(method.toUpperCase(), path, init)
      const isPost = method === 'post'
      expect(await refused({ headers: JSON_TYPE, ...(isPost && { body: '{}' }) })).toMatchObject({ status: 401 })
      const origin = 'https://evil.example'
      expect(await refused({ headers: { ...JSON_TYPE, ...right, origin } })).toMatchObject({ status: 403 })
      if (!isPost) continue
      // A generated client sends a content type only with a body.
      expect(requestBody, template).toMatchObject({ required: true, content: { 'application/json': {} } })
      expect(await refused({ headers: right, body: Buffer.from('{}') })).toMatchObject({ status: 415 })
      expect(await refused({ headers: { ...JSON_TYPE, ...right }, body: large })).toMatchObject({ status: 413 })
      expect(await refused({ headers: { ...JSON_TYPE, ...right }, body: '{' })).toMatchObject({ status: 400 })
    }
  }
})

test('after many wrong tokens further wrong ones get 429, and the right one is still accepted', async () => {
  const api = await guarded()
  const wrong = () => api.request('/api/host', { headers: { authorization: 'Bearer wrong' } })
  for (let count = 0; count < 20; count++) expect((await wrong()).status).toBe(401)
  const waits = await wrong()
  expect(waits.status).toBe(429)
  expect(waits.headers.get('retry-after')).toBe('60')
  expect(await api.get('/api/host')).toMatchObject({ status: 200 })
})

test('a new token is created unless one is set, and a weak or a caller’s token is rejected', () => {
  expect(operatorToken({})).toMatch(/^[\w-]{43}$/)
  expect(operatorToken({})).not.toBe(operatorToken({}))
  const strong = 'S'.repeat(32)
  expect(operatorToken({ MYRMEX_API_TOKEN: strong })).toBe(strong)
  const nobody = { principals: [] }
  expect(() => assertOperatorToken(strong, nobody, CALLERS)).not.toThrow()
  expect(() => assertOperatorToken('short', nobody)).toThrow('shorter than 32')
  expect(() => assertOperatorToken('', nobody)).toThrow('empty')
  expect(() => assertOperatorToken(`${strong}\n`, nobody)).toThrow('characters')
  expect(() => assertOperatorToken(CALLERS, nobody, CALLERS)).toThrow('a caller must not approve its own calls')
  const token_sha256 = createHash('sha256').update(strong).digest('hex')
  const principals = [{ id: 'eve', token_sha256, scopes: [] }]
  expect(() => assertOperatorToken(strong, { principals })).toThrow('a caller must not approve its own calls')
  expect(operatorTokenCheck(strong, () => {})({ headers: { authorization: `bearer ${strong}` } } as never)).toBe(
    'operator',
  )
})
