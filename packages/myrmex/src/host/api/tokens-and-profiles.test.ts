/** /api/tokens and /api/profiles: the same as the command line, and the text of a token is in one answer only. */
import { postModern } from '@myrmex/testing/http-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { twoServers } from '@myrmex/testing/profiles/two-servers'
import { expect, test } from 'vitest'

async function apiOfTwo() {
  const { host, ledger, origin } = await twoServers()
  return { ledger, origin, api: await serveOperatorApi({ server: host.server, ledger }) }
}

test('a token is created, used, replaced and revoked while the host runs', async () => {
  const { api, origin } = await apiOfTwo()
  const made = (await api.post('/api/tokens', { name: 'cursor', profile: 'ants' })).json
  expect(made).toMatchObject({
    token: expect.stringMatching(/^myx_[0-9A-Za-z]{46}$/),
    details: {
      name: 'cursor',
      principal: 'token:cursor',
      state: 'valid',
      profile: 'ants',
      scopes: ['*'],
      created_by: 'ada',
    },
  })
  const status = async (token: string): Promise<number> =>
    (await postModern(`${origin}/mcp`, 'tools/list', {}, { authorization: `Bearer ${token}` })).status
  expect(await status(made.token)).toBe(200)
  const next = (await api.post('/api/tokens/cursor/rotate', { overlap_ms: 60_000 })).json
  expect([await status(made.token), await status(next.token)]).toEqual([200, 200])
  const { json, ...listed } = await api.get('/api/tokens')
  expect(json.tokens).toMatchObject([{ state: 'valid' }, { state: 'ending' }])
  for (const { token } of [made, next]) expect(JSON.stringify({ json, ...listed })).not.toContain(token)
  expect((await api.post('/api/tokens/cursor/revoke')).json).toEqual({ revoked: 2 })
  expect([await status(made.token), await status(next.token)]).toEqual([401, 401])
})

test.each([
  [{ name: 'cursor' }, 'Say what the token may call'],
  [{ name: 'cursor', profile: 'antz' }, 'Unknown profile "antz". Did you mean ants?'],
  [{ name: 'Not A Name', scopes: ['*'] }, 'The name of a token'],
  [{ name: 'cursor', scopes: ['*'], until: 5 }, 'until is not in the future'],
  [{ name: 'cursor', scopes: [] }, 'Name at least one scope'],
])('%j is rejected: %s', async (body, message) => {
  const { api, ledger } = await apiOfTwo()
  expect(await api.post('/api/tokens', body)).toMatchObject({
    status: 400,
    json: { error_message: expect.stringContaining(message) },
  })
  expect(await ledger.tokens.list()).toEqual([])
})

test('profiles are listed with counts, and shown with all that they see', async () => {
  const { api } = await apiOfTwo()
  const { profiles } = (await api.get('/api/profiles')).json
  expect(profiles).toMatchObject([
    {
      name: 'ants',
      path: '/mcp/p/ants',
      read_only: false,
      counts: { tools: 3, destructive: 1, resources: 2, prompts: 1 },
    },
    {
      name: 'bees',
      path: '/mcp/p/bees',
      read_only: true,
      counts: { tools: 2, destructive: 0, resources: 2, prompts: 1 },
    },
  ])
  const bees = (await api.get('/api/profiles/bees')).json
  expect(bees.tools.map(({ tool }: { tool: string }) => tool)).toEqual(['bees.read_bees', 'bees.wait_bees'])
  expect(JSON.stringify(bees)).not.toContain('ants')
  expect(await api.get('/api/profiles/bess')).toMatchObject({
    status: 404,
    json: { error_message: expect.stringContaining('Did you mean bees?') },
  })
})
